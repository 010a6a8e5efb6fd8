// The local derivative of one operation: how each entry of its output changes with one entry of
// one of its inputs, taken from the operation's own derivative.
#pragma once

#include "heed/autograd/node.h"

#include <optional>
#include <string>

namespace heed {
inline namespace HEED_PRECISION {

struct LocalDerivative {
    std::optional<Tensor> of_output;  // ∂y[k]/∂x[entry] for each k, in the shape of y
    std::string remark;               // where it could not be found, or not whole: why
};

// An operation's derivative is linear in its upstream gradient U: what it gives x[entry] is
// Σ_k U[k]·∂y[k]/∂x[entry]. So the derivative of that with respect to U is all local derivatives,
// from one call. G is a U to call it with; `given` what it gave x[entry] for that, which must come
// out again. Where the derivative cannot be differentiated, it is called with U[k] = 1 and zeros,
// for each k, the largest |G[k]| first, `most_calls` times at most.
LocalDerivative local_derivative(const Node& by, int input, std::int64_t entry, const Tensor& G,
                                 Scalar given, std::int64_t most_calls = 1024);

// Each by a call of its own.
LocalDerivative local_derivative_by_units(const Node& by, int input, std::int64_t entry,
                                          const Tensor& G, std::int64_t most_calls = 1024);

}  // namespace HEED_PRECISION
}  // namespace heed
