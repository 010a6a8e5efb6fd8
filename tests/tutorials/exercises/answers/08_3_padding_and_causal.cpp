// Answers to 08.3.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_08.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

using namespace heed;
using namespace exercise;

namespace {
// May query i of text b attend to key j?
using Rule =
    std::function<bool(const BoolTensor& padding, std::int64_t b, std::int64_t i, std::int64_t j)>;

Mask by_rule(const BoolTensor& padding, const Rule& allows) {
    const std::int64_t B = padding.dim(0), T = padding.dim(1);
    std::vector<bool> allowed;
    for (std::int64_t b = 0; b < B; ++b) {
        for (std::int64_t i = 0; i < T; ++i) {
            for (std::int64_t j = 0; j < T; ++j) allowed.push_back(allows(padding, b, i, j));
        }
    }
    return Mask::allowing(BoolTensor(allowed, {B, 1, T, T}));
}

bool right_rule(const BoolTensor& padding, std::int64_t b, std::int64_t i, std::int64_t j) {
    return j <= i && !padding(b, j);
}

Mask right_mask(const BoolTensor& padding) { return by_rule(padding, right_rule); }

std::int64_t words_of(const BoolTensor& padding, std::int64_t b) {
    std::int64_t count = 0;
    for (std::int64_t j = 0; j < padding.dim(1); ++j) count += padding(b, j) ? 0 : 1;
    return count;
}

// Rules that are wrong.

bool padding_of_the_query(const BoolTensor& p, std::int64_t b, std::int64_t i, std::int64_t j) {
    return j <= i && !p(b, i);
}

bool padding_of_both(const BoolTensor& p, std::int64_t b, std::int64_t i, std::int64_t j) {
    return j <= i && !p(b, j) && !p(b, i);
}

bool not_itself(const BoolTensor& p, std::int64_t b, std::int64_t i, std::int64_t j) {
    return j < i && !p(b, j);
}

// Wrong with padding at the front.
bool by_counting(const BoolTensor& p, std::int64_t b, std::int64_t i, std::int64_t j) {
    return j <= i && j < words_of(p, b);
}

// Wrong with padding at the end.
bool by_counting_from_the_end(const BoolTensor& p, std::int64_t b, std::int64_t i, std::int64_t j) {
    return j <= i && j >= p.dim(1) - words_of(p, b);
}

bool padding_of_the_first_text(const BoolTensor& p, std::int64_t, std::int64_t i, std::int64_t j) {
    return j <= i && !p(0, j);
}

// So that no row is empty.
bool always_itself(const BoolTensor& p, std::int64_t b, std::int64_t i, std::int64_t j) {
    return j == i || right_rule(p, b, i, j);
}

// So that no row is empty.
bool first_key_for_empty_rows(const BoolTensor& p, std::int64_t b, std::int64_t i, std::int64_t j) {
    for (std::int64_t key = 0; key <= i; ++key) {
        if (!p(b, key)) return right_rule(p, b, i, j);
    }
    return j == 0;
}

// "Their output is not used anyway."
bool padding_sees_all_words(const BoolTensor& p, std::int64_t b, std::int64_t i, std::int64_t j) {
    return p(b, i) ? !p(b, j) : right_rule(p, b, i, j);
}

bool keys_in_the_place_of_queries(const BoolTensor& p, std::int64_t b, std::int64_t i,
                                  std::int64_t j) {
    return right_rule(p, b, j, i);
}

Mask without_the_axis_of_heads(const BoolTensor& padding) {
    const BoolTensor allowed = right_mask(padding).allowed();
    return Mask::allowing(allowed.reshape({padding.dim(0), padding.dim(1), padding.dim(1)}));
}

Mask axis_of_heads_first(const BoolTensor& padding) {
    const BoolTensor allowed = right_mask(padding).allowed();
    return Mask::allowing(allowed.reshape({1, padding.dim(0), padding.dim(1), padding.dim(1)}));
}

// The steps of a correct attention.

Variable scores_of(const Variable& Q, const Variable& K) {
    return matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(K.dim(-1)));
}

WeightsAndOutput weighing(const Variable& scores, const Variable& V) {
    const Variable weights = softmax(scores, -1);
    return {weights, matmul(weights, V)};
}

WeightsAndOutput right_attention(const Variable& Q, const Variable& K, const Variable& V,
                                 const Mask& mask) {
    return weighing(masked_fill(scores_of(Q, K), mask.blocked(), -infinity), V);
}

// Attentions that are wrong.

