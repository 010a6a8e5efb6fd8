// The local derivative of one operation: how each entry of its output changes with one entry of
// one of its inputs, computed from the operation's gradient formula.
#pragma once

#include "../node.h"

#include <optional>
#include <string>

namespace heed { inline namespace HEED_PRECISION {

struct LocalDerivative {
    std::optional<Tensor> of_output;  // ∂y[k]/∂x[entry] for each k, in the shape of y
    std::string remark;               // why it is missing or incomplete, if it is
};

// An operation's gradient is linear in its upstream gradient U: at x[entry] it is
// Σ_k U[k]·∂y[k]/∂x[entry]. So differentiating that with respect to U gives all local derivatives
// in one call. G is the U of that call, and `given` the known gradient at x[entry] for it, which
// the result must reproduce. If the gradient cannot be differentiated, it is computed for each k
// with U[k] = 1 and 0 elsewhere, the largest |G[k]| first, at most `most_calls` times.
LocalDerivative local_derivative(const Node& by, int input, std::int64_t entry, const Tensor& G,
                                 Scalar given, std::int64_t most_calls = 1024);

// The same with one call for each k.
LocalDerivative local_derivative_by_units(const Node& by, int input, std::int64_t entry,
                                          const Tensor& G, std::int64_t most_calls = 1024);

}}  // namespace heed
