// AttentionHead: one attention head, with learned projections to queries, keys and values.
#pragma once

#include "../dropout.h"
#include "../linear.h"
#include "attention_layer.h"

namespace heed { inline namespace HEED_PRECISION {

struct HeadOptions {
    bool bias = true;                  // add a bias in the projections? (000 and 004: no; 002: yes)
    std::int64_t d_v = 0;              // size of a value; 0 means d_k
    std::int64_t kdim = 0;             // size of the key source; 0 means d_model
    std::int64_t vdim = 0;             // size of the value source; 0 means d_model
    double dropout = 0;                // probability, applied to the weights in training
    std::optional<double> scale = {};  // of q·k; 1/√d_k if not given
    std::optional<double> soft_cap = {};  // of the scores (ScoreOptions)
    AnyPositions positions = {};          // how the head knows the order of the tokens; optional
};

// Q = X·W^Q, K = X·W^K, V = X·W^V, softmax(Q·Kᵀ/√d_k)·V (note 000, final version). The output is
// [..., T_q, d_v]; there is no output projection.
struct AttentionHead : AttentionLayer {
    // Initializes W_Q, W_K, W_V, in this order, as Linear does. Errors (std::invalid_argument): a
    // size below 1; dropout not in [0, 1); a scale or soft cap that scaled_dot_product_attention
    // would refuse.
    AttentionHead(std::int64_t d_model, std::int64_t d_k, Random& random,
                  const HeadOptions& options = {}, CallSite site = CallSite::here());
    void members(MemberVisitor& visit) override {
        visit("W_Q", W_Q);
        visit("W_K", W_K);
        visit("W_V", W_V);
        visit("dropout", dropout);
        visit("positions", positions);
    }

    Linear W_Q;  // d_model -> d_k
    Linear W_K;  // kdim -> d_k
    Linear W_V;  // vdim -> d_v
    Dropout dropout;
    std::optional<double> scale, soft_cap;

  protected:
    Attention attention(const Variable& query, const Variable& key, const Variable& value,
                        const std::optional<Mask>& mask, NeedWeights need_weights,
                        CallSite site) const override;
};

}}  // namespace heed
