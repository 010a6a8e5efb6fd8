// The walk through attention, with a slip at each error-prone step, for all exercises that judge
// it; the descriptions of the slips; and what is looked for in its weights.
#pragma once

#include "autograd/variable.h"
#include "tensor/bool_tensor.h"
#include "tutorials/exercises/judging/mistake.h"

#include <cstdint>
#include <string>
#include <vector>

namespace exercise {

struct QueriesKeysValues {
    heed::Variable Q;  // [..., T_q, d_k]
    heed::Variable K;  // [..., T_k, d_k]
    heed::Variable V;  // [..., T_k, d_v]
};

// How they meet.
struct Attending {
    bool scaled = true;
    // 0 where there is no model, but Q, K and V alone. There att.int-div cuts 1/√d_k to a whole
    // number, and else 1/d_k; and the exponentials of sm.all are of unshifted scores.
    std::int64_t d_model = 0;
    // Broadcasts to the scores; if it has no entries, nothing is masked.
    heed::BoolTensor blocked = {};
};

struct Attended {
    heed::Variable products;  // [..., T_q, T_k]
    heed::Variable scores;    // scaled
    heed::Variable masked;    // -∞ where blocked
    heed::Variable weights;   // [..., T_q, T_k]
    heed::Variable output;    // [..., T_q, d_v]
};

Attended attention(const QueriesKeysValues& in, const Attending& how, const Slips& slip);

// Its steps. The factor applied to the products, 1/√d_k: att.no-scale, att.scale-*, att.int-*
double scale(const QueriesKeysValues& in, const Attending& how, const Slips& slip);
// -∞ where blocked: mask.fill*, mask.mul-inf, mask.one-head, mask.zero-score
heed::Variable masked(const heed::Variable& scores, const heed::BoolTensor& blocked,
                      const Slips& slip);
// Softmax over the keys: sm.*, mha.softmax-heads, mask.empty-nan
heed::Variable weights_of(const heed::Variable& scores, const Attending& how, const Slips& slip);
// The entries a causal mask blocks, [T, T]: mask.absent, mask.upper, mask.strict, mask.plus1
heed::BoolTensor causal_blocked(std::int64_t T, const Slips& slip);

std::vector<Mistake> product_mistakes();
std::vector<Mistake> scale_mistakes();
std::vector<Mistake> triangle_mistakes();
std::vector<Mistake> fill_mistakes();
std::vector<Mistake> zero_score_mistakes();  // of scores that are exactly 0, where some are
std::vector<Mistake> softmax_mistakes();
std::vector<Mistake> context_mistakes();
// Right numbers, wrong gradients: sm.detached-sum, sm.detached-sum-only, att.detached-weights
std::vector<Mistake> gradient_mistakes();
// The mistakes of `list` except those with these ids.
std::vector<Mistake> without(const std::vector<Mistake>& list, const std::vector<std::string>& ids);

// A variable that needs a gradient.
heed::Variable leaf(const heed::Tensor& numbers);
// Which words of a batch are padding, [texts, words]: a string for each text, "xx..x" with dots for
// padding.
heed::BoolTensor padding(const std::vector<std::string>& texts);

// All outputs as one, so that one backward pass gives the gradients of all; 0 for -∞.
heed::Variable side_by_side(const std::vector<heed::Variable>& outputs);

// For laws: the rows (last axis but one) before `row`, in all batches; and another last row.
heed::Tensor rows_before(const heed::Tensor& x, std::int64_t row);
heed::Tensor with_other_last_row(const heed::Tensor& x);
// Does each row of the weights sum to 1, or to 0? Returns a law's finding.
std::string sums_finding(const heed::Tensor& weights);
// Is each weight exactly 0 that `blocked`, which broadcasts to them, forbids? A law's finding. What
// is merely small would be felt where a blocked value is huge.
std::string leak_finding(const heed::Tensor& weights, const heed::BoolTensor& blocked);

}  // namespace exercise
