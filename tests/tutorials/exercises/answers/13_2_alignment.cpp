// Answers to 13.2, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/13_2_alignment.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include "heed/autograd/ops.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/mask.h"
#include "heed/tensor/ops.h"

using namespace heed;
using namespace exercise;

namespace exercise {
Answers answers_13_2();
}

namespace {

using Lengths = std::vector<std::int64_t>;

struct Given {
    const Variable &h, &s;
    const Lengths& lengths;
    const AlignmentWeights& W;
};

using Way = Alignment (*)(const Given&);
std::function<Exercise()> by(Way way) {
    return [way] {
        return alignment([way](const Variable& h, const Variable& s, const Lengths& lengths,
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

}  // namespace

Answers exercise::answers_13_2() {
    Answers answers;
    answers.number = "13.2";
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
    };
    answers.right = {{"by logsumexp", by(by_logsumexp)}, {"word by word", by(word_by_word)}};
    return answers;
}
