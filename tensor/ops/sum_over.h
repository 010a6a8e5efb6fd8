// The sum over any set of axes, shared by sum, mean and sum_to.
#pragma once

#include "heed/tensor/tensor.h"

#include <vector>

namespace heed {
inline namespace HEED_PRECISION {
namespace tensor {

// reduced[axis] says whether that axis of x is summed. Summed axes are dropped, or kept as 1.
Tensor sum_over(const Tensor& x, const std::vector<bool>& reduced, bool keepdim,
                const CallSite& site);

}  // namespace tensor
}  // namespace HEED_PRECISION
}  // namespace heed
