// All numbers of the playground as one text, which is also the fragment of its links:
//
//     Q=1,0;0,1&K=1,0;0,1&V=1;2&mask=10;11&scale=0&temperature=0.5&heads=1&G=1;0
//
// Q, K and V must be there. Without `mask` every query may attend to every key (1: may attend), the
// scale is 1 (divide by √d_k; 0: do not), the temperature 1, heads 1, and G, the upstream gradient,
// all ones. %20 is the character with that number, as in any link.
#pragma once

#include "tensor/bool_tensor.h"
#include "tensor/tensor.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tutorial {

constexpr std::int64_t most_rows = 8;  // and columns

// One that a program could have, too: its numbers as C++ writes them.
struct Matrix {
    std::vector<std::string> literals;
    heed::Tensor values;  // [rows, columns]
};

struct PlaygroundState {
    Matrix Q, K, V;
    std::optional<heed::BoolTensor> allowed;
    std::optional<Matrix> G;
    bool is_scaled = true;
    std::string temperature = "1";  // as C++ writes it
    double temperature_value = 1;
    std::int64_t heads = 1;
};

// The text is no state at all: a part is missing, unknown or there twice, the rows of a matrix are
// not equally long, a matrix is too large.
class BrokenState : public std::invalid_argument {
  public:
    using std::invalid_argument::invalid_argument;
};

// Errors: BrokenState; a number that is none or that float cannot hold (std::invalid_argument).
PlaygroundState state_from(std::string_view text);

}  // namespace tutorial
