#include "tutorials/support/grid.h"

#include "tensor/print.h"

#include <algorithm>
#include <ostream>
#include <stdexcept>

namespace tutorial {

namespace {

constexpr std::size_t label_width = 14;
constexpr std::size_t column_width = 8;
constexpr std::size_t columns_in_a_block = (80 - label_width) / column_width;

bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The pictures Unicode has for control characters stand at U+2400 and following.
std::string visible(const std::string& word) {
    std::string shown;
    for (const char c : word) {
        const unsigned char byte = static_cast<unsigned char>(c);
        if (byte < 0x20) {
            shown += "\xE2\x90";
            shown += static_cast<char>(0x80 + byte);
        } else if (byte == 0x7F) {
            shown += "\xE2\x90\xA1";
        } else {
            shown += c;
        }
    }
    return shown;
}

void check_fits(const std::string& what, std::size_t words, const heed::Shape& shape, int axis) {
    const std::size_t expected = static_cast<std::size_t>(shape.dim(axis));
    if (words == expected) return;
    throw std::invalid_argument("print_grid: " + std::to_string(words) + " " + what +
                                " are named, but the weights " + shape.text() + " have " +
                                std::to_string(expected));
}

}  // namespace

std::string cell(const std::string& word, std::size_t width, bool to_the_right) {
    std::string cut;
    std::size_t used = 0;
    for (const char c : visible(word)) {
        if (!continues_a_character(c)) {
            if (used == width) break;
            ++used;
        }
        cut += c;
    }
    const std::string space(width - used, ' ');
    return to_the_right ? space + cut : cut + space;
}

void print_grid(std::ostream& out, const std::vector<std::string>& queries,
                const std::vector<std::string>& keys, const heed::Mask& mask,
                const heed::Tensor& weights) {
    check_fits("queries", queries.size(), weights.shape(), 0);
    check_fits("keys", keys.size(), weights.shape(), 1);
    check_fits("queries of the mask", static_cast<std::size_t>(mask.T_q()), weights.shape(), 0);
    check_fits("keys of the mask", static_cast<std::size_t>(mask.T_k()), weights.shape(), 1);
    for (std::size_t first = 0; first < keys.size(); first += columns_in_a_block) {
        const std::size_t last = std::min(first + columns_in_a_block, keys.size());
        out << cell("query \\ key", label_width);
        for (std::size_t j = first; j < last; ++j) {
            out << " " << cell(keys[j], column_width - 1, true);
        }
        out << "\n";
        for (std::size_t i = 0; i < queries.size(); ++i) {
            out << cell(queries[i], label_width);
            for (std::size_t j = first; j < last; ++j) {
                const bool allowed =
                    mask.allows(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j));
                const std::string shown = allowed ? heed::fixed(weights(i, j), 2) : "·";
                out << " " << cell(shown, column_width - 1, true);
            }
            out << "\n";
        }
        out << "\n";
    }
}

}  // namespace tutorial
