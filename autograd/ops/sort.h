// Sorting variables (tensor/ops/sort.h states orders, shapes and errors). What is sorted is
// gathered by the indices found, so the graph shows a gather; each entry gets the gradient of its
// place.
#pragma once

#include "../../tensor/ops/sort.h"
#include "../variable.h"

namespace heed { inline namespace HEED_PRECISION {

// values = gather(x, axis, indices)
struct Sorted {
    Variable values;
    IndexTensor indices;
};

Sorted sort(const Variable& x, int axis, SortOrder order = ascending,
            CallSite site = CallSite::here());
Sorted topk(const Variable& x, std::int64_t k, int axis, Take take = Take::largest,
            CallSite site = CallSite::here());

}}  // namespace heed
