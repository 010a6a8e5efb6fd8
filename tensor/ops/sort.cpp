// Sorting: the indices of each row are sorted by the entries they point to, and equal entries by
// index. So no two compare equal, and the result does not depend on how std::sort works.
#include "sort.h"

#include "../copy.h"
#include "../errors.h"
#include "../room.h"
#include "../runtime/parallel.h"
#include "../views.h"
#include "gather.h"
#include "index.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
bool is_larger(Scalar a, Scalar b) {
    const bool a_is_nan = a != a, b_is_nan = b != b;
    return a_is_nan ? !b_is_nan : a > b;
}

// Whether the entry at index i of a row comes before that at index j.
struct Before {
    const Scalar* row;
    SortOrder order;

    bool operator()(std::int64_t i, std::int64_t j) const {
        const bool i_is_larger = is_larger(row[i], row[j]);
        const bool j_is_larger = is_larger(row[j], row[i]);
        if (!i_is_larger && !j_is_larger) return i < j;
        return order == SortOrder::descending ? i_is_larger : j_is_larger;
    }
};

// The indices of the first k entries along `axis` in this order.
IndexTensor first_of_sorted(const Tensor& x, std::int64_t k, int axis, SortOrder order,
                            const char* operation, const CallSite& site) {
    check_enum(operation, "the order", order, SortOrder::descending, site);
    const Tensor rows = contiguous(transpose(x, axis, -1, site), site);  // [..., length]
    const std::int64_t length = x.shape()[axis];
    const std::int64_t count = rows.shape().without(-1).numel();
    std::vector<std::int64_t> sorted = room_for<std::int64_t>(operation, x.shape(), site);
    for (std::int64_t row = 0; row < count; ++row) {
        for (std::int64_t i = 0; i < length; ++i) sorted.push_back(i);
    }
    parallel_for_rows(count, length, [&](std::int64_t row) {
        std::int64_t* const first = sorted.data() + row * length;
        const Before before{rows.data() + row * length, order};
        if (k == length) {
            std::sort(first, first + length, before);
        } else {
            std::partial_sort(first, first + k, first + length, before);
        }
    });
    const IndexTensor all(sorted, rows.shape(), site);
    return transpose(slice(all, -1, 0, k, 1, site), axis, -1, site);
}

}  // namespace

IndexTensor argsort(const Tensor& x, int axis, SortOrder order, CallSite site) {
    const int along = normalized_axis(axis, x.rank(), "argsort", site);
    return first_of_sorted(x, x.shape()[along], along, order, "argsort", site);
}

Sorted sort(const Tensor& x, int axis, SortOrder order, CallSite site) {
    const int along = normalized_axis(axis, x.rank(), "sort", site);
    const std::int64_t length = x.shape()[along];
    const IndexTensor indices = first_of_sorted(x, length, along, order, "sort", site);
    return {gather(x, along, indices, site), indices};
}

Sorted topk(const Tensor& x, std::int64_t k, int axis, Take take, CallSite site) {
    const int along = normalized_axis(axis, x.rank(), "topk", site);
    const std::int64_t length = x.shape()[along];
    if (k < 0 || k > length) {
        fail_argument("topk", site, "k is ", k, ", and axis ", along, " of ", x.shape(), " has ",
                      length, " entries; k must be from 0 to ", length);
    }
    check_enum("topk", "take", take, Take::smallest, site);
    const SortOrder order = take == Take::largest ? descending : ascending;
    const IndexTensor indices = first_of_sorted(x, k, along, order, "topk", site);
    return {gather(x, along, indices, site), indices};
}

}}}  // namespace heed::tensor
