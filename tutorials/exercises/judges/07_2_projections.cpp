#include "tutorials/exercises/judges/07_2_projections.h"

#include "tutorials/exercises/judges/common_qkv.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/join.h"
#include "heed/tensor/ops/matmul.h"
#include "heed/tensor/views.h"

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

Stages stages(const Projected& projected) {
    return {{"Q", projected.Q}, {"K", projected.K}, {"V", projected.V}};
}

std::vector<Mistake> mistakes() {
    const std::string copied = "Look at the three lines side by side.";
    return {
        {"mha.k-uses-Wq",
         "the keys were made with W^Q",
         {"How many matrices are there, and is each used once?", copied}},
        {"mha.q-uses-Wk",
         "the queries were made with W^K",
         {"How many matrices are there, and is each used once?", copied}},
        {"mha.k-uses-Wv",
         "the keys were made with W^V",
         {"How many matrices are there, and is each used once?", copied}},
        {"mha.v-uses-Wk",
         "the values were made with W^K",
         {"How many matrices are there, and is each used once?", copied}},
        {"mha.v-uses-Wq",
         "the values were made with W^Q",
         {"How many matrices are there, and is each used once?", copied}},
        {"mha.qk-swapped",
         "W^Q made the keys and W^K the queries",
         {"Which of the two asks?", copied}},
        {"mha.k-from-Q",
         "the keys were made from the queries and not from X",
         {"What are all three made from?", copied}},
        {"mha.v-from-K",
         "the values were made from the keys and not from X",
         {"What are all three made from?", copied}},
        {"mha.v-is-X", "the values were X itself", {"Is each of the three matrices used?", copied}},
        {"mha.WT",
         "the matrices were transposed, as for the weight of a Linear",
         {"Is W^Q [d, d_k] or [d_k, d]?", "Compare the shapes: tensor W.W_Q"}},
        {"mha.left",
         "the matrices stood on the left, which mixes words and not features",
         {"What does W·X add up, numbers of one word or of several?",
          "Change the last word of X: which rows of Q change?"}},
    };
}

std::string each_word_alone(const Project& project) {
    const Tensor X = random({5, 5}, 50);
    const Matrices W = {random({5, 5}, 51), random({5, 5}, 52), random({5, 5}, 53)};
    const Tensor start = tensor::slice(X, 0, 0, 4);
    const Tensor other = tensor::concatenate({start, random({1, 5}, 54)}, 0);
    const Stages before = stages(project(X, W)), after = stages(project(other, W));
    for (std::size_t i = 0; i < 3; ++i) {
        if (!tensor::same_bits(tensor::slice(before[i].value, 0, 0, 4),
                               tensor::slice(after[i].value, 0, 0, 4))) {
            return "The last of five words was changed, and with it other rows of " +
                   before[i].name + ".";
        }
    }
    return "";
}

}  // namespace

Exercise projections(const Project& project) {
    Exercise exercise;
    exercise.number = "07.2";
    exercise.title = "Queries, keys and values";
    const auto add = [&](const std::string& name, const Shape& of_X, const Shape& of_W,
                         std::int64_t d_v, std::uint64_t seed) {
        const Tensor X = random(of_X, seed);
        const Matrices W = {random(of_W, seed + 1), random(of_W, seed + 2),
                            random({of_W[0], d_v}, seed + 3)};
        exercise.cases.push_back({name, [=](const Slips& slip) { return stages(walk(X, W, slip)); },
                                  [=] { return stages(project(X, W)); }});
    };
    add("5 words of 6 numbers, d_k 3, d_v 2", {5, 6}, {6, 3}, 2, 1);
    add("2 texts, 3 words of 4 numbers, d_k 5, d_v 7", {2, 3, 4}, {4, 5}, 7, 11);
    add("d, d_k, d_v and the number of words all 4", {4, 4}, {4, 4}, 4, 21);
    add("one word", {1, 3}, {3, 2}, 2, 31);
    exercise.laws = {{"query, key and value of a word depend on that word alone",
                      [=] { return each_word_alone(project); }}};
    exercise.mistakes = mistakes();
    exercise.hints = {"From what are query, key and value of a word made, and with what?",
                      "Lesson 07.4; print the shapes of X and of each matrix",
                      "Q = X·W^Q, K = X·W^K, V = X·W^V",
                      "matmul(X, W.W_Q), matmul(X, W.W_K), matmul(X, W.W_V), all of tensor::"};
    return exercise;
}

Trials projections_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return projections([=](const Tensor& X, const Matrices& W) { return walk(X, W, slip); });
    };
    trials.right["one product with all three side by side"] = [] {
        return projections([](const Tensor& X, const Matrices& W) {
            const std::int64_t d_k = W.W_Q.dim(1);
            const Tensor all = tensor::concatenate({W.W_Q, W.W_K, W.W_V}, 1);
            const Tensor QKV = tensor::matmul(X, all);
            return Projected{tensor::slice(QKV, -1, 0, d_k), tensor::slice(QKV, -1, d_k, 2 * d_k),
                             tensor::slice(QKV, -1, 2 * d_k)};
        });
    };
    trials.right["words as columns"] = [] {
        return projections([](const Tensor& X, const Matrices& W) {
            const auto project = [&](const Tensor& matrix) {
                const Tensor columns =
                    tensor::matmul(tensor::transpose(matrix), tensor::transpose(X));
                return tensor::transpose(columns);
            };
            return Projected{project(W.W_Q), project(W.W_K), project(W.W_V)};
        });
    };
    return trials;
}

}  // namespace exercise
