#include "heed/autograd/ops/softmax.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/ops/choose.h"
#include "heed/autograd/ops/functions.h"
#include "heed/autograd/ops/reduce.h"
#include "heed/autograd/ops/views.h"
#include "heed/autograd/record.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/softmax.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {

// Y = exp(x) / Σ exp(x)                                       G = ∂L/∂Y
// A row of only −∞ has Y = 0, and so the gradient 0.
struct Softmax final : OperationKeepingOutput {
    int axis;

    explicit Softmax(int along) : axis(along) {}
    const char* name() const override { return "softmax"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::softmax(in[0], axis);
    }

    Variable gradient(int, const Variable& G) const override {
        if (!grad_enabled()) {  // the same bits in one pass
            return Variable(tensor::softmax_gradient(Y.get().value(), G.value(), axis));
        }
        const Variable mean_G = sum(G * Y, axis, keepdim);  // weighted with Y
        return Y * (G - mean_G);                            // ∂L/∂x = Y ⊙ (G − Σ G ⊙ Y)
    }
};

// Y = x − log Σ exp(x)
struct LogSoftmax final : OperationKeepingOutput {
    int axis;

    explicit LogSoftmax(int along) : axis(along) {}
    const char* name() const override { return "log_softmax"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::log_softmax(in[0], axis);
    }

    Variable gradient(int, const Variable& G) const override {
        if (!grad_enabled()) {  // the same bits in one pass
            return Variable(tensor::log_softmax_gradient(Y.get().value(), G.value(), axis));
        }
        const Variable P = exp(Y);  // softmax(x), and 0 throughout a row of only −∞
        const BoolTensor masked = tensor::sum(P.value(), axis, keepdim) == 0;
        const Variable live_G = where(masked, Variable(tensor::of(0)), G);
        return live_G - P * sum(live_G, axis, keepdim);  // ∂L/∂x = G − P ⊙ Σ G
    }
};

// y = log Σ exp(x)
struct LogSumExp final : Operation {
    Saved x;
    int axis;
    Shape kept;  // of y, with the axis that was summed

    LogSumExp(const Variable& X, int along, const Shape& with_axis)
        : x(X), axis(along), kept(with_axis) {}
    const char* name() const override { return "logsumexp"; }
    Tensor forward(const Tensors& in, const Shape& shape) const override {
        return tensor::reshape(tensor::logsumexp(in[0], axis), shape);
    }

    Variable gradient(int, const Variable& G) const override {
        return reshape(G, kept) * softmax(x, axis);  // ∂L/∂x = G·softmax(x)
    }
};

}  // namespace

Variable softmax(const Variable& x, int axis, CallSite site) {
    const Tensor Y = tensor::softmax(x.value(), axis, site);
    return record<Softmax>(Y, {&x}, site, axis);
}

Variable log_softmax(const Variable& x, int axis, CallSite site) {
    const Tensor Y = tensor::log_softmax(x.value(), axis, site);
    return record<LogSoftmax>(Y, {&x}, site, axis);
}

Variable logsumexp(const Variable& x, int axis, bool keepdim, CallSite site) {
    const Tensor y = tensor::logsumexp(x.value(), axis, keepdim, site);
    const int along = normalized_axis(axis, x.rank(), "logsumexp", site);
    return record<LogSumExp>(y, {&x}, site, x, along, x.shape().with(along, 1));
}

}  // namespace HEED_PRECISION
}  // namespace heed
