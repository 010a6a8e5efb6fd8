#include "tutorials/exercises/judges/common_attention.h"
#include "tutorials/exercises/judges/lesson_08.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
struct Given {
    Variable scores;
};

Stages given(const Given& in) { return {{"scores", in.scores.value()}}; }

Stages stages(const ApplyCausalMask& mask, const Given& in) {
    const Variable &scores = in.scores, result = mask(scores);
    // What the derivative of a score is that is -∞ makes no difference after a softmax.
    const BoolTensor unseen = causal_blocked(scores.dim(-1), {}) | (scores.value() == -infinity);
    const bool fits = result.shape() == scores.shape();
    const Variable seen = fits ? masked_fill(result, unseen, 0) : result;
    return with_gradients({{"the result", result.value()}}, seen, {{"scores", scores}});
}

std::vector<Mistake> mistakes() {
    const std::vector<Mistake> of_the_graph = {
        {"train.detached", "the result was a constant, computed from values alone",
         "Does your result know what it was computed from?",
         "Print what you return: which operation made it?"}};
    return joined(triangle_mistakes(), without(fill_mistakes(), {"mask.after", "mask.after-inf"}),
                  zero_score_mistakes(), of_the_graph);
}

// Some scores are exactly 0, of words that are seen and of others.
Tensor with_zeros(const Shape& shape) {
    const Tensor numbers = random(shape, 6);
    return tensor::masked_fill(numbers, tensor::abs(numbers) < 0.5, 0);
}

// One key of each text is masked already, as padding is: the last, the first, so that query 0 is
// left with none, and one between.
Tensor with_padding() {
    const Tensor its = tensor::of({{{3}}, {{0}}, {{1}}});
    return tensor::masked_fill(random({3, 4, 4}, 7), tensor::arange(4) == its, -infinity);
}

// Neither contiguous nor from the start of its storage.
Tensor turned_slice() {
    return tensor::transpose(tensor::slice(tensor::slice(random({2, 7, 6}, 8), 1, 1, 6), 2, 1, 6));
}

// Scores that need no gradient, of sizes that rounding to a few digits would change.
std::string others_change(const ApplyCausalMask& mask) {
    const Tensor scores = random({2, 5, 5}, 12) * random({2, 5, 5}, 13, 1e-6);
    const Tensor result = mask(Variable(scores)).value();
    if (result.shape() != scores.shape() || identical(tensor::tril(result), tensor::tril(scores))) {
        return "";
    }
    return "Of scores of about 0.000001, some that may be seen are not the same afterwards.";
}

Inputs<Given> inputs() {
    return {
        {"scores of 5 words", {leaf(random({5, 5}, 1))}},
        {"2 texts, 3 heads, 4 words", {leaf(random({2, 3, 4, 4}, 2))}},
        {"3 texts of 3 words", {leaf(random({3, 3, 3}, 3))}},
        {"a single word", {leaf(random({1, 1}, 5))}},
        {"2 texts of a single word", {leaf(random({2, 1, 1}, 14))}},
        {"four leading axes, two of size 1", {leaf(random({2, 1, 3, 1, 2, 2}, 4))}},
        {"scores of which some are 0", {leaf(with_zeros({2, 5, 5}))}},
        {"scores of which a column is -∞ already, another in each text", {leaf(with_padding())}},
        {"large scores", {leaf(random({3, 6, 6}, 9, 3000))}},
        {"scores as a transposed slice", {leaf(turned_slice())}},
        {"70 words", {leaf(random({70, 70}, 10))}},
        {"other scores of 5 words", {leaf(random({5, 5}, 11))}},
    };
}

ApplyCausalMask reference(const Slips& slip) {
    return [=](const Variable& scores) {
        const BoolTensor future = causal_blocked(scores.dim(-1), slip);
        const Variable result = masked(scores, future, slip);
        return slip("train.detached") ? result.detach() : result;
    };
}

Rules<ApplyCausalMask> rules() {
    return {
        .number = "08.1",
        .title = "The causal mask",
        .reference = reference,
        .cases = on_each(stages, inputs()),
        .laws = {{"what may be seen stays as it is, to the last digit", others_change}},
        .mistakes = mistakes(),
        .hints = {"For word i, which j are its future?", "tensor/mask.h has what lesson 08.1 uses",
                  "s_ij becomes -∞ for every j > i, the others stay",
                  "return masked_fill(scores, Mask::causal(T).blocked(), -infinity);"},
    };
}

}  // namespace

const Judge<ApplyCausalMask> judge_08_1(rules);

}  // namespace exercise
