#include "heed/autograd/ops/gather.h"

#include "heed/autograd/ops/views.h"
#include "heed/autograd/record.h"
#include "heed/tensor/ops/gather.h"

#include <algorithm>

namespace heed {
inline namespace HEED_PRECISION {

namespace {

// y[..., k, ...] = x[..., index[k], ...]                      G = ∂L/∂y
struct IndexSelect final : Operation {
    Shape of_x;
    int axis;
    IndexTensor index;

    IndexSelect(const Variable& x, int along, const IndexTensor& entries)
        : of_x(x.shape()), axis(along), index(entries) {}
    const char* name() const override { return "index_select"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::index_select(in[0], axis, index);
    }

    Variable gradient(int, const Variable& G) const override {
        return index_add(G, axis, index, of_x);  // ∂L/∂x: entry k of G is added at index[k]
    }
};

// y = zeros, and y[..., index[k], ...] += x[..., k, ...]
struct IndexAdd final : Operation {
    int axis;
    IndexTensor index;

    IndexAdd(int along, const IndexTensor& entries) : axis(along), index(entries) {}
    const char* name() const override { return "index_add"; }
    Tensor forward(const Tensors& in, const Shape& shape) const override {
        return tensor::index_add(in[0], axis, index, shape);
    }

    Variable gradient(int, const Variable& G) const override {
        return index_select(G, axis, index);  // ∂L/∂x: entry k is entry index[k] of G
    }
};

// y[i][j] = x[index[i][j]][j] for axis 0, and so on
struct Gather final : Operation {
    Shape of_x;
    int axis;
    IndexTensor index;

    Gather(const Variable& x, int along, const IndexTensor& entries)
        : of_x(x.shape()), axis(along), index(entries) {}
    const char* name() const override { return "gather"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::gather(in[0], axis, index);
    }

    Variable gradient(int, const Variable& G) const override {
        return scatter_add(G, axis, index, of_x);  // ∂L/∂x: each of G is added where y was read
    }
};

// y = zeros, and y[index[i][j]][j] += x[i][j] for axis 0, and so on
struct ScatterAdd final : Operation {
    int axis;
    IndexTensor index;

    ScatterAdd(int along, const IndexTensor& entries) : axis(along), index(entries) {}
    const char* name() const override { return "scatter_add"; }
    Tensor forward(const Tensors& in, const Shape& shape) const override {
        return tensor::scatter_add(in[0], axis, index, shape);
    }

    Variable gradient(int, const Variable& G) const override {
        return gather(G, axis, index);  // ∂L/∂x: each is read where x was added
    }
};

// y = zeros, and y[..., start + k·step, ...] = x[..., k, ...]
struct EmbedSlice final : Operation {
    int axis;
    std::int64_t start, stop, step;

    EmbedSlice(int along, std::int64_t first, std::int64_t end, std::int64_t stride)
        : axis(along), start(first), stop(end), step(stride) {}
    const char* name() const override { return "embed_slice"; }
    Tensor forward(const Tensors& in, const Shape& shape) const override {
        return tensor::embed_slice(in[0], shape, axis, start, step);
    }

    Variable gradient(int, const Variable& G) const override {
        return slice(G, axis, start, stop, step);  // ∂L/∂x = the slice of G where x stands
    }
};

}  // namespace

Variable index_select(const Variable& x, int axis, const IndexTensor& index, CallSite site) {
    const Tensor y = tensor::index_select(x.value(), axis, index, site);
    return record<IndexSelect>(y, {&x}, site, x, axis, index);
}

Variable gather(const Variable& x, int axis, const IndexTensor& index, CallSite site) {
    const Tensor y = tensor::gather(x.value(), axis, index, site);
    return record<Gather>(y, {&x}, site, x, axis, index);
}

Variable index_add(const Variable& x, int axis, const IndexTensor& index, const Shape& shape,
                   CallSite site) {
    const Tensor y = tensor::index_add(x.value(), axis, index, shape, site);
    return record<IndexAdd>(y, {&x}, site, axis, index);
}

Variable scatter_add(const Variable& x, int axis, const IndexTensor& index, const Shape& shape,
                     CallSite site) {
    const Tensor y = tensor::scatter_add(x.value(), axis, index, shape, site);
    return record<ScatterAdd>(y, {&x}, site, axis, index);
}

Variable embed_slice(const Variable& x, const Shape& shape, int axis, std::int64_t start,
                     std::int64_t step, CallSite site) {
    const Tensor y = tensor::embed_slice(x.value(), shape, axis, start, step, site);
    const std::int64_t entries = x.dim(axis, site);
    const std::int64_t length = shape.dim(axis, site);
    const std::int64_t first = start < 0 ? std::max<std::int64_t>(start + length, 0) : start;
    const std::int64_t stop = entries == 0 ? first : first + (entries - 1) * step + 1;
    return record<EmbedSlice>(y, {&x}, site, axis, first, stop, step);
}

}  // namespace HEED_PRECISION
}  // namespace heed
