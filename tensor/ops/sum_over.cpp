// Sums over axes, as sums of the rows or of the columns of a matrix.
#include "heed/tensor/ops/sum_over.h"

#include "heed/tensor/kernels/kernels.h"
#include "heed/tensor/runtime/parallel.h"
#include "heed/tensor/views.h"

#include <algorithm>
#include <utility>

namespace heed {
inline namespace HEED_PRECISION {
namespace tensor {

namespace {

// Contiguous entries [outer, length, inner], to be summed over the middle axis. The order of a sum,
// and with it its last bit, depends on the shape alone: the reduced axes keep their order in x.
struct Sums {
    Tensor numbers;
    std::int64_t outer = 1, length = 1, inner = 1;
};

// Whether the reduced axes are adjacent, ignoring axes of length 1.
bool side_by_side(const Shape& shape, const std::vector<bool>& reduced) {
    int blocks = 0;
    bool inside = false;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (shape[axis] == 1) continue;
        const bool enters = reduced[static_cast<std::size_t>(axis)] && !inside;
        blocks += enters ? 1 : 0;
        inside = reduced[static_cast<std::size_t>(axis)];
    }
    return blocks <= 1;
}

// x with the reduced axes moved last.
Tensor moved_last(const Tensor& x, const std::vector<bool>& reduced, const CallSite& site) {
    std::vector<std::int64_t> order, last;
    for (int axis = 0; axis < x.rank(); ++axis) {
        (reduced[static_cast<std::size_t>(axis)] ? last : order).push_back(axis);
    }
    order.insert(order.end(), last.begin(), last.end());
    return permute(x, Dims(order), site);
}

Sums sums_of(const Tensor& x, const std::vector<bool>& reduced, const CallSite& site) {
    const bool in_place = side_by_side(x.shape(), reduced);
    Sums sums;
    for (int axis = 0; axis < x.rank(); ++axis) {
        const std::int64_t length = x.shape()[axis];
        if (length == 1) continue;
        if (reduced[static_cast<std::size_t>(axis)]) {
            sums.length *= length;
            if (in_place) sums.outer *= std::exchange(sums.inner, 1);
        } else {
            sums.inner *= length;
        }
    }
    if (!in_place) std::swap(sums.outer, sums.inner);
    sums.numbers = contiguous(in_place ? x : moved_last(x, reduced, site), site);
    return sums;
}

void sum_rows(const Sums& sums, Scalar* y) {
    const kernels::Table& kernel = kernels::active();
    parallel_for_rows(sums.outer, sums.length, [&](std::int64_t row) {
        y[row] = kernel.sum(sums.length, sums.numbers.data() + row * sums.length);
    });
}

// Wide enough that a thread reads several cache lines of a row at a time, narrow enough that there
// is a part for every thread.
std::int64_t columns_at_a_time(std::int64_t columns) {
    const std::int64_t sixteenth = columns / 16 / 16 * 16;
    return std::clamp<std::int64_t>(sixteenth, 64, 512);
}

void sum_columns(const Sums& sums, Scalar* y) {
    const kernels::Table& kernel = kernels::active();
    const std::int64_t width = columns_at_a_time(sums.inner);
    const std::int64_t parts = (sums.inner + width - 1) / width;
    parallel_for_rows(sums.outer * parts, sums.length * width, [&](std::int64_t i) {
        const std::int64_t first = i % parts * width;
        const std::int64_t columns = std::min(width, sums.inner - first);
        const Scalar* x = sums.numbers.data() + i / parts * sums.length * sums.inner + first;
        kernel.sum_columns(sums.length, columns, x, sums.inner, y + i / parts * sums.inner + first);
    });
}

Shape shape_of_sums(const Shape& shape, const std::vector<bool>& reduced, bool keepdim) {
    std::vector<std::int64_t> lengths;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const bool summed = reduced[static_cast<std::size_t>(axis)];
        if (!summed || keepdim) lengths.push_back(summed ? 1 : shape[axis]);
    }
    return Shape(Dims(lengths));
}

}  // namespace

Tensor sum_over(const Tensor& x, const std::vector<bool>& reduced, bool keepdim,
                const CallSite& site) {
    const Sums sums = sums_of(x, reduced, site);
    Tensor y = Tensor::uninitialized(shape_of_sums(x.shape(), reduced, keepdim));
    Scalar* out = y.writable_data();
    if (sums.length == 0) {
        std::fill_n(out, y.numel(), Scalar(0));
        return y;
    }
    sums.inner == 1 ? sum_rows(sums, out) : sum_columns(sums, out);
    return y;
}

}  // namespace tensor
}  // namespace HEED_PRECISION
}  // namespace heed
