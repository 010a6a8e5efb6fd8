// Reading and adding by index. Every index is checked before anything is written.
#include "gather.h"

#include "../copy.h"
#include "../errors.h"
#include "../factories.h"
#include "../kernels/sum_blocks.h"
#include "../parallel_walk.h"
#include "../views.h"
#include "index_checks.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
// For index_add and embed_slice: x and the result may differ on `axis` only.
void check_other_axes(const Tensor& x, const Shape& shape, int axis, const char* operation,
                      const CallSite& site) {
    bool fits = x.rank() == shape.rank();
    for (int i = 0; fits && i < shape.rank(); ++i) fits = i == axis || x.shape()[i] == shape[i];
    if (!fits) {
        fail_shape(operation, site, "x of shape ", x.shape(), " does not fit a result of shape ",
                   shape, "; they must have the same rank and differ only on axis ", axis);
    }
}

// `shape` with the axes of `index` in place of `axis`.
Shape with_axes(const Shape& shape, int axis, const Shape& index, const CallSite& site) {
    Dims lengths;
    for (int i = 0; i < axis; ++i) lengths.append(shape[i], site);
    for (const std::int64_t length : index) lengths.append(length, site);
    for (int i = axis + 1; i < shape.rank(); ++i) lengths.append(shape[i], site);
    return Shape(lengths, site);
}

// Entry (i, j, ...) of x is added to to[i·strides[0] + j·strides[1] + ...].
void add_entries(const Tensor& x, Scalar* to, const Dims& strides) {
    parallel_walk<2>(x.shape(), {&x.strides(), &strides}, [&](const Run<2>& run) {
        const Scalar* in = x.data() + run.offset[0];
        Scalar* out = to + run.offset[1];
        const std::int64_t in_step = run.stride[0];
        const std::int64_t out_step = run.stride[1];
        if (in_step == 1 && out_step == 1) {
            for (std::int64_t i = 0; i < run.length; ++i) out[i] += in[i];
        } else {
            for (std::int64_t i = 0; i < run.length; ++i) out[i * out_step] += in[i * in_step];
        }
    });
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

// Adds entry k of x along `axis` to entry index[k] of `to`, which is contiguous, in the order of k.
void add_at(const Tensor& x, int axis, const IndexTensor& index, Tensor& to) {
    Scalar* out = to.writable_data();
    if (axis == 0 && x.is_contiguous()) return add_rows(x, index, out);
    const Dims strides = to.strides().without(axis);
    for (std::int64_t k = 0; k < index.numel(); ++k) {
        add_entries(select(x, axis, k), out + index.data()[k] * to.strides()[axis], strides);
    }
}

// x with the axes of `index` merged into one, which has one entry for each index.
Tensor with_one_axis(const Tensor& x, int axis, const IndexTensor& index, const Shape& shape,
                     const char* operation, const CallSite& site) {
    if (index.rank() != 1) {
        const Shape expected = with_axes(shape, axis, index.shape(), site);
        if (!(x.shape() == expected)) {
            fail_shape(operation, site, "x has shape ", x.shape(),
                       "; for an index tensor of shape ", index.shape(), " and a result of shape ",
                       shape, " it must be ", expected);
        }
        check_entries(index, shape, axis, operation, site);
        return reshape(x, shape.with(axis, index.numel(), site), site);
    }
    check_other_axes(x, shape, axis, operation, site);
    if (x.shape()[axis] != index.numel()) {
        fail_shape(operation, site, "axis ", axis, " of x ", x.shape(), " has ", x.shape()[axis],
                   " entries, but the index tensor has ", index.numel(),
                   "; there must be one index for each");
    }
    check_entries(index, shape, axis, operation, site);
    return x;
}

// `total` itself if no other tensor shares its storage and it is contiguous, else a copy.
void make_own(Tensor& total, const CallSite& site) {
    const bool alone = total.storage().use_count() == 1 && total.is_contiguous();
    if (!alone) total = clone(total, site);
}

// The part of `to` that begins at `start` along `axis` and steps by `step`, as long as x's axis.
Tensor place_of(const Tensor& x, const Tensor& to, int axis, std::int64_t start, std::int64_t step,
                const char* operation, const CallSite& site) {
    check_at_least(operation, "the step", step, 1, site);
    check_other_axes(x, to.shape(), axis, operation, site);
    const Tensor place = slice(to, axis, start, to_the_end, step, site);
    if (place.shape()[axis] < x.shape()[axis]) {
        fail_shape(operation, site, "x of shape ", x.shape(), " has ", x.shape()[axis],
                   " entries along axis ", axis, "; from ", start, " in steps of ", step,
                   " a result of shape ", to.shape(), " has room for ", place.shape()[axis]);
    }
    return place;
}

}  // namespace

