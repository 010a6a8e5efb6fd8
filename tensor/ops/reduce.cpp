// Reductions: each entry of a result is computed from one contiguous row.
#include "reduce.h"

#include "../errors.h"
#include "../factories.h"
#include "../kernels/kernels.h"
#include "../runtime/parallel.h"
#include "../views.h"
#include "arithmetic.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
std::vector<bool> reduced_axes(const Tensor& x, const Dims& axes, const char* operation,
                               const CallSite& site) {
    std::vector<bool> reduced(static_cast<std::size_t>(x.rank()), false);
    for (std::int64_t axis : normalized_axes(axes, x.rank(), operation, site)) {
        reduced[static_cast<std::size_t>(axis)] = true;
    }
    return reduced;
}

std::vector<bool> all_axes(const Tensor& x) {
    return std::vector<bool>(static_cast<std::size_t>(x.rank()), true);
}

Shape shape_of_result(const Shape& shape, const std::vector<bool>& reduced, KeepDim keep) {
    Dims lengths;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const bool is_reduced = reduced[static_cast<std::size_t>(axis)];
        if (!is_reduced || keep == KeepDim::yes) lengths.append(is_reduced ? 1 : shape[axis]);
    }
    return Shape(lengths);
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

// What a reduction over some axes works on: one contiguous row for each entry of the result.
// The reduced axes are moved last in the order they have in x, so the order within a row, and
// with it a sum to the last bit, depends on the shape alone and not on the strides.
struct Rows {
    Tensor numbers;
    std::int64_t count;   // rows
    std::int64_t length;  // entries of each
    Shape kept;           // the result's shape, reduced axes dropped
    Shape ones;           // the same with length 1 for reduced axes

    const Scalar* operator[](std::int64_t row) const { return numbers.data() + row * length; }
    const Shape& shape(KeepDim keep) const { return keep == KeepDim::yes ? ones : kept; }
};

std::int64_t count_of_reduced(const Shape& shape, const std::vector<bool>& reduced) {
    std::int64_t count = 1;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (reduced[static_cast<std::size_t>(axis)]) count *= shape[axis];
    }
    return count;
}

Rows rows_over(const Tensor& x, const std::vector<bool>& reduced, const CallSite& site) {
    const Shape kept = shape_of_result(x.shape(), reduced, KeepDim::no);
    return {contiguous(moved_last(x, reduced, site), site), kept.numel(),
            count_of_reduced(x.shape(), reduced), kept,
            shape_of_result(x.shape(), reduced, KeepDim::yes)};
}

// Contiguous numbers [outer, length, inner], summed over the axis in the middle. The order of a
// sum, and with it its last bit, depends on the shape alone: the reduced axes are counted in the
// order they have in x.
struct Sums {
    Tensor numbers;
    std::int64_t outer = 1, length = 1, inner = 1;
};

// Are the reduced axes adjacent, apart from axes of length 1?
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

Tensor sum_over(const Tensor& x, const std::vector<bool>& reduced, KeepDim keep,
                const CallSite& site) {
    const Sums sums = sums_of(x, reduced, site);
    Tensor y = Tensor::uninitialized(shape_of_result(x.shape(), reduced, keep), site);
    Scalar* out = y.writable_data();
    if (sums.length == 0) {
        std::fill_n(out, y.numel(), Scalar(0));
        return y;
    }
    sums.inner == 1 ? sum_rows(sums, out) : sum_columns(sums, out);
    return y;
}

Tensor mean_over(const Tensor& x, const std::vector<bool>& reduced, KeepDim keep,
                 const CallSite& site) {
    const std::int64_t n = count_of_reduced(x.shape(), reduced);
    return sum_over(x, reduced, keep, site) / static_cast<double>(n);
}

// Σ(x - mean)²/(n - correction)
Tensor var_of(const Rows& rows, std::int64_t correction, KeepDim keep, const CallSite& site) {
    if (correction < 0) {
        fail_argument("var", site, "the correction is ", correction,
                      "; it must not be negative: 0, or 1 for an unbiased estimate");
    }
    const double n = static_cast<double>(rows.length);
    const double divisor = rows.length > correction ? n - static_cast<double>(correction) : 0;
    Tensor y = Tensor::uninitialized(rows.shape(keep), site);
    Scalar* out = y.writable_data();
    const kernels::Table& kernel = kernels::active();
    parallel_for_rows(rows.count, rows.length, [&](std::int64_t row) {
        const Scalar mean = kernel.sum(rows.length, rows[row]) / static_cast<Scalar>(n);
        const Scalar squares = kernel.squared_deviations(rows.length, rows[row], mean);
        out[row] = squares / static_cast<Scalar>(divisor);
    });
    return y;
}

// Rows to choose one entry from, over the given axes or, if none are given, over all.
Rows rows_with_entries(const Tensor& x, const std::optional<Dims>& axes, const char* operation,
                       const CallSite& site) {
    const Rows rows =
        rows_over(x, axes ? reduced_axes(x, *axes, operation, site) : all_axes(x), site);
    if (rows.length > 0) return rows;
    fail_argument(operation, site, "the reduced axes of ", x.shape(),
                  " hold no entries, so there is no largest or smallest");
}

