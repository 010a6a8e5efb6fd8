// The common steps of the masked-attention walks: each with its possible slips, and the
// descriptions of these.
#pragma once

#include "autograd/variable.h"
#include "tensor/bool_tensor.h"
#include "tutorials/exercises/judging/mistake.h"

#include <string>
#include <vector>

namespace exercise::masked_walk {

// Q·Kᵀ [..., T_q, T_k]: att.kq, att.keys-from-queries, att.q-from-keys, att.keys-from-values
heed::Variable products(const heed::Variable& Q, const heed::Variable& K, const heed::Variable& V,
                        const Slips& slip);
std::vector<Mistake> product_mistakes();

// The factor applied to the scores, 1/√d_k: att.no-scale, att.scale-*, att.int-div
double scale(std::int64_t d_k, std::int64_t T_k, std::int64_t d_model, const Slips& slip);
std::vector<Mistake> scale_mistakes();

// The entries a causal mask blocks, [T, T]: mask.absent, mask.upper, mask.strict, mask.plus1
heed::BoolTensor causal_blocked(std::int64_t T, const Slips& slip);
std::vector<Mistake> triangle_mistakes();

// -∞ where blocked: mask.fill*, mask.mul-inf, mask.one-head, mask.zero-score;
// mask.after* are applied to the weights.
heed::Variable masked(const heed::Variable& scores, const heed::BoolTensor& blocked,
                      const Slips& slip);
std::vector<Mistake> fill_mistakes();
// Of scores that are exactly 0, where some are.
std::vector<Mistake> zero_score_mistakes();
// Softmax over the keys, with sm.*; then mask.after* and att.scale-after.
heed::Variable masked_weights(const heed::Variable& scores, const heed::BoolTensor& blocked,
                              std::int64_t d_k, const Slips& slip);
std::vector<Mistake> softmax_mistakes();

// The weighted sums of the values: att.values-from-keys, att.weights-T, att.detached-weights
heed::Variable context(const heed::Variable& weights, const heed::Variable& K,
                       const heed::Variable& V, const Slips& slip);
std::vector<Mistake> context_mistakes();
// Right numbers, wrong gradients: sm.detached-sum, att.detached-weights
std::vector<Mistake> gradient_mistakes();

// All outputs as one, so that one backward pass gives the gradients of all; 0 for -∞.
heed::Variable side_by_side(const std::vector<heed::Variable>& outputs);

std::vector<Mistake> joined(std::initializer_list<std::vector<Mistake>> lists);
// The mistakes of `list` except those with these ids.
std::vector<Mistake> without(const std::vector<Mistake>& list,
                             std::initializer_list<std::string> ids);

// For laws: the rows (last axis but one) before `row`, in all batches; and another last row.
heed::Tensor rows_before(const heed::Tensor& x, std::int64_t row);
heed::Tensor with_other_last_row(const heed::Tensor& x);
// Equal up to rounding: a right answer may subtract another maximum or sum in another order.
bool but_for_rounding(const heed::Tensor& a, const heed::Tensor& b);
// Does each row of the weights sum to 1, or to 0? Returns a law's finding.
std::string sums_finding(const heed::Tensor& weights);
// Is each weight exactly 0 that `blocked`, which broadcasts to them, forbids? A law's finding. What
// is merely small would be felt where a blocked value is huge.
std::string leak_finding(const heed::Tensor& weights, const heed::BoolTensor& blocked);

}  // namespace exercise::masked_walk
