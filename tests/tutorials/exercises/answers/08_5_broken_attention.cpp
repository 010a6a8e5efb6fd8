// Answers to 08.5.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_08.h"

#include "nn/heed.h"

#include <cmath>
#include <limits>

using namespace heed;
using namespace exercise;

namespace {
using Head = HeadOf000;
using Stages = BackwardLooking;

// The steps of the mended program; a wrong one takes another in its place.

double root_of_d_k(const Head& head) { return std::sqrt(static_cast<double>(head.W_k.dim(-1))); }
BoolTensor future(const Variable& X) { return Mask::causal(X.dim(-2)).blocked(); }

Variable products(const Head& head, const Variable& X) {
    return matmul(matmul(X, head.W_q), transpose(matmul(X, head.W_k)));
}

Variable scaled(const Head& head, const Variable& X) {
    return products(head, X) / root_of_d_k(head);
}

Variable masked(const Variable& scores, const Variable& X) {
    return masked_fill(scores, future(X), -infinity);
}

Stages from_weights(const Head& head, const Variable& X, const Variable& scores,
                    const Variable& weights) {
    return {scores, weights, matmul(weights, matmul(X, head.W_v))};
}

Stages from_scores(const Head& head, const Variable& X, const Variable& scores) {
    return from_weights(head, X, scores, softmax(masked(scores, X), -1));
}

Stages mended(const Head& head, const Variable& X) { return from_scores(head, X, scaled(head, X)); }

Variable own_value_only(const Head& head, const Variable& X, const Variable& weights) {
    return sum(weights, -1, keepdim) * matmul(X, head.W_v);
}

// Two faults are mended, one is left.

Stages zero_scores_left(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    return from_weights(head, X, scores, softmax(masked_fill(scores, future(X), 0), -1));
}

Stages columns_left(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    return from_weights(head, X, scores, softmax(masked(scores, X), -2));
}

Stages own_value_left(const Head& head, const Variable& X) {
    Stages s = mended(head, X);
    s.output = own_value_only(head, X, s.weights);
    return s;
}

// Only the mask is mended.
Stages two_faults_left(const Head& head, const Variable& X) {
    Stages s = columns_left(head, X);
    s.output = own_value_only(head, X, s.weights);
    return s;
}

// Mended in a wrong way: the mask.

Stages finite_mask(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    return from_weights(head, X, scores, softmax(masked_fill(scores, future(X), -100), -1));
}

Stages mask_after_softmax(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    const Variable weights = masked_fill(softmax(scores, -1), future(X), 0);
    return from_weights(head, X, scores, weights);
}

Stages word_does_not_see_itself(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    const std::int64_t N = X.dim(-2);
    const BoolTensor not_before = tensor::triu(tensor::ones({N, N})) == 1;
    return from_weights(head, X, scores, softmax(masked_fill(scores, not_before, -infinity), -1));
}

Stages past_is_masked(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    const BoolTensor past = tensor::transpose(future(X));
    return from_weights(head, X, scores, softmax(masked_fill(scores, past, -infinity), -1));
}

// A score of the past that is exactly 0 is lost.
Stages zeros_are_masked(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    const Variable lower = tril(scores);
    const Variable allowed = masked_fill(lower, lower.value() == 0, -infinity);
    return from_weights(head, X, scores, softmax(allowed, -1));
}

// Wrong with leading axes.
Stages length_from_axis_0(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    const BoolTensor later = Mask::causal(X.dim(0)).blocked();
    return from_weights(head, X, scores, softmax(masked_fill(scores, later, -infinity), -1));
}

// Mended in a wrong way: the softmax.

// The last axis of one text, but that of the queries in a batch.
Stages softmax_along_axis_1(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    return from_weights(head, X, scores, softmax(masked(scores, X), 1));
}

Stages softmax_without_a_maximum(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    const Variable e = exp(masked(scores, X));
    return from_weights(head, X, scores, e / sum(e, -1, keepdim));
}

// Mended in a wrong way: the output.

Stages values_of_the_queries(const Head& head, const Variable& X) {
    Stages s = mended(head, X);
    s.output = matmul(transpose(s.weights), matmul(X, head.W_v));
    return s;
}

Stages words_for_values(const Head& head, const Variable& X) {
    Stages s = mended(head, X);
    s.output = matmul(s.weights, X);
    return s;
}

Stages one_text_only(const Head& head, const Variable& X) {
    Stages s = mended(head, X);
    s.output = einsum("ij,jv->iv", s.weights, matmul(X, head.W_v));
    return s;
}

Stages values_of_the_first_text(const Head& head, const Variable& X) {
    Stages s = mended(head, X);
    const Variable V = matmul(X, head.W_v);
    s.output = matmul(s.weights, X.rank() > 2 ? slice(V, 0, 0, 1) : V);
    return s;
}

// All three are mended, and a fault is new.

Stages root_of_d(const Head& head, const Variable& X) {
    return from_scores(head, X, products(head, X) / std::sqrt(static_cast<double>(X.dim(-1))));
}

Stages scores_after_the_mask(const Head& head, const Variable& X) {
    Stages s = mended(head, X);
    s.scores = masked(s.scores, X);
    return s;
}

Stages scores_before_the_scale(const Head& head, const Variable& X) {
    Stages s = mended(head, X);
    s.scores = products(head, X);
    return s;
}

Stages output_without_gradient_of_weights(const Head& head, const Variable& X) {
    Stages s = mended(head, X);
    s.output = matmul(s.weights.detach(), matmul(X, head.W_v));
    return s;
}

Stages keys_without_gradient(const Head& head, const Variable& X) {
    const Head frozen{head.W_q, head.W_k.detach(), head.W_v};
    return mended(frozen, X);
}

Stages values_of_a_constant_X(const Head& head, const Variable& X) {
    Stages s = mended(head, X);
    s.output = matmul(s.weights, matmul(X.detach(), head.W_v));
    return s;
}

Stages detached_sum(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    const Variable kept = masked(scores, X);
    const Variable e = exp(kept - max(kept, -1, keepdim).detach());
    return from_weights(head, X, scores, e / sum(e, -1, keepdim).detach());
}

// The weights that are shown are right, those that are used are not.
Stages output_of_unmasked_weights(const Head& head, const Variable& X) {
    Stages s = mended(head, X);
    s.output = matmul(softmax(s.scores, -1), matmul(X, head.W_v));
    return s;
}

Stages scores_as_a_constant(const Head& head, const Variable& X) {
    Stages s = mended(head, X);
    s.scores = s.scores.detach();
    return s;
}

// Words after the 50th see everything.
Stages mask_of_fifty_words(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    const Tensor position = tensor::arange(static_cast<double>(X.dim(-2)));
    const BoolTensor early = tensor::unsqueeze(position, -1) < 50;
    return from_weights(head, X, scores,
                        softmax(masked_fill(scores, future(X) & early, -infinity), -1));
}

// A large score of the future leaves nothing for the past.
Stages zeroed_and_divided_again(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    const Variable kept = masked_fill(softmax(scores, -1), future(X), 0);
    return from_weights(head, X, scores, kept / (sum(kept, -1, keepdim) + 1e-12));
}

Stages words_normalized_in_place(const Head& head, const Variable& X) {
    const Stages s = mended(head, X);
    Tensor place = X.value();
    tensor::overwrite(place, X.value() / 2);
    return s;
}

// The least score that there may be, for one that is never reached.
Stages least_score(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    return from_weights(head, X, scores, softmax(masked_fill(scores, future(X), -1e5), -1));
}

Stages least_score_then_0(const Head& head, const Variable& X) {
    const Stages s = least_score(head, X);
    return from_weights(head, X, s.scores, masked_fill(s.weights, future(X), 0));
}

// Future scores become lower by this much, whatever they are.
Stages lowered(const Head& head, const Variable& X, double by) {
    const Variable scores = scaled(head, X);
    const Tensor lower = tensor::to_tensor(future(X)) * by;
    return from_weights(head, X, scores, softmax(scores - lower, -1));
}

Stages lowered_by_1e5(const Head& head, const Variable& X) { return lowered(head, X, 1e5); }
Stages lowered_by_2e5(const Head& head, const Variable& X) { return lowered(head, X, 2e5); }

Stages freezes_X(const Head& head, const Variable& X) {
    Variable same = X;
    const Stages s = mended(head, X);
    if (same.requires_grad()) same.set_requires_grad(false);
    return s;
}

// Right.

// Far below every score there may be.
Stages minus_a_billion(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    return from_weights(head, X, scores, softmax(masked_fill(scores, future(X), -1e9), -1));
}

// The weight of a single word is 1, whatever its score.
Stages one_word_as_a_constant(const Head& head, const Variable& X) {
    const Stages s = mended(head, X);
    return X.dim(-2) > 1 ? s : from_weights(head, X, s.scores, s.weights.detach());
}

Stages word_by_word(const Head& head, const Variable& X) {
    const Variable V = matmul(X, head.W_v);
    const Variable scores = scaled(head, X);
    const std::int64_t N = X.dim(-2);
    std::vector<Variable> rows, outputs;
    for (std::int64_t i = 0; i < N; ++i) {
        const Variable row = slice(slice(scores, -2, i, i + 1), -1, 0, i + 1);  // [..., 1, i+1]
        const Variable weights = softmax(row, -1);
        outputs.push_back(matmul(weights, slice(V, -2, 0, i + 1)));
        Dims later(row.shape());
        later.set(later.size() - 1, N - i - 1);
        rows.push_back(concatenate({weights, Variable(tensor::zeros(Shape(later)))}, -1));
    }
    return {scores, concatenate(rows, -2), concatenate(outputs, -2)};
}

// Along columns after all, of the transposed scores.
Stages transposed(const Head& head, const Variable& X) {
    const Variable K = matmul(X, head.W_k);
    const Variable turned = matmul(K, transpose(matmul(X, head.W_q))) / root_of_d_k(head);
    const BoolTensor later = tensor::transpose(future(X));
    const Variable weights = softmax(masked_fill(turned, later, -infinity), -2);
    return {transpose(turned), transpose(weights),
            einsum("...ji,...jv->...iv", weights, matmul(X, head.W_v))};
}

Stages future_far_below(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    const double low = static_cast<double>(tensor::min(scores.value()).item()) - 50;
    return from_weights(head, X, scores, softmax(masked_fill(scores, future(X), low), -1));
}

// min() is the smallest above 0, not the lowest.
Stages smallest_positive(const Head& head, const Variable& X) {
    const Variable scores = scaled(head, X);
    const double low = std::numeric_limits<Scalar>::min();
    return from_weights(head, X, scores, softmax(masked_fill(scores, future(X), low), -1));
}

Answer answer(const char* what, const AttentionOf000& attention,
              const std::vector<std::string>& names = {}) {
    return {what, [attention] { return judge_08_5(attention); }, names};
}

Stages by_log_softmax(const Head& head, const Variable& X) {
    const Variable Q = matmul(X, head.W_q) / root_of_d_k(head);
    const Variable scores = matmul(Q, transpose(matmul(X, head.W_k)));
    const Variable kept = where(!future(X), scores, Variable(tensor::of(-infinity)));
    return from_weights(head, X, scores, exp(log_softmax(kept, -1)));
}

}  // namespace

