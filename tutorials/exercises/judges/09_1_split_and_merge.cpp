#include "tutorials/exercises/judges/lesson_09.h"
#include "tutorials/exercises/judging/kit.h"

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

std::vector<Mistake> mistakes() {
    const std::vector<std::string> graph = {"Which step is not recorded in the graph?",
                                            "Print the result: which operation made it?"};
    return {
        {"mha.split-no-T", "split_heads only read the same numbers under the shape [B, h, T, d]",
         "Whose numbers are in row 1 of head 0: word 1's?",
         "Give word t the numbers t·100, t·100 + 1, ... and print head 0."},
        {"mha.merge-no-T", "merge_heads only read the same numbers under the shape [B, T, h·d]",
         "Whose numbers are in the second part of word 0's row: head 1's?",
         "Give head n the numbers n·100, n·100 + 1, ... and print row 0 of the result."},
        {"mha.both-no-T",
         "neither split_heads nor merge_heads moved the head axis: there and back is x, but no "
         "head gets its own columns",
         "Is there and back enough? What does head 0 hold in between?",
         "Give word t the numbers t·100, t·100 + 1, ... and print head 0."},
        {"mha.strided-split", "head n got every h-th column, beginning at the n-th",
         "Are a head's columns neighbours?", "The order of h and d in your view."},
        {"mha.split-uncrossed", "split_heads left the word axis before the head axis",
         "Which axes must be last for a matrix product of words?", "The shape of the result."},
        {"mha.split-crossed-by-view", "the wrong two axes were exchanged, and a reshape hid it",
         "Which two axes change places?", "The shape before and after each step."},
        {"mha.reversed", "split_heads dealt out the heads in the opposite order",
         "Which columns are head 0's?", "Row 0 of head 0."},
        {"mha.strided-merge",
         "merge_heads took one number of each head in turn, and not one head after the other",
         "Are a head's columns neighbours?", "The order of h and d before they join."},
        {"mha.merge-reversed", "merge_heads put the last head first", "Which columns are head 0's?",
         "The first d numbers of a row."},
        {"mha.merge-heads-in-words", "merge_heads joined the head axis with the word axis",
         "Which two axes become one?", "The shape of the result."},
        {"mha.sum", "merge_heads added the heads", "Are heads added, or put side by side?",
         "The shape of the result."},
        {"mha.mean", "merge_heads took the mean of the heads",
         "Are heads averaged, or put side by side?", "The shape of the result."},
        {"train.detached", "split_heads returned a constant, made through .value() or .detach()",
         graph},
        {"train.merge-detached",
         "merge_heads returned a constant, made through .value() or .detach()", graph},
    };
}

struct Given {
    std::int64_t h;
    Variable x;      // [B, T, h·d]
    Variable heads;  // [B, h, T, d], for merge_heads alone
};

Stages given(const Given& in) {
    return {{"x", in.x.value()}, {"the heads to merge", in.heads.value()}};
}

// x is a view of longer texts, which leaves out their first word.
Given texts_and_heads(std::int64_t B, std::int64_t T, std::int64_t h, std::int64_t d,
                      std::uint64_t seed) {
    const Tensor x = tensor::slice(random({B, T + 1, h * d}, seed), 1, 1);
    return {h, Variable(x, requires_grad), Variable(random({B, h, T, d}, seed + 1), requires_grad)};
}

Inputs<Given> inputs() {
    return {
        {"2 texts of 5 words, 3 heads of 2", texts_and_heads(2, 5, 3, 2, 1)},
        {"the same sizes, with other numbers", texts_and_heads(2, 5, 3, 2, 3)},
        {"3 texts of 4 words, 2 heads of 5", texts_and_heads(3, 4, 2, 5, 5)},
        {"one text of 3 words, 3 heads of 4", texts_and_heads(1, 3, 3, 4, 7)},
        {"2 texts of 4 words, one head of 3", texts_and_heads(2, 4, 1, 3, 9)},
        {"2 texts of one word, 3 heads of 2", texts_and_heads(2, 1, 3, 2, 11)},
        {"3 texts of 2 words, 4 heads of a single number", texts_and_heads(3, 2, 4, 1, 13)},
        {"one text of 3 words, one head of a single number", texts_and_heads(1, 3, 1, 1, 17)},
        {"one word in all, one head of 4", texts_and_heads(1, 1, 1, 4, 19)},
        {"2 texts of 3 words, 12 heads of 2", texts_and_heads(2, 3, 12, 2, 21)},
        {"a text of 60 words, 2 heads of 3", texts_and_heads(1, 60, 2, 3, 15)},
    };
}

