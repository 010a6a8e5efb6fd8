#include "views.h"

#include "../../tensor/ops/gather.h"
#include "../record.h"
#include "gather.h"

#include <algorithm>
#include <optional>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// y has the entries of x in the same order, in another shape.             G = ∂L/∂y
struct OfAnotherShape : Operation {
    Shape of_x;

    explicit OfAnotherShape(const Variable& x) : of_x(x.shape()) {}

    Variable gradient(int, const Variable& G) const override {
        return reshape(G, of_x);  // ∂L/∂x = G in the shape of x
    }
};

struct View final : OfAnotherShape {
    Dims dims;

    View(const Variable& x, const Dims& to) : OfAnotherShape(x), dims(to) {}
    const char* name() const override { return "view"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::view(in[0], dims, site);
    }
};
}  // namespace

Variable view(const Variable& x, const Dims& dims, CallSite site) {
    return record<View>({&x}, site, x, dims);
}

namespace {
struct Reshape final : OfAnotherShape {
    Dims dims;

    Reshape(const Variable& x, const Dims& to) : OfAnotherShape(x), dims(to) {}
    const char* name() const override { return "reshape"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::reshape(in[0], dims, site);
    }
};
}  // namespace

Variable reshape(const Variable& x, const Dims& dims, CallSite site) {
    return record<Reshape>({&x}, site, x, dims);
}

namespace {
struct Unsqueeze final : OfAnotherShape {
    int axis;

    Unsqueeze(const Variable& x, int at) : OfAnotherShape(x), axis(at) {}
    const char* name() const override { return "unsqueeze"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::unsqueeze(in[0], axis, site);
    }
};
}  // namespace

Variable unsqueeze(const Variable& x, int axis, CallSite site) {
    return record<Unsqueeze>({&x}, site, x, axis);
}

namespace {
struct Squeeze final : OfAnotherShape {
    std::optional<int> axis;  // empty: every axis of length 1

    Squeeze(const Variable& x, std::optional<int> only) : OfAnotherShape(x), axis(only) {}
    const char* name() const override { return "squeeze"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return axis ? tensor::squeeze(in[0], *axis, site) : tensor::squeeze(in[0], site);
    }
};
}  // namespace

Variable squeeze(const Variable& x, CallSite site) {
    return record<Squeeze>({&x}, site, x, std::nullopt);
}

Variable squeeze(const Variable& x, int axis, CallSite site) {
    return record<Squeeze>({&x}, site, x, axis);
}

namespace {
struct Flatten final : OfAnotherShape {
    int first, last;

    Flatten(const Variable& x, int from, int to) : OfAnotherShape(x), first(from), last(to) {}
    const char* name() const override { return "flatten"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::flatten(in[0], first, last, site);
    }
};
}  // namespace

Variable flatten(const Variable& x, int first, int last, CallSite site) {
    return record<Flatten>({&x}, site, x, first, last);
}

namespace {
struct Contiguous final : OfAnotherShape {
    using OfAnotherShape::OfAnotherShape;
    const char* name() const override { return "contiguous"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::contiguous(in[0], site);
    }
};
}  // namespace

Variable contiguous(const Variable& x, CallSite site) { return record<Contiguous>({&x}, site, x); }

namespace {
// y[..., j, ..., i, ...] = x[..., i, ..., j, ...]
struct Transpose final : Operation {
    int axis_a, axis_b;

    Transpose(int a, int b) : axis_a(a), axis_b(b) {}
    const char* name() const override { return "transpose"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::transpose(in[0], axis_a, axis_b, site);
    }

    Variable gradient(int, const Variable& G) const override {
        return transpose(G, axis_a, axis_b);  // ∂L/∂x = Gᵀ
    }
};
}  // namespace

Variable transpose(const Variable& x, int axis_a, int axis_b, CallSite site) {
    return record<Transpose>({&x}, site, axis_a, axis_b);
}

Variable transpose(const Variable& x, CallSite site) {
    return record<Transpose>({&x}, site, -2, -1);
}

namespace {
// Axis i of y is axis order[i] of x.
struct Permute final : Operation {
    Dims order;

