#include "functions.h"

#include "../../tensor/ops/compare.h"
#include "../../tensor/ops/functions.h"
#include "../record.h"
#include "arithmetic.h"
#include "choose.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
constexpr double root_of_2_over_pi = 0.79788456080286535588;   // √(2/π)
constexpr double two_over_root_of_pi = 1.1283791670955125739;  // 2/√π
constexpr double one_over_root_of_2pi = 0.39894228040143267794;
constexpr double cubic_of_gelu = 0.044715;

using Function = Tensor (*)(const Tensor& x, CallSite site);
using Pass = Tensor (*)(const Tensor& G, const Tensor& x_or_y, CallSite site);

// ∂L/∂x in one pass, if there is one.
bool set_in_one_pass(Pass pass, const Tensor& G, const Tensor& x_or_y, Gradients& to) {
    if (!pass) return false;
    to.set(0, pass(G, x_or_y, CallSite::here()));
    return true;
}

// y = f(x), with a derivative that uses x
template <Function f, Pass pass = nullptr>
struct OfInput : Operation {
    Saved x;

    explicit OfInput(const Variable& X) : x(X) {}
    Tensor forward(const Inputs& in, const CallSite& site) const override { return f(in[0], site); }
    bool fused_gradients(const Tensor& G, Gradients& to) const override {
        return set_in_one_pass(pass, G, x.value(), to);
    }
};

// y = f(x), with a derivative that uses y, as Y
template <Function f, Pass pass = nullptr>
struct OfOutput : OperationKeepingOutput {
    Tensor forward(const Inputs& in, const CallSite& site) const override { return f(in[0], site); }
    bool fused_gradients(const Tensor& G, Gradients& to) const override {
        return set_in_one_pass(pass, G, Y.value(), to);
    }
};

// y = eˣ                                                   G = ∂L/∂y
struct Exp final : OfOutput<tensor::exp> {
    const char* name() const override { return "exp"; }
    Variable gradient(int, const Variable& G) const override {
        return G * Y;  // ∂L/∂x = G·y
    }
};
}  // namespace

Variable exp(const Variable& x, CallSite site) { return record<Exp>({&x}, site); }

namespace {
// y = ln x
struct Log final : OfInput<tensor::log> {
    using OfInput::OfInput;
    const char* name() const override { return "log"; }
    Variable gradient(int, const Variable& G) const override {
        return G / x;  // ∂L/∂x = G / x
    }
};
}  // namespace

Variable log(const Variable& x, CallSite site) { return record<Log>({&x}, site, x); }

namespace {
// y = √x
struct Sqrt final : OfOutput<tensor::sqrt> {
    const char* name() const override { return "sqrt"; }
    Variable gradient(int, const Variable& G) const override {
        return G / (2 * Y);  // ∂L/∂x = G / 2y
    }
};
}  // namespace

Variable sqrt(const Variable& x, CallSite site) { return record<Sqrt>({&x}, site); }

namespace {
// y = sin x
struct Sin final : OfInput<tensor::sin> {
    using OfInput::OfInput;
    const char* name() const override { return "sin"; }
    Variable gradient(int, const Variable& G) const override {
        return G * cos(x);  // ∂L/∂x = G·cos x
    }
};
}  // namespace

Variable sin(const Variable& x, CallSite site) { return record<Sin>({&x}, site, x); }

namespace {
// y = cos x
struct Cos final : OfInput<tensor::cos> {
    using OfInput::OfInput;
    const char* name() const override { return "cos"; }
    Variable gradient(int, const Variable& G) const override {
        return -G * sin(x);  // ∂L/∂x = −G·sin x
    }
};
}  // namespace

Variable cos(const Variable& x, CallSite site) { return record<Cos>({&x}, site, x); }

namespace {
// y = tanh x
struct Tanh final : OfOutput<tensor::tanh, tensor::tanh_gradient> {
    const char* name() const override { return "tanh"; }
    Variable gradient(int, const Variable& G) const override {
        return G * (1 - Y * Y);  // ∂L/∂x = G·(1 − y²)
    }
};
}  // namespace

Variable tanh(const Variable& x, CallSite site) { return record<Tanh>({&x}, site); }

namespace {
// y = erf x
struct Erf final : OfInput<tensor::erf> {
    using OfInput::OfInput;
    const char* name() const override { return "erf"; }
    Variable gradient(int, const Variable& G) const override {
        return G * (two_over_root_of_pi * exp(-(x * x)));  // ∂L/∂x = G·2/√π·exp(−x²)
    }
};
}  // namespace

Variable erf(const Variable& x, CallSite site) { return record<Erf>({&x}, site, x); }

