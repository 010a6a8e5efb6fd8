#include "tutorials/exercises/judges/09_1_split_and_merge.h"

#include "tutorials/exercises/judges/common_heads.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "tensor/ops.h"

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
    if (slip("mha.reversed")) return heads_reversed(heads);
    return slip("train.detached") ? heads.detach() : heads;
}

Variable merge_walk(const Variable& x, const Slips& slip) {
    const std::int64_t B = x.dim(0), h = x.dim(1), T = x.dim(2), d = x.dim(3);
    if (slip("mha.merge-no-T") || slip("mha.both-no-T")) return reshape(x, {B, T, h * d});
    if (slip("mha.strided-merge")) return reshape(permute(x, {0, 2, 3, 1}), {B, T, h * d});
    if (slip("train.merge-detached")) return merge_walk(x.detach(), {});
    if (slip("mha.sum")) return sum(x, 1);
    if (slip("mha.mean")) return mean(x, 1);
    if (slip("mha.merge-reversed")) return merge_walk(heads_reversed(x), {});
    if (slip("mha.merge-heads-in-words")) return reshape(transpose(x, 1, 2), {B, T * h, d});
    return reshape(transpose(x, 1, 2), {B, T, h * d});
}

// What the learner's two functions are given.
struct Given {
    std::int64_t B, T, h, d;
    Variable x;      // [B, T, h·d]
    Variable heads;  // [B, h, T, d], for merge_heads alone
};

// x is a view of longer texts, which leaves out their first word.
Given given(std::int64_t B, std::int64_t T, std::int64_t h, std::int64_t d, std::uint64_t seed) {
    const Tensor x = tensor::slice(random({B, T + 1, h * d}, seed), 1, 1);
    return {B,
            T,
            h,
            d,
            Variable(x, requires_grad),
            Variable(random({B, h, T, d}, seed + 1), requires_grad)};
}

Stages answers(const Given& in, const SplitHeads& split, const MergeHeads& merge) {
    const Variable parts = split(in.x, in.h);
    const Stages of_split =
        with_gradients({{"split_heads(x, h)", parts.value()}}, parts, {{"x", in.x}});
    if (!(parts.shape() == Shape{in.B, in.h, in.T, in.d})) return {of_split.front()};
    const Variable merged = merge(in.heads);
    Stages all = with_gradients({{"merge_heads of other heads", merged.value()}}, merged,
                                {{"the other heads", in.heads}});
    all.insert(all.begin(), of_split.begin(), of_split.end());
    all.push_back({"merge_heads(split_heads(x, h))", merge(parts).value()});
    return all;
}

std::vector<Mistake> mistakes() {
    const std::vector<std::string> graph = {"Which step is not recorded in the graph?",
                                            "Print the result: which operation made it?"};
    return {
        {"mha.split-no-T",
         "split_heads only read the same numbers under the shape [B, h, T, d]",
         "Whose numbers are in row 1 of head 0: word 1's?",
          "Give word t the numbers t·100, t·100 + 1, ... and print head 0."},
        {"mha.merge-no-T",
         "merge_heads only read the same numbers under the shape [B, T, h·d]",
         "Whose numbers are in the second part of word 0's row: head 1's?",
          "Give head n the numbers n·100, n·100 + 1, ... and print row 0 of the result."},
        {"mha.both-no-T",
         "neither split_heads nor merge_heads moved the head axis: there and back is x, but no "
         "head gets its own columns",
         "Is there and back enough? What does head 0 hold in between?",
          "Give word t the numbers t·100, t·100 + 1, ... and print head 0."},
        {"mha.strided-split",
         "head n got every h-th column, beginning at the n-th",
         "Are a head's columns neighbours?", "The order of h and d in your view."},
        {"mha.split-uncrossed",
         "split_heads left the word axis before the head axis",
         "Which axes must be last for a matrix product of words?", "The shape of the result."},
        {"mha.split-crossed-by-view",
         "the wrong two axes were exchanged, and a reshape hid it",
         "Which two axes change places?", "The shape before and after each step."},
        {"mha.reversed",
         "split_heads dealt out the heads in the opposite order",
         "Which columns are head 0's?", "Row 0 of head 0."},
        {"mha.strided-merge",
         "merge_heads took one number of each head in turn, and not one head after the other",
         "Are a head's columns neighbours?", "The order of h and d before they join."},
        {"mha.merge-reversed",
         "merge_heads put the last head first",
         "Which columns are head 0's?", "The first d numbers of a row."},
        {"mha.merge-heads-in-words",
         "merge_heads joined the head axis with the word axis",
         "Which two axes become one?", "The shape of the result."},
        {"mha.sum",
         "merge_heads added the heads",
         "Are heads added, or put side by side?", "The shape of the result."},
        {"mha.mean",
         "merge_heads took the mean of the heads",
         "Are heads averaged, or put side by side?", "The shape of the result."},
        {"train.detached", "split_heads returned a constant, made through .value() or .detach()",
         graph},
        {"train.merge-detached",
         "merge_heads returned a constant, made through .value() or .detach()", graph},
    };
}

