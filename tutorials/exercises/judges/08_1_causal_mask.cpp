#include "tutorials/exercises/judges/08_1_causal_mask.h"

#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/ops.h"
#include "heed/tensor/mask.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/ops/compare.h"

using namespace heed;

namespace exercise {

namespace {

// The entries above the diagonal that is `above` places above the main one.
BoolTensor beyond(std::int64_t T, std::int64_t above) {
    return tensor::triu(tensor::ones({T, T}), static_cast<int>(above)) == 1;
}

Tensor masked_scores(const Tensor& scores, const Slips& slip) {
    const std::int64_t T = scores.dim(-1);
    BoolTensor blocked = beyond(T, 1);
    if (slip("mask.absent")) blocked = beyond(T, T);
    if (slip("mask.upper")) blocked = tensor::tril(tensor::ones({T, T}), -1) == 1;
    if (slip("mask.strict")) blocked = beyond(T, 0);
    if (slip("mask.plus1")) blocked = beyond(T, 2);
    double fill = -infinity;
    if (slip("mask.fill0")) fill = 0;
    if (slip("mask.fill-small")) fill = -1;
    if (slip("mask.fill-large")) fill = -1e9;
    Tensor masked = tensor::masked_fill(scores, blocked, fill);
    if (slip("mask.mul-inf")) {
        masked = scores * tensor::masked_fill(tensor::zeros({T, T}), blocked, fill);
    }
    if (slip("mask.one-head")) masked = only_first(masked, scores);
    return masked;
}

std::string in_place(const ApplyCausalMask& mask) {
    const Tensor scores = random({5, 5}, 3);
    const Tensor before = tensor::clone(scores);
    mask(Variable(scores));
    return tensor::same_bits(scores, before) ? "" : "The scores you were given were overwritten.";
}

std::vector<Mistake> mistakes() {
    return {
        {"mask.absent",
         "nothing was masked",
         {"Which entries of your result differ from the scores?",
          "Is what you return the masked tensor, or the one you were given?"}},
        {"mask.upper",
         "the lower triangle was masked and the future kept",
         {"Which word may the first one look at?", "Look at row 0 of your mask."}},
        {"mask.strict",
         "the diagonal was masked too, so that no word sees itself",
         {"May a word look at itself?", "Look at entry [0, 0] of your result."}},
        {"mask.plus1",
         "the triangle began one further up, so that each word sees the next one",
         {"How far ahead may word 0 look?", "Look at entry [0, 1] of your result."}},
        {"mask.fill0",
         "the masked scores were set to 0, which is a score like any other",
         {"What is exp(0)?", "Look at what your mask puts in."}},
        {"mask.fill-small",
         "the masked scores were set to -1, which is a score like any other",
         {"What is exp(-1)?", "Look at what your mask puts in."}},
        {"mask.fill-large",
         "the masked scores were set to a large negative number and not to -∞",
         {"What if all scores of a row are that small?", "Look at what your mask puts in."}},
        {"mask.mul-inf",
         "the scores were multiplied by a mask of zeros and infinities",
         {"What is 0 · ∞?", "Look at the entries that should be kept."}},
        {"mask.one-head",
         "only the first matrix of the batch was masked",
         {"Which matrices of a batch does your code reach?", "Compare [0, 0] with [1, 0]."}},
    };
}

}  // namespace

Exercise causal_mask(const ApplyCausalMask& mask) {
    Exercise exercise;
    exercise.number = "08.1";
    exercise.title = "The causal mask";
    const auto add = [&](const std::string& name, const Tensor& scores) {
        exercise.cases.push_back(
            {name,
             [=](const Slips& slip) {
                 return Stages{{"the masked scores", masked_scores(scores, slip)}};
             },
             [=] {
                 return Stages{{"the masked scores", mask(Variable(scores)).value()}};
             }});
    };
    add("scores of 5 words", random({5, 5}, 1));
    add("2 texts, 3 heads, 4 words", random({2, 3, 4, 4}, 2));
    add("a single word", random({1, 1}, 5));
    exercise.laws = {
        {"the scores you are given stay as they are",
         [=] { return in_place(mask); },
         {{"mask.inplace",
           "the mask had been written into the scores you were given",
           {"Who else may still want the scores as they were?",
            "Print the scores before and after the call: which line changes them?"}}}}};
    exercise.mistakes = mistakes();
    exercise.hints = {"For word i, which j are its future?",
                      "tensor/mask.h has what lesson 08.1 uses",
                      "s_ij becomes -∞ for every j > i, the others stay",
                      "return masked_fill(scores, Mask::causal(T).blocked(), -infinity);"};
    exercise.cause_of_nan = "0 · ∞, or ∞ - ∞";
    return exercise;
}

Trials causal_mask_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return causal_mask([=](const Variable& scores) {
            const Tensor masked = masked_scores(scores.value(), slip);
            Tensor same_storage = scores.value();
            if (slip("mask.inplace")) tensor::overwrite(same_storage, masked);
            return Variable(masked);
        });
    };
    trials.more_ids = {"mask.inplace"};
    trials.right["by where"] = [] {
        return causal_mask([](const Variable& scores) {
            const BoolTensor allowed = Mask::causal(scores.dim(-1)).allowed();
            return where(allowed, scores, Variable(tensor::of(-infinity)));
        });
    };
    trials.right["by adding a triangle of -∞"] = [] {
        return causal_mask([](const Variable& scores) {
            const std::int64_t T = scores.dim(-1);
            const Tensor zeros = tensor::zeros({T, T});
            return scores + Variable(tensor::masked_fill(zeros, beyond(T, 1), -infinity));
        });
    };
    return trials;
}

}  // namespace exercise
