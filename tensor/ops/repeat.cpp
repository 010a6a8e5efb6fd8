// Repeating, along one axis after the other, by expanded views, which are copied where a view
// cannot have the shape that is wanted, and in the end.
#include "repeat.h"

#include "../errors.h"
#include "../views.h"

#include <limits>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

namespace {

// A length that overflows is the largest there is, which Shape refuses.
std::int64_t times(std::int64_t length, std::int64_t count) {
    std::int64_t product = 0;
    const bool overflows = __builtin_mul_overflow(length, count, &product);
    return overflows ? std::numeric_limits<std::int64_t>::max() : product;
}

// The number of entries that the first `axes` axes count.
std::int64_t entries_before(const Shape& shape, int axes) {
    std::int64_t entries = 1;
    for (int i = 0; i < axes; ++i) entries *= shape[i];
    return entries;
}

// x, in which the entries that the axes from `axis` on hold are one block, with `copies` of each
// block in a row.
Tensor with_copies(const Tensor& x, int axis, std::int64_t copies, const Shape& shape,
                   const CallSite& site) {
    const std::int64_t blocks = entries_before(x.shape(), axis);
    std::int64_t entries = 1;
    for (int i = axis; i < x.rank(); ++i) entries *= x.shape()[i];
    const Tensor once = reshape(x, {blocks, 1, entries}, site);
    const Tensor often = expand(once, {blocks, copies, entries}, site);
    return reshape(often, shape, site);
}

// y, which may still be a view that repeats entries, or even x.
Tensor copied(const Tensor& y, const Tensor& x, const CallSite& site) {
    const bool is_copy = y.is_contiguous() && !y.shares_storage_with(x);
    return is_copy ? y : clone(y, site);
}

void check_counts(const Shape& shape, const Dims& counts, const CallSite& site) {
    if (counts.size() < shape.rank()) {
        fail_shape("repeat", site, "the counts ", counts, " are fewer than the axes of x ", shape,
                   "; there must be one for each axis, 1 where nothing is repeated");
    }
    for (const std::int64_t count : counts) {
        if (count >= 0) continue;
        fail_argument("repeat", site, "the count ", count, " of ", counts,
                      " is negative; it must be 0 or more");
    }
}

}  // namespace

Tensor repeat(const Tensor& x, const Dims& counts, CallSite site) {
    check_counts(x.shape(), counts, site);
    const int added = counts.size() - x.rank();
    Dims lengths;
    for (int i = 0; i < counts.size(); ++i) lengths.append(i < added ? 1 : x.shape()[i - added]);
    Dims repeated = lengths;
    for (int i = 0; i < counts.size(); ++i) repeated.set(i, times(lengths[i], counts[i]));
    const Shape whole(repeated, site);

    Tensor y = reshape(x, lengths, site);
    for (int axis = counts.size() - 1; axis >= 0; --axis) {
        if (counts[axis] == 1) continue;
        y = with_copies(y, axis, counts[axis], y.shape().with(axis, whole[axis]), site);
    }
    return copied(y, x, site);
}

Tensor repeat_interleave(const Tensor& x, std::int64_t copies, int axis, CallSite site) {
    const int along = normalized_axis(axis, x.rank(), "repeat_interleave", site);
    if (copies < 0) {
        fail_argument("repeat_interleave", site, "the number of copies is ", copies,
                      "; it must be 0 or more");
    }
    const Shape shape = x.shape().with(along, times(x.shape()[along], copies), site);
    const Tensor y = with_copies(x, along + 1, copies, shape, site);
    return copied(y, x, site);
}

}}}  // namespace heed::tensor
