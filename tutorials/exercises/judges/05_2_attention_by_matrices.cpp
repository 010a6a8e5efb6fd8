#include "tutorials/exercises/judges/05_2_attention_by_matrices.h"

#include "tutorials/exercises/judges/common_qkv.h"

#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/functions.h"
#include "heed/tensor/ops/matmul.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/ops/softmax.h"
#include "heed/tensor/views.h"

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

std::string first_word_stays(const ByMatrices& attend) {
    const QueriesKeysValues in = random_attention_input({{}, 3, 5, 6, 2}, 60);
    const Tensor all = attend(in.Q.value(), in.K.value(), in.V.value()).output;
    const Tensor two = tensor::slice(in.Q.value(), 0, 0, 2);
    const Tensor fewer = attend(two, in.K.value(), in.V.value()).output;
    return same_or(tensor::slice(all, 0, 0, 2), fewer,
                   "Of three queries the last was taken away, and the answers to the others "
                   "changed.");
}

}  // namespace

Exercise attention_by_matrices(const ByMatrices& attend) {
    Exercise exercise;
    exercise.number = "05.2";
    exercise.title = "Attention by matrices";
    const auto add = [&](const std::string& name, const QueriesKeysValues& in) {
        exercise.cases.push_back({name, [=](const Slips& slip) { return walk(in, slip); },
                                  [=] {
                                      const DotAttention yours =
                                          attend(in.Q.value(), in.K.value(), in.V.value());
                                      return Stages{{"scores", yours.scores},
                                                    {"weights", yours.weights},
                                                    {"output", yours.output}};
                                  }});
    };
    add("3 queries and 5 keys of 6 numbers", random_attention_input({{}, 3, 5, 6, 2}, 1));
    add("5 words with keys and values of 4", random_attention_input({{}, 5, 5, 4, 4}, 11));
    add("4 words of 4 numbers", random_attention_input({{}, 4, 4, 4, 4}, 91));
    add("keys around ±1000", random_attention_input({{}, 3, 5, 6, 2}, 21, 30));
    add("one query, one key", random_attention_input({{}, 1, 1, 3, 2}, 31));
    exercise.laws = {
        {"the weights of a query sum to 1",
         [=] {
             const QueriesKeysValues in = random_attention_input({{}, 3, 5, 6, 2}, 40);
             return rows_sum_to_1(attend(in.Q.value(), in.K.value(), in.V.value()).weights);
         }},
        {"each query is answered for itself", [=] { return first_word_stays(attend); }}};
    exercise.mistakes = attention_mistakes(Scaling::none);
    exercise.mistakes.push_back(
        {"att.own-value",
         "the query itself came out, as in Σ_j a_ij x_i: the weights sum to 1",
         {"What is added up, the word that asks or those it looks at?",
          "Compare output[0] with Q[0]."}});
    exercise.hints = {"Which product of two matrices holds all dot products at once?",
                      "Lesson 05.3; print the shapes of what you multiply",
                      "S = Q·Kᵀ, A = softmax of S along the keys, Y = A·V",
                      "matmul(Q, transpose(K)), softmax(scores, -1), matmul(weights, V), all of "
                      "tensor::"};
    exercise.cause_of_nan = "∞ / ∞ in a softmax without its shift";
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
