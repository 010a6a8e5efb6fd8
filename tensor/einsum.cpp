#include "tensor/einsum.h"

#include "tensor/einsum_contract.h"

namespace heed::inline HEED_PRECISION::tensor {

Tensor einsum(const PatternView& pattern, const std::vector<Tensor>& operands) {
    return einsum_of(pattern, operands);
}

}  // namespace heed::inline HEED_PRECISION::tensor
