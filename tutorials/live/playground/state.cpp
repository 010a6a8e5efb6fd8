#include "tutorials/live/playground/state.h"

#include "tensor/errors.h"
#include "tensor/factories.h"
#include "tensor/quote.h"
#include "tutorials/support/text_file.h"

#include <algorithm>
#include <limits>
#include <map>

namespace tutorial {
namespace {
using heed::in_quotes;
using heed::text;

using Parts = std::map<std::string, std::string, std::less<>>;  // a value by its name

template <class... Words>
[[noreturn]] void break_off(const Words&... words) {
    throw BrokenState(text("playground: ", words...));
}

std::vector<std::string_view> split(std::string_view whole, char separator) {
    std::vector<std::string_view> pieces;
    while (true) {
        const std::size_t end = whole.find(separator);
        pieces.push_back(whole.substr(0, end));
        if (end == whole.npos) return pieces;
        whole.remove_prefix(end + 1);
    }
}

int hexadecimal(char c) {
    if ('0' <= c && c <= '9') return c - '0';
    if ('a' <= c && c <= 'f') return c - 'a' + 10;
    if ('A' <= c && c <= 'F') return c - 'A' + 10;
    return -1;
}

// "%2C" is a comma that separates nothing.
std::string decoded(std::string_view written) {
    std::string plain;
    for (std::size_t at = 0; at < written.size(); ++at) {
        if (written[at] != '%') {
            plain += written[at];
            continue;
        }
        const int high = at + 1 < written.size() ? hexadecimal(written[at + 1]) : -1;
        const int low = at + 2 < written.size() ? hexadecimal(written[at + 2]) : -1;
        if (high < 0 || low < 0) {
            break_off("in ", in_quotes(written), " two hexadecimal digits must follow the %");
        }
        plain += static_cast<char>(16 * high + low);
        at += 2;
    }
    return plain;
}

Parts parts_of(std::string_view whole) {
    constexpr std::string_view known[] = {"Q",     "K",           "V",     "mask",
                                          "scale", "temperature", "heads", "G"};
    Parts parts;
    for (const std::string_view part : split(whole, '&')) {
        const std::size_t equals = part.find('=');
        const std::string name(part.substr(0, equals));
        if (equals == part.npos || std::count(std::begin(known), std::end(known), name) == 0) {
            break_off("the part ", in_quotes(part),
                      " of the link is not understood; the parts are "
                      "Q=, K=, V=, mask=, scale=, temperature=, heads= and G=");
        }
        if (!parts.emplace(name, part.substr(equals + 1)).second) {
            break_off("the link has ", name, " twice");
        }
    }
    return parts;
}

// "007" would be octal in C++, and ten digits more than an int.
std::string literal(std::string_view number) {
    const bool is_negative = number.front() == '-';
    if (is_negative) number.remove_prefix(1);
    while (number.size() > 1 && number[0] == '0' && '0' <= number[1] && number[1] <= '9') {
        number.remove_prefix(1);
    }
    const bool is_whole = number.find_first_not_of("0123456789") == number.npos;
    return text(is_negative ? "-" : "", number, is_whole && number.size() > 9 ? "." : "");
}

struct Number {
    std::string literal;
    double value;
};

Number number_from(const std::string& name, std::string_view encoded) {
    const std::string written = decoded(encoded);
    const std::string_view digits = trimmed(written);
    double value = 0;
    const bool is_number =
        digits.find_first_not_of("0123456789.-+eE") == digits.npos && parse_number(digits, value);
    const double most = std::numeric_limits<heed::Scalar>::max();
    if (!is_number || value < -most || value > most) {
        throw std::invalid_argument(text("playground: ", name, " is ", in_quotes(written),
                                         "; it must be a number such as 2, -0.5 or 1e-3, and at "
                                         "most 3.4028e38, which is the largest float"));
    }
    return {literal(digits), value};
}

using Grid = std::vector<std::vector<std::string_view>>;

Grid grid_from(const std::string& name, std::string_view written, bool is_mask) {
    Grid grid;
    for (const std::string_view row : split(written, ';')) {
        std::vector<std::string_view> entries;
        if (!is_mask) entries = split(row, ',');
        for (std::size_t j = 0; is_mask && j < row.size(); ++j) entries.push_back(row.substr(j, 1));
        grid.push_back(entries);
    }
    const std::size_t columns = grid[0].size(), most = most_rows;
    if (grid.size() > most || columns > most || columns == 0) {
        break_off(name, " has ", grid.size(), " rows and ", columns,
                  " columns; the playground takes 1 to ", most, " of each");
    }
    for (std::size_t i = 1; i < grid.size(); ++i) {
        if (grid[i].size() == columns) continue;
        break_off("row ", i, " of ", name, " has ", grid[i].size(), " entries, row 0 has ", columns,
                  "; all rows of a matrix must be equally long");
    }
    return grid;
}

heed::Shape shape_of(const Grid& grid) {
    return {static_cast<std::int64_t>(grid.size()), static_cast<std::int64_t>(grid[0].size())};
}

Matrix matrix_from(const std::string& name, const Grid& grid) {
    std::vector<heed::Scalar> values;
    Matrix matrix;
    for (std::size_t i = 0; i < grid.size(); ++i) {
        for (std::size_t j = 0; j < grid[i].size(); ++j) {
            const Number number = number_from(text(name, "[", i, ", ", j, "]"), grid[i][j]);
            matrix.literals.push_back(number.literal);
            values.push_back(static_cast<heed::Scalar>(number.value));
        }
    }
    matrix.values = heed::tensor::from_vector(values, shape_of(grid));
    return matrix;
}

heed::BoolTensor mask_from(std::string_view written, std::size_t T_q, std::size_t T_k) {
    const Grid grid = grid_from("mask", written, true);
    if (grid.size() != T_q || grid[0].size() != T_k) {
        break_off("mask has ", grid.size(), " rows and ", grid[0].size(),
                  " columns; it must have one for each query, ", T_q, ", and each key, ", T_k);
    }
    std::vector<bool> allowed;
    for (const std::vector<std::string_view>& row : grid) {
        for (const std::string_view entry : row) {
            if (entry != "0" && entry != "1") {
                break_off("the mask has ", in_quotes(entry),
                          "; its entries are 1, may attend, and 0");
            }
            allowed.push_back(entry == "1");
        }
    }
    return heed::BoolTensor(allowed, shape_of(grid));
}

std::int64_t heads_from(const std::string& encoded) {
    const std::string written = decoded(encoded);
    if (written.size() == 1 && '0' <= written[0] && written[0] <= '9') return written[0] - '0';
    throw std::invalid_argument(text("playground: heads is ", in_quotes(written),
                                     "; it must be a whole number from 1 to 8"));
}

bool scale_from(const std::string& written) {
    if (written == "0" || written == "1") return written == "1";
    break_off("scale is ", in_quotes(written), "; it must be 1, divide by √d_k, or 0");
}

}  // namespace

PlaygroundState state_from(std::string_view whole) {
    const Parts parts = parts_of(whole);
    std::map<std::string, Grid> grids;  // looked at first: a broken link is more than a bad number
    for (const char* const name : {"Q", "K", "V", "G"}) {
        const auto part = parts.find(name);
        if (part != parts.end()) {
            grids[name] = grid_from(name, part->second, false);
        } else if (name[0] != 'G') {
            break_off("the link has no ", name, "; it must have Q=, K= and V=");
        }
    }
    PlaygroundState state;
    const auto take = [&](const char* name, const auto& use) {
        const auto part = parts.find(name);
        if (part != parts.end()) use(part->second);
    };
    take("mask", [&](const std::string& written) {
        state.allowed = mask_from(written, grids["Q"].size(), grids["K"].size());
    });
    take("scale", [&](const std::string& written) { state.is_scaled = scale_from(written); });
    take("heads", [&](const std::string& written) { state.heads = heads_from(written); });
    take("temperature", [&](const std::string& written) {
        const Number number = number_from("the temperature", written);
        state.temperature = number.literal;
        state.temperature_value = number.value;
    });
    state.Q = matrix_from("Q", grids["Q"]);
    state.K = matrix_from("K", grids["K"]);
    state.V = matrix_from("V", grids["V"]);
    if (grids.count("G") != 0) state.G = matrix_from("G", grids["G"]);
    return state;
}

}  // namespace tutorial
