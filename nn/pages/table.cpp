#include "table.h"

#include "../../tensor/errors.h"
#include "color.h"
#include "display.h"

#include <algorithm>
#include <ostream>
#include <stdexcept>

namespace heed { inline namespace HEED_PRECISION { namespace terminal {
namespace {
constexpr std::size_t page_width = 80;
constexpr std::size_t narrowest_column = 4;  // 0.25
constexpr std::size_t shortest_cut = 6;      // labels are never truncated below this
constexpr std::size_t longest_column = 12;
constexpr std::size_t longest_row = 16;

struct Layout {
    std::size_t page = page_width;
    std::size_t rows = 0;              // the width of their labels
    std::vector<std::size_t> columns;  // without the space before each

    std::size_t end_of_block(std::size_t first) const {
        std::size_t used = rows;
        std::size_t end = first;
        while (end < columns.size() && used + columns[end] + 1 <= page) {
            used += columns[end] + 1;
            ++end;
        }
        return end;
    }
    // 0 if a single column is too wide.
    std::size_t blocks() const {
        std::size_t count = 0;
        for (std::size_t first = 0; first < columns.size(); ++count) {
            const std::size_t end = end_of_block(first);
            if (end == first) return 0;
            first = end;
        }
        return count;
    }
};

std::size_t width_up_to(std::size_t longest, const std::string& text) {
    return std::min(display_width(visible(text)), longest);
}

Layout layout_with(const Table& table, std::size_t longest_label) {
    Layout layout;
    layout.rows = width_up_to(longest_row, table.corner);
    for (const std::string& row : table.rows) {
        layout.rows = std::max(layout.rows, width_up_to(longest_row, row));
    }
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
        std::size_t width =
            std::max(narrowest_column, width_up_to(longest_label, table.columns[j]));
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            const Cell& cell = table.cells[i * table.columns.size() + j];
            width = std::max(width, width_up_to(longest_column, cell.text));
        }
        layout.columns.push_back(width);
    }
    return layout;
}

// Labels are shortened if all columns then fit side by side. If they cannot, labels keep their
// length and the blocks are made about equally wide.
Layout layout_of(const Table& table) {
    for (std::size_t longest = longest_column; longest >= shortest_cut; --longest) {
        const Layout layout = layout_with(table, longest);
        if (layout.blocks() <= 1) return layout;
    }
    Layout layout = layout_with(table, longest_column);
    Layout narrower = layout;
    while (narrower.blocks() == layout.blocks()) {
        layout.page = narrower.page;
        --narrower.page;
    }
    return layout;
}

void print_block(std::ostream& out, const Table& table, const Layout& layout, std::size_t first,
                 std::size_t end) {
    const ColorLevel colors = colors_of(out);
    out << fit(table.corner, layout.rows);
    for (std::size_t j = first; j < end; ++j) {
        out << " " << fit(table.columns[j], layout.columns[j], Align::right);
    }
    out << "\n";
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        out << fit(table.rows[i], layout.rows);
        for (std::size_t j = first; j < end; ++j) {
            const Cell& cell = table.cells[i * table.columns.size() + j];
            const std::string text = " " + fit(cell.text, layout.columns[j], Align::right);
            out << painted(text, cell.weight, colors);
        }
        out << "\n";
    }
    out << "\n";
}

}  // namespace

void print_table(std::ostream& out, const Table& table) {
    const std::size_t count = table.columns.size();
    if (table.cells.size() != table.rows.size() * count) {
        throw std::invalid_argument("print_table: " + std::to_string(table.rows.size()) +
                                    " rows and " + std::to_string(count) + " columns, but " +
                                    std::to_string(table.cells.size()) + " cells");
    }
    const Layout layout = layout_of(table);
    if (layout.blocks() <= 1) return print_block(out, table, layout, 0, count);
    for (std::size_t first = 0; first < count;) {
        const std::size_t end = layout.end_of_block(first);
        const bool is_one = end - first == 1;
        out << text(table.what_columns, is_one ? " " : "s ", first + 1,
                    is_one ? "" : text(" to ", end), " of ", count, "\n");
        print_block(out, table, layout, first, end);
        first = end;
    }
}

void print_row(std::ostream& out, const std::string& label, const std::vector<std::string>& cells,
               std::size_t label_width, std::size_t width) {
    std::string line = label.empty() ? std::string(label_width, ' ') : fit(label, label_width);
    for (const std::string& cell : cells) {
        line += "  " + (cell.empty() ? std::string(width, ' ') : fit(cell, width));
    }
    out << line.substr(0, line.find_last_not_of(' ') + 1) << "\n";
}

void print_columns(std::ostream& out, const std::vector<std::string>& cells, std::size_t width) {
    for (const std::string& cell : cells) {
        out << (cell.empty() ? std::string(width, ' ') : fit(cell, width, Align::right));
    }
    out << "\n";
}

}}}  // namespace heed::terminal
