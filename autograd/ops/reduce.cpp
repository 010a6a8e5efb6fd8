#include "heed/autograd/ops/reduce.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/ops/views.h"
#include "heed/autograd/record.h"
#include "heed/tensor/ops/compare.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {

// What was reduced: the axes of x (none named: all), and how many entries became one.
struct Reduced {
    Shape of_x;
    Shape kept;  // of_x with length 1 along the reduced axes
    std::int64_t n = 1;
    unsigned named = 0;  // a bit for each axis that was named; none: all axes

    explicit Reduced(const Shape& shape) : of_x(shape), kept(shape) {
        for (int axis = 0; axis < shape.rank(); ++axis) reduce(axis);
    }
    Reduced(const Shape& shape, const Dims& axes) : of_x(shape), kept(shape) {
        const CallSite here = CallSite::here();
        for (const std::int64_t axis : axes) {
            const int along = normalized_axis(axis, shape.rank(), "reduce", here);
            reduce(along);
            named |= 1u << along;
        }
    }

    void reduce(int axis) {
        n *= of_x[axis];
        kept = kept.with(axis, 1);
    }

    Dims named_axes() const {
        std::vector<std::int64_t> axes;
        for (int axis = 0; axis < of_x.rank(); ++axis) {
            if (named >> axis & 1u) axes.push_back(axis);
        }
        return Dims(axes);
    }

    // A reduced result with its axes back, so that it broadcasts against x.
    Variable with_axes(const Variable& y) const { return reshape(y, kept); }
    // The same, repeated to the shape of x.
    Variable spread(const Variable& y) const { return expand(with_axes(y), of_x); }
};

// y = Σ x                                                  G = ∂L/∂y
struct Sum final : Operation {
    Reduced over;

    explicit Sum(const Reduced& reduced) : over(reduced) {}
    const char* name() const override { return "sum"; }
    Tensor forward(const Tensors& in, const Shape& shape) const override {
        if (over.named == 0) return tensor::sum(in[0]);
        return tensor::reshape(tensor::sum(in[0], over.named_axes()), shape);
    }

    Variable gradient(int, const Variable& G) const override {
        return over.spread(G);  // ∂L/∂x = G, for every entry that was added
    }
};

// y = Σ x / n
struct Mean final : Operation {
    Reduced over;

    explicit Mean(const Reduced& reduced) : over(reduced) {}
    const char* name() const override { return "mean"; }
    Tensor forward(const Tensors& in, const Shape& shape) const override {
        if (over.named == 0) return tensor::mean(in[0]);
        return tensor::reshape(tensor::mean(in[0], over.named_axes()), shape);
    }

    Variable gradient(int, const Variable& G) const override {
        const double n = static_cast<double>(over.n);
        return over.spread(G / n);  // ∂L/∂x = G / n
    }
};

// y = Σ (x − m)² / (n − correction), with the mean m = Σ x / n
struct Var final : Operation {
    Saved x;
    Reduced over;
    std::int64_t correction;

    Var(const Variable& X, const Reduced& reduced, std::int64_t c)
        : x(X), over(reduced), correction(c) {}
    const char* name() const override { return "var"; }
    Tensor forward(const Tensors& in, const Shape& shape) const override {
        if (over.named == 0) return tensor::var(in[0]);
        return tensor::reshape(tensor::var(in[0], over.named_axes(), correction), shape);
    }

    // ∂L/∂x = G·2(x − m)/(n − correction); m adds nothing, since Σ (x − m) = 0
    Variable gradient(int, const Variable& G) const override {
        const std::int64_t freedom = over.n > correction ? over.n - correction : 0;
        const Variable m = sum_to(x, over.kept) / static_cast<double>(over.n);
        return over.with_axes(G) * (2 * (x - m) / static_cast<double>(freedom));
    }
};

// y = max x, or min x
struct Extreme final : OperationKeepingOutput {
    bool largest;
    Saved x;
    Reduced over;

