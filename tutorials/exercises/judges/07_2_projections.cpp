#include "tutorials/exercises/judges/lesson_07.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
Projected walk(const Tensor& X, const Matrices& W, const Slips& slip) {
    const auto project = [&](const Tensor& x, const Tensor& matrix) {
        if (slip("mha.WT")) return tensor::matmul(x, tensor::transpose(matrix));
        if (slip("mha.left")) return tensor::matmul(matrix, x);
        return tensor::matmul(x, matrix);
    };
    const bool swapped = slip("mha.qk-swapped");
    const Tensor& of_q = swapped || slip("mha.q-uses-Wk") ? W.W_K : W.W_Q;
    const Tensor& of_k = swapped || slip("mha.k-uses-Wq") ? W.W_Q
                         : slip("mha.k-uses-Wv")          ? W.W_V
                                                          : W.W_K;
    const Tensor& of_v = slip("mha.v-uses-Wk") ? W.W_K : slip("mha.v-uses-Wq") ? W.W_Q : W.W_V;
    const Tensor Q = project(X, of_q);
    const Tensor K = project(slip("mha.k-from-Q") ? Q : X, of_k);
    Tensor V = project(slip("mha.v-from-K") ? K : X, of_v);
    if (slip("mha.v-is-X")) V = X;
    return {Q, K, V};
}

std::vector<Mistake> mistakes() {
    const std::string copied = "Look at the three lines side by side.";
    return {
        {"mha.k-uses-Wq", "the keys were made with W^Q",
         "How many matrices are there, and is each used once?", copied},
        {"mha.q-uses-Wk", "the queries were made with W^K",
         "How many matrices are there, and is each used once?", copied},
        {"mha.k-uses-Wv", "the keys were made with W^V",
         "How many matrices are there, and is each used once?", copied},
        {"mha.v-uses-Wk", "the values were made with W^K",
         "How many matrices are there, and is each used once?", copied},
        {"mha.v-uses-Wq", "the values were made with W^Q",
         "How many matrices are there, and is each used once?", copied},
        {"mha.qk-swapped", "W^Q made the keys and W^K the queries", "Which of the two asks?",
         copied},
        {"mha.k-from-Q", "the keys were made from the queries and not from X",
         "What are all three made from?", copied},
        {"mha.v-from-K", "the values were made from the keys and not from X",
         "What are all three made from?", copied},
        {"mha.v-is-X", "the values were X itself", "Is each of the three matrices used?", copied},
        {"mha.WT", "the matrices were transposed, as for the weight of a Linear",
         "Is W^Q [d, d_k] or [d_k, d]?", "Compare the shapes of X and of W.W_Q: tensor W.W_Q"},
        {"mha.left", "the matrices stood on the left, which mixes words and not features",
         "What does W·X add up, numbers of one word or of several?",
         "Change the last word of X: which rows of Q change?"},
    };
}

struct Words {
    Tensor X;
    Matrices W;
};

Stages given(const Words& in) {
    return {{"X", in.X}, {"W_Q", in.W.W_Q}, {"W_K", in.W.W_K}, {"W_V", in.W.W_V}};
}

Stages stages(const Project& project, const Words& in) {
    const Projected its = project(in.X, in.W);
    return {{"Q", its.Q}, {"K", its.K}, {"V", its.V}};
}

// Random matrices for words of dimension `d`.
Matrices matrices(std::int64_t d, std::int64_t d_k, std::int64_t d_v, std::uint64_t seed) {
    return {random({d, d_k}, seed), random({d, d_k}, seed + 1), random({d, d_v}, seed + 2)};
}

Tensor turned(const Tensor& x) { return tensor::transpose(x, -2, -1); }

// The sums down the columns of each matrix are 0, so what all features have in common cancels.
Matrices that_cancel(const Matrices& W) {
    const auto centred = [](const Tensor& x) { return x - tensor::mean(x, {0}, keepdim); };
    return {centred(W.W_Q), centred(W.W_K), centred(W.W_V)};
}