// A query without a key has the mean of all.
WeightsAndOutput minus_a_billion(const Variable& Q, const Variable& K, const Variable& V,
                                 const Mask& mask) {
    return weighing(masked_fill(scores_of(Q, K), mask.blocked(), -1e9), V);
}

Variable exp_over_sum(const Variable& scores, const Variable& largest) {
    const Variable e = exp(scores - largest);
    return e / sum(e, -1, keepdim);
}

// Numbers without NaN: an empty row becomes 0.
WeightsAndOutput cleaned(const Variable& masked, const Variable& V) {
    const Variable weights = exp_over_sum(masked, max(masked, -1, keepdim).detach());
    const Variable numbers = masked_fill(weights, tensor::is_nan(weights.value()), 0);
    return {numbers, matmul(numbers, V)};
}

// The numbers are right; the NaN of an empty row goes on into the gradients.
WeightsAndOutput added_mask_cleaned(const Variable& Q, const Variable& K, const Variable& V,
                                    const Mask& mask) {
    return cleaned(scores_of(Q, K) + tensor::where(mask.blocked(), -infinity, 0.0), V);
}

// Scores far below 0 count as masked.
WeightsAndOutput maximum_from_0(const Variable& Q, const Variable& K, const Variable& V,
                                const Mask& mask) {
    const Variable masked = masked_fill(scores_of(Q, K), mask.blocked(), -infinity);
    const Variable largest = maximum(max(masked, -1, keepdim), 0).detach();
    const Variable e = exp(masked - largest);
    const Variable total = sum(e, -1, keepdim);
    const Variable weights = e / masked_fill(total, total.value() == 0, 1);
    return {weights, matmul(weights, V)};
}

// A blocked score that is far larger leaves nothing for the others.
WeightsAndOutput masked_after_softmax(const Variable& Q, const Variable& K, const Variable& V,
                                      const Mask& mask) {
    const Variable all = softmax(scores_of(Q, K), -1);
    const Variable kept = masked_fill(all, mask.blocked(), 0);
    const Variable total = sum(kept, -1, keepdim);
    const Variable weights = kept / masked_fill(total, total.value() == 0, 1);
    return {weights, matmul(weights, V)};
}

WeightsAndOutput a_score_of_0_is_masked(const Variable& Q, const Variable& K, const Variable& V,
                                        const Mask& mask) {
    const Variable kept = masked_fill(scores_of(Q, K), mask.blocked(), 0);
    return weighing(masked_fill(kept, kept.value() == 0, -infinity), V);
}

WeightsAndOutput root_of_d_v(const Variable& Q, const Variable& K, const Variable& V,
                             const Mask& mask) {
    const Variable scores = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(V.dim(-1)));
    return weighing(masked_fill(scores, mask.blocked(), -infinity), V);
}

WeightsAndOutput mask_of_the_first_text(const Variable& Q, const Variable& K, const Variable& V,
                                        const Mask& mask) {
    const BoolTensor first = tensor::slice(mask.blocked(), 0, 0, 1);
    return weighing(masked_fill(scores_of(Q, K), first, -infinity), V);
}

WeightsAndOutput only_causal(const Variable& Q, const Variable& K, const Variable& V,
                             const Mask& mask) {
    return right_attention(Q, K, V, Mask::causal(mask.T_k()));
}

// The output of an empty row is 0, its weights are equal.
WeightsAndOutput only_the_output_is_0(const Variable& Q, const Variable& K, const Variable& V,
                                      const Mask& mask) {
    return {minus_a_billion(Q, K, V, mask).weights, right_attention(Q, K, V, mask).output};
}

// The weights of an empty row are 0, its output is the mean.
WeightsAndOutput only_the_weights_are_0(const Variable& Q, const Variable& K, const Variable& V,
                                        const Mask& mask) {
    return {right_attention(Q, K, V, mask).weights, minus_a_billion(Q, K, V, mask).output};
}

WeightsAndOutput weights_without_gradient(const Variable& Q, const Variable& K, const Variable& V,
                                          const Mask& mask) {
    const WeightsAndOutput right = right_attention(Q, K, V, mask);
    return {right.weights.detach(), right.output};
}

WeightsAndOutput keys_without_gradient(const Variable& Q, const Variable& K, const Variable& V,
                                       const Mask& mask) {
    return right_attention(Q, K.detach(), V, mask);
}

WeightsAndOutput queries_scaled_in_place(const Variable& Q, const Variable& K, const Variable& V,
                                         const Mask& mask) {
    const WeightsAndOutput right = right_attention(Q, K, V, mask);
    Tensor place = Q.value();
    tensor::overwrite(place, place / std::sqrt(static_cast<double>(K.dim(-1))));
    return right;
}