namespace {
// y = σ(x) = 1 / (1 + e⁻ˣ)
struct Sigmoid final : OfOutput<tensor::sigmoid, tensor::sigmoid_gradient> {
    const char* name() const override { return "sigmoid"; }
    Variable gradient(int, const Variable& G) const override {
        return G * (Y * (1 - Y));  // ∂L/∂x = G·y·(1 − y)
    }
};
}  // namespace

Variable sigmoid(const Variable& x, CallSite site) { return record<Sigmoid>({&x}, site); }

namespace {
// y = max(x, 0)
struct Relu final : OfOutput<tensor::relu, tensor::relu_gradient> {
    const char* name() const override { return "relu"; }
    Variable gradient(int, const Variable& G) const override {
        return masked_fill(G, Y.value() <= 0, 0);  // ∂L/∂x = 0 where x ≤ 0, else G
    }
};
}  // namespace

Variable relu(const Variable& x, CallSite site) { return record<Relu>({&x}, site); }

// The derivatives below clamp x to the range in which they change: outside it, squares would
// overflow and 0·∞ would be NaN.

namespace {
// y = x·s, with s = σ(x)
struct Silu final : OfInput<tensor::silu, tensor::silu_gradient> {
    using OfInput::OfInput;
    const char* name() const override { return "silu"; }
    Variable gradient(int, const Variable& G) const override {
        const Variable near = clamp(x, {-750, 750});  // s is 0 or 1 there
        const Variable s = sigmoid(near);
        return G * (s * (1 + near * (1 - s)));  // ∂L/∂x = G·(s + x·s·(1 − s))
    }
};
}  // namespace

Variable silu(const Variable& x, CallSite site) { return record<Silu>({&x}, site, x); }

namespace {
// y = Φ(x) + x·φ(x), the slope of gelu
struct GeluSlope final : OfInput<tensor::gelu_slope> {
    using OfInput::OfInput;
    const char* name() const override { return "gelu_slope"; }
    Variable gradient(int, const Variable& G) const override {
        const Variable near = clamp(x, {-40, 40});  // φ is 0 long before
        const Variable phi = one_over_root_of_2pi * exp(-0.5 * (near * near));
        return G * (phi * (2 - near * near));  // ∂L/∂x = G·φ(x)·(2 − x²)
    }
};

Variable gelu_slope(const Variable& x, CallSite site = CallSite::here()) {
    return record<GeluSlope>({&x}, site, x);
}

// y = x·Φ(x), with the normal distribution Φ(x) = (1 + erf(x/√2))/2 and its density φ
struct Gelu final : OfInput<tensor::gelu, tensor::gelu_gradient> {
    using OfInput::OfInput;
    const char* name() const override { return "gelu"; }
    Variable gradient(int, const Variable& G) const override {
        return G * gelu_slope(x);  // ∂L/∂x = G·(Φ(x) + x·φ(x))
    }
};
}  // namespace

Variable gelu(const Variable& x, CallSite site) { return record<Gelu>({&x}, site, x); }

namespace {
// y = x·(1 + tanh u)/2, with u = √(2/π)·(x + 0.044715·x³)
struct GeluTanh final : OfInput<tensor::gelu_tanh, tensor::gelu_tanh_gradient> {
    using OfInput::OfInput;
    const char* name() const override { return "gelu_tanh"; }
    Variable gradient(int, const Variable& G) const override {
        const Variable near = clamp(x, {-30, 30});  // t is ±1 long before
        const Variable x_squared = near * near;
        const Variable u = root_of_2_over_pi * (near + cubic_of_gelu * (x_squared * near));
        const Variable du = root_of_2_over_pi * (1 + 3 * cubic_of_gelu * x_squared);  // ∂u/∂x
        const Variable t = tanh(u);
        // ∂L/∂x = G·((1 + t)/2 + x·(1 − t²)·u′/2)
        return G * (0.5 * (1 + t) + 0.5 * (near * (1 - t * t) * du));
    }
};
}  // namespace

Variable gelu_tanh(const Variable& x, CallSite site) { return record<GeluTanh>({&x}, site, x); }

namespace {
// y = |x|
struct Abs final : OfInput<tensor::abs> {
    using OfInput::OfInput;
    const char* name() const override { return "abs"; }
    Variable gradient(int, const Variable& G) const override {
        const Variable sign(tensor::sign(x.value()));
        return G * sign;  // ∂L/∂x = G·sign(x)
    }
};
}  // namespace

Variable abs(const Variable& x, CallSite site) { return record<Abs>({&x}, site, x); }

}}  // namespace heed