Inputs<Words> inputs() {
    const Matrices views = {turned(random({3, 5}, 71)), tensor::slice(random({7, 3}, 72), 0, 1, 6),
                            tensor::slice(random({5, 6}, 73), 1, 2, 6)};
    const Tensor joined = random({5, 9}, 75);
    const Matrices side_by_side = {tensor::slice(joined, 1, 0, 3), tensor::slice(joined, 1, 3, 6),
                                   tensor::slice(joined, 1, 6)};
    return {
        {"5 words of 6 numbers, d_k 3, d_v 2", {random({5, 6}, 1), matrices(6, 3, 2, 2)}},
        {"2 texts, 3 words of 4 numbers, d_k 5, d_v 7",
         {random({2, 3, 4}, 11), matrices(4, 5, 7, 12)}},
        {"d, d_k, d_v and the number of words all 4", {random({4, 4}, 21), matrices(4, 4, 4, 22)}},
        {"other words and matrices of these sizes", {random({4, 4}, 25), matrices(4, 4, 4, 26)}},
        {"one word", {random({1, 3}, 31), matrices(3, 2, 2, 32)}},
        {"2 texts of 3 parts of 4 words", {random({2, 3, 4, 5}, 41), matrices(5, 6, 2, 42)}},
        {"a batch of one text", {random({1, 3, 5}, 57), matrices(5, 4, 2, 58)}},
        {"five axes, some of size 1", {random({1, 2, 1, 1, 3}, 45), matrices(3, 1, 4, 46)}},
        {"one number for each word", {random({2, 3, 1}, 55), matrices(1, 3, 2, 56)}},
        {"X as a transposed view", {turned(random({2, 5, 4}, 61)), matrices(5, 3, 4, 62)}},
        {"X as a view whose leading axes are exchanged",
         {tensor::transpose(random({3, 2, 4, 5}, 63), 0, 1), matrices(5, 2, 3, 64)}},
        {"X of every second word",
         {tensor::slice(random({3, 8, 5}, 65), 1, 1, 8, 2), matrices(5, 2, 3, 66)}},
        {"matrices as views", {random({4, 5}, 70), views}},
        {"matrices side by side in one tensor", {random({4, 5}, 76), side_by_side}},
        {"words of 130 numbers, d_k 70, d_v 66", {random({3, 130}, 91), matrices(130, 70, 66, 92)}},
        {"80 texts of 2 words", {random({80, 2, 3}, 81), matrices(3, 2, 4, 82)}},
        {"80 words far from 0", {random({80, 4}, 85) + 1e9, that_cancel(matrices(4, 3, 2, 86))}},
    };
}

std::string each_word_alone(const Project& project) {
    const Tensor X = random({5, 5}, 50);
    const Matrices W = {random({5, 5}, 51), random({5, 5}, 52), random({5, 5}, 53)};
    const Tensor start = tensor::slice(X, 0, 0, 4);
    const Tensor other = tensor::concatenate({start, random({1, 5}, 54)}, 0);
    const Stages before = stages(project, {X, W}), after = stages(project, {other, W});
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string changed = difference(tensor::slice(after[i].value, 0, 0, 4),
                                               tensor::slice(before[i].value, 0, 0, 4));
        if (changed.empty()) continue;
        return "With another last word of five, the part of " + before[i].name +
               " that belongs to the first four " + changed + " as before.";
    }
    return "";
}

Rules<Project> rules() {
    return {
        .number = "07.2",
        .title = "Queries, keys and values",
        .reference =
            [](const Slips& slip) {
                return [=](const Tensor& X, const Matrices& W) { return walk(X, W, slip); };
            },
        .cases = on_each(stages, inputs()),
        .laws = {{"query, key and value of a word depend on that word alone", each_word_alone}},
        .mistakes = mistakes(),
        .hints = {"From what are query, key and value of a word made, and with what?",
                  "Lesson 07.4; print the shapes of X and of each matrix",
                  "Q = X·W^Q, K = X·W^K, V = X·W^V",
                  "matmul(X, W.W_Q), matmul(X, W.W_K), matmul(X, W.W_V), all of tensor::"},
    };
}

}  // namespace

const Judge<Project> judge_07_2(rules);

}  // namespace exercise
