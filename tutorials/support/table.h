// A table with a label for each row and column, in blocks of columns where it is too wide.
#pragma once

#include <iosfwd>
#include <limits>
#include <string>
#include <vector>

namespace tutorial {

struct Cell {
    std::string text;
    double weight = std::numeric_limits<double>::quiet_NaN();  // what to paint it by; NaN: not
};

struct Table {
    std::string corner;        // above the labels of the rows: "query \ key"
    std::string what_columns;  // "key": blocks are headed "keys 1 to 8 of 30"
    std::vector<std::string> rows;
    std::vector<std::string> columns;
    std::vector<Cell> cells;  // row by row
};

// At most 80 columns wide. Labels and cells are cut with … where they are very long; labels of
// columns somewhat more if that brings the whole table beside each other. Each block ends with an
// empty line. The colours are those in use (color.h).
// Error: there are not as many cells as rows times columns (std::invalid_argument).
void print_table(std::ostream& out, const Table& table);

// One line, where the texts are too long for a table: the label in the first `label_width` columns,
// then each cell, after two spaces, in `width`.
void print_row(std::ostream& out, const std::string& label, const std::vector<std::string>& cells,
               std::size_t label_width, std::size_t width);

}  // namespace tutorial
