// Putting variables together and taking them apart (tensor/join.h states shapes and errors).
#pragma once

#include "autograd/variable.h"

#include <vector>

namespace heed::inline HEED_PRECISION {

Variable concatenate(const std::vector<Variable>& parts, int axis, Where where = Where::here());
Variable stack(const std::vector<Variable>& parts, int axis = 0, Where where = Where::here());
std::vector<Variable> split(const Variable& x, std::int64_t parts, int axis,
                            Where where = Where::here());
std::vector<Variable> split_sizes(const Variable& x, const std::vector<std::int64_t>& lengths,
                                  int axis, Where where = Where::here());

}  // namespace heed::inline HEED_PRECISION
