#include "heed/autograd/ops/arithmetic.h"

#include "heed/autograd/ops/choose.h"
#include "heed/autograd/ops/functions.h"
#include "heed/autograd/record.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/functions.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {

// y = a + b                                                G = ∂L/∂y
struct Add final : Operation {
    const char* name() const override { return "add"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::add(in[0], in[1]);
    }

    Variable gradient(int, const Variable& G) const override {
        return G;  // ∂L/∂a = ∂L/∂b = G
    }
};

// y = a − b
struct Subtract final : Operation {
    const char* name() const override { return "subtract"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::subtract(in[0], in[1]);
    }

    Variable gradient(int input, const Variable& G) const override {
        if (input == 0) return G;  // ∂L/∂a = G
        return -G;                 // ∂L/∂b = −G
    }
};

// y = a·b
struct Multiply final : Operation {
    Saved a, b;

    Multiply(const Variable& A, const Variable& B)
        : a(A, B.requires_grad()), b(B, A.requires_grad()) {}
    const char* name() const override { return "multiply"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::multiply(in[0], in[1]);
    }

    Variable gradient(int input, const Variable& G) const override {
        if (input == 0) return G * b;  // ∂L/∂a = G·b
        return G * a;                  // ∂L/∂b = G·a
    }
};

// y = a / b
struct Divide final : Operation {
    Saved a, b;

    Divide(const Variable& A, const Variable& B) : a(A, B.requires_grad()), b(B) {}
    const char* name() const override { return "divide"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::divide(in[0], in[1]);
    }

    Variable gradient(int input, const Variable& G) const override {
        if (input == 0) return G / b;  // ∂L/∂a = G / b
        return -(G * a / b) / b;       // ∂L/∂b = −G·a / b², where b² alone may overflow
    }
};

// y = −x
struct Negate final : Operation {
    const char* name() const override { return "negate"; }
    Tensor forward(const Tensors& in, const Shape&) const override { return tensor::negate(in[0]); }

    Variable gradient(int, const Variable& G) const override {
        return -G;  // ∂L/∂x = −G
    }
};

// y = a^b
struct Pow final : Operation {
    Saved a, b;

    Pow(const Variable& A, const Variable& B) : a(A), b(B) {}
    const char* name() const override { return "pow"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::pow(in[0], in[1]);
    }

    Variable gradient(int input, const Variable& G) const override {
        return input == 0 ? for_base(G) : for_exponent(G);
    }

    // ∂L/∂a = G·b·a^(b−1), and 0 where both are 0 (a base of 1 there, or it would be 0·∞)
    Variable for_base(const Variable& G) const {
        const BoolTensor constant = (a.get().value() == 0) & (b.get().value() == 0);
        const Variable base = where(constant, Variable(tensor::of(1)), a);
        return G * b * pow(base, b - 1);
    }

    // ∂L/∂b = G·a^b·ln a, and 0 where a is 0 and b ≥ 0, as a^b stays 0 there
    Variable for_exponent(const Variable& G) const {
        const BoolTensor flat = (a.get().value() == 0) & (b.get().value() >= 0);
        const Variable base = where(flat, Variable(tensor::of(1)), a);
        return G * pow(a, b) * log(base);
    }
};

// y = x^n
struct PowNumber final : Operation {
    Saved x;
    double n;

    PowNumber(const Variable& X, double exponent) : x(X), n(exponent) {}
    const char* name() const override { return "pow"; }
    Tensor forward(const Tensors& in, const Shape&) const override { return tensor::pow(in[0], n); }

    Variable gradient(int, const Variable& G) const override {
        if (n == 0) return Variable(tensor::zeros(G.shape()));
        return G * (n * pow(x, n - 1));  // ∂L/∂x = G·n·x^(n−1)
    }
};

// y = max(a, b), or min(a, b): the gradient goes where the value came from, a NaN too.
struct Choose final : Operation {
    bool larger;
    Tensor share_of_a;  // 1 where y is a, 0 where it is b, ½ where both are equal

    Choose(const Tensor& a, const Tensor& b, bool is_maximum) : larger(is_maximum) {
        const BoolTensor chosen = (larger ? a > b : a < b) | tensor::is_nan(a);
        share_of_a = tensor::to_tensor(chosen) + tensor::to_tensor(a == b) * 0.5;
    }
    const char* name() const override { return larger ? "maximum" : "minimum"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return larger ? tensor::maximum(in[0], in[1]) : tensor::minimum(in[0], in[1]);
    }

    Variable gradient(int input, const Variable& G) const override {
        if (input == 0) return G * Variable(share_of_a);  // ∂L/∂a = G·share
        return G * Variable(1 - share_of_a);              // ∂L/∂b = G·(1 − share)
    }
};

}  // namespace

Variable add(const Variable& a, const Variable& b, CallSite site) {
    const Tensor y = tensor::add(a.value(), b.value(), site);
    return record<Add>(y, {&a, &b}, site);
}

Variable subtract(const Variable& a, const Variable& b, CallSite site) {
    const Tensor y = tensor::subtract(a.value(), b.value(), site);
    return record<Subtract>(y, {&a, &b}, site);
}

Variable multiply(const Variable& a, const Variable& b, CallSite site) {
    const Tensor y = tensor::multiply(a.value(), b.value(), site);
    return record<Multiply>(y, {&a, &b}, site, a, b);
}

Variable divide(const Variable& a, const Variable& b, CallSite site) {
    const Tensor y = tensor::divide(a.value(), b.value(), site);
    return record<Divide>(y, {&a, &b}, site, a, b);
}

Variable negate(const Variable& x, CallSite site) {
    const Tensor y = tensor::negate(x.value(), site);
    return record<Negate>(y, {&x}, site);
}

Variable pow(const Variable& a, const Variable& b, CallSite site) {
    const Tensor y = tensor::pow(a.value(), b.value(), site);
    return record<Pow>(y, {&a, &b}, site, a, b);
}

Variable pow(const Variable& x, double exponent, CallSite site) {
    const Tensor y = tensor::pow(x.value(), exponent, site);
    return record<PowNumber>(y, {&x}, site, x, exponent);
}

Variable minimum(const Variable& a, const Variable& b, CallSite site) {
    const Tensor y = tensor::minimum(a.value(), b.value(), site);
    return record<Choose>(y, {&a, &b}, site, a.value(), b.value(), false);
}

Variable maximum(const Variable& a, const Variable& b, CallSite site) {
    const Tensor y = tensor::maximum(a.value(), b.value(), site);
    return record<Choose>(y, {&a, &b}, site, a.value(), b.value(), true);
}

Operand::Operand(double x, CallSite caller)
    : made(tensor::full(Shape{}, x)), variable(*made), site(caller) {}

Variable operator+(const Operand& a, const Operand& b) {
    return add(a.variable, b.variable, a.site);
}

Variable operator-(const Operand& a, const Operand& b) {
    return subtract(a.variable, b.variable, a.site);
}

Variable operator*(const Operand& a, const Operand& b) {
    return multiply(a.variable, b.variable, a.site);
}

Variable operator/(const Operand& a, const Operand& b) {
    return divide(a.variable, b.variable, a.site);
}

Variable operator-(const Operand& x) { return negate(x.variable, x.site); }

}  // namespace HEED_PRECISION
}  // namespace heed
