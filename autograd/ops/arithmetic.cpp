#include "arithmetic.h"

#include "../../tensor/factories.h"
#include "../../tensor/ops/arithmetic.h"
#include "../../tensor/ops/compare.h"
#include "../../tensor/ops/functions.h"
#include "../record.h"
#include "choose.h"
#include "functions.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// y = a + b                                                G = ∂L/∂y
struct Add final : Operation {
    const char* name() const override { return "add"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::add(in[0], in[1], site);
    }

    Variable gradient(int, const Variable& G) const override {
        return G;  // ∂L/∂a = ∂L/∂b = G
    }
};
}  // namespace

Variable add(const Variable& a, const Variable& b, CallSite site) {
    return record<Add>({&a, &b}, site);
}

namespace {
// y = a − b
struct Subtract final : Operation {
    const char* name() const override { return "subtract"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::subtract(in[0], in[1], site);
    }

    Variable gradient(int input, const Variable& G) const override {
        if (input == 0) return G;  // ∂L/∂a = G
        return -G;                 // ∂L/∂b = −G
    }
};
}  // namespace

Variable subtract(const Variable& a, const Variable& b, CallSite site) {
    return record<Subtract>({&a, &b}, site);
}

namespace {
// y = a·b
struct Multiply final : Operation {
    Saved a, b;

    Multiply(const Variable& A, const Variable& B)
        : a(A, B.requires_grad()), b(B, A.requires_grad()) {}
    const char* name() const override { return "multiply"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::multiply(in[0], in[1], site);
    }

    Variable gradient(int input, const Variable& G) const override {
        if (input == 0) return G * b;  // ∂L/∂a = G·b
        return G * a;                  // ∂L/∂b = G·a
    }
};
}  // namespace

Variable multiply(const Variable& a, const Variable& b, CallSite site) {
    return record<Multiply>({&a, &b}, site, a, b);
}

namespace {
// y = a / b
struct Divide final : Operation {
    Saved a, b;

    Divide(const Variable& A, const Variable& B) : a(A, B.requires_grad()), b(B) {}
    const char* name() const override { return "divide"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::divide(in[0], in[1], site);
    }

    Variable gradient(int input, const Variable& G) const override {
        if (input == 0) return G / b;  // ∂L/∂a = G / b
        return -(G * a / b) / b;       // ∂L/∂b = −G·a / b², where b² alone may overflow
    }
};
}  // namespace

Variable divide(const Variable& a, const Variable& b, CallSite site) {
    return record<Divide>({&a, &b}, site, a, b);
}

namespace {
// y = −x
struct Negate final : Operation {
    const char* name() const override { return "negate"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::negate(in[0], site);
    }

    Variable gradient(int, const Variable& G) const override {
        return -G;  // ∂L/∂x = −G
    }
};
}  // namespace

Variable negate(const Variable& x, CallSite site) { return record<Negate>({&x}, site); }

namespace {
// y = a^b
struct Pow final : Operation {
    Saved a, b;

    Pow(const Variable& A, const Variable& B) : a(A), b(B) {}
    const char* name() const override { return "pow"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::pow(in[0], in[1], site);
    }

    Variable gradient(int input, const Variable& G) const override {
        return input == 0 ? for_base(G) : for_exponent(G);
    }

    // ∂L/∂a = G·b·a^(b−1), and 0 where b is 0 and 1/a infinite or NaN (with base 1 there, to avoid
    // 0·∞)
    Variable for_base(const Variable& G) const {
        const BoolTensor no_factor = !tensor::is_finite(1 / a.value());
        const BoolTensor constant = no_factor & (b.value() == 0);
        const Variable base = where(constant, Variable(tensor::of(1)), a);
        return G * (b * pow(base, b - 1));
    }

