// Running sums and products: each starts with a copy, whose entries are updated from the first to
// the last.
#include "cumulative.h"

#include "../copy.h"
#include "../runtime/parallel.h"

#include <functional>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
// A contiguous tensor as independent blocks, one for each index along the axes before this one. In
// a block, neighbours along the axis are `step` entries apart.
struct Blocks {
    std::int64_t count, entries, step;
};

Blocks blocks_along(const Shape& shape, int axis, const char* operation, const CallSite& site) {
    const int along = normalized_axis(axis, shape.rank(), operation, site);
    return {entries_of(shape, 0, along), entries_of(shape, along, shape.rank()),
            entries_of(shape, along + 1, shape.rank())};
}

// y[k] = y[k - 1] `rule` x[k] along the axis
template <class Rule>
Tensor running(const Tensor& x, int axis, const char* operation, const CallSite& site) {
    const Blocks blocks = blocks_along(x.shape(), axis, operation, site);
    Tensor result = clone(x, site);
    Scalar* all = result.writable_data();
    const Rule rule;
    parallel_for_rows(blocks.count, blocks.entries, [&](std::int64_t block) {
        Scalar* y = all + block * blocks.entries;
        for (std::int64_t k = blocks.step; k < blocks.entries; ++k)
            y[k] = rule(y[k - blocks.step], y[k]);
    });
    return result;
}

}  // namespace

Tensor cumsum(const Tensor& x, int axis, CallSite site) {
    return running<std::plus<Scalar>>(x, axis, "cumsum", site);
}

Tensor cumprod(const Tensor& x, int axis, CallSite site) {
    return running<std::multiplies<Scalar>>(x, axis, "cumprod", site);
}

Tensor linear_recurrence(const Tensor& a, const Tensor& b, int axis, CallSite site) {
    check_equal_shapes("linear_recurrence", "a", a.shape(), "b", b.shape(), site);
    const Blocks blocks = blocks_along(b.shape(), axis, "linear_recurrence", site);
    const Tensor factors = contiguous(a, site);
    Tensor result = clone(b, site);
    Scalar* all = result.writable_data();
    parallel_for_rows(blocks.count, blocks.entries, [&](std::int64_t block) {
        const Scalar* factor = factors.data() + block * blocks.entries;
        Scalar* h = all + block * blocks.entries;
        for (std::int64_t k = blocks.step; k < blocks.entries; ++k) {
            h[k] = factor[k] * h[k - blocks.step] + h[k];
        }
    });
    return result;
}

}}}  // namespace heed::tensor
