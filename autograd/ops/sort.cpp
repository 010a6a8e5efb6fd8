#include "sort.h"

#include "gather.h"

namespace heed { inline namespace HEED_PRECISION {

Sorted sort(const Variable& x, int axis, SortOrder order, CallSite site) {
    const IndexTensor indices = tensor::sort(x.value(), axis, order, site).indices;
    return {gather(x, axis, indices, site), indices};
}

Sorted topk(const Variable& x, std::int64_t k, int axis, Take take, CallSite site) {
    const IndexTensor indices = tensor::topk(x.value(), k, axis, take, site).indices;
    return {gather(x, axis, indices, site), indices};
}

}}  // namespace heed
