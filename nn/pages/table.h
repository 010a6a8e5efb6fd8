// A table with row and column labels, split into blocks of columns if it is too wide.
#pragma once

#include "../../tensor/scalar.h"

#include <iosfwd>
#include <limits>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace terminal {

struct Cell {
    std::string text;
    double weight = std::numeric_limits<double>::quiet_NaN();  // sets the colour; NaN: none
};

struct Table {
    std::string corner;        // above the row labels: "query \ key"
    std::string what_columns;  // "key": blocks are headed "keys 1 to 8 of 30"
    std::vector<std::string> rows;
    std::vector<std::string> columns;
    std::vector<Cell> cells;  // row-major
};

// At most 80 columns wide. Very long labels and cells are truncated with …; column labels are
// shortened further if the whole table then fits in one block. Each block ends with an empty line.
// In colours (color.h). Error: the number of cells is not rows times columns
// (std::invalid_argument).
void print_table(std::ostream& out, const Table& table);

// One line, for texts too long for a table: the label in the first `label_width` columns, then each
// cell in `width` columns after two spaces.
void print_row(std::ostream& out, const std::string& label, const std::vector<std::string>& cells,
               std::size_t label_width, std::size_t width);

// The same without a label: each cell right-aligned in `width` columns.
void print_columns(std::ostream& out, const std::vector<std::string>& cells, std::size_t width);

}}}  // namespace heed::terminal