Stages stages(const SplitAndMerge& yours, const Given& in) {
    const Variable parts = yours.split_heads(in.x, in.h);
    const Stages of_split =
        with_gradients({{"split_heads(x, h)", parts.value()}}, parts, {{"x", in.x}});
    if (!(parts.shape() == in.heads.shape())) return {of_split.front()};
    const Variable merged = yours.merge_heads(in.heads);
    const Stages of_merge = with_gradients({{"merge_heads of other heads", merged.value()}}, merged,
                                           {{"the other heads", in.heads}});
    return joined(of_split, of_merge,
                  Stages{{"merge_heads(split_heads(x, h))", yours.merge_heads(parts).value()}});
}

std::string not_there_and_back(const SplitAndMerge& yours) {
    const Tensor x = random({2, 5, 6}, 91),
                 again = yours.merge_heads(yours.split_heads(Variable(x), 3)).value();
    const std::string change = first_change(x, again);
    return change.empty() ? "" : "merge_heads(split_heads(x, 3)) is not x: " + change + ".";
}

// Tiny numbers, which adding to larger ones would round.
std::string numbers_are_rounded(const SplitAndMerge& yours) {
    const Tensor x = random({2, 5, 6}, 96) * random({2, 5, 6}, 97, 1e-6);
    const Tensor again = yours.merge_heads(yours.split_heads(Variable(x), 3)).value();
    if (again.shape() != x.shape() || identical(x, again)) return "";
    return "merge_heads(split_heads(x, 3)) of numbers of about 0.000001 is not x to the last "
           "digit.";
}

// What is merged need not be what was split last: it may have more heads.
std::string merge_remembers(const SplitAndMerge& yours) {
    const Tensor x = random({2, 5, 6}, 94);
    const Variable heads = yours.split_heads(Variable(x), 3);
    yours.split_heads(Variable(random({2, 5, 6}, 95)), 2);
    const Tensor again = yours.merge_heads(heads).value();
    const std::string change = first_change(x, again);
    if (change.empty()) return "";
    return "Where another text is split into 2 heads before 3 heads are merged, merge_heads gives "
           "something else: " +
           change + ".";
}

// Replacing word 3 may change only row 3 of each head.
std::string words_are_mixed(const SplitAndMerge& yours) {
    const Tensor x = random({2, 5, 6}, 92);
    const Tensor other = random({2, 1, 6}, 93);
    const Tensor changed =
        tensor::concatenate({tensor::slice(x, 1, 0, 3), other, tensor::slice(x, 1, 4)}, 1);
    const Tensor before = yours.split_heads(Variable(x), 3).value(),
                 after = yours.split_heads(Variable(changed), 3).value();
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

SplitAndMerge reference(const Slips& slip) {
    return {[=](const Variable& x, std::int64_t h) { return split_walk(x, h, slip); },
            [=](const Variable& x) { return merge_walk(x, slip); }};
}

Rules<SplitAndMerge> rules() {
    return {
        .number = "09.1",
        .title = "Split into heads, and merge",
        .reference = reference,
        .cases = on_each(stages, inputs()),
        .laws = {{"there and back is x", not_there_and_back},
                 {"numbers are moved and not computed", numbers_are_rounded},
                 {"merging needs nothing but the heads", merge_remembers},
                 {"a word's numbers stay with the word", words_are_mixed}},
        .mistakes = mistakes(),
        .hints = {"Which of the two gives other numbers than you expect?",
                  "Give x the numbers t·100 + column, and print the result of each function",
                  "Stop in each function with the key d, and follow the shapes line by line",
                  "Take B = 1, T = 2, h = 2, d = 1, and write down both results by hand"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<SplitAndMerge> judge_09_1(rules);

}  // namespace exercise
