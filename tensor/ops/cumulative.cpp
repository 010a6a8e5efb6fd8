// Running sums and products. Each entry needs all those before it, so they cannot be summed in
// blocks: the float library computes in double instead, and rounds each entry once.
#include "cumulative.h"

#include "../copy.h"
#include "../runtime/parallel.h"

#include <vector>

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

// Replaces each entry k that has one before it along the axis by next(k, before), where `before` is
// that entry before it was rounded.
template <class Next>
void run(const Blocks& blocks, Scalar* numbers, const Next& next) {
    parallel_for_rows(blocks.count, blocks.entries, [&](std::int64_t block) {
        if (blocks.entries == 0) return;
        const std::int64_t first = block * blocks.entries;
        std::vector<double> unrounded(numbers + first, numbers + first + blocks.step);
        for (std::int64_t k = blocks.step; k < blocks.entries; k += blocks.step) {
            for (std::int64_t i = 0; i < blocks.step; ++i) {
                double& before = unrounded[static_cast<std::size_t>(i)];
                before = next(first + k + i, before);
                numbers[first + k + i] = static_cast<Scalar>(before);
            }
        }
    });
}

}  // namespace

Tensor cumsum(const Tensor& x, int axis, CallSite site) {
    const Blocks blocks = blocks_along(x.shape(), axis, "cumsum", site);
    Tensor result = clone(x, site);
    Scalar* const y = result.writable_data();
    run(blocks, y, [y](std::int64_t k, double before) { return before + y[k]; });
    return result;
}

Tensor cumprod(const Tensor& x, int axis, CallSite site) {
    const Blocks blocks = blocks_along(x.shape(), axis, "cumprod", site);
    Tensor result = clone(x, site);
    Scalar* const y = result.writable_data();
    run(blocks, y, [y](std::int64_t k, double before) { return before * y[k]; });
    return result;
}

Tensor linear_recurrence(const Tensor& a, const Tensor& b, int axis, CallSite site) {
    check_equal_shapes("linear_recurrence", "a", a.shape(), "b", b.shape(), site);
    const Blocks blocks = blocks_along(b.shape(), axis, "linear_recurrence", site);
    const Tensor factors = contiguous(a, site);
    const Scalar* const factor = factors.data();
    Tensor result = clone(b, site);
    Scalar* const h = result.writable_data();
    run(blocks, h,
        [factor, h](std::int64_t k, double before) { return factor[k] * before + h[k]; });
    return result;
}

}}}  // namespace heed::tensor
