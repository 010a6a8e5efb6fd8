// Sorting variables (tensor/ops/sort.h states orders, shapes and errors). The sorted entries
// are gathered by index, so the graph shows a gather; each entry gets the gradient of its
// position.
#pragma once

#include "../../tensor/ops/sort.h"
#include "../variable.h"
#include "gather.h"

namespace heed { inline namespace HEED_PRECISION {

// values = gather(x, axis, indices)
struct Sorted {
    Variable values;
    IndexTensor indices;
};

inline Sorted sort(const Variable& x, int axis, SortOrder order = ascending,
                   CallSite site = CallSite::here()) {
    const IndexTensor indices = tensor::sort(x.value(), axis, order, site).indices;
    return {gather(x, axis, indices, site), indices};
}
inline Sorted topk(const Variable& x, std::int64_t k, int axis, Take take = Take::largest,
                   CallSite site = CallSite::here()) {
    const IndexTensor indices = tensor::topk(x.value(), k, axis, take, site).indices;
    return {gather(x, axis, indices, site), indices};
}

}}  // namespace heed
