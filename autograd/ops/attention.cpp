#include "heed/autograd/ops/attention.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/ops/choose.h"
#include "heed/autograd/ops/matmul.h"
#include "heed/autograd/ops/reduce.h"
#include "heed/autograd/ops/softmax.h"
#include "heed/autograd/ops/views.h"
#include "heed/autograd/record.h"
#include "heed/tensor/fused/attention.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {

// O = W·V with W = softmax(S), S = Q·Kᵀ/√d_k                    G = ∂L/∂O
struct FusedAttention final : OperationKeepingOutput {
    Saved Q, K, V;
    std::optional<Mask> mask;
    Tensor largest, total;  // of each query's scores; with them W is computed again

    FusedAttention(const Variable& q, const Variable& k, const Variable& v,
                   const std::optional<Mask>& its_mask, const tensor::FusedAttention& forward)
        : Q(q), K(k), V(v), mask(its_mask), largest(forward.row_max), total(forward.row_sum) {}
    const char* name() const override { return "fused_attention"; }
    Tensor forward(const Tensors& in, const Shape&) const override {
        return tensor::fused_attention(in[0], in[1], in[2], mask).output;
    }

    Variable gradient(int input, const Variable& G) const override {
        const Variable W = weights();
        if (input == 2) return matmul(transpose(W), G);  // ∂L/∂V = Wᵀ·G
        const Variable dS = for_scores(W, G);
        if (input == 0) return matmul(dS, K);  // ∂L/∂Q = ∂L/∂S·K/√d_k
        return matmul(transpose(dS), Q);       // ∂L/∂K = (∂L/∂S)ᵀ·Q/√d_k
    }

    // All at once, and in tiles, where nobody will differentiate them.
    void gradients(const Variable& G, Gradients& to) const override {
        if (grad_enabled()) return Operation::gradients(G, to);
        const tensor::FusedAttention forward = {Y.get().value(), largest, total};
        const tensor::WhichGradients which = {to.needed(0), to.needed(1), to.needed(2)};
        const tensor::AttentionGradients all = tensor::fused_attention_gradients(
            Q.get().value(), K.get().value(), V.get().value(), mask, forward, G.value(), which);
        if (which.Q) to.set(0, Variable(all.Q));
        if (which.K) to.set(1, Variable(all.K));
        if (which.V) to.set(2, Variable(all.V));
    }

    double root_of_d_k() const { return __builtin_sqrt(static_cast<double>(K.get().dim(-1))); }

    Variable weights() const {
        const Variable scores = matmul(Q, transpose(K)) / root_of_d_k();
        if (!mask) return softmax(scores, -1);
        return softmax(masked_fill(scores, mask->blocked(), -infinity), -1);
    }

    // ∂L/∂S = W ⊙ (∂L/∂W − Σ ∂L/∂W ⊙ W) with ∂L/∂W = G·Vᵀ; divided by √d_k
    Variable for_scores(const Variable& W, const Variable& G) const {
        const Variable dW = matmul(G, transpose(V));
        const Variable dS = W * (dW - sum(dW * W, -1, keepdim));
        if (!mask) return dS / root_of_d_k();
        return masked_fill(dS, mask->blocked(), 0) / root_of_d_k();
    }
};

}  // namespace

Variable fused_attention(const Variable& Q, const Variable& K, const Variable& V,
                         const std::optional<Mask>& mask, CallSite site) {
    const tensor::FusedAttention forward =
        tensor::fused_attention(Q.value(), K.value(), V.value(), mask, site);
    return record<FusedAttention>(forward.output, {&Q, &K, &V}, site, Q, K, V, mask, forward);
}

}  // namespace HEED_PRECISION
}  // namespace heed