// The index of the first of the largest (or smallest) entries of a row, or of the first NaN.
std::int64_t best_of_row(std::int64_t n, const Scalar* x, bool largest) {
    std::int64_t best = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        if (x[i] != x[i]) return i;
        const bool better = largest ? x[i] > x[best] : x[i] < x[best];
        if (better) best = i;
    }
    return best;
}

Tensor best_of(const Rows& rows, bool largest, KeepDim keep, const CallSite& site) {
    Tensor y = Tensor::uninitialized(rows.shape(keep), site);
    Scalar* out = y.writable_data();
    parallel_for_rows(rows.count, rows.length, [&](std::int64_t row) {
        out[row] = rows[row][best_of_row(rows.length, rows[row], largest)];
    });
    return y;
}

IndexTensor index_of_best(const Rows& rows, bool largest, KeepDim keep) {
    std::vector<std::int64_t> indices(static_cast<std::size_t>(rows.count));
    parallel_for_rows(rows.count, rows.length, [&](std::int64_t row) {
        indices[static_cast<std::size_t>(row)] = best_of_row(rows.length, rows[row], largest);
    });
    return IndexTensor(indices, rows.shape(keep));
}

}  // namespace

Tensor sum(const Tensor& x, CallSite site) { return sum_over(x, all_axes(x), KeepDim::no, site); }

Tensor sum(const Tensor& x, const Dims& axes, KeepDim keep, CallSite site) {
    return sum_over(x, reduced_axes(x, axes, "sum", site), keep, site);
}

Tensor mean(const Tensor& x, CallSite site) { return mean_over(x, all_axes(x), KeepDim::no, site); }

Tensor mean(const Tensor& x, const Dims& axes, KeepDim keep, CallSite site) {
    return mean_over(x, reduced_axes(x, axes, "mean", site), keep, site);
}

Tensor var(const Tensor& x, CallSite site) {
    return var_of(rows_over(x, all_axes(x), site), 1, KeepDim::no, site);
}

Tensor var(const Tensor& x, const Dims& axes, Integer correction, KeepDim keep, CallSite site) {
    const std::vector<bool> reduced = reduced_axes(x, axes, "var", site);
    return var_of(rows_over(x, reduced, site), correction.value, keep, site);
}

Tensor var(const Tensor& x, const Dims& axes, KeepDim keep, CallSite site) {
    return var(x, axes, 1, keep, site);
}

Tensor max(const Tensor& x, CallSite site) {
    return best_of(rows_with_entries(x, {}, "max", site), true, KeepDim::no, site);
}

Tensor max(const Tensor& x, const Dims& axes, KeepDim keep, CallSite site) {
    return best_of(rows_with_entries(x, axes, "max", site), true, keep, site);
}

Tensor min(const Tensor& x, CallSite site) {
    return best_of(rows_with_entries(x, {}, "min", site), false, KeepDim::no, site);
}

Tensor min(const Tensor& x, const Dims& axes, KeepDim keep, CallSite site) {
    return best_of(rows_with_entries(x, axes, "min", site), false, keep, site);
}

IndexTensor argmax(const Tensor& x, CallSite site) {
    return index_of_best(rows_with_entries(x, {}, "argmax", site), true, KeepDim::no);
}

IndexTensor argmax(const Tensor& x, const Dims& axes, KeepDim keep, CallSite site) {
    return index_of_best(rows_with_entries(x, axes, "argmax", site), true, keep);
}

IndexTensor argmin(const Tensor& x, CallSite site) {
    return index_of_best(rows_with_entries(x, {}, "argmin", site), false, KeepDim::no);
}

IndexTensor argmin(const Tensor& x, const Dims& axes, KeepDim keep, CallSite site) {
    return index_of_best(rows_with_entries(x, axes, "argmin", site), false, keep);
}

Tensor sum_to(const Tensor& x, const Shape& shape, CallSite site) {
    const int added = x.rank() - shape.rank();
    std::vector<bool> reduced(static_cast<std::size_t>(x.rank()), false);
    bool fits = added >= 0;
    for (int axis = 0; fits && axis < x.rank(); ++axis) {
        const std::int64_t to = axis < added ? 1 : shape[axis - added];
        fits = to == 1 || to == x.shape()[axis];
        reduced[static_cast<std::size_t>(axis)] = to != x.shape()[axis];
    }
    if (!fits) {
        fail_shape("sum_to", site, "shape ", shape, " does not broadcast to ", x.shape(),
                   "; aligned at the last axis, lengths must be equal or 1 in ", shape);
    }
    if (shape == x.shape()) return x;
    return reshape(sum_over(x, reduced, KeepDim::no, site), Dims(shape), site);
}

}}}  // namespace heed::tensor
