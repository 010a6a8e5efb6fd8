#include "einsum.h"

#include "../../tensor/einsum/contract.h"
#include "../ops.h"

namespace heed { inline namespace HEED_PRECISION {

Variable einsum(const PatternView& pattern, const std::vector<Variable>& operands) {
    return tensor::einsum_of(pattern, operands);
}

}}  // namespace heed