    // ∂L/∂b = G·a^b·ln a, and 0 where a is 0 and b ≥ 0, or a is ∞ and b < 0 (with base 1 there, to
    // avoid 0·∞)
    Variable for_exponent(const Variable& G) const {
        const BoolTensor at_zero = (a.value() == 0) & (b.value() >= 0);
        const BoolTensor flat = at_zero | ((a.value() == infinity) & (b.value() < 0));
        const Variable base = where(flat, Variable(tensor::of(1)), a);
        return G * pow(a, b) * log(base);
    }
};
}  // namespace

Variable pow(const Variable& a, const Variable& b, CallSite site) {
    return record<Pow>({&a, &b}, site, a, b);
}

namespace {
// y = x^n
struct PowNumber final : Operation {
    Saved x;
    double n;

    PowNumber(const Variable& X, double exponent) : x(X), n(exponent) {}
    const char* name() const override { return "pow"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::pow(in[0], n, site);
    }

    Variable gradient(int, const Variable& G) const override {
        if (n == 0) return Variable(tensor::zeros(G.shape()));
        return G * (n * pow(x, n - 1));  // ∂L/∂x = G·n·x^(n−1)
    }
};
}  // namespace

Variable pow(const Variable& x, double exponent, CallSite site) {
    return record<PowNumber>({&x}, site, x, exponent);
}

namespace {
// y = max(a, b), or min(a, b)
struct Choose final : Operation {
    Saved a, b;
    bool larger;

    Choose(const Variable& A, const Variable& B, bool is_maximum)
        : a(A), b(B), larger(is_maximum) {}
    const char* name() const override { return larger ? "maximum" : "minimum"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return larger ? tensor::maximum(in[0], in[1], site) : tensor::minimum(in[0], in[1], site);
    }

    Variable gradient(int input, const Variable& G) const override {
        if (input == 0) return of_chosen(G, a.value(), b.value());  // ∂L/∂a = G where y is a
        return of_chosen(G, b.value(), a.value());                  // ∂L/∂b = G where y is b
    }

    // Half of G where both are equal, else G where y is x, and 0 where it is the other. If one is
    // NaN neither is larger, and both get G.
    Variable of_chosen(const Variable& G, const Tensor& x, const Tensor& other) const {
        const Variable shared = where(x == other, 0.5 * G, G);
        return masked_fill(shared, larger ? x < other : x > other, 0);
    }
};
}  // namespace

Variable minimum(const Variable& a, const Variable& b, CallSite site) {
    return record<Choose>({&a, &b}, site, a, b, false);
}

Variable maximum(const Variable& a, const Variable& b, CallSite site) {
    return record<Choose>({&a, &b}, site, a, b, true);
}

namespace {
// y = x, but min where x < min, and max where x > max
struct Clamp final : Operation {
    Saved x;
    Bounds bounds;

    Clamp(const Variable& X, const Bounds& between) : x(X), bounds(between) {}
    const char* name() const override { return "clamp"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::clamp(in[0], bounds, site);
    }

    Variable gradient(int, const Variable& G) const override {
        const BoolTensor beyond = (x.value() < bounds.min) | (x.value() > bounds.max);
        return masked_fill(G, beyond, 0);  // ∂L/∂x = G, and 0 where y is a bound and x is not
    }
};
}  // namespace

Variable clamp(const Variable& x, const Bounds& bounds, CallSite site) {
    return record<Clamp>({&x}, site, x, bounds);
}

namespace {
Variable number(double x) { return Variable(tensor::full(Shape{}, x)); }
}  // namespace

Variable minimum(const Variable& a, double b, CallSite site) { return minimum(a, number(b), site); }
Variable minimum(double a, const Variable& b, CallSite site) { return minimum(number(a), b, site); }
Variable maximum(const Variable& a, double b, CallSite site) { return maximum(a, number(b), site); }
Variable maximum(double a, const Variable& b, CallSite site) { return maximum(number(a), b, site); }
Variable pow(double base, const Variable& x, CallSite site) { return pow(number(base), x, site); }

}}  // namespace heed