std::string not_there_and_back(const SplitHeads& split, const MergeHeads& merge) {
    const Tensor x = random({2, 5, 6}, 91), again = merge(split(Variable(x), 3)).value();
    const std::string change = first_change(x, again);
    return change.empty() ? "" : "merge_heads(split_heads(x, 3)) is not x: " + change + ".";
}

// Tiny numbers, which adding to larger ones would round.
std::string numbers_are_rounded(const SplitHeads& split, const MergeHeads& merge) {
    const Tensor x = random({2, 5, 6}, 96) * random({2, 5, 6}, 97, 1e-6);
    const Tensor again = merge(split(Variable(x), 3)).value();
    if (again.shape() != x.shape() || identical(x, again)) return "";
    return "merge_heads(split_heads(x, 3)) of numbers of about 0.000001 is not x to the last "
           "digit.";
}

// What is merged need not be what was split last: it may have more heads.
std::string merge_remembers(const SplitHeads& split, const MergeHeads& merge) {
    const Tensor x = random({2, 5, 6}, 94);
    const Variable heads = split(Variable(x), 3);
    split(Variable(random({2, 5, 6}, 95)), 2);
    const Tensor again = merge(heads).value();
    const std::string change = first_change(x, again);
    if (change.empty()) return "";
    return "Where another text is split into 2 heads before 3 heads are merged, merge_heads gives "
           "something else: " +
           change + ".";
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
        if (first_change(tensor::select(before, 2, row), tensor::select(after, 2, row)).empty()) {
            continue;
        }
        return "Another word 3 changes row " + std::to_string(row) + " of a head.";
    }
    return "";
}

std::vector<Hole> holes() {
    return {{"split_heads",
             {"split_heads(x, h)", "the gradient of x"},
             {"In which order are the numbers in memory: word by word, or head by head?",
              "lesson 01 has view and transpose; print the shape after each step",
              "heads[b, n, t, k] = x[b, t, n·d + k]", "transpose(view(x, {B, T, h, d}), 1, 2)"}},
            {"merge_heads",
             {"merge_heads of other heads", "the gradient of the other heads"},
             {"Whose numbers are side by side in a row of the result?",
              "which two axes must be neighbours before they become one; print the shapes",
              "merged[b, t, n·d + k] = x[b, n, t, k]",
              "view(contiguous(transpose(x, 1, 2)), {B, T, h * d})"}}};
}

}  // namespace

Exercise split_and_merge(const SplitHeads& split, const MergeHeads& merge) {
    Exercise exercise;
    exercise.number = "09.1";
    exercise.title = "Split into heads, and merge";
    const auto add = [&](const std::string& name, const Given& in) {
        exercise.cases.push_back(
            {name,
             [=](const Slips& slip) {
                 return answers(
                     in, [=](const Variable& x, std::int64_t h) { return split_walk(x, h, slip); },
                     [=](const Variable& x) { return merge_walk(x, slip); });
             },
             [=] { return answers(in, split, merge); },
             values_of({{"x", in.x}, {"the heads to merge", in.heads}})});
    };
    add("2 texts of 5 words, 3 heads of 2", given(2, 5, 3, 2, 1));
    add("the same sizes, with other numbers", given(2, 5, 3, 2, 3));
    add("3 texts of 4 words, 2 heads of 5", given(3, 4, 2, 5, 5));
    add("one text of 3 words, 3 heads of 4", given(1, 3, 3, 4, 7));
    add("2 texts of 4 words, one head of 3", given(2, 4, 1, 3, 9));
    add("2 texts of one word, 3 heads of 2", given(2, 1, 3, 2, 11));
    add("3 texts of 2 words, 4 heads of a single number", given(3, 2, 4, 1, 13));
    add("one text of 3 words, one head of a single number", given(1, 3, 1, 1, 17));
    add("one word in all, one head of 4", given(1, 1, 1, 4, 19));
    add("2 texts of 3 words, 12 heads of 2", given(2, 3, 12, 2, 21));
    add("a text of 60 words, 2 heads of 3", given(1, 60, 2, 3, 15));
    exercise.laws = {
        {"there and back is x", [=] { return not_there_and_back(split, merge); }},
        {"numbers are moved and not computed", [=] { return numbers_are_rounded(split, merge); }},
        {"merging needs nothing but the heads", [=] { return merge_remembers(split, merge); }},
        {"a word's numbers stay with the word", [=] { return words_are_mixed(split); }},
    };
    exercise.mistakes = mistakes();
    exercise.holes = holes();
    exercise.hints = {"Which of the two gives other numbers than you expect?",
                      "Give x the numbers t·100 + column, and print the result of each function",
                      "Stop in each function with the key d, and follow the shapes line by line",
                      "Take B = 1, T = 2, h = 2, d = 1, and write down both results by hand"};
    return exercise;
}

Trials split_and_merge_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return split_and_merge(
            [=](const Variable& x, std::int64_t h) { return split_walk(x, h, slip); },
            [=](const Variable& x) { return merge_walk(x, slip); });
    };
    trials.right["head by head"] = [] {
        return split_and_merge(
            [](const Variable& x, std::int64_t h) { return stack(chunk(x, h, -1), 1); },
            [](const Variable& x) { return concatenate(unbind(x, 1), -1); });
    };
    return trials;
}

}  // namespace exercise
