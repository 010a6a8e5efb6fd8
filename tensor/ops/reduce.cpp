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
// The axes of a shape that are reduced.
struct Reduced {
    Shape of_x;
    bool is[max_rank] = {};

    explicit Reduced(const Shape& x) : of_x(x) { std::fill_n(is, x.rank(), true); }  // all
    Reduced(const Shape& x, const Dims& axes, const char* operation, const CallSite& site)
        : of_x(x) {
        for (const std::int64_t axis : normalized_axes(axes, x.rank(), operation, site)) {
            is[axis] = true;
        }
    }

    // How many entries of x are reduced to one.
    std::int64_t count() const {
        std::int64_t entries = 1;
        for (int axis = 0; axis < of_x.rank(); ++axis) entries *= is[axis] ? of_x[axis] : 1;
        return entries;
    }
    Shape result(KeepDim keep) const {
        Dims lengths;
        for (int axis = 0; axis < of_x.rank(); ++axis) {
            if (!is[axis] || keep == KeepDim::yes) lengths.append(is[axis] ? 1 : of_x[axis]);
        }
        return Shape(lengths);
    }
    // All axes, the reduced ones last; each kind in the order it has in x.
    Dims moved_last() const {
        Dims order;
        for (const bool last : {false, true}) {
            for (int axis = 0; axis < of_x.rank(); ++axis) {
                if (is[axis] == last) order.append(axis);
            }
        }
        return order;
    }
    // Are the reduced axes adjacent, apart from axes of length 1?
    bool side_by_side() const {
        int blocks = 0;
        bool inside = false;
        for (int axis = 0; axis < of_x.rank(); ++axis) {
            if (of_x[axis] == 1) continue;
            if (is[axis] && !inside) ++blocks;
            inside = is[axis];
        }
        return blocks <= 1;
    }
};

// What a reduction over some axes works on: one contiguous row for each entry of the result.
// The reduced axes are moved last in the order they have in x, so the order within a row, and
// with it a sum to the last bit, depends on the shape alone and not on the strides.
struct Rows {
    Reduced over;
    Tensor numbers;
    std::int64_t length = over.count();  // entries of each row
    std::int64_t count = over.result(KeepDim::no).numel();

    Rows(const Tensor& x, const Reduced& reduced, const CallSite& site)
        : over(reduced), numbers(contiguous(permute(x, reduced.moved_last(), site), site)) {}
    const Scalar* operator[](std::int64_t row) const { return numbers.data() + row * length; }
    Shape shape(KeepDim keep) const { return over.result(keep); }
};

// Contiguous numbers [outer, length, inner], summed over the axis in the middle. The order of a
// sum, and with it its last bit, depends on the shape alone: the reduced axes are counted in the
// order they have in x.
struct Sums {
    Tensor numbers;
    std::int64_t outer = 1, length = 1, inner = 1;
};

Sums sums_of(const Tensor& x, const Reduced& reduced, const CallSite& site) {
    const bool in_place = reduced.side_by_side();
    Sums sums;
    for (int axis = 0; axis < x.rank(); ++axis) {
        const std::int64_t length = x.shape()[axis];
        if (length == 1) continue;
        if (reduced.is[axis]) {
            sums.length *= length;
            if (in_place) sums.outer *= std::exchange(sums.inner, 1);
        } else {
            sums.inner *= length;
        }
    }
    if (!in_place) std::swap(sums.outer, sums.inner);
    sums.numbers = contiguous(in_place ? x : permute(x, reduced.moved_last(), site), site);
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

Tensor sum_over(const Tensor& x, const Reduced& reduced, KeepDim keep, const CallSite& site) {
    const Sums sums = sums_of(x, reduced, site);
    Tensor y = Tensor::uninitialized(reduced.result(keep), site);
    Scalar* out = y.writable_data();
    if (sums.length == 0) {
        std::fill_n(out, y.numel(), Scalar(0));
        return y;
    }
    sums.inner == 1 ? sum_rows(sums, out) : sum_columns(sums, out);
    return y;
}

Tensor mean_over(const Tensor& x, const Reduced& reduced, KeepDim keep, const CallSite& site) {
    const std::int64_t n = reduced.count();
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
    const Shape& shape = x.shape();
    const Rows rows(x, axes ? Reduced(shape, *axes, operation, site) : Reduced(shape), site);
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

MergedAxes::MergedAxes(const Shape& x, const Dims& axes, KeepDim keep, const char* operation,
                       const CallSite& site) {
    const Reduced reduced(x, axes, operation, site);
    order = reduced.moved_last();
    merged = reduced.result(KeepDim::no).followed_by(reduced.count());
    result = reduced.result(keep);
}

Tensor sum(const Tensor& x, CallSite site) {
    return sum_over(x, Reduced(x.shape()), KeepDim::no, site);
}

Tensor sum(const Tensor& x, const Dims& axes, KeepDim keep, CallSite site) {
    return sum_over(x, Reduced(x.shape(), axes, "sum", site), keep, site);
}

Tensor mean(const Tensor& x, CallSite site) {
    return mean_over(x, Reduced(x.shape()), KeepDim::no, site);
}

Tensor mean(const Tensor& x, const Dims& axes, KeepDim keep, CallSite site) {
    return mean_over(x, Reduced(x.shape(), axes, "mean", site), keep, site);
}

Tensor var(const Tensor& x, CallSite site) {
    return var_of(Rows(x, Reduced(x.shape()), site), 1, KeepDim::no, site);
}

Tensor var(const Tensor& x, const Dims& axes, Integer correction, KeepDim keep, CallSite site) {
    const Reduced reduced(x.shape(), axes, "var", site);
    return var_of(Rows(x, reduced, site), correction.value, keep, site);
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
    Reduced reduced(x.shape());
    bool fits = added >= 0;
    for (int axis = 0; fits && axis < x.rank(); ++axis) {
        const std::int64_t to = axis < added ? 1 : shape[axis - added];
        fits = to == 1 || to == x.shape()[axis];
        reduced.is[axis] = to != x.shape()[axis];
    }
    if (!fits) {
        fail_shape("sum_to", site, "shape ", shape, " does not broadcast to ", x.shape(),
                   "; aligned at the last axis, lengths must be equal or 1 in ", shape);
    }
    if (shape == x.shape()) return x;
    return reshape(sum_over(x, reduced, KeepDim::no, site), Dims(shape), site);
}

}}}  // namespace heed::tensor
