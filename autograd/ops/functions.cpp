#include "heed/autograd/ops/functions.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/ops/choose.h"
#include "heed/autograd/record.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/fused/function_gradients.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/functions.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {

constexpr double root_of_2_over_pi = 0.79788456080286535588;   // √(2/π)
constexpr double two_over_root_of_pi = 1.1283791670955125739;  // 2/√π
constexpr double one_over_root_of_2pi = 0.39894228040143267794;
constexpr double cubic_of_gelu = 0.044715;

// Where nobody records the backward pass, a derivative of several operations is taken in one pass,
// which gives the same bits (tensor/fused/function_gradients.h).

// y = eˣ                                                   G = ∂L/∂y
struct Exp final : OperationKeepingOutput {
    const char* name() const override { return "exp"; }
    Tensor forward(const Tensors& in, const Shape&) const override { return tensor::exp(in[0]); }

    Variable gradient(int, const Variable& G) const override {
        return G * Y;  // ∂L/∂x = G·y
    }
};

// y = ln x
struct Log final : Operation {
    Saved x;

    explicit Log(const Variable& X) : x(X) {}
    const char* name() const override { return "log"; }
    Tensor forward(const Tensors& in, const Shape&) const override { return tensor::log(in[0]); }

    Variable gradient(int, const Variable& G) const override {
        return G / x;  // ∂L/∂x = G / x
    }
};

// y = √x
struct Sqrt final : OperationKeepingOutput {
    const char* name() const override { return "sqrt"; }
    Tensor forward(const Tensors& in, const Shape&) const override { return tensor::sqrt(in[0]); }

    Variable gradient(int, const Variable& G) const override {
        return G / (2 * Y);  // ∂L/∂x = G / 2y
    }
};

// y = sin x
struct Sin final : Operation {
    Saved x;

    explicit Sin(const Variable& X) : x(X) {}
    const char* name() const override { return "sin"; }
    Tensor forward(const Tensors& in, const Shape&) const override { return tensor::sin(in[0]); }

    Variable gradient(int, const Variable& G) const override {
        return G * cos(x);  // ∂L/∂x = G·cos x
    }
};

// y = cos x
struct Cos final : Operation {
    Saved x;

    explicit Cos(const Variable& X) : x(X) {}
    const char* name() const override { return "cos"; }
    Tensor forward(const Tensors& in, const Shape&) const override { return tensor::cos(in[0]); }

    Variable gradient(int, const Variable& G) const override {
        return -G * sin(x);  // ∂L/∂x = −G·sin x
    }
};

// y = tanh x
struct Tanh final : OperationKeepingOutput {
    const char* name() const override { return "tanh"; }
    Tensor forward(const Tensors& in, const Shape&) const override { return tensor::tanh(in[0]); }

    Variable gradient(int, const Variable& G) const override {
        if (!grad_enabled()) return Variable(tensor::tanh_gradient(G.value(), Y.get().value()));
        return G * (1 - Y * Y);  // ∂L/∂x = G·(1 − y²)
    }
};

// y = erf x
struct Erf final : Operation {
    Saved x;

    explicit Erf(const Variable& X) : x(X) {}
    const char* name() const override { return "erf"; }
    Tensor forward(const Tensors& in, const Shape&) const override { return tensor::erf(in[0]); }

    Variable gradient(int, const Variable& G) const override {
        return G * (two_over_root_of_pi * exp(-(x * x)));  // ∂L/∂x = G·2/√π·exp(−x²)
    }
};

// y = σ(x) = 1 / (1 + e⁻ˣ)
struct Sigmoid final : OperationKeepingOutput {
    const char* name() const override { return "sigmoid"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::sigmoid(in[0]);
    }

    Variable gradient(int, const Variable& G) const override {
        if (!grad_enabled()) return Variable(tensor::sigmoid_gradient(G.value(), Y.get().value()));
        return G * (Y * (1 - Y));  // ∂L/∂x = G·y·(1 − y)
    }
};

// y = max(x, 0)
struct Relu final : OperationKeepingOutput {
    const char* name() const override { return "relu"; }
    Tensor forward(const Tensors& in, const Shape&) const override { return tensor::relu(in[0]); }

    Variable gradient(int, const Variable& G) const override {
        if (!grad_enabled()) return Variable(tensor::relu_gradient(G.value(), Y.get().value()));
        const BoolTensor positive = Y.get().value() > 0;
        return where(positive, G, Variable(tensor::of(0)));  // ∂L/∂x = G where x > 0, else 0
    }
};

// y = Φ(x) + x·φ(x), the slope of gelu
struct GeluSlope final : Operation {
    Saved x;

    explicit GeluSlope(const Variable& X) : x(X) {}
    const char* name() const override { return "gelu_slope"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::gelu_slope(in[0]);
    }

