// Writing and adding single entries by index. Every index is checked before anything is written.
#include "scatter.h"

#include "../copy.h"
#include "../errors.h"
#include "../factories.h"
#include "../kernels/sum_blocks.h"
#include "../walk.h"
#include "gather.h"
#include "index_checks.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
// Where in a contiguous tensor of `shape` each entry of `index` points, in row-major order.
std::vector<std::int64_t> places(const Shape& shape, int axis, const IndexTensor& index) {
    const Dims along = contiguous_strides(shape);
    const Dims strides = along.with(axis, 0);
    std::vector<std::int64_t> places;
    places.reserve(static_cast<std::size_t>(index.numel()));
    const std::int64_t* entry = index.data();
    for (Walk<1> walk(index.shape(), {&strides}); !walk.done(); walk.next()) {
        for (std::int64_t i = 0; i < walk.row_length(); ++i) {
            places.push_back(walk.offset(0) + i * walk.row_stride(0) + *entry++ * along[axis]);
        }
    }
    return places;
}

// Adds each number to its place in `out`, which holds zeros: the numbers of a block in order, and
// then the blocks in the same way.
void add_at(const std::vector<std::int64_t>& places, const Scalar* numbers, std::int64_t all_places,
            Scalar* out) {
    const kernels::SumBlocks blocks(places.data(), static_cast<std::int64_t>(places.size()),
                                    all_places);
    if (!blocks.several_per_target) {
        for (const std::int64_t place : places) out[place] += *numbers++;
        return;
    }
    std::vector<Scalar> sums(blocks.target.size());
    add_at(blocks.of, numbers, static_cast<std::int64_t>(sums.size()), sums.data());
    add_at(blocks.target, sums.data(), all_places, out);
}

}  // namespace

Tensor scatter(const Tensor& x, int axis, const IndexTensor& index, const Tensor& values,
               CallSite site) {
    const int along = normalized_axis(axis, x.rank(), "scatter", site);
    check_within(index, x.shape(), along, "scatter", site);
    check_one_each(values, index, "scatter", site);
    check_entries(index, x.shape(), along, "scatter", site);

    Tensor result = clone(x, site);
    Scalar* out = result.writable_data();
    const Tensor written = contiguous(values, site);
    const Scalar* value = written.data();
    for (const std::int64_t place : places(x.shape(), along, index)) out[place] = *value++;
    return result;
}

Tensor scatter(const Tensor& x, int axis, const IndexTensor& index, double value, CallSite site) {
    return scatter(x, axis, index, full(index.shape(), value), site);
}

Tensor scatter_add(const Tensor& x, int axis, const IndexTensor& index, const Shape& shape,
                   CallSite site) {
    const int along = normalized_axis(axis, shape.rank(), "scatter_add", site);
    check_within(index, shape, along, "scatter_add", site);
    check_one_each(x, index, "scatter_add", site);
    check_entries(index, shape, along, "scatter_add", site);

    Tensor result = zeros(shape, site);
    const Tensor added = contiguous(x, site);
    add_at(places(shape, along, index), added.data(), shape.numel(), result.writable_data());
    return result;
}

BoolTensor last_written(const Shape& shape, int axis, const IndexTensor& index, CallSite site) {
    const int along = normalized_axis(axis, shape.rank(), "last_written", site);
    check_within(index, shape, along, "last_written", site);
    check_entries(index, shape, along, "last_written", site);

    std::vector<bool> taken(static_cast<std::size_t>(shape.numel()), false);
    std::vector<std::uint8_t> stays(static_cast<std::size_t>(index.numel()), 0);
    const std::vector<std::int64_t> all = places(shape, along, index);
    for (std::size_t i = all.size(); i-- > 0;) {
        const std::size_t place = static_cast<std::size_t>(all[i]);
        stays[i] = !taken[place];
        taken[place] = true;
    }
    return BoolTensor::from_bytes(std::move(stays), index.shape(), site);
}

Tensor one_hot(const IndexTensor& index, std::int64_t classes, CallSite site) {
    check_at_least("one_hot", "the number of classes", classes, 1, site);
    const Shape shape = index.shape().followed_by(classes, site);
    check_entries(index, shape, shape.rank() - 1, "one_hot", site);
    Tensor result = zeros(shape, site);
    Scalar* out = result.writable_data();
    for (std::int64_t i = 0; i < index.numel(); ++i) out[i * classes + index.data()[i]] = 1;
    return result;
}

}}}  // namespace heed::tensor
