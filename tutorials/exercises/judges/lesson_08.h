// What the exercises of lesson 08 ask for.
#pragma once

#include "autograd/variable.h"
#include "tensor/mask.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>

namespace exercise {

// scores [..., T, T] -> the same with -∞ where a query may not attend
using ApplyCausalMask = std::function<heed::Variable(const heed::Variable& scores)>;
extern const Judge<ApplyCausalMask> judge_08_1;

// The members of note 003's Attention.
struct AttentionParameters {
    heed::Variable W_Q, W_K, W_V;  // [num_heads, dim_model, dim_head]
    heed::Variable W_O;            // [num_heads, dim_head, dim_model]
    heed::Variable b_Q, b_K, b_V;  // [num_heads, dim_head]
    heed::Variable b_O;            // [dim_model]
};

// The intermediate results of its forward.
struct AttentionStages {
    heed::Variable q, k, v;             // [batch, posn, num_heads, dim_head]
    heed::Variable attn_scores;         // [batch, num_heads, posn_Q, posn_K], not yet scaled
    heed::Variable attn_scores_masked;  // the same shape; scaled, and -∞ for the future
    heed::Variable attn_pattern;        // the same shape; each row sums to 1
    heed::Variable z;                   // [batch, posn_Q, num_heads, dim_head]
    heed::Variable attn_out;            // [batch, posn_Q, dim_model]
};

struct AttentionClass {
    std::function<AttentionParameters(std::int64_t num_heads, std::int64_t dim_model,
                                      std::int64_t dim_head)>
        construct;
    std::function<AttentionStages(const AttentionParameters&, const heed::Variable& x)> forward;
};
// Of a learner's struct that derives from AttentionParameters.
template <class Attention>
AttentionClass attention_class() {
    return {[](std::int64_t num_heads, std::int64_t dim_model, std::int64_t dim_head) {
                return AttentionParameters(Attention(num_heads, dim_model, dim_head));
            },
            [](const AttentionParameters& parameters, const heed::Variable& x) {
                const heed::Variable& W = parameters.W_Q;
                Attention attention(W.dim(0), W.dim(1), W.dim(2));
                static_cast<AttentionParameters&>(attention) = parameters;
                return attention.forward(x);
            }};
}
extern const Judge<AttentionClass> judge_08_2;

struct WeightsAndOutput {
    heed::Variable weights;  // [B, h, T_q, T_k]
    heed::Variable output;   // [B, h, T_q, d_v]
};
// is_padding [B, T] -> [B, 1, T, T]
using MaskOfBatch = std::function<heed::Mask(const heed::BoolTensor& is_padding)>;
// Q [B, h, T_q, d_k], K [B, h, T_k, d_k], V [B, h, T_k, d_v]; the mask broadcasts to
// [B, h, T_q, T_k]
using MaskedAttention = std::function<WeightsAndOutput(
    const heed::Variable& Q, const heed::Variable& K, const heed::Variable& V, const heed::Mask&)>;
struct PaddingAndCausal {
    MaskOfBatch mask_of_batch;
    MaskedAttention attention;
};
extern const Judge<PaddingAndCausal> judge_08_3;

// All three [texts, words, d]
struct Texts {
    heed::Tensor Q, K, V;
};
using CatchingTexts = std::function<Texts()>;
extern const Judge<CatchingTexts> judge_08_4;

// The members of note 000's AttentionHead; y = x·W.
struct HeadOf000 {
    heed::Variable W_q, W_k;  // [d, d_k]
    heed::Variable W_v;       // [d, d_v]
};

struct BackwardLooking {
    heed::Variable scores;   // [..., N, N], scaled, before the mask
    heed::Variable weights;  // [..., N, N]
    heed::Variable output;   // [..., N, d_v]
};

// X [..., N, d]
using AttentionOf000 = std::function<BackwardLooking(const HeadOf000&, const heed::Variable& X)>;
extern const Judge<AttentionOf000> judge_08_5;

}  // namespace exercise