    explicit Permute(const Dims& axes) : order(axes) {}
    const char* name() const override { return "permute"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::permute(in[0], order, site);
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
}  // namespace

Variable permute(const Variable& x, const Dims& order, CallSite site) {
    return record<Permute>({&x}, site, order);
}

namespace {
// y[..., k, ...] = x[..., start + k·step, ...]
struct Slice final : Operation {
    Shape of_x;
    int axis;
    std::int64_t start, stop, step;

    Slice(const Variable& x, int along, std::int64_t first, std::int64_t end, std::int64_t stride)
        : of_x(x.shape()), axis(along), start(first), stop(end), step(stride) {}
    const char* name() const override { return "slice"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::slice(in[0], axis, start, stop, step, site);
    }

    Variable gradient(int, const Variable& G) const override {
        return embed_slice(G, of_x, axis, first(), step);  // ∂L/∂x: G among zeros
    }

    bool fused_gradients(const Tensor& G, Gradients& to) const override {
        Tensor* const sum = to.sum_so_far(0);
        if (!sum) return false;
        tensor::add_to_slice(*sum, G, axis, first(), step);
        return true;
    }

    // `start` counted from the front of the axis, and clamped to it.
    std::int64_t first() const {
        const std::int64_t length = of_x.dim(axis);
        const std::int64_t from_front = start < 0 ? start + length : start;
        return std::clamp<std::int64_t>(from_front, 0, length);
    }
};
}  // namespace

Variable slice(const Variable& x, int axis, std::int64_t start, std::int64_t stop,
               std::int64_t step, CallSite site) {
    return record<Slice>({&x}, site, x, axis, start, stop, step);
}

namespace {
// y = x[..., index, ...]
struct Select final : Operation {
    Shape of_x;
    int axis;
    std::int64_t index;

    Select(const Variable& x, int selected, std::int64_t at)
        : of_x(x.shape()), axis(selected), index(at) {}
    const char* name() const override { return "select"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::select(in[0], axis, index, site);
    }

    Variable gradient(int, const Variable& G) const override {
        return embed_slice(unsqueeze(G, along()), of_x, axis, entry(), 1);  // ∂L/∂x: G among zeros
    }

    bool fused_gradients(const Tensor& G, Gradients& to) const override {
        Tensor* const sum = to.sum_so_far(0);
        if (!sum) return false;
        tensor::add_to_slice(*sum, tensor::unsqueeze(G, along()), axis, entry(), 1);
        return true;
    }

    // `axis` and `index` counted from the front.
    int along() const { return axis < 0 ? axis + of_x.rank() : axis; }
    std::int64_t entry() const { return index < 0 ? index + of_x[along()] : index; }
};
}  // namespace

Variable select(const Variable& x, int axis, std::int64_t index, CallSite site) {
    return record<Select>({&x}, site, x, axis, index);
}

Variable Variable::operator[](const FirstIndex& i) const {
    return select(*this, 0, i.number, i.site);
}

namespace {
// y has the entries of x in reverse order along some axes.
struct Flip final : Operation {
    Dims axes;

    explicit Flip(const Dims& reversed) : axes(reversed) {}
    const char* name() const override { return "flip"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::flip(in[0], axes, site);
    }

    Variable gradient(int, const Variable& G) const override {
        return flip(G, axes);  // ∂L/∂x: G reversed in the same way
    }
};
}  // namespace

Variable flip(const Variable& x, const Dims& axes, CallSite site) {
    return record<Flip>({&x}, site, axes);
}

namespace {
// y repeats x along axes of length 1 and along new axes.
struct Expand final : Operation {
    Dims dims;

    explicit Expand(const Dims& to) : dims(to) {}
    const char* name() const override { return "expand"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::expand(in[0], dims, site);
    }

    Variable gradient(int, const Variable& G) const override {
        return G;  // ∂L/∂x = Σ G over what was repeated, which the engine adds up
    }
};
}  // namespace

Variable expand(const Variable& x, const Dims& dims, CallSite site) {
    return record<Expand>({&x}, site, dims);
}

}}  // namespace heed
