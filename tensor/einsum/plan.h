// The plan of an einsum for operands of known shapes: every axis gets a number and a length.
// It is separate from the arithmetic, which is a template for tensors and variables.
#pragma once

#include "pattern.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

using Axes = std::vector<int>;

struct EinsumPlan {
    // An axis of length 1 that an ellipsis broadcasts. It is dropped, as broadcasting restores it.
    static constexpr int stretched = -1;

    std::vector<Axes> operands;  // the axis numbers of each operand
    Axes output;
    // For each axis number, its length and the first and last operand that has it. The output
    // counts as one more operand after the last.
    std::vector<std::int64_t> lengths;
    std::vector<int> first_use;
    std::vector<int> last_use;
};

// Errors: as for einsum.
EinsumPlan plan_einsum(const PatternView& pattern, const std::vector<Shape>& shapes);

}}}  // namespace heed::tensor
