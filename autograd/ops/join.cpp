#include "heed/autograd/ops/join.h"

#include "heed/autograd/ops/views.h"
#include "heed/autograd/record.h"
#include "heed/tensor/ops/join.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {

// y = the parts one after the other along an axis            G = ∂L/∂y
struct Concatenate final : Operation {
    int axis;
    std::vector<std::int64_t> starts;  // where each part begins, and where the last one ends

    Concatenate(const std::vector<Variable>& parts, int along) : axis(along), starts{0} {
        for (const Variable& part : parts) starts.push_back(starts.back() + part.dim(axis));
    }
    const char* name() const override { return "concatenate"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::concatenate(in, axis);
    }

    Variable gradient(int input, const Variable& G) const override {
        const std::size_t i = static_cast<std::size_t>(input);
        return slice(G, axis, starts[i], starts[i + 1]);  // ∂L/∂xᵢ = the slice of G where xᵢ stands
    }
};

// y = the parts side by side along a new axis
struct Stack final : Operation {
    int axis;

    explicit Stack(int along) : axis(along) {}
    const char* name() const override { return "stack"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::stack(in, axis);
    }

    Variable gradient(int input, const Variable& G) const override {
        return select(G, axis, input);  // ∂L/∂xᵢ = G[..., i, ...]
    }
};

std::vector<Tensor> values_of(const std::vector<Variable>& parts) {
    std::vector<Tensor> values;
    for (const Variable& part : parts) values.push_back(part.value());
    return values;
}

// The slices of x that have the lengths of `pieces`, one after the other.
std::vector<Variable> slices(const Variable& x, const std::vector<Tensor>& pieces, int axis,
                             const CallSite& site) {
    std::vector<Variable> result;
    std::int64_t start = 0;
    for (const Tensor& piece : pieces) {
        const std::int64_t stop = start + piece.dim(axis);
        result.push_back(slice(x, axis, start, stop, 1, site));
        start = stop;
    }
    return result;
}

}  // namespace

Variable concatenate(const std::vector<Variable>& parts, int axis, CallSite site) {
    const Tensor y = tensor::concatenate(values_of(parts), axis, site);
    return record<Concatenate>(y, parts, site, parts, axis);
}

Variable stack(const std::vector<Variable>& parts, int axis, CallSite site) {
    const Tensor y = tensor::stack(values_of(parts), axis, site);
    return record<Stack>(y, parts, site, axis);
}

std::vector<Variable> split(const Variable& x, std::int64_t parts, int axis, CallSite site) {
    const std::vector<Tensor> pieces = tensor::split(x.value(), parts, axis, site);
    return slices(x, pieces, axis, site);
}

std::vector<Variable> split_sizes(const Variable& x, const std::vector<std::int64_t>& lengths,
                                  int axis, CallSite site) {
    const std::vector<Tensor> pieces = tensor::split_sizes(x.value(), lengths, axis, site);
    return slices(x, pieces, axis, site);
}

}  // namespace HEED_PRECISION
}  // namespace heed
