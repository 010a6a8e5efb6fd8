// Printing: which entries are shown, how a number is formatted, and the layout.
#include "print.h"

#include "digits.h"
#include "errors.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace heed { inline namespace HEED_PRECISION {
namespace {
void check_decimals(const char* operation, int decimals, const CallSite& site) {
    if (decimals < 0 || decimals > 100) {
        fail_argument(operation, site, "decimals is ", decimals, "; it must be between 0 and 100");
    }
}

void check_options(const PrintOptions& options, const CallSite& site) {
    check_decimals("to_string", options.decimals, site);
    check_at_least("to_string", "edge", options.edge, 1, site);
    if (options.summarise_above < 0 || options.line_width < 0) {
        fail_argument("to_string", site, "summarise_above is ", options.summarise_above,
                      " and line_width is ", options.line_width, "; both must be 0 or more");
    }
}

std::string padded(const std::string& cell, std::size_t width) {
    return std::string(width - std::min(width, cell.size()), ' ') + cell;
}

// The entries of a shape that are shown: all of them, or the edges of each axis.
class Selection {
  public:
    Selection(const Shape& shape, const PrintOptions& options)
        : shape_(shape), edge_(options.edge), cut_(shape.numel() > options.summarise_above) {}

    // Whether "..." stands for entries in the middle of the axis.
    bool has_gap(int axis) const { return cut_ && shape_[axis] > 2 * edge_; }
    bool gap_before(int axis, std::int64_t i) const {
        return has_gap(axis) && i == shape_[axis] - edge_;
    }
    // The entry that is shown after entry i.
    std::int64_t next(int axis, std::int64_t i) const {
        return has_gap(axis) && i + 1 == edge_ ? shape_[axis] - edge_ : i + 1;
    }
    const Shape& shape() const { return shape_; }

    // The offsets of the entries shown, in row-major order.
    std::vector<std::int64_t> offsets(const Dims& strides) const {
        std::vector<std::int64_t> found;
        if (shape_.numel() > 0) collect(strides, 0, 0, found);
        return found;
    }

  private:
    void collect(const Dims& strides, int axis, std::int64_t offset,
                 std::vector<std::int64_t>& found) const {
        if (axis == shape_.rank()) {
            found.push_back(offset);
            return;
        }
        for (std::int64_t i = 0; i < shape_[axis]; i = next(axis, i)) {
            collect(strides, axis + 1, offset + i * strides[axis], found);
        }
    }

    Shape shape_;
    std::int64_t edge_;
    bool cut_;
};

// Writes cells, in row-major order, between nested brackets.
class Brackets {
  public:
    Brackets(const Selection& shown, const std::vector<std::string>& cells,
             const PrintOptions& options)
        : shown_(shown), cells_(cells), line_width_(options.line_width) {
        for (const std::string& cell : cells) width_ = std::max(width_, cell.size());
    }

    std::string text() {
        if (cells_.empty()) return "[]";
        if (shown_.shape().rank() == 0) return cells_.front();
        write_axis(0);
        return out_;
    }

  private:
    void write_axis(int axis) {
        const int rank = shown_.shape().rank();
        out_ += '[';
        if (axis == rank - 1) {
            write_row();
        } else {
            write_lists(axis);
        }
        out_ += ']';
    }

    // Rows go on consecutive lines, deeper lists are separated by blank lines.
    void write_lists(int axis) {
        const int rank = shown_.shape().rank();
        const std::size_t indent = static_cast<std::size_t>(axis + 1);
        const std::string between = "," +
                                    std::string(static_cast<std::size_t>(rank - 1 - axis), '\n') +
                                    std::string(indent, ' ');
        for (std::int64_t i = 0; i < shown_.shape()[axis]; i = shown_.next(axis, i)) {
            if (i > 0) out_ += between;
            if (shown_.gap_before(axis, i)) out_ += "..." + between;
            write_axis(axis + 1);
        }
    }

    void write_row() {
        const int axis = shown_.shape().rank() - 1;
        column_ = shown_.shape().rank();
        for (std::int64_t i = 0; i < shown_.shape()[axis]; i = shown_.next(axis, i)) {
            if (shown_.gap_before(axis, i)) write_cell("...", i == 0);
            write_cell(padded(cells_[written_++], width_), i == 0);
        }
    }

    // Appends to the current line, or to a new one if it would get too long.
    void write_cell(const std::string& cell, bool first) {
        const std::int64_t length = static_cast<std::int64_t>(cell.size());
        const std::int64_t indent = shown_.shape().rank();
        if (!first && column_ + length + 3 > line_width_) {
            out_ += ",\n" + std::string(static_cast<std::size_t>(indent), ' ');
            column_ = indent;
        } else if (!first) {
            out_ += ", ";
            column_ += 2;
        }
        out_ += cell;
        column_ += length;
    }

    const Selection& shown_;
    const std::vector<std::string>& cells_;
    std::int64_t line_width_;
    std::size_t width_ = 0;
    std::size_t written_ = 0;
    std::int64_t column_ = 0;
    std::string out_;
};

std::string with_shape(const std::string& numbers, const Shape& shape,
                       const PrintOptions& options) {
    return options.shape ? numbers + "  " + shape.text() : numbers;
}

std::string digits(double number, Notation notation, int decimals) {
    if (std::isnan(number)) return "nan";
    const std::string written = written_digits(number, notation, decimals);
    const bool is_zero = written.find_first_of("123456789in") == std::string::npos;
    return written[0] == '-' && is_zero ? written.substr(1) : written;
}

// The format of the numbers of one tensor, chosen from all entries shown.
struct NumberStyle {
    bool whole = true;        // 3.
    bool scientific = false;  // 3.0000e+00

