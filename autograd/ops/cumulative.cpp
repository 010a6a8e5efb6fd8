#include "cumulative.h"

#include "../../tensor/factories.h"
#include "../../tensor/ops/cumulative.h"
#include "../record.h"
#include "arithmetic.h"
#include "join.h"
#include "views.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// y[k] = x[0] + … + x[k]                                   G = ∂L/∂y
struct Cumsum final : Operation {
    int axis;

    explicit Cumsum(int along) : axis(along) {}
    const char* name() const override { return "cumsum"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::cumsum(in[0], axis, site);
    }

    Variable gradient(int, const Variable& G) const override {
        return flip(cumsum(flip(G, axis), axis), axis);  // ∂L/∂x[i] = G[i] + G[i+1] + …
    }
};
}  // namespace

Variable cumsum(const Variable& x, int axis, CallSite site) {
    return record<Cumsum>({&x}, site, axis);
}

namespace {
// d[0] = first and d[k] = x[k−1]
Variable delayed(const Variable& x, double first, int axis) {
    const Variable front(tensor::full(x.shape().with(axis, 1), first));
    return slice(concatenate({front, x}, axis), axis, 0, -1);
}

// h[0] = b[0] and h[k] = a[k]·h[k−1] + b[k]
Variable linear_recurrence(const Variable& a, const Variable& b, int axis,
                           CallSite site = CallSite::here());

// The recurrence from the last entry to the first: S[i] = a[i+1]·S[i+1] + G[i]
Variable from_the_end(const Variable& a, const Variable& G, int axis) {
    const Variable factors = delayed(flip(a, axis), 0, axis);
    return flip(linear_recurrence(factors, flip(G, axis), axis), axis);
}

// b[i] is in h[i], and, times a[i+1], in h[i+1], and so on: S is the gradient of b.
struct LinearRecurrence final : OperationKeepingOutput {
    Saved a;
    int axis;

    LinearRecurrence(const Variable& A, int along) : a(A), axis(along) {}
    const char* name() const override { return "linear_recurrence"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::linear_recurrence(in[0], in[1], axis, site);
    }

    Variable gradient(int input, const Variable& G) const override {
        if (input == 0) return from_the_end(a, G, axis) * delayed(Y, 0, axis);  // S[k]·h[k−1]
        return from_the_end(a, G, axis);                                        // ∂L/∂b = S
    }
};

Variable linear_recurrence(const Variable& a, const Variable& b, int axis, CallSite site) {
    return record<LinearRecurrence>({&a, &b}, site, a, axis);
}

// y[k] = x[0]·…·x[k]
struct Cumprod final : OperationKeepingOutput {
    Saved x;
    int axis;

    Cumprod(const Variable& X, int along) : x(X), axis(along) {}
    const char* name() const override { return "cumprod"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::cumprod(in[0], axis, site);
    }

    // ∂L/∂x[i] = x[0]·…·x[i−1] · (G[i] + x[i+1]·(G[i+1] + x[i+2]·(G[i+2] + …))), in which nothing
    // is divided by x[i]. The product in front is y[i−1], and the sum in brackets a recurrence.
    Variable gradient(int, const Variable& G) const override {
        return delayed(Y, 1, axis) * from_the_end(x, G, axis);
    }
};
}  // namespace

Variable cumprod(const Variable& x, int axis, CallSite site) {
    return record<Cumprod>({&x}, site, x, axis);
}

}}  // namespace heed
