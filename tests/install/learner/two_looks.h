// An operation and a layer that heed does not have.
#pragma once

#include "heed/heed.h"

namespace learner {

using namespace heed;

// y = x/(1 + |x|), "softsign" (Bergstra et al. 2009)
struct Softsign final : Operation {
    Saved x;

    explicit Softsign(const Variable& X) : x(X) {}
    const char* name() const override { return "softsign"; }
    Tensor forward(const Inputs& in, const CallSite&) const override {
        return in[0] / (1 + tensor::abs(in[0]));
    }
    Variable gradient(int, const Variable& G) const override {
        const Variable slower = 1 + abs(x);
        return G / (slower * slower);  // ∂L/∂x = G/(1 + |x|)²
    }
};

inline Variable softsign(const Variable& x, CallSite site = CallSite::here()) {
    return record<Softsign>({&x}, site, x);
}

// Attention twice: one looks backwards only, one everywhere, and what they see is added.
struct TwoLooks : Module {
    MultiHeadAttention backward, everywhere;
    Linear out;

    TwoLooks(std::int64_t d, Random& random)
        : backward(d, 2, random), everywhere(d, 2, random), out(d, d, random) {}
    // X [..., T, d] -> [..., T, d]
    Variable operator()(const Variable& X, CallSite site = CallSite::here()) const {
        if (X.rank() < 2 || X.dim(-1) != out.weight.dim(1)) {
            fail_shape("TwoLooks", site, "X has shape ", X.shape(), "; it must be [..., T, ",
                       out.weight.dim(1), "]");
        }
        const Running layer(*this, "TwoLooks", {&X}, site);
        const Variable before = backward(X, Mask::causal(X.dim(-2)));
        const Variable around = everywhere(X);
        const Variable y = out(softsign(before + around));
        return layer.gives(y);
    }
    void members(MemberVisitor& visit) override {
        visit("backward", backward);
        visit("everywhere", everywhere);
        visit("out", out);
    }
};

}  // namespace learner
