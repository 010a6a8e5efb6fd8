#include "heed/autograd/ops/cross_entropy.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/ops/choose.h"
#include "heed/autograd/ops/functions.h"
#include "heed/autograd/ops/gather.h"
#include "heed/autograd/ops/softmax.h"
#include "heed/autograd/ops/views.h"
#include "heed/autograd/record.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/reduce.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {

struct Counting {
    IndexTensor rows;     // [M], which rows have a class
    IndexTensor classes;  // [M, 1], and which
};

Counting what_counts(const IndexTensor& classes) {
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
    Tensor known;  // of each row, for one pass back

    CrossEntropyLosses(const Variable& X, const IndexTensor& right, const Tensor& rows)
        : x(X), classes(right), known(rows) {}
    const char* name() const override { return "cross_entropy"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::cross_entropy_losses(in[0], classes).losses;
    }

    // ∂L/∂x[i] = −G[i]·(one-hot of the class − softmax(x[i]))
    Variable gradient(int, const Variable& G) const override {
        const Variable& X = x;
        if (!grad_enabled()) {  // the same bits in one pass
            return Variable(tensor::cross_entropy_gradient(X.value(), classes, known, G.value()));
        }
        const Counting counting = what_counts(classes);
        const Shape shape = X.shape().with(0, counting.rows.numel());                // [M, C]
        const Variable rows = index_select(X, 0, counting.rows);                     // [M, C]
        const Variable P = exp(log_softmax(rows, -1));                               // [M, C]
        const Variable g = 0 - index_select(reshape(G, {-1, 1}), 0, counting.rows);  // [M, 1]
        const BoolTensor masked = tensor::sum(P.value(), -1, keepdim) == 0;          // [M, 1]
        const Variable live_g = where(masked, Variable(tensor::of(0)), g);           // [M, 1]
        const Variable at_class = scatter_add(live_g, 1, counting.classes, shape);
        const Variable of_rows = at_class - P * live_g;          // [M, C]
        return index_add(of_rows, 0, counting.rows, X.shape());  // [N, C]
    }
};

}  // namespace

Variable cross_entropy_losses(const Variable& x, const IndexTensor& classes, CallSite site) {
    const tensor::CrossEntropy found = tensor::cross_entropy_losses(x.value(), classes, site);
    return record<CrossEntropyLosses>(found.losses, {&x}, site, x, classes, found.max_and_log_sum);
}

}  // namespace HEED_PRECISION
}  // namespace heed