// Right numbers; the sum under the fraction counts as a constant.
WeightsAndOutput sum_as_a_constant(const Variable& Q, const Variable& K, const Variable& V,
                                   const Mask& mask) {
    const Variable masked = masked_fill(scores_of(Q, K), mask.blocked(), -infinity);
    const Tensor largest = tensor::max(masked.value(), -1, keepdim);
    const Variable e =
        exp(masked - Variable(tensor::masked_fill(largest, largest == -infinity, 0)));
    const Variable total = sum(e, -1, keepdim).detach();
    const Variable weights = e / masked_fill(total, total.value() == 0, 1);
    return {weights, matmul(weights, V)};
}

// Wrong where an allowed score is lower still.
WeightsAndOutput minus_ten_thousand_then_0(const Variable& Q, const Variable& K, const Variable& V,
                                           const Mask& mask) {
    const Variable weights = softmax(masked_fill(scores_of(Q, K), mask.blocked(), -1e4), -1);
    const Variable kept = masked_fill(weights, mask.blocked(), 0);
    return {kept, matmul(kept, V)};
}

// Overflows where scores are large.
WeightsAndOutput without_a_maximum(const Variable& Q, const Variable& K, const Variable& V,
                                   const Mask& mask) {
    const Variable e = exp(masked_fill(scores_of(Q, K), mask.blocked(), -infinity));
    const Variable total = sum(e, -1, keepdim);
    const Variable weights = e / masked_fill(total, total.value() == 0, 1);
    return {weights, matmul(weights, V)};
}

WeightsAndOutput mask_of_the_first_head(const Variable& Q, const Variable& K, const Variable& V,
                                        const Mask& mask) {
    const BoolTensor first = tensor::slice(mask.blocked(), 1, 0, 1);
    return weighing(masked_fill(scores_of(Q, K), first, -infinity), V);
}

// Wrong where there are more keys than queries.
WeightsAndOutput as_many_keys_as_queries(const Variable& Q, const Variable& K, const Variable& V,
                                         const Mask& mask) {
    const std::int64_t T = Q.dim(2);
    const BoolTensor blocked = tensor::slice(mask.blocked(), 3, 0, T);
    const Variable scores = scores_of(Q, slice(K, 2, 0, T));
    return weighing(masked_fill(scores, blocked, -infinity), slice(V, 2, 0, T));
}

// Right numbers, and no gradient for the values.
WeightsAndOutput values_without_gradient(const Variable& Q, const Variable& K, const Variable& V,
                                         const Mask& mask) {
    return right_attention(Q, K, V.detach(), mask);
}

// Keeps the mask of the first batch of this shape with so much padding.
Mask kept_for_its_count(const BoolTensor& padding) {
    static std::map<std::string, Mask> kept;
    const std::string key = padding.shape().text() + std::to_string(padding.count());
    return kept.try_emplace(key, right_mask(padding)).first->second;
}

bool a_single_word_sees_itself(const BoolTensor& p, std::int64_t b, std::int64_t i,
                               std::int64_t j) {
    return p.dim(1) == 1 || right_rule(p, b, i, j);
}

// Right for three texts.
bool none_after_the_third(const BoolTensor& p, std::int64_t b, std::int64_t i, std::int64_t j) {
    return right_rule(p, std::min<std::int64_t>(b, 2), i, j);
}

// So that an empty sum divides; wrong where the largest score is blocked and the others far below.
WeightsAndOutput a_little_in_the_sum(const Variable& Q, const Variable& K, const Variable& V,
                                     const Mask& mask) {
    const Variable scores = scores_of(Q, K);
    const Tensor largest = tensor::max(scores.value(), -1, keepdim);
    const Variable e = masked_fill(exp(scores - largest), mask.blocked(), 0);
    const Variable weights = e / (sum(e, -1, keepdim) + 1e-9);
    return {weights, matmul(weights, V)};
}

// The contract's least score is taken for one that is never reached.
WeightsAndOutput least_score_then_0(const Variable& Q, const Variable& K, const Variable& V,
                                    const Mask& mask) {
    const Variable filled = softmax(masked_fill(scores_of(Q, K), mask.blocked(), -1e5), -1);
    const Variable weights = masked_fill(filled, mask.blocked(), 0);
    return {weights, matmul(weights, V)};
}

WeightsAndOutput needs_a_column_for_each_key(const Variable& Q, const Variable& K,
                                             const Variable& V, const Mask& mask) {
    if (mask.T_k() != K.dim(2)) throw std::invalid_argument("the mask has other keys");
    return right_attention(Q, K, V, mask);
}

