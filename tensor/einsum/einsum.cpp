// einsum for tensors; autograd/ops/einsum.cpp has it for variables.
#include "einsum.h"

#include "contract.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

Tensor einsum(const PatternView& pattern, const std::vector<Tensor>& operands) {
    return einsum_of(pattern, operands);
}

}}}  // namespace heed::tensor
