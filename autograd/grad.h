// grad(): the derivative of an output with respect to inputs, as a pure function.
// Variable::backward() does the same, but adds the results to the leaves' .grad.
#pragma once

#include "variable.h"

#include <optional>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct GradOptions {
    bool create_graph = false;  // record the derivative, so that it can be differentiated
    bool retain_graph = false;  // keep the graph for another call; implied by create_graph
    std::optional<Upstream> upstream = {};  // dL/d(output); required unless output has one entry
    // The call is part of an operation's derivative, and the inputs are that operation's. This pass
    // ends at them: the outer pass calls their hooks, with the complete gradient, and goes on.
    bool nested = false;
};

// dL/d(input) for each input, in the input's shape, where dL/d(output) is `upstream`. Zeros for an
// input that the output does not depend on. Example: grad(y, {x}, {.create_graph = true})
// Errors: an output or input that is not recorded, a freed graph, an overwritten saved value
// (std::runtime_error); an upstream gradient that is missing or has another shape (ShapeError).
std::vector<Variable> grad(const Variable& output, const std::vector<Variable>& inputs,
                           const GradOptions& options = {}, CallSite site = CallSite::here());
// The same for one input.
Variable grad(const Variable& output, const Variable& input, const GradOptions& options = {},
              CallSite site = CallSite::here());

}}  // namespace heed
