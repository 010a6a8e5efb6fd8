// Reading and adding by index. Every index is checked before anything is written.
#include "heed/tensor/ops/gather.h"

#include "heed/tensor/copy.h"
#include "heed/tensor/errors.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/parallel_walk.h"
#include "heed/tensor/views.h"

#include <algorithm>

namespace heed {
inline namespace HEED_PRECISION {
namespace tensor {

namespace {

void check_entries(const IndexTensor& index, const Shape& shape, int axis, const char* operation,
                   const CallSite& site) {
    for (std::int64_t i = 0; i < index.numel(); ++i) {
        const std::int64_t entry = index.data()[i];
        if (entry < 0 || entry >= shape[axis]) {
            fail_range(operation,
                       text("index ", entry, " at ", unravelled(i, index.shape()),
                            " of the index tensor is out of range for axis ", axis, " of ", shape,
                            ", which has ", shape[axis],
                            " entries; they count from 0, and negative indices are not read ",
                            "from the end here"),
                       site);
        }
    }
}

void check_one_axis(const IndexTensor& index, const char* operation, const CallSite& site) {
    if (index.rank() != 1) {
        fail_shape(operation,
                   text("the index tensor has shape ", index.shape(),
                        "; it must have rank 1 (reshape({-1}) makes one axis of all)"),
                   site);
    }
}

// For gather and scatter_add: `index` is no longer than `shape` on every axis but `axis`.
void check_within(const IndexTensor& index, const Shape& shape, int axis, const char* operation,
                  const CallSite& site) {
    if (index.rank() != shape.rank()) {
        fail_shape(operation,
                   text("the index tensor of shape ", index.shape(), " has rank ", index.rank(),
                        ", shape ", shape, " has rank ", shape.rank(), "; they must be equal"),
                   site);
    }
    for (int i = 0; i < shape.rank(); ++i) {
        if (i != axis && index.shape()[i] > shape[i]) {
            fail_shape(operation,
                       text("axis ", i, " of the index tensor ", index.shape(), " is longer than ",
                            "that of ", shape, "; only axis ", axis, ", which it indexes, may be"),
                       site);
        }
    }
}

// For index_add and embed_slice: x and the result may differ on `axis` only.
void check_other_axes(const Tensor& x, const Shape& shape, int axis, const char* operation,
                      const CallSite& site) {
    bool fits = x.rank() == shape.rank();
    for (int i = 0; fits && i < shape.rank(); ++i) fits = i == axis || x.shape()[i] == shape[i];
    if (!fits) {
        fail_shape(operation,
                   text("x of shape ", x.shape(), " does not fit a result of shape ", shape,
                        "; they must have one rank and differ only on axis ", axis),
                   site);
    }
}

// The strides with 0 for `axis`, along which the index tensor gives the position.
Dims standing_still(const Dims& strides, int axis) {
    std::vector<std::int64_t> numbers(strides.begin(), strides.end());
    numbers[static_cast<std::size_t>(axis)] = 0;
    return Dims(numbers);
}

// The strides of one entry along `axis`, which does not have that axis.
Dims entry_strides(const Dims& strides, int axis) {
    std::vector<std::int64_t> numbers(strides.begin(), strides.end());
    numbers.erase(numbers.begin() + axis);
    return Dims(numbers);
}

void add_entries(const Tensor& x, Scalar* to, const Dims& strides) {
    for (Walk<2> walk(x.shape(), {&x.strides(), &strides}); !walk.done(); walk.next()) {
        const Scalar* in = x.data() + walk.offset(0);
        Scalar* out = to + walk.offset(1);
        for (std::int64_t i = 0; i < walk.row_length(); ++i) {
            out[i * walk.row_stride(1)] += in[i * walk.row_stride(0)];
        }
    }
}

// For contiguous entries along axis 0, such as the rows of an embedding table: entry k of the
// result is entry index[k] of x.
void copy_rows(const Tensor& x, const IndexTensor& index, Scalar* out) {
    const std::int64_t length = x.shape()[0] == 0 ? 0 : x.numel() / x.shape()[0];
    const std::int64_t at_a_time = std::max<std::int64_t>(grain_of_numbers / (length + 1), 1);
    parallel_for(index.numel(), at_a_time, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k) {
            std::copy_n(x.data() + index.data()[k] * length, length, out + k * length);
        }
    });
}

// Adds row k of x to row index[k] of `out`. A row may be added to several times, always in the same
// order, so the threads divide the columns.
void add_rows(const Tensor& x, const IndexTensor& index, Scalar* out) {
    const std::int64_t rows = index.numel();
    const std::int64_t length = rows == 0 ? 0 : x.numel() / rows;
    const std::int64_t columns = std::max<std::int64_t>(grain_of_numbers / (rows + 1), 32);
    parallel_for(length, columns, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = 0; k < rows; ++k) {
            const Scalar* from = x.data() + k * length;
            Scalar* to = out + index.data()[k] * length;
            for (std::int64_t i = begin; i < end; ++i) to[i] += from[i];
        }
    });
}

}  // namespace