Tensor index_select(const Tensor& x, int axis, const IndexTensor& index, CallSite site) {
    const int along = normalized_axis(axis, x.rank(), "index_select", site);
    check_entries(index, x.shape(), along, "index_select", site);
    if (index.rank() != 1) {
        const Shape shape = with_axes(x.shape(), along, index.shape(), site);
        const Tensor entries = index_select(x, along, index.reshape(index.numel()), site);
        return view(entries, shape, site);
    }

    Tensor result = Tensor::uninitialized(x.shape().with(along, index.numel(), site), site);
    Scalar* out = result.writable_data();
    if (along == 0 && x.is_contiguous()) {
        copy_rows(x, index, out);
        return result;
    }
    const Dims to = result.strides().without(along);
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
    const Dims strides = x.strides().with(along, 0);
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
    const Tensor entries = with_one_axis(x, along, index, shape, "index_add", site);
    const kernels::SumBlocks blocks(index.data(), index.numel(), shape[along]);
    if (blocks.several_per_target) {
        const IndexTensor targets(blocks.target);
        const Tensor sums = index_add(entries, along, IndexTensor(blocks.of),
                                      shape.with(along, targets.numel(), site), site);
        return index_add(sums, along, targets, shape, site);
    }
    Tensor result = zeros(shape, site);
    add_at(entries, along, index.reshape(index.numel()), result);
    return result;
}

// Entries added to the same place are summed first, as in index_add().
void index_add_to(Tensor& total, const Tensor& x, int axis, const IndexTensor& index,
                  CallSite site) {
    const int along = normalized_axis(axis, total.rank(), "index_add_to", site);
    const Tensor entries = with_one_axis(x, along, index, total.shape(), "index_add_to", site);
    make_own(total, site);
    std::vector<std::int64_t> distinct(index.data(), index.data() + index.numel());
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<std::int64_t> position(static_cast<std::size_t>(index.numel()));
    for (std::size_t k = 0; k < position.size(); ++k) {
        position[k] =
            std::lower_bound(distinct.begin(), distinct.end(), index.data()[k]) - distinct.begin();
    }
    const IndexTensor to(distinct);
    const Tensor sums = index_add(entries, along, IndexTensor(position),
                                  total.shape().with(along, to.numel(), site), site);
    add_at(sums, along, to, total);
}

Tensor embed_slice(const Tensor& x, const Shape& shape, int axis, std::int64_t start,
                   std::int64_t step, CallSite site) {
    const int along = normalized_axis(axis, shape.rank(), "embed_slice", site);
    Tensor result = zeros(shape, site);
    const Tensor place = place_of(x, result, along, start, step, "embed_slice", site);
    add_entries(x, result.writable_data() + place.offset(), place.strides());
    return result;
}

void add_to_slice(Tensor& total, const Tensor& x, int axis, std::int64_t start, std::int64_t step,
                  CallSite site) {
    const int along = normalized_axis(axis, total.rank(), "add_to_slice", site);
    make_own(total, site);
    const Tensor place = place_of(x, total, along, start, step, "add_to_slice", site);
    const std::int64_t first = place.offset() - total.offset();
    add_entries(x, total.writable_data() + first, place.strides());
}

}}}  // namespace heed::tensor
