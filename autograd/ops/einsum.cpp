#include "heed/autograd/ops/einsum.h"

#include "heed/autograd/ops.h"
#include "heed/tensor/einsum/contract.h"

namespace heed { inline namespace HEED_PRECISION {

Variable einsum(const PatternView& pattern, const std::vector<Variable>& operands) {
    return tensor::einsum_of(pattern, operands);
}

}}  // namespace heed
