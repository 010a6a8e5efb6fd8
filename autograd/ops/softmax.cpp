#include "softmax.h"

#include "../../tensor/factories.h"
#include "../../tensor/ops/compare.h"
#include "../../tensor/ops/softmax.h"
#include "../record.h"
#include "arithmetic.h"
#include "choose.h"
#include "functions.h"
#include "reduce.h"
#include "views.h"

namespace heed { inline namespace HEED_PRECISION {

namespace {
// Y = exp(x) / Σ exp(x)                                       G = ∂L/∂Y
// A row of only −∞ has Y = 0, and therefore gradient 0.
struct Softmax final : OperationKeepingOutput {
    int axis;

    explicit Softmax(int along) : axis(along) {}
    const char* name() const override { return "softmax"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::softmax(in[0], axis, site);
    }

    Variable gradient(int, const Variable& G) const override {
        const Variable mean_G = sum(G * Y, axis, keepdim);  // weighted with Y
        return Y * (G - mean_G);                            // ∂L/∂x = Y ⊙ (G − Σ G ⊙ Y)
    }

    bool fused_gradients(const Tensor& G, Gradients& to) const override {
        to.set(0, Variable(tensor::softmax_gradient(Y.value(), G, axis)));
        return true;
    }
};
}  // namespace

Variable softmax(const Variable& x, int axis, CallSite site) {
    return record<Softmax>({&x}, site, axis);
}

namespace {
// Y = x − log Σ exp(x)
struct LogSoftmax final : OperationKeepingOutput {
    int axis;

    explicit LogSoftmax(int along) : axis(along) {}
    const char* name() const override { return "log_softmax"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::log_softmax(in[0], axis, site);
    }

    Variable gradient(int, const Variable& G) const override {
        const Variable P = exp(Y);  // softmax(x), and 0 throughout a row of only −∞
        const BoolTensor masked = tensor::sum(P.value(), axis, keepdim) == 0;
        const Variable live_G = where(masked, Variable(tensor::of(0)), G);
        return live_G - P * sum(live_G, axis, keepdim);  // ∂L/∂x = G − P ⊙ Σ G
    }

    bool fused_gradients(const Tensor& G, Gradients& to) const override {
        to.set(0, Variable(tensor::log_softmax_gradient(Y.value(), G, axis)));
        return true;
    }
};
}  // namespace

Variable log_softmax(const Variable& x, int axis, CallSite site) {
    return record<LogSoftmax>({&x}, site, axis);
}

namespace {
// y = log Σ exp(x)
struct LogSumExp final : Operation {
    Saved x;
    int axis;
    KeepDim keep;

    LogSumExp(const Variable& X, int along, KeepDim keeps) : x(X), axis(along), keep(keeps) {}
    const char* name() const override { return "logsumexp"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::logsumexp(in[0], axis, keep, site);
    }

    Variable gradient(int, const Variable& G) const override {
        const Variable G_with_axis = keep == KeepDim::yes ? G : unsqueeze(G, axis);
        return G_with_axis * softmax(x, axis);  // ∂L/∂x = G·softmax(x)
    }
};
}  // namespace

Variable logsumexp(const Variable& x, const Dims& axes, KeepDim keep, CallSite site) {
    if (axes.size() == 1) {
        const int along = normalized_axis(axes[0], x.rank(), "logsumexp", site);
        return record<LogSumExp>({&x}, site, x, along, keep);
    }
    // Several axes are merged into one first.
    const tensor::MergedAxes over(x.shape(), axes, keep, "logsumexp", site);
    const Variable rows = reshape(permute(x, over.order, site), over.merged, site);
    return reshape(logsumexp(rows, -1, KeepDim::no, site), over.result, site);
}

}}  // namespace heed
