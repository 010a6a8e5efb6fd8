#include "heed/autograd/ops/views.h"

#include "heed/autograd/ops/gather.h"
#include "heed/autograd/record.h"

#include <algorithm>

namespace heed {
inline namespace HEED_PRECISION {

namespace {

// y holds the entries of x in the same order under another shape: view, reshape, flatten, ...
struct Reshape final : Operation {
    const char* called;
    Shape of_x;

    Reshape(const char* name, const Variable& x) : called(name), of_x(x.shape()) {}
    const char* name() const override { return called; }
    Tensor forward(const Tensors& in, const Shape& shape) const override {
        return tensor::reshape(in[0], shape);
    }

    Variable gradient(int, const Variable& G) const override {
        return reshape(G, of_x);  // ∂L/∂x = G in the shape of x
    }
};

// y[..., j, ..., i, ...] = x[..., i, ..., j, ...]
struct Transpose final : Operation {
    int axis_a, axis_b;

    Transpose(int a, int b) : axis_a(a), axis_b(b) {}
    const char* name() const override { return "transpose"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::transpose(in[0], axis_a, axis_b);
    }

    Variable gradient(int, const Variable& G) const override {
        return transpose(G, axis_a, axis_b);  // ∂L/∂x = Gᵀ
    }
};

// Axis i of y is axis order[i] of x.
struct Permute final : Operation {
    Dims order;

    explicit Permute(const Dims& axes) : order(axes) {}
    const char* name() const override { return "permute"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::permute(in[0], order);
    }

    Variable gradient(int, const Variable& G) const override {
        return permute(G, inverse());  // ∂L/∂x: the axes put back
    }

    // Axis order[i] of x is axis i of y.
    Dims inverse() const {
        const int rank = order.size();
        std::vector<std::int64_t> back(static_cast<std::size_t>(rank));
        for (int i = 0; i < rank; ++i) {
            const std::int64_t axis = order[i] < 0 ? order[i] + rank : order[i];
            back[static_cast<std::size_t>(axis)] = i;
        }
        return Dims(back);
    }
};

// y[..., k, ...] = x[..., start + k·step, ...]
struct Slice final : Operation {
    Shape of_x;
    int axis;
    std::int64_t start, step;

    Slice(const Variable& x, int along, std::int64_t first, std::int64_t stride)
        : of_x(x.shape()), axis(along), start(first), step(stride) {}
    const char* name() const override { return "slice"; }
    Tensor forward(const Tensors& in, const Shape& shape) const override {
        const std::int64_t stop = start + (shape[axis] - 1) * step + 1;
        return tensor::slice(in[0], axis, start, shape[axis] > 0 ? stop : start, step);
    }

    Variable gradient(int, const Variable& G) const override {
        return embed_slice(G, of_x, axis, start, step);  // ∂L/∂x: G among zeros
    }
};

// y = x[..., index, ...]
struct Select final : Operation {
    Shape of_x;
    int axis;
    std::int64_t index;

    Select(const Variable& x, int along, std::int64_t entry)
        : of_x(x.shape()), axis(along), index(entry) {}
    const char* name() const override { return "select"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::select(in[0], axis, index);
    }

    Variable gradient(int, const Variable& G) const override {
        return embed_slice(unsqueeze(G, axis), of_x, axis, index, 1);  // ∂L/∂x: G among zeros
    }
};

// y repeats x along axes of length 1 and along new ones.
struct Expand final : Operation {
    const char* name() const override { return "expand"; }
    Tensor forward(const Tensors& in, const Shape& shape) const override {
        return tensor::expand(in[0], shape);
    }

    Variable gradient(int, const Variable& G) const override {
        return G;  // ∂L/∂x = Σ G over what was repeated, which the engine adds up
    }
};

// A position as Python counts it, from the end where negative, cut to the axis.
std::int64_t cut_to_axis(std::int64_t position, std::int64_t length) {
    const std::int64_t counted = position < 0 ? position + length : position;
    return std::clamp<std::int64_t>(counted, 0, length);
}

}  // namespace

Variable view(const Variable& x, const Dims& dims, CallSite site) {
    const Tensor y = tensor::view(x.value(), dims, site);
    return record<Reshape>(y, {&x}, site, "view", x);
}

Variable reshape(const Variable& x, const Dims& dims, CallSite site) {
    const Tensor y = tensor::reshape(x.value(), dims, site);
    return record<Reshape>(y, {&x}, site, "reshape", x);
}

Variable transpose(const Variable& x, CallSite site) {
    const Tensor y = tensor::transpose(x.value(), site);
    return record<Transpose>(y, {&x}, site, -2, -1);
}

Variable transpose(const Variable& x, int axis_a, int axis_b, CallSite site) {
    const Tensor y = tensor::transpose(x.value(), axis_a, axis_b, site);
    return record<Transpose>(y, {&x}, site, axis_a, axis_b);
}

Variable permute(const Variable& x, const Dims& order, CallSite site) {
    const Tensor y = tensor::permute(x.value(), order, site);
    return record<Permute>(y, {&x}, site, order);
}

Variable slice(const Variable& x, int axis, std::int64_t start, std::int64_t stop,
               std::int64_t step, CallSite site) {
    const Tensor y = tensor::slice(x.value(), axis, start, stop, step, site);
    const int along = normalized_axis(axis, x.rank(), "slice", site);
    const std::int64_t first = cut_to_axis(start, x.dim(along));
    return record<Slice>(y, {&x}, site, x, along, first, step);
}

Variable select(const Variable& x, int axis, std::int64_t index, CallSite site) {
    const Tensor y = tensor::select(x.value(), axis, index, site);
    const int along = normalized_axis(axis, x.rank(), "select", site);
    const std::int64_t entry = index < 0 ? index + x.dim(along) : index;
    return record<Select>(y, {&x}, site, x, along, entry);
}

Variable expand(const Variable& x, const Dims& dims, CallSite site) {
    const Tensor y = tensor::expand(x.value(), dims, site);
    return record<Expand>(y, {&x}, site);
}

Variable unsqueeze(const Variable& x, int axis, CallSite site) {
    const Tensor y = tensor::unsqueeze(x.value(), axis, site);
    return record<Reshape>(y, {&x}, site, "unsqueeze", x);
}

Variable squeeze(const Variable& x, CallSite site) {
    const Tensor y = tensor::squeeze(x.value(), site);
    return record<Reshape>(y, {&x}, site, "squeeze", x);
}

Variable squeeze(const Variable& x, int axis, CallSite site) {
    const Tensor y = tensor::squeeze(x.value(), axis, site);
    return record<Reshape>(y, {&x}, site, "squeeze", x);
}

Variable flatten(const Variable& x, int first, int last, CallSite site) {
    const Tensor y = tensor::flatten(x.value(), first, last, site);
    return record<Reshape>(y, {&x}, site, "flatten", x);
}

Variable contiguous(const Variable& x, CallSite site) {
    const Tensor y = tensor::contiguous(x.value(), site);
    return record<Reshape>(y, {&x}, site, "contiguous", x);
}

}  // namespace HEED_PRECISION
}  // namespace heed
