#include "reduce.h"

#include "../../tensor/ops/compare.h"
#include "../record.h"
#include "arithmetic.h"
#include "views.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {
namespace {
using Axes = std::optional<Dims>;  // empty: all axes

// What is reduced: the axes of x, and whether y keeps them with length 1.
struct Reduced {
    Shape of_x;
    Axes axes;
    KeepDim keep;

    Reduced(const Variable& x, const Axes& along = {}, KeepDim keeps = KeepDim::no)
        : of_x(x.shape()), axes(along), keep(keeps) {}

    // of_x with length 1 along the reduced axes.
    Shape kept() const {
        if (!axes) return Shape(Dims(std::vector<std::int64_t>(of_x.rank(), 1)));
        Shape shape = of_x;
        for (const std::int64_t axis : *axes) {
            shape = shape.with(static_cast<int>(axis < 0 ? axis + of_x.rank() : axis), 1);
        }
        return shape;
    }
    // The number of entries of x reduced to one entry of y.
    std::int64_t count() const {
        const Shape shape = kept();
        std::int64_t n = 1;
        for (int axis = 0; axis < of_x.rank(); ++axis)
            n *= shape[axis] == of_x[axis] ? 1 : of_x[axis];
        return n;
    }

    // A reduced result with its reduced axes restored, so that it broadcasts against x.
    Variable with_axes(const Variable& y) const { return reshape(y, kept()); }
    // The same, expanded to the shape of x.
    Variable spread(const Variable& y) const { return expand(with_axes(y), of_x); }
};

// y = Σ x                                                  G = ∂L/∂y
struct Sum final : Operation {
    Reduced over;

    explicit Sum(const Reduced& reduced) : over(reduced) {}
    const char* name() const override { return "sum"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        if (!over.axes) return tensor::sum(in[0], site);
        return tensor::sum(in[0], *over.axes, over.keep, site);
    }

    Variable gradient(int, const Variable& G) const override {
        return over.spread(G);  // ∂L/∂x = G, for every entry that was added
    }
};
}  // namespace

Variable sum(const Variable& x, CallSite site) { return record<Sum>({&x}, site, Reduced(x)); }

Variable sum(const Variable& x, const Dims& axes, KeepDim keep, CallSite site) {
    return record<Sum>({&x}, site, Reduced(x, axes, keep));
}

namespace {
// y = Σ x / n
struct Mean final : Operation {
    Reduced over;

    explicit Mean(const Reduced& reduced) : over(reduced) {}
    const char* name() const override { return "mean"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        if (!over.axes) return tensor::mean(in[0], site);
        return tensor::mean(in[0], *over.axes, over.keep, site);
    }

    Variable gradient(int, const Variable& G) const override {
        const double n = static_cast<double>(over.count());
        return over.spread(G / n);  // ∂L/∂x = G / n
    }
};
}  // namespace

Variable mean(const Variable& x, CallSite site) { return record<Mean>({&x}, site, Reduced(x)); }

Variable mean(const Variable& x, const Dims& axes, KeepDim keep, CallSite site) {
    return record<Mean>({&x}, site, Reduced(x, axes, keep));
}

namespace {
// y = Σ (x − m)² / (n − correction), with the mean m = Σ x / n
struct Var final : Operation {
    Saved x;
    Reduced over;
    std::int64_t correction;

    Var(const Variable& X, const Reduced& reduced, std::int64_t c)
        : x(X), over(reduced), correction(c) {}
    const char* name() const override { return "var"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        if (!over.axes) return tensor::var(in[0], site);
        return tensor::var(in[0], *over.axes, correction, over.keep, site);
    }

    // ∂L/∂x = G·2(x − m)/(n − correction); m adds nothing, since Σ (x − m) = 0
    Variable gradient(int, const Variable& G) const override {
        const std::int64_t n = over.count();
        const std::int64_t freedom = n > correction ? n - correction : 0;
        const Variable m = sum_to(x, over.kept()) / static_cast<double>(n);
        return over.with_axes(G) * (2 * (x - m) / static_cast<double>(freedom));
    }
};
}  // namespace

Variable var(const Variable& x, CallSite site) {
    return record<Var>({&x}, site, x, Reduced(x), std::int64_t{1});
}

Variable var(const Variable& x, const Dims& axes, Integer correction, KeepDim keep, CallSite site) {
    return record<Var>({&x}, site, x, Reduced(x, axes, keep), correction.value);
}

Variable var(const Variable& x, const Dims& axes, KeepDim keep, CallSite site) {
    return var(x, axes, 1, keep, site);
}

namespace {
// y = max x, or min x
struct Extreme final : OperationKeepingOutput {
    bool largest;
    Saved x;
    Reduced over;

    Extreme(bool is_max, const Variable& X, const Reduced& reduced)
        : largest(is_max), x(X), over(reduced) {}
    const char* name() const override { return largest ? "max" : "min"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        if (!over.axes) return largest ? tensor::max(in[0], site) : tensor::min(in[0], site);
        return largest ? tensor::max(in[0], *over.axes, over.keep, site)
                       : tensor::min(in[0], *over.axes, over.keep, site);
    }

    // ∂L/∂x = G / t where x = y, for t entries that are equal, else 0
    Variable gradient(int, const Variable& G) const override {
        const Tensor y = tensor::reshape(Y.value(), over.kept());
        const Tensor is_extreme = tensor::to_tensor(x.value() == y);
        const Tensor ties = tensor::sum_to(is_extreme, over.kept());
        return over.with_axes(G) * Variable(is_extreme / ties);
    }
};
}  // namespace

Variable max(const Variable& x, CallSite site) {
    return record<Extreme>({&x}, site, true, x, Reduced(x));
}

Variable max(const Variable& x, const Dims& axes, KeepDim keep, CallSite site) {
    return record<Extreme>({&x}, site, true, x, Reduced(x, axes, keep));
}

Variable min(const Variable& x, CallSite site) {
    return record<Extreme>({&x}, site, false, x, Reduced(x));
}

Variable min(const Variable& x, const Dims& axes, KeepDim keep, CallSite site) {
    return record<Extreme>({&x}, site, false, x, Reduced(x, axes, keep));
}

namespace {
// y = Σ x over the axes along which y's shape broadcasts to x's
struct SumTo final : Operation {
    Shape of_x, of_y;

    SumTo(const Variable& x, const Shape& shape) : of_x(x.shape()), of_y(shape) {}
    const char* name() const override { return "sum_to"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::sum_to(in[0], of_y, site);
    }

    Variable gradient(int, const Variable& G) const override {
        return expand(G, of_x);  // ∂L/∂x = G, for every entry that was added
    }
};
}  // namespace

Variable sum_to(const Variable& x, const Shape& shape, CallSite site) {
    return record<SumTo>({&x}, site, x, shape);
}

}}  // namespace heed
