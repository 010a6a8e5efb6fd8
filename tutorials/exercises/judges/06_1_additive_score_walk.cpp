#include "tutorials/exercises/judges/06_1_additive_score_walk.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/views.h"

#include <cmath>

using namespace heed;

namespace exercise {

namespace {

Variable activated(const Variable& sums, const Slips& slip) {
    if (slip("add.relu")) return relu(sums);
    if (slip("add.sigmoid")) return sigmoid(sums);
    if (slip("add.tanh-half")) return sigmoid(sums) * 2.0 - 1.0;
    if (slip("add.no-tanh") || slip("add.tanh-outside")) return sums;
    return tanh(sums);
}

}  // namespace

Variable additive_walk(const AdditiveWeights& in, const Variable& Q, const Variable& K,
                       const Slips& slip) {
    const auto unless = [&](const char* id, const Variable& x) {
        return slip(id) ? x.detach() : x;
    };
    const Variable& W = slip("add.W-U-swapped") ? in.U : in.W;
    const Variable& U = slip("add.W-U-swapped") || slip("add.W-twice") ? in.W : in.U;
    const Variable v = unless("add.detached-v", select(in.v, 0, 0));
    const Variable given_q = unless("add.detached-Q", Q), given_k = unless("add.detached-K", K);
    const Variable of_q =
        unless("add.detached-queries", matmul(given_q, slip("add.WT") ? W : transpose(W)));
    const Variable of_k =
        unless("add.detached-keys", matmul(given_k, slip("add.WT") ? U : transpose(U)));
    const Variable queries = unsqueeze(of_q, slip("add.keys-as-rows") ? -3 : -2);
    const Variable keys = unsqueeze(of_k, slip("add.keys-as-rows") ? -2 : -3);
    Variable sums = queries + keys;  // [..., T_q, T_k, h]
    if (slip("add.minus")) sums = queries - keys;
    if (slip("add.times")) sums = queries * keys;
    const Variable hidden =
        slip("add.tanh-each") ? tanh(queries) + tanh(keys) : activated(sums, slip);
    Variable scores = slip("add.no-v") ? sum(hidden, -1) : sum(hidden * v, -1);  // [..., T_q, T_k]
    if (slip("add.scaled")) scores = scores / std::sqrt(static_cast<double>(in.v.dim(1)));
    if (slip("add.tanh-outside")) scores = tanh(scores);
    return unless("train.detached", scores);
}

namespace {

Mistake constant(const std::string& id, const std::string& what) {
    return {id,
            what + " was a constant on its way to the score, so that no gradient passed it",
            {"Which way do gradients take back from a score?",
             "Look for value() or detach() in your code, and for a member that is frozen."}};
}

}  // namespace

std::vector<Mistake> additive_mistakes() {
    const std::string hidden = "Look at what is inside tanh and what is outside.";
    const std::string given = "Look at what each of the two layers is given.";
    return {
        {"add.no-tanh",
         "there was no tanh between the sum and v",
         {"Without it, can the query change which of two keys has the larger score?", hidden}},
        {"add.relu",
         "relu was used instead of tanh",
         {"Can a number of the hidden layer be negative?", hidden}},
        {"add.sigmoid",
         "the sigmoid was used instead of tanh",
         {"What is tanh of 0, and what is yours?", hidden}},
        {"add.tanh-half",
         "2·sigmoid(x) - 1 was used for tanh(x), though it is tanh(x/2)",
         {"What is tanh(1), and what is yours?", hidden}},
        {"add.tanh-each",
         "tanh was applied to W·q and to U·k, and then the two were added",
         {"Where do query and key meet, before tanh or after it?", hidden}},
        {"add.tanh-outside",
         "tanh was applied to the score and not to the hidden layer",
         {"How many numbers go through tanh for a pair, one or d_hidden?", hidden}},
        {"add.times",
         "W·q and U·k were multiplied",
         {"What is the score called?", "Look at where query and key meet."}},
        {"add.minus",
         "U·k was subtracted from W·q",
         {"What is the score called?", "Look at where query and key meet."}},
        {"add.scaled",
         "the score was divided by √d_hidden",
         {"Does the formula have a scale?", "Look at what happens after v."}},
        {"add.no-v",
         "the numbers of the hidden layer were added up without v",
         {"What turns d_hidden numbers into one?", "Where is the member v used?"}},
        {"add.W-U-swapped",
         "W was applied to the keys and U to the queries",
         {"Which of them is [d_hidden, d_q]?", given}},
        {"add.W-twice",
         "W was applied to both queries and keys, and U to nothing",
         {"Which of them is [d_hidden, d_k]?", given}},
        {"add.WT",
         "the matrices were used the other way round, x·W and not x·Wᵀ",
         {"Linear keeps its matrix as [out, in]: what does it compute?",
          "Look at what is multiplied by the weights."}},
        {"add.keys-as-rows",
         "each key had a row of the scores and each query a column",
         {"Which axis of the sum is that of the queries?",
          "Look at the shape of the scores of 4 queries and 6 keys."}},
        constant("train.detached", "all of it"),
        constant("add.detached-Q", "Q"),
        constant("add.detached-K", "K"),
        constant("add.detached-queries", "W·q"),
        constant("add.detached-keys", "U·k"),
        constant("add.detached-v", "v"),
    };
}

std::vector<Hole> additive_holes() {
    return {{"members",
             {},
             {"How does an optimizer learn what there is to train?",
              "nn/linear.h for the three layers, nn/module.h for members()",
              "W is Linear(d_q, d_hidden, random, no_bias), U and v likewise",
              "Linear W, U, v; initialize them in the constructor, and visit(\"W\", W) and so on"}},
            {"operator()",
             {"scores", "the gradient of Q", "the gradient of K", "the gradient of W",
              "the gradient of U", "the gradient of v"},
             {"How do [T_q, h] and [T_k, h] become one [T_q, T_k, h]?",
              "unsqueeze in autograd/ops/views.h makes an axis to broadcast along",
              "s_ij = v·tanh(W·q_i + U·k_j), [..., T_q, 1, h] + [..., 1, T_k, h]",
              "squeeze(v(tanh(unsqueeze(W(Q), -2) + unsqueeze(U(K), -3))), -1)"}}};
}

}  // namespace exercise