    Extreme(bool is_max, const Variable& X, const Reduced& reduced)
        : largest(is_max), x(X), over(reduced) {}
    const char* name() const override { return largest ? "max" : "min"; }
    Tensor forward(const Tensors& in, const Shape& shape) const override {
        if (over.named == 0) return largest ? tensor::max(in[0]) : tensor::min(in[0]);
        const Dims axes = over.named_axes();
        const Tensor y = largest ? tensor::max(in[0], axes) : tensor::min(in[0], axes);
        return tensor::reshape(y, shape);
    }

    // ∂L/∂x = G / t where x = y, for t entries that are equal, else 0
    Variable gradient(int, const Variable& G) const override {
        const Tensor y = tensor::reshape(Y.get().value(), over.kept);
        const Tensor is_extreme = tensor::to_tensor(x.get().value() == y);
        const Tensor ties = tensor::sum_to(is_extreme, over.kept);
        return over.with_axes(G) * Variable(is_extreme / ties);
    }
};

// y = Σ x over the axes that broadcasting from y's shape to x's would repeat
struct SumTo final : Operation {
    Shape of_x;

    explicit SumTo(const Variable& x) : of_x(x.shape()) {}
    const char* name() const override { return "sum_to"; }
    Tensor forward(const Tensors& in, const Shape& shape) const override {
        return tensor::sum_to(in[0], shape);
    }

    Variable gradient(int, const Variable& G) const override {
        return expand(G, of_x);  // ∂L/∂x = G, for every entry that was added
    }
};

}  // namespace

Variable sum(const Variable& x, CallSite site) {
    const Tensor y = tensor::sum(x.value(), site);
    return record<Sum>(y, {&x}, site, Reduced(x.shape()));
}

Variable sum(const Variable& x, const Dims& axes, bool keepdim, CallSite site) {
    const Tensor y = tensor::sum(x.value(), axes, keepdim, site);
    return record<Sum>(y, {&x}, site, Reduced(x.shape(), axes));
}

Variable mean(const Variable& x, CallSite site) {
    const Tensor y = tensor::mean(x.value(), site);
    return record<Mean>(y, {&x}, site, Reduced(x.shape()));
}

Variable mean(const Variable& x, const Dims& axes, bool keepdim, CallSite site) {
    const Tensor y = tensor::mean(x.value(), axes, keepdim, site);
    return record<Mean>(y, {&x}, site, Reduced(x.shape(), axes));
}

Variable var(const Variable& x, CallSite site) {
    const Tensor y = tensor::var(x.value(), site);
    return record<Var>(y, {&x}, site, x, Reduced(x.shape()), std::int64_t{1});
}

Variable var(const Variable& x, const Dims& axes, std::int64_t correction, bool keepdim,
             CallSite site) {
    const Tensor y = tensor::var(x.value(), axes, correction, keepdim, site);
    return record<Var>(y, {&x}, site, x, Reduced(x.shape(), axes), correction);
}

Variable max(const Variable& x, CallSite site) {
    const Tensor y = tensor::max(x.value(), site);
    return record<Extreme>(y, {&x}, site, true, x, Reduced(x.shape()));
}

Variable max(const Variable& x, const Dims& axes, bool keepdim, CallSite site) {
    const Tensor y = tensor::max(x.value(), axes, keepdim, site);
    return record<Extreme>(y, {&x}, site, true, x, Reduced(x.shape(), axes));
}

Variable min(const Variable& x, CallSite site) {
    const Tensor y = tensor::min(x.value(), site);
    return record<Extreme>(y, {&x}, site, false, x, Reduced(x.shape()));
}

Variable min(const Variable& x, const Dims& axes, bool keepdim, CallSite site) {
    const Tensor y = tensor::min(x.value(), axes, keepdim, site);
    return record<Extreme>(y, {&x}, site, false, x, Reduced(x.shape(), axes));
}

Variable sum_to(const Variable& x, const Shape& shape, CallSite site) {
    const Tensor y = tensor::sum_to(x.value(), shape, site);
    return record<SumTo>(y, {&x}, site, x);
}

}  // namespace HEED_PRECISION
}  // namespace heed
