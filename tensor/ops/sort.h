// Sorting along an axis, and the first few of the sorted entries.
// A NaN counts as larger than every number. Equal entries keep their order, in both directions: the
// first index comes first.
// Error of all: no such axis (out_of_range).
#pragma once

#include "../index_tensor.h"
#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION {

enum class SortOrder { ascending, descending };
inline constexpr SortOrder ascending = SortOrder::ascending;
inline constexpr SortOrder descending = SortOrder::descending;

// Which entries topk() takes.
enum class Take { largest, smallest };

namespace tensor {

// values = gather(x, axis, indices)
struct Sorted {
    Tensor values;
    IndexTensor indices;
};

// The entries of x along `axis` in this order, and the index each had: both of the shape of x.
Sorted sort(const Tensor& x, int axis, SortOrder order = ascending,
            CallSite site = CallSite::here());
// The indices alone.
IndexTensor argsort(const Tensor& x, int axis, SortOrder order = ascending,
                    CallSite site = CallSite::here());
// The k largest entries along `axis`, the largest first, or the k smallest, the smallest first:
// the first k of sort(). So a NaN is the first of the largest, as for argmax(), and the last of the
// smallest, while argmin() returns it.
// Error: k is negative or more than the length of the axis (std::invalid_argument).
Sorted topk(const Tensor& x, std::int64_t k, int axis, Take take = Take::largest,
            CallSite site = CallSite::here());

}  // namespace tensor
}}  // namespace heed