Tensor index_select(const Tensor& x, int axis, const IndexTensor& index, CallSite site) {
    const int along = normalized_axis(axis, x.rank(), "index_select", site);
    check_one_axis(index, "index_select", site);
    check_entries(index, x.shape(), along, "index_select", site);

    Tensor result = Tensor::uninitialized(x.shape().with(along, index.numel(), site), site);
    Scalar* out = result.writable_data();
    if (along == 0 && x.is_contiguous()) {
        copy_rows(x, index, out);
        return result;
    }
    const Dims to = entry_strides(result.strides(), along);
    for (std::int64_t k = 0; k < index.numel(); ++k) {
        const Tensor entry = select(x, along, index.data()[k], site);
        copy_entries(entry, out + k * result.strides()[along], to);
    }
    return result;
}

Tensor gather(const Tensor& x, int axis, const IndexTensor& index, CallSite site) {
    const int along = normalized_axis(axis, x.rank(), "gather", site);
    check_within(index, x.shape(), along, "gather", site);
    check_entries(index, x.shape(), along, "gather", site);

    Tensor result = Tensor::uninitialized(index.shape(), site);
    Scalar* out = result.writable_data();
    const std::int64_t* entry = index.data();
    const std::int64_t distance = x.strides()[along];
    const Dims strides = standing_still(x.strides(), along);
    for (Walk<1> walk(index.shape(), {&strides}); !walk.done(); walk.next()) {
        const Scalar* row = x.data() + walk.offset(0);
        for (std::int64_t i = 0; i < walk.row_length(); ++i) {
            *out++ = row[i * walk.row_stride(0) + *entry++ * distance];
        }
    }
    return result;
}

Tensor index_add(const Tensor& x, int axis, const IndexTensor& index, const Shape& shape,
                 CallSite site) {
    const int along = normalized_axis(axis, shape.rank(), "index_add", site);
    check_one_axis(index, "index_add", site);
    check_other_axes(x, shape, along, "index_add", site);
    if (x.shape()[along] != index.numel()) {
        fail_shape("index_add",
                   text("axis ", along, " of x ", x.shape(), " has ", x.shape()[along],
                        " entries, the index tensor ", index.numel(),
                        "; there must be one index for each"),
                   site);
    }
    check_entries(index, shape, along, "index_add", site);

    Tensor result = zeros(shape, site);
    Scalar* out = result.writable_data();
    if (along == 0 && x.is_contiguous()) {
        add_rows(x, index, out);
        return result;
    }
    const Dims to = entry_strides(result.strides(), along);
    for (std::int64_t k = 0; k < index.numel(); ++k) {
        const Tensor entry = select(x, along, k, site);
        add_entries(entry, out + index.data()[k] * result.strides()[along], to);
    }
    return result;
}

Tensor scatter_add(const Tensor& x, int axis, const IndexTensor& index, const Shape& shape,
                   CallSite site) {
    const int along = normalized_axis(axis, shape.rank(), "scatter_add", site);
    check_within(index, shape, along, "scatter_add", site);
    if (!(x.shape() == index.shape())) {
        fail_shape("scatter_add",
                   text("x has shape ", x.shape(), ", the index tensor ", index.shape(),
                        "; there must be one index for each entry"),
                   site);
    }
    check_entries(index, shape, along, "scatter_add", site);

    Tensor result = zeros(shape, site);
    Scalar* out = result.writable_data();
    const std::int64_t* entry = index.data();
    const std::int64_t distance = result.strides()[along];
    const Dims strides = standing_still(result.strides(), along);
    for (Walk<2> walk(x.shape(), {&x.strides(), &strides}); !walk.done(); walk.next()) {
        const Scalar* in = x.data() + walk.offset(0);
        Scalar* row = out + walk.offset(1);
        for (std::int64_t i = 0; i < walk.row_length(); ++i) {
            row[i * walk.row_stride(1) + *entry++ * distance] += in[i * walk.row_stride(0)];
        }
    }
    return result;
}

Tensor embed_slice(const Tensor& x, const Shape& shape, int axis, std::int64_t start,
                   std::int64_t step, CallSite site) {
    const int along = normalized_axis(axis, shape.rank(), "embed_slice", site);
    if (step < 1) {
        fail_argument("embed_slice", text("the step is ", step, "; it must be 1 or more"), site);
    }
    check_other_axes(x, shape, along, "embed_slice", site);
    Tensor result = zeros(shape, site);
    const Tensor place = slice(result, along, start, to_the_end, step, site);
    if (place.shape()[along] < x.shape()[along]) {
        fail_shape("embed_slice",
                   text("x of shape ", x.shape(), " has ", x.shape()[along], " entries along axis ",
                        along, "; from ", start, " in steps of ", step, " a result of shape ",
                        shape, " has room for ", place.shape()[along]),
                   site);
    }
    const std::int64_t first = place.offset();
    copy_entries(x, result.writable_data() + first, place.strides());
    return result;
}

}  // namespace tensor
}  // namespace HEED_PRECISION
}  // namespace heed
