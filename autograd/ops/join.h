// Joining variables and taking them apart (tensor/ops/join.h states shapes and errors). The
// gradients of all parts of x are added to one tensor, as if they were concatenated.
#pragma once

#include "../variable.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION {

Variable concatenate(const std::vector<Variable>& parts, int axis,
                     CallSite site = CallSite::here());
Variable stack(const std::vector<Variable>& parts, int axis = 0, CallSite site = CallSite::here());
std::vector<Variable> split(const Variable& x, std::int64_t length, int axis = 0,
                            CallSite site = CallSite::here());
std::vector<Variable> chunk(const Variable& x, std::int64_t parts, int axis = 0,
                            CallSite site = CallSite::here());
std::vector<Variable> split_sizes(const Variable& x, const std::vector<std::int64_t>& lengths,
                                  int axis, CallSite site = CallSite::here());
std::vector<Variable> unbind(const Variable& x, int axis = 0, CallSite site = CallSite::here());

}}  // namespace heed
