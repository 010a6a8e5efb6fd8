// einsum for tensors; autograd/ops/einsum.cpp has it for variables.
#include "heed/tensor/einsum/einsum.h"

#include "heed/tensor/einsum/contract.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

Tensor einsum(const PatternView& pattern, const std::vector<Tensor>& operands) {
    return einsum_of(pattern, operands);
}

}}}  // namespace heed::tensor
