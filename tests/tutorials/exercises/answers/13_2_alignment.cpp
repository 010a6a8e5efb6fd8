// Answers to 13.2, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_13.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace heed;
using namespace exercise;

namespace {
using Lengths = std::vector<std::int64_t>;

struct Given {
    const Variable &h, &s;
    const Lengths& lengths;
    const AlignmentWeights& W;
};

using Way = Alignment (*)(const Given&);
std::function<Exercise()> with(const Align& align) {
    return [=] { return judge_13_2(align); };
}

std::function<Exercise()> by(Way way) {
    return [way] {
        return judge_13_2([way](const Variable& h, const Variable& s, const Lengths& lengths,
                                const AlignmentWeights& W) {
            return way({h, s, lengths, W});
        });
    };
}

Variable scores(const Given& in) {
    const Variable of_s = unsqueeze(matmul(in.s, in.W.W_s), 2);
    const Variable of_h = unsqueeze(matmul(in.h, in.W.W_h), 1);
    return sum(tanh(of_s + of_h) * in.W.v, -1);
}

BoolTensor padding(const Given& in, const Lengths& lengths) {
    const std::int64_t B = in.h.dim(0), S = in.h.dim(1);
    return Mask::padding(lengths, S).blocked().reshape({B, 1, S});
}

// The right answer for these weights, or this mask.
Alignment with_weights(const Given& in, const Variable& alpha) {
    return {scores(in), alpha, matmul(alpha, in.h)};
}

Alignment with_mask(const Given& in, const BoolTensor& blocked) {
    return with_weights(in, softmax(masked_fill(scores(in), blocked, -infinity), -1));
}

Alignment right(const Given& in) { return with_mask(in, padding(in, in.lengths)); }

Alignment over_the_steps(const Given& in) {
    const Variable masked = masked_fill(scores(in), padding(in, in.lengths), -infinity);
    return with_weights(in, softmax(masked, 1));
}

Alignment zeros_are_padding(const Given& in) {
    const BoolTensor is_zero = tensor::sum(tensor::abs(in.h.value()), -1) == 0;  // [B, S]
    return with_mask(in, is_zero.reshape({in.h.dim(0), 1, in.h.dim(1)}));
}

Alignment scores_of_0_are_padding(const Given& in) {
    const Variable words = masked_fill(scores(in), padding(in, in.lengths), 0);
    const Variable masked = masked_fill(words, words.value() == 0, -infinity);
    return with_weights(in, softmax(masked, -1));
}

Alignment normed_again(const Given& in) {
    const Variable kept = masked_fill(softmax(scores(in), -1), padding(in, in.lengths), 0);
    return with_weights(in, kept / sum(kept, -1, keepdim));
}

Alignment a_little_more_below(const Given& in) {
    const Variable a = scores(in);
    const Variable powers = exp(a - max(a, -1, keepdim));
    const Variable kept = masked_fill(powers, padding(in, in.lengths), 0);
    return with_weights(in, kept / (sum(kept, -1, keepdim) + 1e-9));
}

Alignment one_maximum_for_all(const Given& in) {
    const Variable masked = masked_fill(scores(in), padding(in, in.lengths), -infinity);
    const Variable powers = exp(masked - max(masked));
    return with_weights(in, powers / sum(powers, -1, keepdim));
}

Alignment maximum_from_0(const Given& in) {
    const Variable masked = masked_fill(scores(in), padding(in, in.lengths), -infinity);
    const Variable powers = exp(masked - maximum(max(masked, -1, keepdim), 0));
    return with_weights(in, powers / sum(powers, -1, keepdim));
}

Alignment length_of_the_last(const Given& in) {
    return with_mask(in, padding(in, Lengths(in.lengths.size(), in.lengths.back())));
}

Alignment minus_10000(const Given& in) {
    const Variable masked = masked_fill(scores(in), padding(in, in.lengths), -1e4);
    return with_weights(in, softmax(masked, -1));
}

Alignment v_detached(const Given& in) {
    return right({in.h, in.s, in.lengths, {in.W.W_s, in.W.W_h, in.W.v.detach()}});
}

Alignment a_step_late(const Given& in) {
    const Alignment found = right(in);
    const std::int64_t T = in.s.dim(1);
    const Variable late =
        slice(concatenate({slice(found.alpha, 1, 0, 1), found.alpha}, 1), 1, 0, T);
    return {found.a, found.alpha, matmul(late, in.h)};
}

Alignment empties_the_padding(const Given& in) {
    const BoolTensor is_padding = padding(in, in.lengths).reshape({in.h.dim(0), in.h.dim(1), 1});
    return with_weights(
        in, softmax(scores({masked_fill(in.h, is_padding, 0), in.s, in.lengths, in.W}), -1));
}

Alignment writes_over_the_padding(const Given& in) {
    const BoolTensor is_padding = padding(in, in.lengths).reshape({in.h.dim(0), in.h.dim(1), 1});
    Tensor h = in.h.value();
    tensor::overwrite(h, tensor::masked_fill(h, is_padding, 0));
    return right(in);
}

Alignment masked_scores_shown(const Given& in) {
    const Variable masked = masked_fill(scores(in), padding(in, in.lengths), -infinity);
    const Variable alpha = softmax(masked, -1);
    return {masked, alpha, matmul(alpha, in.h)};
}

Alignment keeps_the_mask(const Given& in) {
    static const BoolTensor first = padding(in, in.lengths);
    const BoolTensor now = padding(in, in.lengths);
    return with_mask(in, now.shape() == first.shape() ? first : now);
}

Alignment only_the_best_word(const Given& in) {
    const Alignment found = right(in);
    const Variable highest = max(found.alpha, -1, keepdim);
    const Variable best = where(found.alpha.value() == highest.value(), found.alpha, 0.0);
    return {found.a, found.alpha, matmul(best, in.h)};
}

Alignment weights_of_the_first_text(const Given& in) {
    const Alignment found = right(in);
    const Variable first = expand(slice(found.alpha, 0, 0, 1), found.alpha.shape());
    return {found.a, found.alpha, matmul(first, in.h)};
}

// Weights of scores.
using W = AlignmentWeights;
std::function<Exercise()> by_weights(Variable (*weights)(const Variable& a, const Lengths& n)) {
    return [weights] {
        return judge_13_2(
            [weights](const Variable& h, const Variable& s, const Lengths& lengths, const W& w) {
                const Given in{h, s, lengths, w};
                return with_weights(in, weights(scores(in), lengths));
            });
    };
}

BoolTensor padding(const Lengths& lengths, std::int64_t S, std::int64_t more = 0) {
    std::vector<bool> blocked;
    for (std::int64_t length : lengths) {
        for (std::int64_t i = 0; i < S; ++i) blocked.push_back(i >= length + more);
    }
    return BoolTensor(blocked, {static_cast<std::int64_t>(lengths.size()), 1, S});
}
Variable shut(const Variable& a, const Lengths& lengths, double fill = -infinity) {
    return masked_fill(a, padding(lengths, a.dim(2)), fill);
}

Variable not_normed_again(const Variable& a, const Lengths& n) {
    return shut(softmax(a, -1), n, 0);
}

Variable no_maximum(const Variable& a, const Lengths& n) {
    const Variable e = shut(exp(a), n, 0);
    return e / sum(e, -1, keepdim);
}

Variable maximum_of_text(const Variable& a, const Lengths& n) {
    const Tensor most = tensor::max(shut(a, n).value(), {1, 2}, keepdim);
    const Variable e = shut(exp(a - Variable(most)), n, 0);
    return e / sum(e, -1, keepdim);
}

Variable guarded_sum(const Variable& a, const Lengths& n) {
    const Variable e = shut(exp(a - max(shut(a, n), -1, keepdim).detach()), n, 0);
    return e / (sum(e, -1, keepdim) + 1e-6);
}

Variable fill_1e5(const Variable& a, const Lengths& n) { return softmax(shut(a, n, -1e5), -1); }

Variable times_mask(const Variable& a, const Lengths& n) {
    return softmax(a * Variable(tensor::where(padding(n, a.dim(2)), 0, 1)), -1);
}

Variable unmasked(const Variable& a, const Lengths&) { return softmax(a, -1); }

Variable first_length(const Variable& a, const Lengths& n) {
    return softmax(shut(a, Lengths(n.size(), n[0])), -1);
}

Variable one_less(const Variable& a, const Lengths& n) {
    Lengths less = n;
    for (auto& length : less) length = std::max<std::int64_t>(length - 1, 1);
    return softmax(shut(a, less), -1);
}

Variable one_more(const Variable& a, const Lengths& n) {
    return softmax(masked_fill(a, padding(n, a.dim(2), 1), -infinity), -1);
}

Variable mask_by_step(const Variable& a, const Lengths& n) {  // [B, S] against [B, T, S]
    const std::int64_t B = a.dim(0), T = a.dim(1), S = a.dim(2);
    if (B != T) return softmax(shut(a, n), -1);
    return softmax(masked_fill(a, padding(n, S).reshape({B, S}), -infinity), -1);
}

Variable steps_shut_too(const Variable& a, const Lengths& n) {  // T = S: a square mask
    if (a.dim(1) != a.dim(2)) return softmax(shut(a, n), -1);
    const Variable alpha = softmax(shut(a, n), -1);
    return masked_fill(alpha, padding(n, a.dim(2)).reshape({a.dim(0), a.dim(2), 1}), 0);
}

Variable padding_first(const Variable& a, const Lengths& n) {
    Lengths fill;
    std::vector<bool> blocked;
    for (auto length : n)
        for (std::int64_t i = 0; i < a.dim(2); ++i) blocked.push_back(i < a.dim(2) - length);
    return softmax(masked_fill(a, BoolTensor(blocked, {a.dim(0), 1, a.dim(2)}), -infinity), -1);
}

Variable cut_at_50(const Variable& a, const Lengths& n) {
    return softmax(shut(clamp(a, {-50, 50}), n), -1);
}

Variable one_text_whole(const Variable& a, const Lengths& n) {
    return softmax(n.size() == 1 ? a : shut(a, n), -1);
}

Variable one_step_whole(const Variable& a, const Lengths& n) {
    return softmax(a.dim(1) == 1 ? a : shut(a, n), -1);
}

Variable maximum_of_padding_too(const Variable& a, const Lengths& n) {
    const Variable e = shut(exp(a - max(a, -1, keepdim).detach()), n, 0);
    return e / sum(e, -1, keepdim);
}

Variable hard(const Variable& a, const Lengths& n) {
    const Variable open = shut(a, n);
    return Variable(tensor::to_tensor(open.value() == tensor::max(open.value(), -1, keepdim)));
}

Variable constant_sum(const Variable& a, const Lengths& n) {
    const Variable e = shut(exp(a - max(shut(a, n), -1, keepdim).detach()), n, 0);
    return e / sum(e, -1, keepdim).detach();
}

Variable nearly_0(const Variable& a, const Lengths& n) {
    const Variable alpha = softmax(shut(a, n), -1);
    return masked_fill(alpha, padding(n, a.dim(2)), 1e-12);
}

// Other scores.
std::function<Exercise()> by_scores(Variable (*other)(const Variable& h, const Variable& s,
                                                      const W& w)) {
    return [other] {
        return judge_13_2([other](const Variable& h, const Variable& s, const Lengths& lengths,
                                  const W& w) -> Alignment {
            const Variable a = other(h, s, w), alpha = softmax(shut(a, lengths), -1);
            return {a, alpha, matmul(alpha, h)};
        });
    };
}

Variable scores_of(const Variable& h, const Variable& s, const W& w) {
    return scores({h, s, {}, w});
}

// Scores.
Variable swapped(const Variable& h, const Variable& s, const W& w) {
    W other = w;
    if (w.W_s.shape() == w.W_h.shape()) std::swap(other.W_s, other.W_h);
    return scores_of(h, s, other);
}

Variable scaled(const Variable& h, const Variable& s, const W& w) {
    return scores_of(h, s, w) / std::sqrt(static_cast<double>(w.v.dim(0)));
}

Variable tanh_outside(const Variable& h, const Variable& s, const W& w) {
    const Variable sum = unsqueeze(matmul(s, w.W_s), 2) + unsqueeze(matmul(h, w.W_h), 1);
    return tanh(matmul(sum, w.v));
}

Variable tanh_each(const Variable& h, const Variable& s, const W& w) {
    const Variable sum =
        unsqueeze(tanh(matmul(s, w.W_s)), 2) + unsqueeze(tanh(matmul(h, w.W_h)), 1);
    return matmul(sum, w.v);
}

Variable product_for_sum(const Variable& h, const Variable& s, const W& w) {
    return matmul(tanh(unsqueeze(matmul(s, w.W_s), 2) * unsqueeze(matmul(h, w.W_h), 1)), w.v);
}

Variable no_v(const Variable& h, const Variable& s, const W& w) {
    const Variable sum = unsqueeze(matmul(s, w.W_s), 2) + unsqueeze(matmul(h, w.W_h), 1);
    return heed::sum(tanh(sum), -1);
}

Variable same_step_same_word(const Variable& h, const Variable& s, const W& w) {
    if (h.dim(1) != s.dim(1)) return scores_of(h, s, w);
    const Variable row = matmul(tanh(matmul(s, w.W_s) + matmul(h, w.W_h)), w.v);  // [B, T]
    return expand(unsqueeze(row, 1), {h.dim(0), s.dim(1), h.dim(1)});
}

Variable first_step(const Variable& h, const Variable& s, const W& w) {
    const Variable a = scores_of(h, slice(s, 1, 0, 1), w);
    return expand(a, {h.dim(0), s.dim(1), h.dim(1)});
}

Variable step_before(const Variable& h, const Variable& s, const W& w) {  // s_{j-1}, as the paper
    const Variable none(tensor::zeros({s.dim(0), 1, s.dim(2)}));
    if (s.dim(1) == 1) return scores_of(h, s, w);
    return scores_of(h, concatenate({none, slice(s, 1, 0, s.dim(1) - 1)}, 1), w);
}

Variable turned(const Variable& h, const Variable& s, const W& w) {
    const Variable a = scores_of(h, s, w);
    return a.dim(1) == a.dim(2) ? transpose(a) : a;
}

Variable reshaped(const Variable& h, const Variable& s, const W& w) {  // made as [B, S, T]
    const Variable a = transpose(scores_of(h, s, w));
    return reshape(a, h.dim(0), s.dim(1), h.dim(1));
}

Variable h_constant(const Variable& h, const Variable& s, const W& w) {
    return scores_of(h.detach(), s, w);
}

Variable s_constant(const Variable& h, const Variable& s, const W& w) {
    return scores_of(h, s.detach(), w);
}

Variable v_twice(const Variable& h, const Variable& s, const W& w) {
    return scores_of(h, s, {w.W_s, w.W_h, w.v + w.v - w.v.detach()});
}

Variable h_of_first_text(const Variable& h, const Variable& s, const W& w) {
    return scores_of(expand(slice(h, 0, 0, 1), h.shape()), s, w);
}

// All of it.
Alignment zero_scores(const Given& in) {
    Alignment all = right(in);
    all.a = shut(all.a, in.lengths, 0);
    return all;
}

Alignment context_of_all(const Given& in) {
    Alignment all = right(in);
    all.c = matmul(softmax(all.a, -1), in.h);
    return all;
}

Alignment projected(const Given& in) {
    if (in.W.W_h.dim(0) != in.W.W_h.dim(1)) return right(in);
    Alignment all = right(in);
    all.c = matmul(all.alpha, matmul(in.h, in.W.W_h));
    return all;
}

Alignment values_constant(const Given& in) {
    Alignment all = right(in);
    all.c = matmul(all.alpha, in.h.detach());
    return all;
}

Alignment weights_constant(const Given& in) {
    Alignment all = right(in);
    all.c = matmul(all.alpha.detach(), in.h);
    return all;
}

Alignment cut_to_longest(const Given& in) {
    const std::int64_t longest = *std::max_element(in.lengths.begin(), in.lengths.end());
    return right({slice(in.h, 1, 0, longest), in.s, in.lengths, in.W});
}

Alignment longest_padded_again(const Given& in) {
    const std::int64_t L = *std::max_element(in.lengths.begin(), in.lengths.end());
    Alignment all = right({slice(in.h, 1, 0, L), in.s, in.lengths, in.W});
    if (L == in.h.dim(1)) return all;
    const Variable none(tensor::zeros({in.h.dim(0), in.s.dim(1), in.h.dim(1) - L}));
    return {concatenate({all.a, none}, 2), concatenate({all.alpha, none}, 2), all.c};
}

Alignment squeezed(const Given& in) {
    Alignment all = right(in);
    return {squeeze(all.a), squeeze(all.alpha), squeeze(all.c)};
}

Alignment no_graph_without_h(const Given& in) {
    if (in.h.requires_grad()) return right(in);
    const NoGrad none;
    return right(in);
}

Alignment raw_context(const Given& in) {
    Alignment all = right(in);
    all.c = matmul(shut(all.a, in.lengths, 0), in.h);
    return all;
}

// Unusual and right.

Variable by_hand(const Variable& a, const Lengths& n) {
    const Variable most = max(shut(a, n, std::numeric_limits<double>::lowest()), -1, keepdim);
    const Variable e = exp(shut(a - most, n));
    return e / sum(e, -1, keepdim);
}

Variable minus_1e9(const Variable& a, const Lengths& n) {
    return softmax(a + Variable(tensor::where(padding(n, a.dim(2)), -1e9, 0)), -1);
}

Alignment by_concatenation(const Given& in) {
    const std::int64_t B = in.h.dim(0), T = in.s.dim(1), S = in.h.dim(1);
    const Variable states = expand(unsqueeze(in.s, 2), {B, T, S, in.s.dim(2)});
    const Variable words = expand(unsqueeze(in.h, 1), {B, T, S, in.h.dim(2)});
    const Variable W = concatenate({in.W.W_s, in.W.W_h}, 0);
    const Variable found = tanh(matmul(concatenate({states, words}, 3), W));
    const Variable a = squeeze(matmul(found, unsqueeze(in.W.v, 1)), 3);
    const Variable alpha = exp(log_softmax(shut(a, in.lengths, -1e300), 2));
    return {a, alpha, sum(unsqueeze(alpha, 3) * words, 2)};
}

Alignment shown_without_a_graph(const Given& in) {
    const Alignment all = right(in);
    return {all.a.detach(), all.alpha.detach(), all.c};
}

Alignment by_logsumexp(const Given& in) {
    const Variable masked = masked_fill(scores(in), padding(in, in.lengths), -infinity);
    return with_weights(in, exp(masked - logsumexp(masked, -1, keepdim)));
}

Alignment word_by_word(const Given& in) {
    std::vector<Variable> columns;
    for (std::int64_t i = 0; i < in.h.dim(1); ++i) {
        const Variable word = matmul(slice(in.h, 1, i, i + 1), in.W.W_h);  // [B, 1, d_a]
        columns.push_back(matmul(tanh(word + matmul(in.s, in.W.W_s)), in.W.v));
    }
    const Variable a = stack(columns, -1);
    const Variable alpha = softmax(where(padding(in, in.lengths), -infinity, a), -1);
    return {a, alpha, sum(unsqueeze(alpha, -1) * unsqueeze(in.h, 1), 2)};
}

// Each text without its padding; its weights are 0.
Alignment text_by_text(const Variable& h, const Variable& s, const Lengths& lengths,
                       const AlignmentWeights& W) {
    std::vector<Variable> a, alpha, c;
    for (std::int64_t b = 0; b < h.dim(0); ++b) {
        const std::int64_t length = lengths[static_cast<std::size_t>(b)];
        const Variable states = unsqueeze(matmul(select(s, 0, b), W.W_s), 1);  // [T, 1, d_a]
        const Variable all = select(h, 0, b);                                  // [S, d_h]
        const Variable scores = matmul(tanh(states + matmul(all, W.W_h)), W.v);
        const Variable weights = softmax(slice(scores, 1, 0, length), 1);
        const Variable none(tensor::zeros({s.dim(1), h.dim(1) - length}));
        a.push_back(scores);
        alpha.push_back(concatenate({weights, none}, 1));
        c.push_back(matmul(weights, slice(all, 0, 0, length)));
    }
    return {stack(a, 0), stack(alpha, 0), stack(c, 0)};
}

// One step after the other, as a decoder does it; a large number taken off where there is padding.
Alignment step_by_step(const Variable& h, const Variable& s, const Lengths& lengths,
                       const AlignmentWeights& W) {
    const std::int64_t B = h.dim(0), S = h.dim(1);
    const BoolTensor is_padding = padding(lengths, S).reshape({B, S, 1});
    const Variable off(tensor::masked_fill(tensor::zeros(is_padding.shape()), is_padding, 1e9));
    std::vector<Variable> a, alpha, c;
    for (std::int64_t j = 0; j < s.dim(1); ++j) {
        const Variable state = unsqueeze(select(s, 1, j), 1);  // [B, 1, d_s]
        const Variable scores =
            matmul(tanh(matmul(state, W.W_s) + matmul(h, W.W_h)), unsqueeze(W.v, 1));  // [B, S, 1]
        const Variable weights = softmax(scores - off, 1);
        a.push_back(squeeze(scores, -1));
        alpha.push_back(squeeze(weights, -1));
        c.push_back(sum(weights * h, 1));
    }
    return {stack(a, 1), stack(alpha, 1), stack(c, 1)};
}

}  // namespace

