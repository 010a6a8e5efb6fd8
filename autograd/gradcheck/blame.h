// Finds the operation to blame for a wrong gradient by testing each recorded operation alone.
#pragma once

#include "diagnosis.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION {

// Names the first recorded operation whose own derivative is wrong, or else the first with a
// constant input whose value depends on the function's inputs. Empty if there is neither.
// An operation y = f(a, b) is tested in one random direction of the function's inputs, in which
// a, b and y change by da, db and dy: for any G, <∂(G·y)/∂a, da> + <∂(G·y)/∂b, db> = <G, dy>.
std::string blamed_operation(const CheckedOutputs& f, const std::vector<Tensor>& inputs,
                             double step, std::uint64_t seed);

// What each use of one input contributes to its gradient, according to the recorded derivatives.
std::vector<Contribution> contributions_to(const CheckedOutputs& f,
                                           const std::vector<Tensor>& inputs, int input,
                                           const std::vector<Tensor>& upstream);

}}  // namespace heed