    explicit NumberStyle(const std::vector<double>& numbers) {
        double largest = 0;
        for (double number : numbers) {
            if (!std::isfinite(number) || number == 0) continue;
            if (number != std::floor(number)) whole = false;
            largest = std::max(largest, std::fabs(number));
        }
        scientific = largest > 1e8 || (largest > 0 && largest < 1e-4);
    }

    std::string text(double number, int decimals) const {
        if (scientific) return digits(number, Notation::scientific, decimals);
        if (whole) return digits(number, Notation::fixed, 0) + (std::isfinite(number) ? "." : "");
        const std::string written = digits(number, Notation::fixed, decimals);
        const bool vanishes = number != 0 && std::fabs(number) < 1e-4 &&
                              written == digits(0, Notation::fixed, decimals);
        return vanishes ? digits(number, Notation::scientific, 0) : written;
    }
};

// One grid of a mask; `cells` holds all entries shown; those of this grid start at `next`.
std::string grid(const Selection& shown, const std::vector<std::string>& cells, std::size_t& next) {
    const int keys = shown.shape().rank() - 1;
    const int queries = keys - 1;
    std::string out;
    for (std::int64_t i = 0; i < shown.shape()[queries]; i = shown.next(queries, i)) {
        if (i > 0) out += '\n';
        if (shown.gap_before(queries, i)) out += "...\n";
        for (std::int64_t j = 0; j < shown.shape()[keys]; j = shown.next(keys, j)) {
            if (j > 0) out += ' ';
            if (shown.gap_before(keys, j)) out += "... ";
            out += cells[next++];
        }
    }
    return out;
}

// One grid for every index along the leading axes, one below the other.
void write_grids(const Selection& shown, const std::vector<std::string>& cells, std::size_t& next,
                 const std::string& index, int axis, std::string& out) {
    if (axis == shown.shape().rank() - 2) {
        if (!out.empty()) out += "\n\n";
        if (axis > 0) out += "[" + index + ":, :]\n";
        out += grid(shown, cells, next);
        return;
    }
    for (std::int64_t i = 0; i < shown.shape()[axis]; i = shown.next(axis, i)) {
        if (shown.gap_before(axis, i)) out += "\n\n...";
        const std::string longer = index + std::to_string(i) + ", ";
        write_grids(shown, cells, next, longer, axis + 1, out);
    }
}

// The entries shown of integers or booleans, each formatted by `text_of`.
template <class Entries, class TextOf>
std::vector<std::string> cells_of(const Entries& x, const Selection& shown, TextOf text_of) {
    std::vector<std::string> cells;
    for (std::int64_t offset : shown.offsets(contiguous_strides(x.shape()))) {
        cells.push_back(text_of(x.data()[offset]));
    }
    return cells;
}

}  // namespace

std::string to_string(const Tensor& x, const PrintOptions& options, CallSite site) {
    check_options(options, site);
    const Selection shown(x.shape(), options);
    std::vector<double> numbers;
    for (std::int64_t offset : shown.offsets(x.strides())) numbers.push_back(x.data()[offset]);

    const NumberStyle style(numbers);
    std::vector<std::string> cells;
    for (double number : numbers) cells.push_back(style.text(number, options.decimals));
    return with_shape(Brackets(shown, cells, options).text(), x.shape(), options);
}

std::string to_string(const IndexTensor& x, const PrintOptions& options, CallSite site) {
    check_options(options, site);
    const Selection shown(x.shape(), options);
    const auto cells = cells_of(x, shown, [](std::int64_t n) { return std::to_string(n); });
    return with_shape(Brackets(shown, cells, options).text(), x.shape(), options);
}

std::string to_string(const BoolTensor& x, const PrintOptions& options, CallSite site) {
    check_options(options, site);
    const Selection shown(x.shape(), options);
    const auto cells = cells_of(x, shown, [](bool is) { return is ? "true" : "false"; });
    return with_shape(Brackets(shown, cells, options).text(), x.shape(), options);
}

std::string to_string(const Mask& mask, const PrintOptions& options, CallSite site) {
    check_options(options, site);
    const Selection shown(mask.shape(), options);
    const auto cells = cells_of(mask.allowed(), shown, [](bool is) { return is ? "x" : "·"; });
    std::string out = "[]";
    if (!cells.empty()) {
        std::size_t next = 0;
        out.clear();
        write_grids(shown, cells, next, "", 0, out);
    }
    return with_shape(out, mask.shape(), options);
}

std::string fixed(double number, int decimals, CallSite site) {
    check_decimals("fixed", decimals, site);
    return digits(number, Notation::fixed, decimals);
}

std::ostream& operator<<(std::ostream& out, const Tensor& x) { return out << to_string(x); }

std::ostream& operator<<(std::ostream& out, const IndexTensor& x) { return out << to_string(x); }

std::ostream& operator<<(std::ostream& out, const BoolTensor& x) { return out << to_string(x); }

std::ostream& operator<<(std::ostream& out, const Mask& mask) { return out << to_string(mask); }

}}  // namespace heed
