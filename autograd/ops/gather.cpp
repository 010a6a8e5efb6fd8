#include "gather.h"

#include "../../tensor/factories.h"
#include "../../tensor/ops/gather.h"
#include "../../tensor/ops/scatter.h"
#include "../record.h"
#include "choose.h"
#include "views.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// Reads or replaces the entries of x that `index` names, along an axis.
struct AtIndex : Operation {
    Shape of_x;
    int axis;
    IndexTensor index;

    AtIndex(const Variable& x, int along, const IndexTensor& entries)
        : of_x(x.shape()), axis(along), index(entries) {}
};

// y[..., k, ...] = x[..., index[k], ...]                      G = ∂L/∂y
struct IndexSelect final : AtIndex {
    using AtIndex::AtIndex;
    const char* name() const override { return "index_select"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::index_select(in[0], axis, index, site);
    }

    Variable gradient(int, const Variable& G) const override {
        return index_add(G, axis, index, of_x);  // ∂L/∂x: entry k of G is added at index[k]
    }

    bool fused_gradients(const Tensor& G, Gradients& to) const override {
        if (index.numel() >= of_x.dim(axis)) return false;  // G is as large as x: nothing to save
        Tensor* const sum = to.sum_so_far(0);
        if (!sum) return false;
        tensor::index_add_to(*sum, G, axis, index);
        return true;
    }
};
}  // namespace

Variable index_select(const Variable& x, int axis, const IndexTensor& index, CallSite site) {
    return record<IndexSelect>({&x}, site, x, axis, index);
}

namespace {
// Adds x to zeros at the entries that `index` names, along an axis.
struct IntoZeros : Operation {
    int axis;
    IndexTensor index;
    Shape of_y;

    IntoZeros(int along, const IndexTensor& entries, const Shape& shape)
        : axis(along), index(entries), of_y(shape) {}
};

// y = zeros, and y[..., index[k], ...] += x[..., k, ...]
struct IndexAdd final : IntoZeros {
    using IntoZeros::IntoZeros;
    const char* name() const override { return "index_add"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::index_add(in[0], axis, index, of_y, site);
    }

    Variable gradient(int, const Variable& G) const override {
        return index_select(G, axis, index);  // ∂L/∂x: entry k is entry index[k] of G
    }
};
}  // namespace

Variable index_add(const Variable& x, int axis, const IndexTensor& index, const Shape& shape,
                   CallSite site) {
    return record<IndexAdd>({&x}, site, axis, index, shape);
}

namespace {
// y[i][j] = x[index[i][j]][j] for axis 0, and so on
struct Gather final : AtIndex {
    using AtIndex::AtIndex;
    const char* name() const override { return "gather"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::gather(in[0], axis, index, site);
    }

    Variable gradient(int, const Variable& G) const override {
        return scatter_add(G, axis, index, of_x);  // ∂L/∂x: G is added where y was read
    }
};
}  // namespace

Variable gather(const Variable& x, int axis, const IndexTensor& index, CallSite site) {
    return record<Gather>({&x}, site, x, axis, index);
}

namespace {
// y = zeros, and y[index[i][j]][j] += x[i][j] for axis 0, and so on
struct ScatterAdd final : IntoZeros {
    using IntoZeros::IntoZeros;
    const char* name() const override { return "scatter_add"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::scatter_add(in[0], axis, index, of_y, site);
    }

    Variable gradient(int, const Variable& G) const override {
        return gather(G, axis, index);  // ∂L/∂x: G is read where x was added
    }
};
}  // namespace

Variable scatter_add(const Variable& x, int axis, const IndexTensor& index, const Shape& shape,
                     CallSite site) {
    return record<ScatterAdd>({&x}, site, axis, index, shape);
}

namespace {
// y = x, but y[index[i][j]][j] = v[i][j] for axis 0, and so on
struct Scatter final : AtIndex {
    using AtIndex::AtIndex;
    const char* name() const override { return "scatter"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::scatter(in[0], axis, index, in[1], site);
    }

    Variable gradient(int input, const Variable& G) const override {
        return input == 0 ? for_x(G) : for_values(G);
    }

    // ∂L/∂x = G, and 0 where x was replaced
    Variable for_x(const Variable& G) const {
        return scatter(G, axis, index, Variable(tensor::zeros(index.shape())));
    }

    // ∂L/∂v: G is read where v was written, and 0 for values that others replaced
    Variable for_values(const Variable& G) const {
        return where(tensor::last_written(of_x, axis, index), gather(G, axis, index), 0);
    }
};
}  // namespace

Variable scatter(const Variable& x, int axis, const IndexTensor& index, const Variable& values,
                 CallSite site) {
    return record<Scatter>({&x, &values}, site, x, axis, index);
}

Variable scatter(const Variable& x, int axis, const IndexTensor& index, double value,
                 CallSite site) {
    return scatter(x, axis, index, Variable(tensor::full(index.shape(), value)), site);
}

namespace {
// y = zeros, and y[..., start + k·step, ...] = x[..., k, ...]
struct EmbedSlice final : Operation {
    Shape of_x, of_y;
    int axis;
    std::int64_t start, step;

    EmbedSlice(const Variable& x, const Shape& shape, int along, std::int64_t first,
               std::int64_t stride)
        : of_x(x.shape()), of_y(shape), axis(along), start(first), step(stride) {}
    const char* name() const override { return "embed_slice"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::embed_slice(in[0], of_y, axis, start, step, site);
    }

    Variable gradient(int, const Variable& G) const override {
        return slice(G, axis, first(), stop(), step);  // ∂L/∂x = the slice of G where x is
    }

    std::int64_t first() const {
        if (start >= 0) return start;
        return std::max<std::int64_t>(start + of_y.dim(axis), 0);
    }
    std::int64_t stop() const {
        const std::int64_t entries = of_x.dim(axis);
        return entries == 0 ? first() : first() + (entries - 1) * step + 1;
    }
};
}  // namespace

Variable embed_slice(const Variable& x, const Shape& shape, int axis, std::int64_t start,
                     std::int64_t step, CallSite site) {
    return record<EmbedSlice>({&x}, site, x, shape, axis, start, step);
}

}}  // namespace heed
