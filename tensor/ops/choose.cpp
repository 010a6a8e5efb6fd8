// Entries are chosen by reading one or the other, never by multiplying with 0 and 1: entries that
// are not chosen may be NaN or infinite.
#include "choose.h"

#include "../errors.h"
#include "../factories.h"
#include "../parallel_walk.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
// [rows, columns], true above the diagonal: j > i + diagonal.
BoolTensor above(const Shape& shape, std::int64_t diagonal) {
    const std::int64_t rows = shape[shape.rank() - 2];
    const std::int64_t columns = shape[shape.rank() - 1];
    std::vector<std::uint8_t> bytes;
    bytes.reserve(static_cast<std::size_t>(rows * columns));
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) bytes.push_back(j - i > diagonal);
    }
    return BoolTensor::from_bytes(std::move(bytes), Shape{rows, columns});
}

void check_matrix(const Tensor& x, const char* operation, const CallSite& site) {
    if (x.rank() < 2) {
        fail_shape(operation, site, "shape ", x.shape(), " has rank ", x.rank(),
                   "; a triangle needs two axes, rows and columns");
    }
}

}  // namespace

Tensor where(const BoolTensor& condition, const Tensor& a, const Tensor& b, CallSite site) {
    const Shape numbers = broadcast_shape(a.shape(), b.shape(), "where", site);
    const Shape shape = broadcast_shape(condition.shape(), numbers, "where", site);
    const Dims c_strides =
        broadcast_strides(condition.shape(), contiguous_strides(condition.shape()), shape);
    const Dims a_strides = broadcast_strides(a.shape(), a.strides(), shape);
    const Dims b_strides = broadcast_strides(b.shape(), b.strides(), shape);
    Tensor result = Tensor::uninitialized(shape, site);
    Scalar* out = result.writable_data();
    parallel_walk<4>(shape, {&c_strides, &a_strides, &b_strides, &result.strides()},
                     [&](const Run<4>& run) {
                         const std::uint8_t* chosen = condition.data() + run.offset[0];
                         const Scalar* a_row = a.data() + run.offset[1];
                         const Scalar* b_row = b.data() + run.offset[2];
                         Scalar* to = out + run.offset[3];
                         for (std::int64_t i = 0; i < run.length; ++i) {
                             to[i] = chosen[i * run.stride[0]] ? a_row[i * run.stride[1]]
                                                               : b_row[i * run.stride[2]];
                         }
                     });
    return result;
}

Tensor where(const BoolTensor& condition, const Tensor& a, double b, CallSite site) {
    return where(condition, a, full({}, b, site), site);
}

Tensor where(const BoolTensor& condition, double a, const Tensor& b, CallSite site) {
    return where(condition, full({}, a, site), b, site);
}

Tensor where(const BoolTensor& condition, double a, double b, CallSite site) {
    return where(condition, full({}, a, site), full({}, b, site), site);
}

Tensor masked_fill(const Tensor& x, const BoolTensor& condition, double value, CallSite site) {
    if (!broadcasts_to(condition.shape(), x.shape())) {
        fail_shape("masked_fill", site, "the condition of shape ", condition.shape(),
                   " does not broadcast to x's shape ", x.shape(),
                   ": aligned at the last axis, each of its lengths must be equal or 1, and ",
                   "it must not have more axes than x");
    }
    const Scalar fill = static_cast<Scalar>(value);
    const Dims c_strides =
        broadcast_strides(condition.shape(), contiguous_strides(condition.shape()), x.shape());
    Tensor result = Tensor::uninitialized(x.shape(), site);
    Scalar* out = result.writable_data();
    parallel_walk<3>(x.shape(), {&c_strides, &x.strides(), &result.strides()},
                     [&](const Run<3>& run) {
                         const std::uint8_t* filled = condition.data() + run.offset[0];
                         const Scalar* row = x.data() + run.offset[1];
                         Scalar* to = out + run.offset[2];
                         for (std::int64_t i = 0; i < run.length; ++i) {
                             to[i] = filled[i * run.stride[0]] ? fill : row[i * run.stride[1]];
                         }
                     });
    return result;
}

Tensor tril(const Tensor& x, std::int64_t diagonal, CallSite site) {
    check_matrix(x, "tril", site);
    return masked_fill(x, above(x.shape(), diagonal), 0, site);
}

// triu keeps j ≥ i + diagonal, which is j > i + (diagonal - 1).
Tensor triu(const Tensor& x, std::int64_t diagonal, CallSite site) {
    check_matrix(x, "triu", site);
    if (diagonal == INT64_MIN) return masked_fill(x, BoolTensor::full(Shape{}, false), 0, site);
    return masked_fill(x, !above(x.shape(), diagonal - 1), 0, site);
}

}}}  // namespace heed::tensor
