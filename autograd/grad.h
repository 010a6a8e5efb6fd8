// grad(): the derivative of an output with respect to inputs, as a pure function.
// Variable::backward() is this with the results added to the leaves' .grad.
#pragma once

#include "heed/autograd/variable.h"

#include <optional>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

struct GradOptions {
    bool create_graph = false;  // record the derivative, so that it can be differentiated
    bool retain_graph = false;  // keep the graph for a further call; create_graph implies it
    std::optional<Variable> upstream = {};  // dL/d(output); needed unless output holds one number
};

// d(output)/d(input) for each input, in its shape, weighted with `upstream`. Zeros for an input
// from which output was not made. grad(y, {x}, {.create_graph = true})
// Errors: an input of which nothing is recorded, a freed graph, an overwritten value
// (std::runtime_error); an upstream that is missing or of another shape (ShapeError).
std::vector<Variable> grad(const Variable& output, const std::vector<Variable>& inputs,
                           const GradOptions& options = {}, CallSite site = CallSite::here());
// The same for one input.
Variable grad(const Variable& output, const Variable& input, const GradOptions& options = {},
              CallSite site = CallSite::here());

}  // namespace HEED_PRECISION
}  // namespace heed