    Variable gradient(int, const Variable& G) const override {
        const Variable phi = one_over_root_of_2pi * exp(-0.5 * (x * x));
        return G * (phi * (2 - x * x));  // ∂L/∂x = G·φ(x)·(2 − x²)
    }
};

Variable gelu_slope(const Variable& x) {
    const Tensor y = tensor::gelu_slope(x.value());
    return record<GeluSlope>(y, {&x}, CallSite::here(), x);
}

// y = x·Φ(x), with the normal distribution Φ(x) = (1 + erf(x/√2))/2 and its density φ
struct Gelu final : Operation {
    Saved x;

    explicit Gelu(const Variable& X) : x(X) {}
    const char* name() const override { return "gelu"; }
    Tensor forward(const Tensors& in, const Shape&) const override { return tensor::gelu(in[0]); }

    Variable gradient(int, const Variable& G) const override {
        if (!grad_enabled()) return Variable(tensor::gelu_gradient(G.value(), x.get().value()));
        return G * gelu_slope(x);  // ∂L/∂x = G·(Φ(x) + x·φ(x))
    }
};

// y = x·(1 + tanh u)/2, with u = √(2/π)·(x + 0.044715·x³)
struct GeluTanh final : Operation {
    Saved x;

    explicit GeluTanh(const Variable& X) : x(X) {}
    const char* name() const override { return "gelu_tanh"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::gelu_tanh(in[0]);
    }

    Variable gradient(int, const Variable& G) const override {
        if (!grad_enabled())
            return Variable(tensor::gelu_tanh_gradient(G.value(), x.get().value()));
        const Variable x_squared = x * x;
        const Variable u = root_of_2_over_pi * (x + cubic_of_gelu * (x_squared * x));
        const Variable du = root_of_2_over_pi * (1 + 3 * cubic_of_gelu * x_squared);  // ∂u/∂x
        const Variable t = tanh(u);
        // ∂L/∂x = G·((1 + t)/2 + x·(1 − t²)·u′/2)
        return G * (0.5 * (1 + t) + 0.5 * (x * (1 - t * t) * du));
    }
};

// y = |x|
struct Abs final : Operation {
    Saved x;

    explicit Abs(const Variable& X) : x(X) {}
    const char* name() const override { return "abs"; }
    Tensor forward(const Tensors& in, const Shape&) const override { return tensor::abs(in[0]); }

    Variable gradient(int, const Variable& G) const override {
        const Variable sign(tensor::sign(x.get().value()));
        return G * sign;  // ∂L/∂x = G·sign(x)
    }
};

}  // namespace

Variable exp(const Variable& x, CallSite site) {
    const Tensor y = tensor::exp(x.value(), site);
    return record<Exp>(y, {&x}, site);
}

Variable log(const Variable& x, CallSite site) {
    const Tensor y = tensor::log(x.value(), site);
    return record<Log>(y, {&x}, site, x);
}

Variable sqrt(const Variable& x, CallSite site) {
    const Tensor y = tensor::sqrt(x.value(), site);
    return record<Sqrt>(y, {&x}, site);
}

Variable sin(const Variable& x, CallSite site) {
    const Tensor y = tensor::sin(x.value(), site);
    return record<Sin>(y, {&x}, site, x);
}

Variable cos(const Variable& x, CallSite site) {
    const Tensor y = tensor::cos(x.value(), site);
    return record<Cos>(y, {&x}, site, x);
}

Variable tanh(const Variable& x, CallSite site) {
    const Tensor y = tensor::tanh(x.value(), site);
    return record<Tanh>(y, {&x}, site);
}

Variable erf(const Variable& x, CallSite site) {
    const Tensor y = tensor::erf(x.value(), site);
    return record<Erf>(y, {&x}, site, x);
}

Variable sigmoid(const Variable& x, CallSite site) {
    const Tensor y = tensor::sigmoid(x.value(), site);
    return record<Sigmoid>(y, {&x}, site);
}

Variable relu(const Variable& x, CallSite site) {
    const Tensor y = tensor::relu(x.value(), site);
    return record<Relu>(y, {&x}, site);
}

Variable gelu(const Variable& x, CallSite site) {
    const Tensor y = tensor::gelu(x.value(), site);
    return record<Gelu>(y, {&x}, site, x);
}

Variable gelu_tanh(const Variable& x, CallSite site) {
    const Tensor y = tensor::gelu_tanh(x.value(), site);
    return record<GeluTanh>(y, {&x}, site, x);
}

Variable abs(const Variable& x, CallSite site) {
    const Tensor y = tensor::abs(x.value(), site);
    return record<Abs>(y, {&x}, site, x);
}

}  // namespace HEED_PRECISION
}  // namespace heed
