// The sum over some axes, wherever they stand: what sum, mean and sum_to have in common.
#pragma once

#include "heed/tensor/tensor.h"

#include <vector>

namespace heed {
inline namespace HEED_PRECISION {
namespace tensor {

// reduced[axis] says which axes of x are summed; they are dropped, or kept with length 1.
Tensor sum_over(const Tensor& x, const std::vector<bool>& reduced, bool keepdim,
                const CallSite& site);

}  // namespace tensor
}  // namespace HEED_PRECISION
}  // namespace heed
