// Judges exercise 08.2.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

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

Exercise attention_class(const AttentionClass& attention);
Trials attention_class_trials();

// For a learner's struct that derives from AttentionParameters.
template <class Attention>
Exercise attention_class() {
    return attention_class(
        {[](std::int64_t num_heads, std::int64_t dim_model, std::int64_t dim_head) {
             return AttentionParameters(Attention(num_heads, dim_model, dim_head));
         },
         [](const AttentionParameters& parameters, const heed::Variable& x) {
             const heed::Variable& W = parameters.W_Q;
             Attention attention(W.dim(0), W.dim(1), W.dim(2));
             static_cast<AttentionParameters&>(attention) = parameters;
             return attention.forward(x);
         }});
}

}  // namespace exercise