WeightsAndOutput constant_if_all_is_seen(const Variable& Q, const Variable& K, const Variable& V,
                                         const Mask& mask) {
    const WeightsAndOutput right = right_attention(Q, K, V, mask);
    if (!mask.allowed().all()) return right;
    return {right.weights.detach(), right.output};
}

// Right.

// Another key, below all that may be seen and above all that is blocked, so that no row is empty.
WeightsAndOutput with_a_sink(const Variable& Q, const Variable& K, const Variable& V,
                             const Mask& mask) {
    const Variable filled = masked_fill(scores_of(Q, K), mask.blocked(), -1e7);
    const Variable sink(tensor::full({Q.dim(0), Q.dim(1), Q.dim(2), 1}, -1e6));
    const Variable weights = softmax(concatenate({filled, sink}, -1), -1);
    const Variable kept = slice(weights, -1, 0, K.dim(2));
    return {kept, matmul(kept, V)};
}

Mask by_positions(const BoolTensor& padding) {
    const std::int64_t B = padding.dim(0), T = padding.dim(1);
    const Tensor position = tensor::arange(static_cast<double>(T));
    const BoolTensor not_later = position <= tensor::unsqueeze(position, -1);
    return Mask::blocking((!not_later) | padding.reshape({B, 1, 1, T}));
}

// masked_fill passes no gradient on to what it replaced, so no NaN leaves an empty row.
WeightsAndOutput filled_mask_cleaned(const Variable& Q, const Variable& K, const Variable& V,
                                     const Mask& mask) {
    return cleaned(masked_fill(scores_of(Q, K), mask.blocked(), -infinity), V);
}

// Blocked terms of the sums are 0, and an empty sum is replaced by 1.
WeightsAndOutput by_sums(const Variable& Q, const Variable& K, const Variable& V,
                         const Mask& mask) {
    const Variable scores = scores_of(Q, K);
    const Tensor masked = tensor::masked_fill(scores.value(), mask.blocked(), -infinity);
    const Tensor largest = tensor::max(masked, -1, keepdim);
    const Tensor shift = tensor::masked_fill(largest, largest == -infinity, 0);
    const Variable shifted = masked_fill(scores - shift, mask.blocked(), 0);
    const Variable e = masked_fill(exp(shifted), mask.blocked(), 0);
    const Variable total = sum(e, -1, keepdim);
    const Variable safe = masked_fill(total, total.value() == 0, 1);
    return {e / safe, matmul(e, V) / safe};
}

// Wrong with padding between words.
bool trimmed(const BoolTensor& p, std::int64_t b, std::int64_t i, std::int64_t j) {
    bool word_before = false, word_after = false;
    for (std::int64_t n = 0; n <= j; ++n) word_before = word_before || !p(b, n);
    for (std::int64_t n = j; n < p.dim(1); ++n) word_after = word_after || !p(b, n);
    return j <= i && word_before && word_after;
}

// A word that sees nothing is taken for padding, whose value counts for nothing.
WeightsAndOutput blind_words_have_no_value(const Variable& Q, const Variable& K, const Variable& V,
                                           const Mask& mask) {
    const Variable weights = right_attention(Q, K, V, mask).weights;
    if (Q.dim(2) != K.dim(2)) return {weights, matmul(weights, V)};
    const Tensor sees = tensor::to_tensor(tensor::sum(weights.value(), -1, keepdim) > 0.5);
    return {weights, matmul(weights, V * sees)};
}

WeightsAndOutput far_below_then_0(const Variable& Q, const Variable& K, const Variable& V,
                                  const Mask& mask) {
    const Variable scores = scores_of(Q, K);
    const double low = static_cast<double>(tensor::min(scores.value()).item()) - 50;
    const Variable weights = softmax(masked_fill(scores, mask.blocked(), low), -1);
    const Tensor sees = tensor::max(tensor::to_tensor(mask.allowed()), -1, keepdim);
    return {weights * sees, matmul(weights * sees, V)};
}

WeightsAndOutput one_query_loses_its_axis(const Variable& Q, const Variable& K, const Variable& V,
                                          const Mask& mask) {
    WeightsAndOutput result = right_attention(Q, K, V, mask);
    if (Q.dim(2) == 1 && K.dim(2) > 1) result.output = squeeze(result.output, 2);
    return result;
}

Answer masking(const char* what, const MaskOfBatch& by,
               const std::vector<std::string>& names = {}) {
    return {what, [by] { return judge_08_3({by, right_attention}); }, names};
}

