// What einsum will do, once the shapes are known: every axis a number with one length.
// Worked out apart from the arithmetic, which is the same for tensors and variables.
#pragma once

#include "heed/tensor/einsum/pattern.h"

#include <vector>

namespace heed {
inline namespace HEED_PRECISION {
namespace tensor {

using Axes = std::vector<int>;

struct EinsumPlan {
    // An axis of length 1 that an ellipsis stretches: it is dropped, as broadcasting puts it back.
    static constexpr int stretched = -1;

    std::vector<Axes> operands;  // the number of each axis of each operand
    Axes output;
    // By number of the axis: its length, and the first and last operand that has it. The output
    // counts as one more operand after the last.
    std::vector<std::int64_t> lengths;
    std::vector<int> first_use;
    std::vector<int> last_use;
};

// Errors as einsum says.
EinsumPlan plan_einsum(const PatternView& pattern, const std::vector<Shape>& shapes);

}  // namespace tensor
}  // namespace HEED_PRECISION
}  // namespace heed
