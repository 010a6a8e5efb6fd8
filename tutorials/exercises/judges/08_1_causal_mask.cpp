#include "tutorials/exercises/judges/08_1_causal_mask.h"

#include "tutorials/exercises/judges/common_masked.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "tensor/mask.h"
#include "tensor/ops.h"
#include "tensor/ops/compare.h"

using namespace heed;
using namespace exercise::masked_walk;

namespace exercise {

namespace {

Variable masked_scores(const Variable& scores, const Slips& slip) {
    const BoolTensor future = causal_blocked(scores.dim(-1), slip);
    const Variable result = masked(scores, future, slip);
    return slip("train.detached") ? result.detach() : result;
}

std::vector<Mistake> mistakes() {
    const std::vector<Mistake> of_the_graph = {
        {"train.detached",
         "the result was a constant, computed from values alone",
         {"Does your result know what it was computed from?",
          "Print what you return: which operation made it?"}}};
    return joined({triangle_mistakes(), without(fill_mistakes(), {"mask.after", "mask.after-inf"}),
                   zero_score_mistakes(), of_the_graph});
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

std::vector<Stage> inputs() {
    return {{"scores of 5 words", random({5, 5}, 1)},
            {"2 texts, 3 heads, 4 words", random({2, 3, 4, 4}, 2)},
            {"3 texts of 3 words", random({3, 3, 3}, 3)},
            {"a single word", random({1, 1}, 5)},
            {"2 texts of a single word", random({2, 1, 1}, 14)},
            {"four leading axes, two of size 1", random({2, 1, 3, 1, 2, 2}, 4)},
            {"scores of which some are 0", with_zeros({2, 5, 5})},
            {"scores of which a column is -∞ already, another in each text", with_padding()},
            {"large scores", random({3, 6, 6}, 9, 3000)},
            {"scores as a transposed slice", turned_slice()},
            {"70 words", random({70, 70}, 10)},
            {"other scores of 5 words", random({5, 5}, 11)}};
}

}  // namespace

Exercise causal_mask(const ApplyCausalMask& mask) {
    Exercise exercise;
    exercise.number = "08.1";
    exercise.title = "The causal mask";
    for (const auto& [name, value] : inputs()) {
        const Variable scores(value, requires_grad);
        // What the derivative of a score is that is -∞ makes no difference after a softmax.
        const BoolTensor unseen = causal_blocked(scores.dim(-1), {}) | (value == -infinity);
        const auto stages = [=](const Variable& result) {
            const bool fits = result.shape() == scores.shape();
            const Variable seen = fits ? masked_fill(result, unseen, 0) : result;
            return with_gradients({{"the result", result.value()}}, seen, {{"scores", scores}});
        };
        exercise.cases.push_back(
            {name, [=](const Slips& slip) { return stages(masked_scores(scores, slip)); },
             [=] { return stages(mask(scores)); }, values_of({{"scores", scores}})});
    }
    exercise.laws = {{"what may be seen stays as it is, to the last digit",
                      [=] { return others_change(mask); }}};
    exercise.mistakes = mistakes();
    exercise.hints = {"For word i, which j are its future?",
                      "tensor/mask.h has what lesson 08.1 uses",
                      "s_ij becomes -∞ for every j > i, the others stay",
                      "return masked_fill(scores, Mask::causal(T).blocked(), -infinity);"};
    return exercise;
}

Trials causal_mask_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return causal_mask([=](const Variable& scores) { return masked_scores(scores, slip); });
    };
    trials.right["by where"] = [] {
        return causal_mask([](const Variable& scores) {
            const BoolTensor allowed = Mask::causal(scores.dim(-1)).allowed();
            return where(allowed, scores, Variable(tensor::of(-infinity)));
        });
    };
    trials.right["a mask of 0 and -∞ added"] = [] {
        return causal_mask([](const Variable& scores) {
            const BoolTensor future = Mask::causal(scores.dim(-1)).blocked();
            return scores + Variable(tensor::where(future, -infinity, 0.0));
        });
    };
    trials.right["the lower triangle, and -∞ above it"] = [] {
        return causal_mask([](const Variable& scores) {
            const std::int64_t T = scores.dim(-1);
            const BoolTensor above = tensor::triu(tensor::ones({T, T}), 1) == 1;
            return tril(scores) + Variable(tensor::where(above, -infinity, 0.0));
        });
    };
    return trials;
}

}  // namespace exercise
