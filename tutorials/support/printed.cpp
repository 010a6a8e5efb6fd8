#include "tutorials/support/printed.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tutorial {
namespace {
using Lines = std::vector<std::string>;
using Matrix = PrintedPart::Matrix;

Lines lines_of(const std::string& text) {
    Lines lines;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

bool is_entry(const std::string& word) {
    static const Lines words = {"nan", "inf", "-inf", "true", "false", "..."};
    if (std::find(words.begin(), words.end(), word) != words.end()) return true;
    return word.find_first_of("0123456789") != std::string::npos &&
           word.find_first_not_of("0123456789+-.e") == std::string::npos;
}

// "[2, 3]" or "[]" from `at` to the end of the line.
bool is_shape(const std::string& text) {
    return text.size() >= 2 && text.front() == '[' && text.back() == ']' &&
           text.find_first_not_of("0123456789, ", 1) == text.size() - 1;
}

// Numbers in brackets, which may go on over several lines, and their shape.
struct Brackets {
    std::vector<std::vector<std::string>> rows;  // of all innermost brackets
    std::size_t depth = 0;
    std::string shape;
    std::size_t next = 0;  // the line after
};

std::optional<Brackets> brackets_at(const Lines& lines, std::size_t line, std::size_t at) {
    Brackets found;
    std::size_t depth = 0;
    std::string word;
    std::vector<std::string> row;
    const auto end_word = [&] {
        if (word.empty()) return true;
        row.push_back(std::exchange(word, ""));
        return is_entry(row.back());
    };
    for (;; ++line, at = 0) {
        if (line >= lines.size()) return std::nullopt;
        const std::string& text = lines[line];
        for (; at < text.size(); ++at) {
            const char c = text[at];
            if (c == '[') {
                if (!end_word()) return std::nullopt;
                if (row == std::vector<std::string>{"..."}) {  // rows that were left out
                    found.rows.push_back(std::exchange(row, {}));
                }
                if (!row.empty()) return std::nullopt;
                found.depth = std::max(found.depth, ++depth);
            } else if (c == ']') {
                if (!end_word()) return std::nullopt;
                if (!row.empty()) found.rows.push_back(std::exchange(row, {}));
                if (--depth > 0) continue;
                if (text.compare(at + 1, 2, "  ") != 0 || !is_shape(text.substr(at + 3))) {
                    return std::nullopt;
                }
                found.shape = text.substr(at + 3);
                found.next = line + 1;
                return found;
            } else if (c == ',' || c == ' ') {
                if (!end_word()) return std::nullopt;
            } else {
                word += c;
            }
        }
        if (!end_word()) return std::nullopt;
    }
}

std::vector<std::int64_t> lengths_of(const std::string& shape) {
    std::vector<std::int64_t> lengths;
    for (std::size_t at = 1; at < shape.size();) {
        const std::size_t end = shape.find_first_of(",]", at);
        if (end > at) lengths.push_back(std::stoll(shape.substr(at, end - at)));
        at = end + 1;
    }
    return lengths;
}

// Rows below each other, as matrices of `shape`; nullopt if they are not as many as it says, as in
// a tensor of which only the edges were printed.
std::optional<std::vector<Matrix>> matrices_of(const Brackets& found) {
    const std::vector<std::int64_t> lengths = lengths_of(found.shape);
    if (lengths.size() != found.depth || found.rows.empty()) return std::nullopt;
    if (lengths.size() <= 2) return std::vector<Matrix>{{"", found.rows}};
    const std::size_t rank = lengths.size();
    const std::size_t height = static_cast<std::size_t>(lengths[rank - 2]);
    std::size_t rows = 1;
    for (std::size_t axis = 0; axis + 1 < rank; ++axis) {
        rows *= static_cast<std::size_t>(lengths[axis]);
    }
    if (rows != found.rows.size()) return std::nullopt;
    std::vector<Matrix> matrices;
    for (std::size_t first = 0; first < rows; first += height) {
        std::string place;
        std::size_t rest = first / height;
        for (std::size_t axis = rank - 2; axis-- > 0;) {
            const std::size_t length = static_cast<std::size_t>(lengths[axis]);
            place = std::to_string(rest % length) + ", " + place;
            rest /= length;
        }
        const auto begin = found.rows.begin() + static_cast<std::ptrdiff_t>(first);
        matrices.push_back(
            {"[" + place + ":, :]", {begin, begin + static_cast<std::ptrdiff_t>(height)}});
    }
    return matrices;
}

bool is_place(const std::string& line) {
    const std::string end = ", :, :]";
    return line.size() > end.size() && line.front() == '[' &&
           line.compare(line.size() - end.size(), end.size(), end) == 0;
}

// A row of a mask; its shape stands after the last one.
bool read_mask_row(const std::string& line, std::vector<std::string>& row, std::string& shape) {
    const std::string dot = "·";
    for (std::size_t at = 0; at < line.size();) {
        const std::string rest = line.substr(at);
        if (!row.empty() && rest.compare(0, 2, "  ") == 0 && is_shape(rest.substr(2))) {
            shape = rest.substr(2);
            return true;
        }
        if (!row.empty()) {
            if (line[at] != ' ') return false;
            ++at;
        }
        if (line.compare(at, 1, "x") == 0) {
            row.push_back("x");
            ++at;
        } else if (line.compare(at, dot.size(), dot) == 0) {
            row.push_back(dot);
            at += dot.size();
        } else {
            return false;
        }
    }
    return !row.empty();
}

struct Grid {
    std::vector<Matrix> matrices = {{}};
    std::string shape;
    std::size_t next = 0;
};

std::optional<Grid> grid_at(const Lines& lines, std::size_t line) {
    Grid grid;
    for (; line < lines.size(); ++line) {
        if (is_place(lines[line])) {
            if (!grid.matrices.back().rows.empty()) grid.matrices.emplace_back();
            grid.matrices.back().place = lines[line];
            continue;
        }
        if (lines[line].empty() && !grid.matrices.back().rows.empty()) continue;
        std::vector<std::string> row;
        if (!read_mask_row(lines[line], row, grid.shape)) return std::nullopt;
        grid.matrices.back().rows.push_back(row);
        if (grid.shape.empty()) continue;
        grid.next = line + 1;
        return grid;
    }
    return std::nullopt;
}

// "exp(z)  [7.3891, 2.7183]  [2]", or the same in two brackets.
std::optional<PrintedPart::Row> row_at(const Lines& lines, std::size_t line) {
    const std::string& text = lines[line];
    const std::size_t shape = text.rfind("]  [");
    if (shape == std::string::npos || text.front() == '[') return std::nullopt;
    for (std::size_t at = text.find(" ["); at < shape; at = text.find(" [", at + 1)) {
        const std::optional<Brackets> found = brackets_at(lines, line, at + 1);
        if (!found || found->next != line + 1 || found->rows.size() != 1) continue;
        const std::size_t last = text.find_last_not_of(' ', at);
        if (last == std::string::npos) return std::nullopt;
        return PrintedPart::Row{text.substr(0, last + 1), found->rows[0], found->shape};
    }
    return std::nullopt;
}

// The line right above a tensor says what it is: "x =", or other words.
std::string take_name(std::string& text) {
    const std::size_t begin = text.rfind('\n') + 1;  // 0, if there is one line
    const std::string line = text.substr(begin);
    text.resize(begin == 0 ? 0 : begin - 1);
    const bool is_name = line.size() > 2 && line.compare(line.size() - 2, 2, " =") == 0;
    return is_name ? line.substr(0, line.size() - 2) : line;
}

void end_text(std::vector<PrintedPart>& parts, std::string& text) {
    while (!text.empty() && text.front() == '\n') text.erase(0, 1);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    if (!text.empty()) parts.push_back({PrintedPart::Kind::text, text, "", "", {}, {}});
    text.clear();
}

}  // namespace

std::vector<PrintedPart> parts_of_printed(const std::string& printed) {
    const Lines lines = lines_of(printed);
    std::vector<PrintedPart> parts;
    std::string text;
    const auto add = [&](PrintedPart part) {
        if (!text.empty()) text.pop_back();  // the end of the line above
        part.name = take_name(text);
        end_text(parts, text);
        parts.push_back(std::move(part));
    };
    for (std::size_t line = 0; line < lines.size();) {
        if (lines[line].compare(0, 1, "[") == 0) {
            const std::optional<Brackets> found = brackets_at(lines, line, 0);
            std::optional<std::vector<Matrix>> matrices;
            if (found) matrices = matrices_of(*found);
            if (matrices) {
                add({PrintedPart::Kind::tensor, "", "", found->shape, *matrices, {}});
                line = found->next;
                continue;
            }
        }
        if (const std::optional<Grid> grid = grid_at(lines, line)) {
            add({PrintedPart::Kind::mask, "", "", grid->shape, grid->matrices, {}});
            line = grid->next;
            continue;
        }
        std::vector<PrintedPart::Row> rows;
        while (line < lines.size() && !lines[line].empty()) {
            const std::optional<PrintedPart::Row> row = row_at(lines, line);
            if (!row) break;
            rows.push_back(*row);
            ++line;
        }
        if (!rows.empty()) {
            end_text(parts, text);
            parts.push_back({PrintedPart::Kind::rows, "", "", "", {}, rows});
            continue;
        }
        text += lines[line++] + "\n";
    }
    end_text(parts, text);
    return parts;
}

}  // namespace tutorial