Answer ruling(const char* what, const Rule& rule, const std::vector<std::string>& names = {}) {
    return masking(
        what, [rule](const BoolTensor& padding) { return by_rule(padding, rule); }, names);
}

Answer attending(const char* what, const MaskedAttention& by,
                 const std::vector<std::string>& names = {}) {
    return {what, [by] { return judge_08_3({right_mask, by}); }, names};
}

Mask of_the_library(const BoolTensor& padding) {
    const std::int64_t B = padding.dim(0), T = padding.dim(1);
    return Mask::causal(T) & Mask::blocking(padding.reshape({B, 1, 1, T}));
}

WeightsAndOutput zeroed_after_a_finite_fill(const Variable& Q, const Variable& K, const Variable& V,
                                            const Mask& mask) {
    const double root = std::sqrt(static_cast<double>(Q.dim(-1)));
    const Variable low = masked_fill(matmul(Q / root, transpose(K)), mask.blocked(), -1e9);
    const Variable weights = masked_fill(softmax(low, -1), mask.blocked(), 0);
    return {weights, matmul(weights, V)};
}

}  // namespace

Answers answers_08_3() {
    Answers answers;
    answers.number = "08.3";
    answers.slipping = slipping(judge_08_3);
    answers.wrong = {
        ruling("asks whether the query is padding", padding_of_the_query, {"mask.pad-query-axis"}),
        ruling("padding may not attend to words", padding_of_both),
        ruling("no word sees itself", not_itself, {"mask.strict"}),
        ruling("counts words, as if padding were at the end", by_counting),
        ruling("counts words, as if padding were at the front", by_counting_from_the_end),
        ruling("all texts are padded as the first", padding_of_the_first_text, {"mask.first-text"}),
        ruling("padding sees itself", always_itself),
        ruling("a query without a key gets key 0", first_key_for_empty_rows),
        ruling("padding sees the future", padding_sees_all_words),
        ruling("queries and keys exchanged", keys_in_the_place_of_queries, {"mask.transposed"}),
        masking("no axis of heads", without_the_axis_of_heads),
        masking("the axis of heads comes first", axis_of_heads_first),
        attending("-1e9 for -∞", minus_a_billion, {"mask.fill-large"}),
        attending("gradients of an empty row are NaN", added_mask_cleaned),
        attending("the maximum starts at 0", maximum_from_0),
        attending("a score of exactly 0 is masked", a_score_of_0_is_masked, {"mask.zero-score"}),
        attending("√d_v", root_of_d_v),
        attending("the mask of the first text for all", mask_of_the_first_text),
        attending("a causal mask of its own", only_causal),
        attending("weights of an empty row are not 0", only_the_output_is_0),
        attending("the output of an empty row is not 0", only_the_weights_are_0),
        attending("weights without gradient", weights_without_gradient),
        attending("keys get no gradient", keys_without_gradient),
        attending("Q changes", queries_scaled_in_place),
        attending("the sum of the exponentials is detached", sum_as_a_constant,
                  {"sm.detached-sum"}),
        attending("-10000, then 0", minus_ten_thousand_then_0),
        attending("no maximum is subtracted", without_a_maximum),
        attending("the mask of the first head for all", mask_of_the_first_head),
        attending("as many keys as queries", as_many_keys_as_queries),
        attending("values get no gradient", values_without_gradient),
        masking("the mask is kept for shape and count", kept_for_its_count),
        ruling("a single word sees itself, if it is padding too", a_single_word_sees_itself),
        ruling("text 3 has the padding of text 2", none_after_the_third),
        attending("a billionth more in the sum", a_little_in_the_sum),
        attending("-10⁵, then 0", least_score_then_0),
        attending("a mask without an axis of keys is refused", needs_a_column_for_each_key),
        attending("weights are a constant if all is seen", constant_if_all_is_seen),
        ruling("padding is at both ends", trimmed),
        attending("a word that sees nothing has no value", blind_words_have_no_value),
        attending("the least score less 50, then 0", far_below_then_0),
        attending("a single query loses its axis", one_query_loses_its_axis),
    };
    answers.right = {
        masking("by comparing positions", by_positions),
        attending("sums without softmax", by_sums),
        attending("masked after the softmax, and divided again by what is left",
                  masked_after_softmax),
        attending("NaN of an empty row replaced", filled_mask_cleaned),
        attending("a sink for rows that see nothing", with_a_sink),
        {"with the library's masks, zeroed after a finite fill",
         [] {
             return judge_08_3({of_the_library, zeroed_after_a_finite_fill});
         }},
    };
    return answers;
}
