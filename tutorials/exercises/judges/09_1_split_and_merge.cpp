#include "tutorials/exercises/judges/09_1_split_and_merge.h"

#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/ops.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/ops/compare.h"

using namespace heed;

namespace exercise {

namespace {

Variable heads_reversed(const Variable& x) {
    std::vector<Variable> heads = chunk(x, x.dim(1), 1);
    return concatenate({heads.rbegin(), heads.rend()}, 1);
}

Variable split_walk(const Variable& x, std::int64_t h, const Slips& slip) {
    const std::int64_t B = x.dim(0), T = x.dim(1), d = x.dim(2) / h;
    if (slip("mha.split-no-T") || slip("mha.both-no-T")) return view(x, {B, h, T, d});
    if (slip("mha.strided-split")) return permute(view(x, {B, T, d, h}), {0, 3, 1, 2});
    const Variable cut = view(x, {B, T, h, d});
    if (slip("mha.split-uncrossed")) return cut;
    if (slip("mha.split-crossed-by-view")) return reshape(transpose(cut), {B, h, T, d});
    const Variable heads = transpose(cut, 1, 2);
    return slip("mha.reversed") ? heads_reversed(heads) : heads;
}

Variable merge_walk(const Variable& x, const Slips& slip) {
    const std::int64_t B = x.dim(0), h = x.dim(1), T = x.dim(2), d = x.dim(3);
    if (slip("mha.merge-no-T") || slip("mha.both-no-T")) return reshape(x, {B, T, h * d});
    if (slip("mha.strided-merge")) return reshape(permute(x, {0, 2, 3, 1}), {B, T, h * d});
    if (slip("mha.sum")) return sum(x, 1);
    if (slip("mha.mean")) return mean(x, 1);
    if (slip("mha.merge-reversed")) return merge_walk(heads_reversed(x), {});
    if (slip("mha.merge-heads-in-words")) return reshape(transpose(x, 1, 2), {B, T * h, d});
    return reshape(transpose(x, 1, 2), {B, T, h * d});
}

Stages stages(const Tensor& split, const Tensor& merged, const Tensor& again) {
    return {{"split_heads(x, h)", split},
            {"merge_heads of other heads", merged},
            {"merge_heads(split_heads(x, h))", again}};
}

std::vector<Mistake> mistakes() {
    return {
        {"mha.split-no-T",
         "split_heads only read the same numbers under the shape [B, h, T, d]",
         {"Whose numbers stand in row 1 of head 0: word 1's?",
          "Give word t the numbers t·100, t·100 + 1, ... and print head 0."}},
        {"mha.merge-no-T",
         "merge_heads only read the same numbers under the shape [B, T, h·d]",
         {"Whose numbers stand in the second part of word 0's row: head 1's?",
          "Give head n the numbers n·100, n·100 + 1, ... and print row 0 of what comes out."}},
        {"mha.both-no-T",
         "neither split_heads nor merge_heads moved the heads' axis: there and back is x, but no "
         "head gets its own columns",
         {"Is there and back enough? What does head 0 hold in between?",
          "Give word t the numbers t·100, t·100 + 1, ... and print head 0."}},
        {"mha.strided-split",
         "head n had got every h-th column, beginning at the n-th",
         {"Do a head's columns stand side by side?", "The order of h and d in your view."}},
        {"mha.split-uncrossed",
         "split_heads had left the words' axis before the heads'",
         {"Which axes must be last for a matrix product of words?", "The shape of the result."}},
        {"mha.split-crossed-by-view",
         "the wrong two axes had been exchanged and a reshape had hidden it",
         {"Which two axes change places?", "The shape before and after each step."}},
        {"mha.reversed",
         "split_heads had dealt out the heads in the opposite order",
         {"Which columns are head 0's?", "Row 0 of head 0."}},
        {"mha.strided-merge",
         "merge_heads had mixed the heads number by number and not one after the other",
         {"Do a head's columns stand side by side?", "The order of h and d before they join."}},
        {"mha.merge-reversed",
         "merge_heads had put the last head first",
         {"Which columns are head 0's?", "The first d numbers of a row."}},
        {"mha.merge-heads-in-words",
         "merge_heads had joined the heads' axis with the words'",
         {"Which two axes become one?", "The shape of the result."}},
        {"mha.sum",
         "merge_heads had added the heads up",
         {"Do heads become one by adding, or side by side?", "The shape of the result."}},
        {"mha.mean",
         "merge_heads had taken the mean of the heads",
         {"Do heads become one by averaging, or side by side?", "The shape of the result."}},
    };
}

std::string not_there_and_back(const SplitHeads& split, const MergeHeads& merge) {
    const Tensor x = random({2, 5, 6}, 91);
    const Variable again = merge(split(Variable(x), 3));
    return tensor::same_bits(again.value(), x) ? "" : "merge_heads(split_heads(x, 3)) is not x.";
}

// Replacing word 3 may change only row 3 of each head.
std::string words_are_mixed(const SplitHeads& split) {
    const Tensor x = random({2, 5, 6}, 92);
    const Tensor other = random({2, 1, 6}, 93);
    const Tensor changed =
        tensor::concatenate({tensor::slice(x, 1, 0, 3), other, tensor::slice(x, 1, 4)}, 1);
    const Tensor before = split(Variable(x), 3).value(),
                 after = split(Variable(changed), 3).value();
    for (const std::int64_t row : {0, 1, 2, 4}) {
        if (!tensor::same_bits(tensor::slice(before, 2, row, row + 1),
                               tensor::slice(after, 2, row, row + 1))) {
            return "Another word 3 changes row " + std::to_string(row) + " of a head.";
        }
    }
    return "";
}

std::string loses_the_gradient(const SplitHeads& split, const MergeHeads& merge) {
    const Variable x(random({2, 5, 6}, 94), requires_grad);
    const Variable again = merge(split(x, 3));
    const Tensor upstream = random(again.shape(), 95);
    if (again.requires_grad()) again.backward({.upstream = upstream});
    if (x.has_grad() && tensor::same_bits(x.grad(), upstream)) return "";
    return "The gradient that goes there and back is another one.";
}

}  // namespace

Exercise split_and_merge(const SplitHeads& split, const MergeHeads& merge) {
    Exercise exercise;
    exercise.number = "09.1";
    exercise.title = "Split into heads, and merge";
    const auto add = [&](const std::string& name, std::int64_t B, std::int64_t T, std::int64_t h,
                         std::int64_t d, std::uint64_t seed) {
        const Variable x(random({B, T, h * d}, seed)), heads(random({B, h, T, d}, seed + 1));
        exercise.cases.push_back({name,
                                  [=](const Slips& slip) {
                                      const Variable parts = split_walk(x, h, slip);
                                      return stages(parts.value(), merge_walk(heads, slip).value(),
                                                    merge_walk(parts, slip).value());
                                  },
                                  [=] {
                                      const Variable parts = split(x, h);
                                      Stages given{{"split_heads(x, h)", parts.value()}};
                                      if (!(parts.shape() == Shape{B, h, T, d})) return given;
                                      return stages(parts.value(), merge(heads).value(),
                                                    merge(parts).value());
                                  }});
    };
    add("2 texts of 5 words, 3 heads of 2", 2, 5, 3, 2, 1);
    add("3 texts of 4 words, 2 heads of 5", 3, 4, 2, 5, 3);
    add("one text of 3 words, 3 heads of 4", 1, 3, 3, 4, 5);
    add("one word, one head", 1, 1, 1, 3, 7);
    exercise.laws = {
        {"there and back is x", [=] { return not_there_and_back(split, merge); }},
        {"a word's numbers stay with the word", [=] { return words_are_mixed(split); }},
        {"the gradient comes through",
         [=] { return loses_the_gradient(split, merge); },
         {{"train.detached",
           "the computation had gone through .value() or .detach(), which records nothing",
           {"Which step does the graph not know?", "Print the result: what made it?"}}}},
    };
    exercise.mistakes = mistakes();
    exercise.hints = {"In which order do the numbers lie in memory: word by word, or head by head?",
                      "tutorial 01 has view and transpose; print the shape after each step",
                      "heads[b, n, t, k] = x[b, t, n·d + k]",
                      "transpose(view(x, {B, T, h, d}), 1, 2), and "
                      "view(contiguous(transpose(x, 1, 2)), {B, T, h * d})"};
    return exercise;
}

Trials split_and_merge_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return split_and_merge(
            [=](const Variable& x, std::int64_t h) {
                const Variable heads = split_walk(x, h, slip);
                return slip("train.detached") ? heads.detach() : heads;
            },
            [=](const Variable& x) { return merge_walk(x, slip); });
    };
    trials.more_ids = {"train.detached"};
    trials.right["head by head"] = [] {
        return split_and_merge(
            [](const Variable& x, std::int64_t h) { return stack(chunk(x, h, -1), 1); },
            [](const Variable& x) {
                std::vector<Variable> heads;
                for (std::int64_t n = 0; n < x.dim(1); ++n) heads.push_back(select(x, 1, n));
                return concatenate(heads, -1);
            });
    };
    return trials;
}

}  // namespace exercise
