// Reductions: each entry of a result is computed from one contiguous row.
#include "heed/tensor/ops/reduce.h"

#include "heed/tensor/errors.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/kernels/kernels.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/sum_over.h"
#include "heed/tensor/runtime/parallel.h"
#include "heed/tensor/views.h"

namespace heed {
inline namespace HEED_PRECISION {
namespace tensor {

namespace {

// The operand of a reduction: one contiguous row for each entry of the result. The reduced axes are
// moved last in their order in x, so the order within a row, and with it the last bit of a sum,
// depends on the shape alone and not on the strides.
struct Rows {
    Tensor numbers;
    std::int64_t count = 1;   // rows
    std::int64_t length = 1;  // entries per row
    Shape kept;               // the result's shape, reduced axes dropped
    Shape ones;               // the result's shape, reduced axes of length 1

    const Scalar* operator[](std::int64_t row) const { return numbers.data() + row * length; }
    const Shape& shape(bool keepdim) const { return keepdim ? ones : kept; }
};

Rows rows_over(const Tensor& x, const std::vector<bool>& reduced, const CallSite& site) {
    Rows rows;
    std::vector<std::int64_t> kept, last, kept_lengths, ones;
    for (int axis = 0; axis < x.rank(); ++axis) {
        const std::int64_t length = x.shape()[axis];
        if (reduced[static_cast<std::size_t>(axis)]) {
            last.push_back(axis);
            ones.push_back(1);
            rows.length *= length;
        } else {
            kept.push_back(axis);
            kept_lengths.push_back(length);
            ones.push_back(length);
            rows.count *= length;
        }
    }
    kept.insert(kept.end(), last.begin(), last.end());
    rows.numbers = contiguous(permute(x, Dims(kept), site), site);
    rows.kept = Shape(Dims(kept_lengths));
    rows.ones = Shape(Dims(ones));
    return rows;
}

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

Rows rows_over(const Tensor& x, const Dims& axes, const char* operation, const CallSite& site) {
    return rows_over(x, reduced_axes(x, axes, operation, site), site);
}

Rows rows_over_all(const Tensor& x, const CallSite& site) {
    return rows_over(x, all_axes(x), site);
}

Tensor mean_over(const Tensor& x, const std::vector<bool>& reduced, bool keepdim,
                 const CallSite& site) {
    std::int64_t n = 1;
    for (int axis = 0; axis < x.rank(); ++axis) {
        if (reduced[static_cast<std::size_t>(axis)]) n *= x.shape()[axis];
    }
    return sum_over(x, reduced, keepdim, site) / static_cast<double>(n);
}

// Σ(x - mean)²/(n - correction)
Tensor var_of(const Rows& rows, std::int64_t correction, bool keepdim, const CallSite& site) {
    if (correction < 0) {
        fail_argument("var",
                      text("the correction is ", correction, "; it is 0, or 1 for an unbiased ",
                           "estimate, and never negative"),
                      site);
    }
    const double n = static_cast<double>(rows.length);
    const double divisor = rows.length > correction ? n - static_cast<double>(correction) : 0;
    Tensor y = Tensor::uninitialized(rows.shape(keepdim));
    Scalar* out = y.writable_data();
    const kernels::Table& kernel = kernels::active();
    parallel_for_rows(rows.count, rows.length, [&](std::int64_t row) {
        const Scalar mean = kernel.sum(rows.length, rows[row]) / static_cast<Scalar>(n);
        const Scalar squares = kernel.squared_deviations(rows.length, rows[row], mean);
        out[row] = squares / static_cast<Scalar>(divisor);
    });
    return y;
}

void require_entries(const Rows& rows, const char* operation, const Tensor& x,
                     const CallSite& site) {
    if (rows.length == 0) {
        fail_argument(operation,
                      text("the reduced axes of ", x.shape(),
                           " hold no entries, and of none there ", "is no largest or smallest"),
                      site);
    }
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

Tensor best_of(const Rows& rows, bool largest, bool keepdim) {
    Tensor y = Tensor::uninitialized(rows.shape(keepdim));
    Scalar* out = y.writable_data();
    parallel_for_rows(rows.count, rows.length, [&](std::int64_t row) {
        out[row] = rows[row][best_of_row(rows.length, rows[row], largest)];
    });
    return y;
}

IndexTensor index_of_best(const Rows& rows, bool largest, bool keepdim) {
    std::vector<std::int64_t> indices(static_cast<std::size_t>(rows.count));
    parallel_for_rows(rows.count, rows.length, [&](std::int64_t row) {
        indices[static_cast<std::size_t>(row)] = best_of_row(rows.length, rows[row], largest);
    });
    return IndexTensor(indices, rows.shape(keepdim));
}

}  // namespace

Tensor sum(const Tensor& x, CallSite site) { return sum_over(x, all_axes(x), false, site); }

Tensor sum(const Tensor& x, const Dims& axes, bool keepdim, CallSite site) {
    return sum_over(x, reduced_axes(x, axes, "sum", site), keepdim, site);
}

Tensor mean(const Tensor& x, CallSite site) { return mean_over(x, all_axes(x), false, site); }

Tensor mean(const Tensor& x, const Dims& axes, bool keepdim, CallSite site) {
    return mean_over(x, reduced_axes(x, axes, "mean", site), keepdim, site);
}

Tensor var(const Tensor& x, CallSite site) {
    return var_of(rows_over_all(x, site), 1, false, site);
}

Tensor var(const Tensor& x, const Dims& axes, std::int64_t correction, bool keepdim,
           CallSite site) {
    return var_of(rows_over(x, axes, "var", site), correction, keepdim, site);
}

Tensor max(const Tensor& x, CallSite site) {
    const Rows rows = rows_over_all(x, site);
    require_entries(rows, "max", x, site);
    return best_of(rows, true, false);
}

Tensor max(const Tensor& x, const Dims& axes, bool keepdim, CallSite site) {
    const Rows rows = rows_over(x, axes, "max", site);
    require_entries(rows, "max", x, site);
    return best_of(rows, true, keepdim);
}

Tensor min(const Tensor& x, CallSite site) {
    const Rows rows = rows_over_all(x, site);
    require_entries(rows, "min", x, site);
    return best_of(rows, false, false);
}

Tensor min(const Tensor& x, const Dims& axes, bool keepdim, CallSite site) {
    const Rows rows = rows_over(x, axes, "min", site);
    require_entries(rows, "min", x, site);
    return best_of(rows, false, keepdim);
}

IndexTensor argmax(const Tensor& x, CallSite site) {
    const Rows rows = rows_over_all(x, site);
    require_entries(rows, "argmax", x, site);
    return index_of_best(rows, true, false);
}

IndexTensor argmax(const Tensor& x, const Dims& axes, bool keepdim, CallSite site) {
    const Rows rows = rows_over(x, axes, "argmax", site);
    require_entries(rows, "argmax", x, site);
    return index_of_best(rows, true, keepdim);
}

IndexTensor argmin(const Tensor& x, CallSite site) {
    const Rows rows = rows_over_all(x, site);
    require_entries(rows, "argmin", x, site);
    return index_of_best(rows, false, false);
}

IndexTensor argmin(const Tensor& x, const Dims& axes, bool keepdim, CallSite site) {
    const Rows rows = rows_over(x, axes, "argmin", site);
    require_entries(rows, "argmin", x, site);
    return index_of_best(rows, false, keepdim);
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
        fail_shape("sum_to",
                   text("shape ", shape, " does not broadcast to ", x.shape(),
                        "; aligned at the last axis, lengths must be equal or 1 in ", shape),
                   site);
    }
    if (shape == x.shape()) return x;
    return reshape(sum_over(x, reduced, false, site), Dims(shape), site);
}

}  // namespace tensor
}  // namespace HEED_PRECISION
}  // namespace heed