Answers answers_08_5() {
    Answers answers;
    answers.number = "08.5";
    answers.slipping = slipping(judge_08_5);
    answers.wrong = {
        answer("future scores are still 0", zero_scores_left, {"mask.fill0"}),
        answer("columns still sum to 1", columns_left, {"sm.cols"}),
        answer("each word still gets its own value", own_value_left, {"att.own-value"}),
        answer("only the mask is mended", two_faults_left, {"att.own-value", "sm.cols"}),
        answer("-100 for -∞", finite_mask),
        answer("masked after the softmax", mask_after_softmax, {"mask.after"}),
        answer("a word does not see itself", word_does_not_see_itself, {"mask.strict"}),
        answer("the past is masked", past_is_masked, {"mask.upper"}),
        answer("a score of exactly 0 is masked", zeros_are_masked, {"mask.zero-score"}),
        answer("N is the length of axis 0", length_from_axis_0),
        answer("softmax along axis 1", softmax_along_axis_1),
        answer("softmax without a maximum", softmax_without_a_maximum, {"sm.no-max"}),
        answer("the weights are transposed", values_of_the_queries, {"att.weights-T"}),
        answer("words in the place of values", words_for_values, {"att.x-for-values"}),
        answer("the output of one text only", one_text_only),
        answer("the values of the first text", values_of_the_first_text),
        answer("√d for √d_k", root_of_d, {"att.scale-dmodel"}),
        answer("scores are those after the mask", scores_after_the_mask),
        answer("scores are those before the scale", scores_before_the_scale),
        answer("no gradient through the weights", output_without_gradient_of_weights,
               {"att.detached-weights"}),
        answer("W_k gets no gradient", keys_without_gradient),
        answer("no gradient through the values to X", values_of_a_constant_X),
        answer("the sum of the exponentials is detached", detached_sum, {"sm.detached-sum"}),
        answer("the output of weights without a mask", output_of_unmasked_weights),
        answer("scores are a constant", scores_as_a_constant),
        answer("no mask after the 50th word", mask_of_fifty_words),
        answer("masked after the softmax and divided again", zeroed_and_divided_again),
        answer("X changes", words_normalized_in_place),
        answer("-10⁵ for -∞", least_score),
        answer("-10⁵ for -∞, then 0", least_score_then_0),
        answer("future scores are lowered by 10⁵", lowered_by_1e5),
        answer("future scores are lowered by 2·10⁵", lowered_by_2e5),
        answer("X is frozen", freezes_X),
        answer("the least score less 50 for the future", future_far_below),
        answer("numeric_limits::min() for the future", smallest_positive, {"mask.fill0"}),
    };
    answers.right = {
        answer("word by word", word_by_word),
        answer("all transposed", transposed),
        answer("-1e9 for -∞", minus_a_billion),
        answer("the weight of a single word is a constant", one_word_as_a_constant),
        answer("the exponential of log_softmax, queries scaled", by_log_softmax),
    };
    return answers;
}