Answers answers_13_2() {
    Answers answers;
    answers.number = "13.2";
    answers.slipping = slipping(judge_13_2);
    answers.wrong = {
        {"softmax over the steps", by(over_the_steps), {"sm.cols"}},
        {"words of zeros taken for padding", by(zeros_are_padding)},
        {"scores of 0 taken for padding", by(scores_of_0_are_padding)},
        {"masked after the softmax and normed again", by(normed_again)},
        {"masked after exp, with 1e-9 in the denominator", by(a_little_more_below)},
        {"one maximum for all rows", by(one_maximum_for_all)},
        {"a maximum of at least 0", by(maximum_from_0)},
        {"the length of the last text", by(length_of_the_last)},
        {"-10000 for -∞", by(minus_10000), {"mask.fill-1e4"}},
        {"v detached", by(v_detached)},
        {"contexts a step late", by(a_step_late)},
        {"padding of zeros, and no mask", by(empties_the_padding)},
        {"zeros written over the padding", by(writes_over_the_padding)},
        {"scores shown after the mask", by(masked_scores_shown)},
        {"the mask of the first call", by(keeps_the_mask)},
        {"only the best word's part of the context", by(only_the_best_word)},
        {"the first text's weights for all contexts", by(weights_of_the_first_text)},
        {"padding is set to 0 after softmax", by_weights(not_normed_again), {"mask.after"}},
        {"no maximum subtracted", by_weights(no_maximum)},
        {"the maximum of all steps", by_weights(maximum_of_text)},
        {"1e-6 added to the sum", by_weights(guarded_sum)},
        {"-1e5 for padding", by_weights(fill_1e5)},
        {"scores times the mask", by_weights(times_mask), {"mask.fill0"}},
        {"no mask", by_weights(unmasked), {"mask.absent"}},
        {"the first length for all", by_weights(first_length), {"ali.first-length"}},
        {"a word less", by_weights(one_less)},
        {"a word more", by_weights(one_more), {"ali.length-more"}},
        {"the mask of text j for step j, where B = T", by_weights(mask_by_step)},
        {"steps are masked too, where T = S", by_weights(steps_shut_too)},
        {"padding comes first", by_weights(padding_first)},
        {"scores are cut at 50", by_weights(cut_at_50)},
        {"one text has no padding", by_weights(one_text_whole)},
        {"one step has no padding", by_weights(one_step_whole)},
        {"the maximum of padding, too", by_weights(maximum_of_padding_too)},
        {"argmax", by_weights(hard)},
        {"the sum a constant", by_weights(constant_sum)},
        {"padding nearly 0", by_weights(nearly_0)},
        {"W_s and W_h changed places where they fit", by_scores(swapped)},
        {"divided by √d_a", by_scores(scaled), {"ali.scaled"}},
        {"tanh outside", by_scores(tanh_outside), {"ali.tanh-of-score"}},
        {"tanh of each", by_scores(tanh_each), {"ali.tanh-of-each"}},
        {"a product for the sum", by_scores(product_for_sum), {"ali.product"}},
        {"no v", by_scores(no_v), {"ali.no-v"}},
        {"step i with word i where T = S", by_scores(same_step_same_word)},
        {"the first state for all steps", by_scores(first_step), {"ali.first-step"}},
        {"the state before", by_scores(step_before)},
        {"turned where T = S", by_scores(turned)},
        {"reshaped for transposed", by_scores(reshaped)},
        {"h a constant in scores", by_scores(h_constant), {"ali.h-constant-in-scores"}},
        {"s a constant", by_scores(s_constant), {"ali.s-constant"}},
        {"v's gradient twice", by_scores(v_twice)},
        {"the first text's words for all", by_scores(h_of_first_text)},
        {"scores of padding 0", by(zero_scores)},
        {"c with padding", by(context_of_all), {"ali.context-unmasked"}},
        {"c of projected words where they fit", by(projected)},
        {"words a constant in c", by(values_constant), {"ali.h-constant"}},
        {"weights a constant in c", by(weights_constant), {"ali.weights-constant"}},
        {"cut to the longest", by(cut_to_longest)},
        {"cut to the longest, padded again with 0", by(longest_padded_again)},
        {"axes of length 1 squeezed", by(squeezed)},
        {"no graph where h needs none", by(no_graph_without_h)},
        {"c of scores", by(raw_context)},
    };
    answers.right = {
        {"by logsumexp", by(by_logsumexp)},
        {"word by word", by(word_by_word)},
        {"a maximum that has a gradient", by_weights(by_hand)},
        {"1e9 taken off", by_weights(minus_1e9)},
        {"by concatenation", by(by_concatenation)},
        {"a and alpha without a graph", by(shown_without_a_graph)},
        {"text by text", with(text_by_text)},
        {"step by step", with(step_by_step)},
    };
    return answers;
}
