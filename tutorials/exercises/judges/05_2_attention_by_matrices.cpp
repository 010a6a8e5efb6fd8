#include "tutorials/exercises/judges/05_2_attention_by_matrices.h"

#include "tutorials/exercises/judges/common_qkv.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"
#include "tensor/views.h"

using namespace heed;

namespace exercise {

namespace {

Stages walk(const QueriesKeysValues& in, const Slips& slip) {
    AttentionSteps steps = attention_walk(in, Scaling::none, slip);
    // y_i = Σ_j a_ij x_i, as in notes 000 and 004: the result is the word itself.
    if (slip("att.own-value")) steps.output = in.Q;
    return stages_of(steps);
}

DotAttention numbers_of(const Stages& stages) {
    return {stages[0].value, stages[1].value, stages[2].value};
}

DotAttention by_loops(const Tensor& Q, const Tensor& K, const Tensor& V) {
    const std::int64_t T_q = Q.dim(0), T_k = K.dim(0), d = K.dim(1), d_v = V.dim(1);
    Tensor scores = tensor::zeros({T_q, T_k}), weights = tensor::zeros({T_q, T_k});
    Tensor output = tensor::zeros({T_q, d_v});
    Scalar* s = scores.writable_data();
    Scalar* a = weights.writable_data();
    Scalar* y = output.writable_data();
    for (std::int64_t i = 0; i < T_q; ++i) {
        Scalar largest = static_cast<Scalar>(-infinity), total = 0;
        for (std::int64_t j = 0; j < T_k; ++j) {
            for (std::int64_t k = 0; k < d; ++k) s[i * T_k + j] += Q(i, k) * K(j, k);
            if (s[i * T_k + j] > largest) largest = s[i * T_k + j];
        }
        for (std::int64_t j = 0; j < T_k; ++j) {
            a[i * T_k + j] = tensor::exp(tensor::of(s[i * T_k + j] - largest)).item();
            total += a[i * T_k + j];
        }
        for (std::int64_t j = 0; j < T_k; ++j) {
            a[i * T_k + j] /= total;
            for (std::int64_t k = 0; k < d_v; ++k) y[i * d_v + k] += a[i * T_k + j] * V(j, k);
        }
    }
    return {scores, weights, output};
}

}  // namespace

Exercise attention_by_matrices(const ByMatrices& attend) {
    Exercise exercise;
    exercise.number = "05.2";
    exercise.title = "Attention by matrices";
    const auto attended = [=](const QueriesKeysValues& in) {
        const DotAttention yours = attend(in.Q.value(), in.K.value(), in.V.value());
        return Stages{
            {"scores", yours.scores}, {"weights", yours.weights}, {"output", yours.output}};
    };
    const auto add = [&](const std::string& name, const QueriesKeysValues& in) {
        exercise.cases.push_back({name, [=](const Slips& slip) { return walk(in, slip); },
                                  [=] { return attended(in); }, values_of(leaves_of(in))});
    };
    add("3 queries and 5 keys of 6 numbers", random_attention_input({{}, 3, 5, 6, 2}, 1));
    add("3 other queries and 5 other keys", random_attention_input({{}, 3, 5, 6, 2}, 101));
    add("5 queries and 3 keys", random_attention_input({{}, 5, 3, 4, 7}, 111));
    add("5 words with keys and values of 4", random_attention_input({{}, 5, 5, 4, 4}, 11));
    add("4 words of 4 numbers", random_attention_input({{}, 4, 4, 4, 4}, 91));
    const Variable words = random_attention_input({{}, 6, 6, 4, 4}, 191).Q;
    add("6 words that are their own queries, keys and values", {words, words, words});
    add("keys around ±1000", random_attention_input({{}, 3, 5, 6, 2}, 21, 30));
    add("queries whose scores lie thousands apart", attention_input_far_apart(121));
    add("scores of exactly 0", attention_input_with_zeros(131));
    add("matrices that are views", attention_input_of_views(141));
    add("queries, keys and values side by side in one tensor", attention_input_side_by_side(211));
    add("a value of 10^12 whose weight is very small", attention_input_of_large_value());
    add("one query, one key", random_attention_input({{}, 1, 1, 3, 2}, 31));
    add("4 queries and one key of one number", random_attention_input({{}, 4, 1, 1, 3}, 151));
    add("one query and 5 keys, values of one number",
        random_attention_input({{}, 1, 5, 2, 1}, 161));
    add("3 queries and 4 keys of 130 numbers, values of 70",
        random_attention_input({{}, 3, 4, 130, 70}, 201, 0.2));
    add("70 queries and 130 keys", random_attention_input({{}, 70, 130, 3, 2}, 171));
    add("20 queries and 130 keys of large numbers",
        random_attention_input({{}, 20, 130, 3, 2}, 181, 25));
    add("the first queries and keys again", random_attention_input({{}, 3, 5, 6, 2}, 1));
    const auto of_seed = [=](std::uint64_t seed) {
        return attended(random_attention_input({{}, 3, 5, 6, 2}, seed));
    };
    exercise.laws = {
        {"the weights of a query sum to 1", [=] { return rows_sum_to_1(of_seed(40)[1].value); }},
        earlier_results_stay([=] { return of_seed(50); }, [=] { return of_seed(60); })};
    exercise.mistakes = attention_mistakes(Scaling::none);
    exercise.mistakes.push_back(
        {"att.own-value",
         "the output was the query itself, as in Σ_j a_ij x_i, where the weights sum to 1",
         {"What is added up, the word that asks or the words it looks at?",
          "Compare output[0] with Q[0]."}});
    exercise.hints = {"Which product of two matrices holds all dot products at once?",
                      "Lesson 05.3; print the shapes of all you multiply",
                      "S = Q·Kᵀ, A = softmax of S along the keys, Y = A·V",
                      "matmul(Q, transpose(K)), softmax(scores, -1), matmul(weights, V), all of "
                      "tensor::"};
    exercise.cause_of_nan = "∞ / ∞ or 0 / 0 in a softmax, where exp overflows or underflows";
    return exercise;
}

Trials attention_by_matrices_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return attention_by_matrices([=](const Tensor& Q, const Tensor& K, const Tensor& V) {
            return numbers_of(walk({Variable(Q), Variable(K), Variable(V)}, slip));
        });
    };
    trials.right["by the loops"] = [] { return attention_by_matrices(by_loops); };
    trials.right["keys as rows, and all transposed at the end"] = [] {
        return attention_by_matrices([](const Tensor& Q, const Tensor& K, const Tensor& V) {
            const Tensor S_T = tensor::matmul(K, tensor::transpose(Q));  // [T_k, T_q]
            const Tensor A_T = tensor::softmax(S_T, 0);                  // [T_k, T_q]
            const Tensor Y_T = tensor::matmul(tensor::transpose(V), A_T);
            return DotAttention{tensor::transpose(S_T), tensor::transpose(A_T),
                                tensor::transpose(Y_T)};
        });
    };
    return trials;
}

}  // namespace exercise
