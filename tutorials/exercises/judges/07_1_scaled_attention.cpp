#include "tutorials/exercises/judges/07_1_scaled_attention.h"

#include "tutorials/exercises/judges/common_qkv.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/ops/matmul.h"
#include "heed/autograd/ops/softmax.h"
#include "heed/autograd/ops/views.h"
#include "heed/nn/attention/attention.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/index_tensor.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/gather.h"
#include "heed/tensor/ops/reduce.h"

#include <cmath>

using namespace heed;

namespace exercise {

namespace {

Stages stages(const ScaledAttention& steps) {
    return stages_of({steps.scores, steps.weights, steps.output});
}

Mistake detached() {
    return {"train.detached",
            "the numbers were taken out of a variable on the way, so that nothing can be learned",
            {"Through what do gradients find their way back?",
             "Look for value() or detach() in your code."}};
}

std::string shuffled(const Attend& attend) {
    const QueriesKeysValues in = random_attention_input({{}, 3, 5, 6, 2}, 40);
    const IndexTensor order({3, 0, 4, 2, 1});
    const Variable K(tensor::index_select(in.K.value(), 0, order));
    const Variable V(tensor::index_select(in.V.value(), 0, order));
    return same_or(attend(in.Q, K, V).output.value(), attend(in.Q, in.K, in.V).output.value(),
                   "The output changed when keys and values were given in another order.");
}

std::string equal_scores(const Attend& attend) {
    const QueriesKeysValues in = random_attention_input({{}, 3, 5, 6, 2}, 50);
    const Variable Q(tensor::zeros({3, 6}));
    const Tensor mean = tensor::mean(in.V.value(), 0) + tensor::zeros({3, 2});
    return same_or(attend(Q, in.K, in.V).output.value(), mean,
                   "Queries of zeros fit all keys alike, but the output is not the mean.");
}

}  // namespace

Exercise scaled_attention(const Attend& attend) {
    Exercise exercise;
    exercise.number = "07.1";
    exercise.title = "Scaled dot-product attention";
    const auto add = [&](const std::string& name, const QueriesKeysValues& in) {
        exercise.cases.push_back({name,
                                  [=](const Slips& slip) {
                                      return stages_of(
                                          attention_walk(in, Scaling::root_of_d_k, slip));
                                  },
                                  [=] { return stages(attend(in.Q, in.K, in.V)); }});
    };
    add("3 queries and 5 keys of 6 numbers", random_attention_input({{}, 3, 5, 6, 2}, 1));
    add("2 texts, 3 heads", random_attention_input({{2, 3}, 4, 5, 7, 2}, 11));
    add("5 words with keys and values of 7", random_attention_input({{2}, 5, 5, 7, 7}, 21));
    add("4 words of 4 numbers", random_attention_input({{}, 4, 4, 4, 4}, 91));
    add("keys around ±1000", random_attention_input({{}, 3, 5, 6, 2}, 31, 30));
    add("one query, one key", random_attention_input({{}, 1, 1, 3, 2}, 61));
    exercise.laws = {
        {"the weights of a query sum to 1",
         [=] {
             const QueriesKeysValues in = random_attention_input({{2}, 3, 5, 6, 2}, 70);
             return rows_sum_to_1(attend(in.Q, in.K, in.V).weights.value());
         }},
        {"the order of the keys, each with its value, does not matter",
         [=] { return shuffled(attend); }},
        {"equal scores give the mean of the values", [=] { return equal_scores(attend); }},
        {"gradients reach queries, keys and values",
         [=] {
             const QueriesKeysValues in = random_attention_input({{}, 3, 5, 6, 2}, 80);
             const Variable output = attend(in.Q, in.K, in.V).output;
             return gradients_arrive({in.Q, in.K, in.V}, {"Q", "K", "V"}, output);
         },
         {detached()}}};
    exercise.mistakes = attention_mistakes(Scaling::root_of_d_k);
    exercise.hints = {
        "Which number says how well query i and key j fit, and how large may it get?",
        "Lesson 07.5 has all three stages; tensor scores, tensor weights",
        "softmax(Q·Kᵀ/√d_k)·V, the softmax along the keys, d_k the dimension of a key",
        "matmul(Q, transpose(K)) / sqrt(d_k), then softmax(scores, -1), then "
        "matmul(weights, V)"};
    exercise.factors = {{"√6", 2.449489742783178}, {"1/√6", 0.4082482904638630}};
    exercise.cause_of_nan = "∞ / ∞ in a softmax without its shift, or a root of 0";
    return exercise;
}

Trials scaled_attention_trials() {
    Trials trials;
    trials.more_ids = {"train.detached"};
    trials.slipping = [](const Slips& slip) {
        return scaled_attention([=](const Variable& Q, const Variable& K, const Variable& V) {
            const AttentionSteps steps = attention_walk({Q, K, V}, Scaling::root_of_d_k, slip);
            return ScaledAttention{steps.scores, steps.weights, steps.output};
        });
    };
    trials.right["the scale folded into the queries"] = [] {
        return scaled_attention([](const Variable& Q, const Variable& K, const Variable& V) {
            const Variable scaled = Q / std::sqrt(static_cast<double>(Q.dim(-1)));
            const Variable scores = matmul(scaled, transpose(K));
            const Variable weights = softmax(scores, -1);
            return ScaledAttention{scores, weights, matmul(weights, V)};
        });
    };
    trials.right["both sides divided by the fourth root of d_k"] = [] {
        return scaled_attention([](const Variable& Q, const Variable& K, const Variable& V) {
            const double root = std::sqrt(static_cast<double>(Q.dim(-1)));
            const double fourth = std::sqrt(root);
            const Variable scores = matmul(Q / fourth, transpose(K / fourth));
            const Variable weights = softmax(scores, -1);
            return ScaledAttention{scores, weights, matmul(weights, V)};
        });
    };
    trials.right["output and weights of the library"] = [] {
        return scaled_attention([](const Variable& Q, const Variable& K, const Variable& V) {
            const Attention library = scaled_dot_product_attention(Q, K, V);
            const double root = std::sqrt(static_cast<double>(Q.dim(-1)));
            return ScaledAttention{matmul(Q, transpose(K)) / root, library.weights, library.output};
        });
    };
    return trials;
}

}  // namespace exercise
