#include "autograd/einsum.h"

#include "autograd/ops.h"
#include "tensor/einsum_contract.h"

namespace heed::inline HEED_PRECISION {

Variable einsum(const PatternView& pattern, const std::vector<Variable>& operands) {
    return tensor::einsum_of(pattern, operands);
}

}  // namespace heed::inline HEED_PRECISION
