#include "attention.h"

#include "../../tensor/kernels/attention.h"
#include "../../tensor/ops/choose.h"
#include "../../tensor/ops/compare.h"
#include "../../tensor/ops/functions.h"
#include "../record.h"
#include "arithmetic.h"
#include "choose.h"
#include "functions.h"
#include "matmul.h"
#include "reduce.h"
#include "softmax.h"
#include "views.h"

namespace heed { inline namespace HEED_PRECISION {
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

// O = W·V with W = softmax(S), S = Q·Kᵀ/√d_k, capped and with a bias if given     G = ∂L/∂O
struct FusedAttention final : OperationKeepingOutput {
    Saved Q, K, V, bias;
    bool has_bias;
    std::optional<Mask> mask;
    tensor::ScoreOptions options;  // except the bias
    double divisor;                // √d_k
    ByProduct row_max, row_sum;    // [..., T_q], of each query's scores

    FusedAttention(const Variable& q, const Variable& k, const Variable& v,
                   const std::optional<Mask>& given_mask, const ScoreOptions& changes)
        : Q(q), K(k), V(v), bias(changes.bias.value_or(Variable()), changes.bias.has_value()),
          has_bias(changes.bias.has_value()),
          mask(given_mask), options{.scale = changes.scale, .soft_cap = changes.soft_cap},
          divisor(tensor::divisor_of(changes.scale, q.dim(-1))) {}
    const char* name() const override { return "fused_attention"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        tensor::ScoreOptions with_bias = options;
        if (has_bias) with_bias.bias = in[3];
        const tensor::FusedAttention found =
            tensor::fused_attention(in[0], in[1], in[2], mask, with_bias, site);
        row_max.keep(found.row_max);
        row_sum.keep(found.row_sum);
        return found.output;
    }

    Variable gradient(int input, const Variable& G) const override {
        const Variable W = weights();                    // [..., T_q, T_k]
        if (input == 2) return matmul(transpose(W), G);  // ∂L/∂V = Wᵀ·G
        const Variable dS = for_scores(W, G);            // [..., T_q, T_k]
        if (input == 3) return dS;                       // ∂L/∂bias = ∂L/∂S
        const Variable dP = for_products(dS);            // [..., T_q, T_k]
        if (input == 0) return matmul(dP, K);            // ∂L/∂Q = ∂L/∂S·K/√d_k
        return matmul(transpose(dP), Q);                 // ∂L/∂K = (∂L/∂S)ᵀ·Q/√d_k
    }

    // ∂L/∂S = W ⊙ (∂L/∂W − Σ ∂L/∂W ⊙ W) with ∂L/∂W = G·Vᵀ
    Variable for_scores(const Variable& W, const Variable& G) const {
        const Variable dW = matmul(G, transpose(V));
        const Variable dS = W * (dW - mean_of(dW, W, G));
        return mask ? masked_fill(dS, mask->blocked(), 0) : dS;
    }

    // ∂L/∂S/√d_k; where the score is c·t with t = tanh(Q·Kᵀ/√d_k/c), also times 1 − t²
    Variable for_products(const Variable& dS) const {
        if (!options.soft_cap) return dS / divisor;
        const double c = *options.soft_cap;
        const Variable t = tanh(matmul(Q, transpose(K)) / divisor / c);
        return dS * c * (1 - t * t) / c / divisor;
    }

    // With more than one tile of keys, sums taken tile by tile differ in the last bits from those
    // of softmax and sum. The formula then computes W from the row_max and row_sum of the forward
    // pass, and Σ ∂L/∂W ⊙ W as Σ G ⊙ O.
    bool in_one_tile() const { return K.get().dim(-2) <= kernels::key_tile; }

    Variable weights() const {
        const Variable quotients = matmul(Q, transpose(K)) / divisor;
        const Variable scores = changed_scores(quotients, changes());
        const Variable S = mask ? masked_fill(scores, mask->blocked(), -infinity) : scores;
        if (in_one_tile()) return softmax(S, -1);
        const Tensor maximum = tensor::unsqueeze(row_max.get(), -1);
        const Tensor total = tensor::unsqueeze(row_sum.get(), -1);
        return record<SoftmaxOfKnownSums>({&S}, CallSite::here(), maximum, total);
    }

    ScoreOptions changes() const {
        ScoreOptions all = {.soft_cap = options.soft_cap};
        if (has_bias) all.bias = bias.get();
        return all;
    }

    Variable mean_of(const Variable& dW, const Variable& W, const Variable& G) const {
        const Variable O = Y;
        return in_one_tile() ? sum(dW * W, -1, keepdim) : sum(G * O, -1, keepdim);
    }

    // In tiles, never storing the T_q·T_k weights.
    bool fused_gradients(const Tensor& G, Gradients& to) const override {
        const tensor::FusedAttention forward = {Y.value(), row_max.get(), row_sum.get()};
        const tensor::WhichGradients which = {to.needed(0), to.needed(1), to.needed(2),
                                              has_bias && to.needed(3)};
        tensor::ScoreOptions with_bias = options;
        if (has_bias) with_bias.bias = bias.value();
        const tensor::AttentionGradients all = tensor::fused_attention_gradients(
            Q.value(), K.value(), V.value(), mask, forward, G, which, with_bias);
        if (which.Q) to.set(0, all.Q);
        if (which.K) to.set(1, all.K);
        if (which.V) to.set(2, all.V);
        if (which.bias) to.set(3, all.bias);
        return true;
    }
};
}  // namespace

Variable changed_scores(const Variable& quotients, const ScoreOptions& changes, CallSite site) {
    Variable scores = quotients;
    if (changes.soft_cap) {
        const double c = *changes.soft_cap;
        scores = tanh(scores / c, site) * c;
    }
    if (changes.bias) scores = add(scores, *changes.bias, site);
    return scores;
}

Variable fused_attention(const Variable& Q, const Variable& K, const Variable& V,
                         const std::optional<Mask>& mask, const ScoreOptions& changes,
                         CallSite site) {
    if (!changes.bias) {
        return record<FusedAttention>({&Q, &K, &V}, site, Q, K, V, mask, changes);
    }
    return record<FusedAttention>({&Q, &K, &V, &*changes.bias}, site, Q, K, V, mask, changes);
}

}}  // namespace heed
