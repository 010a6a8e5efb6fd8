// Which operation is to blame for a wrong gradient: each recorded one is tested by itself.
#pragma once

#include "heed/autograd/gradcheck/diagnosis.h"

#include <cstdint>

namespace heed {
inline namespace HEED_PRECISION {

// The first recorded operation whose own derivative is wrong, or else the first that got as a
// constant what depends on the inputs, in words. Empty where there is neither.
// An operation y = f(a, b) is tested in one random direction of the function's inputs, in which
// a, b and y change by da, db and dy: for any G, <∂(G·y)/∂a, da> + <∂(G·y)/∂b, db> = <G, dy>.
std::string blamed_operation(const CheckedOutputs& f, const std::vector<Tensor>& inputs,
                             double step, std::uint64_t seed);

// What each use of one input contributes to its gradient, as the recorded derivatives have it.
std::vector<Contribution> contributions_to(const CheckedOutputs& f,
                                           const std::vector<Tensor>& inputs, int input,
                                           const std::vector<Tensor>& upstream);

}  // namespace HEED_PRECISION
}  // namespace heed
