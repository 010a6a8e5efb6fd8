#include "tutorials/exercises/judges/07_1_scaled_attention.h"

#include "tutorials/exercises/judges/common_qkv.h"
#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"
#include "nn/attention/attention.h"
#include "tensor/factories.h"
#include "tensor/index_tensor.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/gather.h"
#include "tensor/ops/reduce.h"

#include <cmath>

using namespace heed;

namespace exercise {

namespace {

std::vector<Leaf> needing_gradients(const std::vector<Leaf>& inputs) {
    std::vector<Leaf> leaves;
    for (const Leaf& input : inputs) {
        if (input.variable.requires_grad()) leaves.push_back(input);
    }
    return leaves;
}

// Each of the three is differentiated, in a graph of its own.
Stages stages(const std::function<AttentionSteps()>& attend, const QueriesKeysValues& in) {
    const AttentionSteps steps = attend();
    Stages found = with_gradients(stages_of(steps), steps.output, needing_gradients(leaves_of(in)));
    found = with_gradients(
        found, attend().weights,
        needing_gradients({{"Q from weights alone", in.Q}, {"K from weights alone", in.K}}));
    return with_gradients(
        found, attend().scores,
        needing_gradients({{"Q from scores alone", in.Q}, {"K from scores alone", in.K}}));
}

Case case_of(const Attend& attend, const std::string& name, const QueriesKeysValues& in) {
    const auto walk = [=](const Slips& slip) {
        return stages([=] { return attention_walk(in, Scaling::root_of_d_k, slip); }, in);
    };
    const auto learner = [=] {
        return stages(
            [=] {
                const ScaledAttention yours = attend(in.Q, in.K, in.V);
                return AttentionSteps{yours.scores, yours.weights, yours.output};
            },
            in);
    };
    return {name, walk, learner, values_of(leaves_of(in))};
}

Mistake constant(const std::string& id, const std::string& what, const std::string& where) {
    return {id,
            what + " was a constant on its way to the output, so that no gradient passed it",
            {"Which way do gradients take back from the output?",
             "Look for value() or detach() " + where + "."}};
}

std::vector<Mistake> detached() {
    return {{"train.detached",
             "the output was a constant, so that nothing could be learned from it",
             {"Which way do gradients take back from the output?",
              "Look for value() or detach() where the output is computed."}},
            constant("att.detached-Q", "Q", "where Q is used"),
            constant("att.detached-K", "K", "where K is used"),
            constant("att.detached-V", "V", "where V is used"),
            constant("att.detached-weights", "the tensor of weights",
                     "between the softmax and the output"),
            constant("sm.detached-sum", "the sum in the softmax", "in the softmax")};
}

std::string shuffled(const Attend& attend) {
    const QueriesKeysValues in = random_attention_input({{}, 3, 5, 6, 2}, 40);
    const IndexTensor order({3, 0, 4, 2, 1});
    const Variable K(tensor::index_select(in.K.value(), 0, order));
    const Variable V(tensor::index_select(in.V.value(), 0, order));
    const Tensor before = tensor::clone(attend(in.Q, in.K, in.V).output.value());
    const std::string change = first_change(before, attend(in.Q, K, V).output.value());
    return change.empty()
               ? ""
               : "Keys and values were reordered alike, and of the output, " + change + ".";
}

std::string equal_scores(const Attend& attend) {
    const QueriesKeysValues in = random_attention_input({{}, 3, 5, 6, 2}, 50);
    const Tensor mean = tensor::mean(in.V.value(), 0) + tensor::zeros({3, 2});
    const Tensor output = attend(Variable(tensor::zeros({3, 6})), in.K, in.V).output.value();
    if (output.shape() != mean.shape())
        return "The output has shape " + output.shape().text() + ".";
    const std::string off = difference(output, mean);
    return off.empty() ? "" : "For queries of zeros the output " + off + ".";
}

}  // namespace

Exercise scaled_attention(const Attend& attend) {
    Exercise exercise;
    exercise.number = "07.1";
    exercise.title = "Scaled dot-product attention";
    const auto add = [&](const std::string& name, const QueriesKeysValues& in) {
        exercise.cases.push_back(case_of(attend, name, in));
    };
    add("3 queries and 5 keys of 6 numbers", random_attention_input({{}, 3, 5, 6, 2}, 1));
    add("3 other queries and 5 other keys", random_attention_input({{}, 3, 5, 6, 2}, 101));
    add("2 texts, 3 heads", random_attention_input({{2, 3}, 4, 5, 7, 2}, 11));
    add("2 texts, 5 queries and 3 keys", random_attention_input({{2}, 5, 3, 4, 7}, 111));
    add("3 leading axes, [2, 1, 3]", random_attention_input({{2, 1, 3}, 2, 4, 5, 3}, 121));
    add("5 words with keys and values of 7", random_attention_input({{2}, 5, 5, 7, 7}, 21));
    add("4 words of 4 numbers", random_attention_input({{}, 4, 4, 4, 4}, 91));
    add("keys around ±1000", random_attention_input({{}, 3, 5, 6, 2}, 31, 30));
    add("queries whose scores lie thousands apart", attention_input_far_apart(131));
    add("scores of exactly 0", attention_input_with_zeros(141));
    add("variables whose tensors are views", attention_input_of_views(151));
    add("queries, keys and values side by side in one tensor", attention_input_side_by_side(241));
    add("a value of 10^12 whose weight is very small", attention_input_of_large_value());
    const QueriesKeysValues some = random_attention_input({{2}, 3, 4, 5, 2}, 251);
    add("keys and values that need no gradient", {some.Q, some.K.detach(), some.V.detach()});
    add("queries and keys that need no gradient", {some.Q.detach(), some.K.detach(), some.V});
    add("one query, one key", random_attention_input({{}, 1, 1, 3, 2}, 61));
    add("one query and 5 keys of 2 numbers", random_attention_input({{}, 1, 5, 2, 3}, 191));
    add("2 texts, one query and 4 keys", random_attention_input({{2}, 1, 4, 3, 2}, 201));
    const Variable words = random_attention_input({{}, 6, 6, 5, 5}, 211).Q;
    add("6 words that are their own queries, keys and values", {words, words, words});
    add("one text, 4 queries and one key of one number",
        random_attention_input({{1}, 4, 1, 1, 3}, 161));
    add("3 queries and 4 keys of 130 numbers, values of 70",
        random_attention_input({{}, 3, 4, 130, 70}, 221, 0.5));
    add("70 texts", random_attention_input({{70}, 2, 3, 2, 2}, 231));
    add("20 queries and 130 keys", random_attention_input({{}, 20, 130, 3, 2}, 171));
    add("20 queries and 130 keys of large numbers",
        random_attention_input({{}, 20, 130, 3, 2}, 181, 25));
    add("the first queries and keys again", random_attention_input({{}, 3, 5, 6, 2}, 1));
    const auto of_seed = [=](std::uint64_t seed) {
        const QueriesKeysValues in = random_attention_input({{2}, 3, 5, 6, 2}, seed);
        const ScaledAttention yours = attend(in.Q, in.K, in.V);
        return stages_of({yours.scores, yours.weights, yours.output});
    };
    exercise.laws = {
        {"the weights of a query sum to 1", [=] { return rows_sum_to_1(of_seed(70)[1].value); }},
        earlier_results_stay([=] { return of_seed(80); }, [=] { return of_seed(90); }),
        {"the order of the keys, each with its value, does not matter",
         [=] { return shuffled(attend); }},
        {"equal scores give the mean of the values", [=] { return equal_scores(attend); }},
    };
    exercise.mistakes = joined(attention_mistakes(Scaling::root_of_d_k), detached());
    exercise.hints = {
        "Which number says how well query i and key j match, and how does it grow with d_k?",
        "Lesson 07.5 has all three stages; in the debugger, tensor scores and tensor weights",
        "softmax(Q·Kᵀ/√d_k)·V, the softmax along the keys, d_k the dimension of a key",
        "matmul(Q, transpose(K)) / sqrt(d_k), then softmax(scores, -1), then "
        "matmul(weights, V)"};
    exercise.factors = {{"√6", 2.449489742783178}, {"1/√6", 0.4082482904638630}};
    exercise.cause_of_nan = "∞ / ∞ or 0 / 0 in a softmax, where exp overflows or underflows";
    return exercise;
}

Trials scaled_attention_trials() {
    Trials trials;
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
