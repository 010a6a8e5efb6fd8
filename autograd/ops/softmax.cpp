#include "softmax.h"

#include "../../tensor/factories.h"
#include "../../tensor/ops/compare.h"
#include "../../tensor/ops/reduce.h"
#include "../../tensor/ops/softmax.h"
#include "../record.h"
#include "arithmetic.h"
#include "choose.h"
#include "functions.h"
#include "gather.h"
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
        to.set(0, tensor::softmax_gradient(Y.value(), G, axis));
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
        to.set(0, tensor::log_softmax_gradient(Y.value(), G, axis));
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

namespace {
struct Counting {
    IndexTensor rows;     // [M], the rows that have a class
    IndexTensor classes;  // [M, 1], their classes
};

Counting counting_of(const IndexTensor& classes) {
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> kept;
    for (std::int64_t i = 0; i < classes.numel(); ++i) {
        if (classes.data()[i] == no_class) continue;
        rows.push_back(i);
        kept.push_back(classes.data()[i]);
    }
    const std::int64_t M = static_cast<std::int64_t>(rows.size());
    return {IndexTensor(rows), IndexTensor(kept, Shape{M, 1})};
}

// y[i] = −log_softmax(x[i])[classes[i]]                       G = ∂L/∂y
struct CrossEntropyLosses final : Operation {
    Saved x;
    IndexTensor classes;
    ByProduct of_rows;  // max and log Σ exp(x − max) of each row

    CrossEntropyLosses(const Variable& X, const IndexTensor& right) : x(X), classes(right) {}
    const char* name() const override { return "cross_entropy"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        const tensor::CrossEntropy found = tensor::cross_entropy_losses(in[0], classes, site);
        of_rows.keep(found.max_and_log_sum);
        return found.losses;
    }

    // ∂L/∂x[i] = −G[i]·(one-hot of the class − softmax(x[i]))
    Variable gradient(int, const Variable& G) const override {
        const Variable& X = x;
        const Counting counting = counting_of(classes);
        const Shape shape = X.shape().with(0, counting.rows.numel());                // [M, C]
        const Variable rows = index_select(X, 0, counting.rows);                     // [M, C]
        const Variable P = exp(log_softmax(rows, -1));                               // [M, C]
        const Variable g = 0 - index_select(reshape(G, {-1, 1}), 0, counting.rows);  // [M, 1]
        const BoolTensor masked = tensor::sum(P.value(), -1, keepdim) == 0;          // [M, 1]
        const Variable live_g = where(masked, Variable(tensor::of(0)), g);           // [M, 1]
        const Variable at_class = scatter_add(live_g, 1, counting.classes, shape);
        const Variable of_counting = at_class - P * live_g;          // [M, C]
        return index_add(of_counting, 0, counting.rows, X.shape());  // [N, C]
    }

    bool fused_gradients(const Tensor& G, Gradients& to) const override {
        to.set(0, tensor::cross_entropy_gradient(x.value(), classes, of_rows.get(), G));
        return true;
    }
};

}  // namespace

Variable cross_entropy_losses(const Variable& x, const IndexTensor& classes, CallSite site) {
    return record<CrossEntropyLosses>({&x}, site, x, classes);
}

}}  // namespace heed
