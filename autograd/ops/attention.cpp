#include "heed/autograd/ops/attention.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/ops/choose.h"
#include "heed/autograd/ops/matmul.h"
#include "heed/autograd/ops/reduce.h"
#include "heed/autograd/ops/softmax.h"
#include "heed/autograd/ops/views.h"
#include "heed/autograd/record.h"
#include "heed/tensor/fused/attention.h"
#include "heed/tensor/kernels/attention.h"
#include "heed/tensor/ops/choose.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/functions.h"

#include <cmath>

namespace heed {
inline namespace HEED_PRECISION {

namespace {
// W = softmax(S), given row_max and row_sum = Σ exp(S − row_max) of each row.            G = ∂L/∂W
struct SoftmaxOfKnownSums final : OperationKeepingOutput {
    Tensor row_max, row_sum;  // [..., T_q, 1]

    SoftmaxOfKnownSums(const Tensor& maximum, const Tensor& sum) : row_max(maximum), row_sum(sum) {}
    const char* name() const override { return "softmax"; }
    Tensor forward(const Inputs& in, const CallSite&) const override {
        const Tensor W = tensor::exp(in[0] - row_max) * (1 / row_sum);
        return tensor::masked_fill(W, row_sum == 0, 0);  // where a query sees no key
    }

    Variable gradient(int, const Variable& G) const override {
        const Variable mean_G = sum(G * Y, -1, keepdim);  // weighted with W
        return Y * (G - mean_G);                          // ∂L/∂S = W ⊙ (G − Σ G ⊙ W)
    }
};

// O = W·V with W = softmax(S), S = Q·Kᵀ/√d_k                    G = ∂L/∂O
struct FusedAttention final : OperationKeepingOutput {
    Saved Q, K, V;
    std::optional<Mask> mask;
    ByProduct row_max, row_sum;  // [..., T_q], of each query's scores

    FusedAttention(const Variable& q, const Variable& k, const Variable& v,
                   const std::optional<Mask>& its_mask)
        : Q(q), K(k), V(v), mask(its_mask) {}
    const char* name() const override { return "fused_attention"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        const tensor::FusedAttention found =
            tensor::fused_attention(in[0], in[1], in[2], mask, site);
        row_max.keep(found.row_max);
        row_sum.keep(found.row_sum);
        return found.output;
    }

    Variable gradient(int input, const Variable& G) const override {
        const Variable W = weights();                    // [..., T_q, T_k]
        if (input == 2) return matmul(transpose(W), G);  // ∂L/∂V = Wᵀ·G
        const Variable dS = for_scores(W, G);            // [..., T_q, T_k]
        if (input == 0) return matmul(dS, K);            // ∂L/∂Q = ∂L/∂S·K/√d_k
        return matmul(transpose(dS), Q);                 // ∂L/∂K = (∂L/∂S)ᵀ·Q/√d_k
    }

    // ∂L/∂S = W ⊙ (∂L/∂W − Σ ∂L/∂W ⊙ W) with ∂L/∂W = G·Vᵀ; divided by √d_k
    Variable for_scores(const Variable& W, const Variable& G) const {
        const Variable dW = matmul(G, transpose(V));
        const Variable dS = W * (dW - mean_of(dW, W, G));
        if (!mask) return dS / root_of_d_k();
        return masked_fill(dS, mask->blocked(), 0) / root_of_d_k();
    }

    // With more than one tile of keys, sums taken tile by tile differ in the last bits from those
    // of softmax and sum. The formula then computes W from the row_max and row_sum of the forward
    // pass, and Σ ∂L/∂W ⊙ W as Σ G ⊙ O.
    bool in_one_tile() const { return K.get().dim(-2) <= kernels::key_tile; }

    Variable weights() const {
        const Variable scores = matmul(Q, transpose(K)) / root_of_d_k();
        const Variable S = mask ? masked_fill(scores, mask->blocked(), -infinity) : scores;
        if (in_one_tile()) return softmax(S, -1);
        const Tensor maximum = tensor::unsqueeze(row_max.get(), -1);
        const Tensor total = tensor::unsqueeze(row_sum.get(), -1);
        return record<SoftmaxOfKnownSums>({&S}, CallSite::here(), maximum, total);
    }

    Variable mean_of(const Variable& dW, const Variable& W, const Variable& G) const {
        const Variable O = Y;
        return in_one_tile() ? sum(dW * W, -1, keepdim) : sum(G * O, -1, keepdim);
    }

    double root_of_d_k() const { return std::sqrt(static_cast<double>(K.get().dim(-1))); }

    // In tiles, never storing the T_q·T_k weights.
    bool fused_gradients(const Tensor& G, Gradients& to) const override {
        const tensor::FusedAttention forward = {Y.value(), row_max.get(), row_sum.get()};
        const tensor::WhichGradients which = {to.needed(0), to.needed(1), to.needed(2)};
        const tensor::AttentionGradients all = tensor::fused_attention_gradients(
            Q.value(), K.value(), V.value(), mask, forward, G, which);
        if (which.Q) to.set(0, Variable(all.Q));
        if (which.K) to.set(1, Variable(all.K));
        if (which.V) to.set(2, Variable(all.V));
        return true;
    }
};
}  // namespace

Variable fused_attention(const Variable& Q, const Variable& K, const Variable& V,
                         const std::optional<Mask>& mask, CallSite site) {
    return record<FusedAttention>({&Q, &K, &V}, site, Q, K, V, mask);
}

}  // namespace HEED_PRECISION
}  // namespace heed
