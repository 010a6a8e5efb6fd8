#include "tutorials/exercises/judges/07_5_backward_by_hand.h"

#include "tutorials/exercises/judges/07_5_backward_by_hand_mistakes.h"
#include "tutorials/exercises/judges/common_holes.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/grad.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"
#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"
#include "tensor/views.h"

#include <cmath>
#include <utility>

using namespace heed;

namespace exercise {

namespace {

double root(std::int64_t n) { return std::sqrt(static_cast<double>(n)); }

struct Input {
    std::string name;
    Tensor Q, K, V, weights, G;
};

// Through softmax: Y·(G - Σ Y·G) along the keys.
Tensor through_softmax(const Tensor& Y, const Tensor& G, const Slips& slip) {
    if (slip("attb.no-softmax")) return G;
    if (slip("smb.p-dy")) return Y * G;
    const int axis = slip("smb.wrong-axis") ? -2 : -1;
    Tensor s = tensor::sum(Y * G, axis, keepdim);
    if (slip("smb.mean")) s = tensor::mean(Y * G, axis, keepdim);
    if (slip("smb.sum-G")) s = tensor::sum(G, axis, keepdim);
    if (slip("smb.all")) s = tensor::sum(Y * G);
    if (slip("smb.diag")) s = Y * G;
    if (slip("smb.plus")) s = -s;
    if (slip("smb.dy-s")) return G - s;
    if (slip("smb.y-once")) return Y * G - s;
    return Y * (G - s);
}

// The factor on the way from the scores to Q and K.
double factor(const Input& in, const Slips& slip) {
    const std::int64_t d_k = in.K.dim(-1);
    if (slip("attb.scale-lost")) return 1;
    if (slip("attb.scale-dk")) return 1 / static_cast<double>(d_k);
    if (slip("attb.scale-mul")) return root(d_k);
    if (slip("attb.scale-T")) return 1 / root(in.K.dim(-2));
    if (slip("attb.scale-T_q")) return 1 / root(in.Q.dim(-2));
    if (slip("attb.scale-dv")) return 1 / root(in.V.dim(-1));
    if (slip("attb.int-root")) return 1 / static_cast<double>(static_cast<int>(root(d_k)));
    return 1 / root(d_k);
}

GradientsByHand walk(const Input& in, const Slips& slip) {
    using tensor::matmul;
    using tensor::transpose;
    const Tensor G = slip("ag.no-upstream") ? tensor::ones_like(in.G) : in.G;
    const Tensor of_V = matmul(slip("attb.dV-noT") ? in.weights : transpose(in.weights), G);
    Tensor of_weights = matmul(G, slip("attb.dP-noT") ? in.V : transpose(in.V));
    if (slip("attb.dP-keys")) of_weights = matmul(G, transpose(in.K));
    Tensor of_scores = through_softmax(in.weights, of_weights, slip);
    const Tensor scaled = of_scores * factor(in, slip);
    Tensor of_Q = matmul(slip("attb.dQ-T") ? transpose(scaled) : scaled,
                         slip("attb.dQ-from-Q") ? in.Q : in.K);
    Tensor of_K = matmul(slip("attb.dK-noT") ? scaled : transpose(scaled),
                         slip("attb.dK-from-K") ? in.K : in.Q);
    if (slip("attb.scale-lost-Q")) of_Q = of_Q / factor(in, {});
    if (slip("attb.scale-lost-K")) of_K = of_K / factor(in, {});
    if (slip("ag.swapped-parents")) std::swap(of_Q, of_K);
    if (slip("attb.scores-scaled")) of_scores = scaled;
    if (slip("attb.scale-twice")) {
        of_scores = scaled;
        of_Q = of_Q * factor(in, {});
        of_K = of_K * factor(in, {});
    }
    return {of_V, of_weights, of_scores, of_Q, of_K};
}

Stages stages(const GradientsByHand& gradients) {
    return {{"∂L/∂V", gradients.V},
            {"∂L/∂weights", gradients.weights},
            {"∂L/∂scores", gradients.scores},
            {"∂L/∂Q", gradients.Q},
            {"∂L/∂K", gradients.K}};
}

// Sizes: T_q, T_k, d_k, d_v after the leading axes.
struct Sizes {
    std::vector<std::int64_t> leading;
    std::int64_t T_q, T_k, d_k, d_v;

    Shape shape(std::int64_t rows, std::int64_t columns) const {
        std::vector<std::int64_t> dims = leading;
        dims.push_back(rows);
        dims.push_back(columns);
        return Shape(Dims(dims));
    }
};

Input with_weights(const std::string& name, const Tensor& Q, const Tensor& K, const Tensor& V,
                   const Tensor& G) {
    const Tensor scores = tensor::matmul(Q, tensor::transpose(K)) / root(K.dim(-1));
    return {name, Q, K, V, tensor::softmax(scores, -1), G};
}

Input random_input(const std::string& name, const Sizes& of, std::uint64_t seed,
                   double deviation = 1) {
    return with_weights(name, random(of.shape(of.T_q, of.d_k), seed, deviation),
                        random(of.shape(of.T_k, of.d_k), seed + 1, deviation),
                        random(of.shape(of.T_k, of.d_v), seed + 2),
                        random(of.shape(of.T_q, of.d_v), seed + 3));
}

Input times(double size, Input in) {
    in.G = size * in.G;
    return in;
}

// The same sizes in memory of another order.
Input of_views() {
    const auto turned = [](std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
        return tensor::transpose(random({2, columns, rows}, seed));
    };
    Input in = with_weights("transposed views", turned(4, 3, 71), turned(5, 3, 72),
                            turned(5, 2, 73), turned(4, 2, 74));
    in.weights = tensor::transpose(tensor::clone(tensor::transpose(in.weights)));
    return in;
}

// Queries, keys and values side by side in one tensor.
Input of_one_tensor() {
    const Tensor all = random({2, 5, 12}, 111);
    return with_weights("Q, K and V side by side in one tensor", tensor::slice(all, -1, 0, 4),
                        tensor::slice(all, -1, 4, 8), tensor::slice(all, -1, 8),
                        random({2, 5, 4}, 112));
}

Input of_words_themselves() {
    const Tensor X = random({2, 4, 3}, 113);
    return with_weights("words that are their own queries, keys and values", X, X, X,
                        random({2, 4, 3}, 114));
}

// A query whose output the loss does not use, and a value of zeros: ∂L/∂weights has zeros.
Input with_zeros() {
    const Tensor used = tensor::of({{1}, {0}, {1}}), kept = tensor::of({{1}, {1}, {0}, {1}});
    return with_weights("rows of zeros in G and V", random({3, 5}, 115), random({4, 5}, 116),
                        kept * random({4, 2}, 117), used * random({3, 2}, 118));
}

// The second weight of each query is exactly 0, so what its value is must not matter.
Input with_a_large_value() {
    return with_weights("a value of 10^12 whose weight is 0", tensor::of({{2000}, {1500}}),
                        tensor::of({{1}, {0}, {1}}),
                        tensor::of({{0.5, 2}, {1e12, -2e12}, {-1, 0.3}}),
                        tensor::of({{1, -0.5}, {0.4, 2}}));
}

std::vector<Input> inputs() {
    return {
        random_input("3 queries and 5 keys, d_k 7, d_v 2", {{}, 3, 5, 7, 2}, 1),
        random_input("5 queries and 3 keys in 2 texts, d_k 2, d_v 4", {{2}, 5, 3, 2, 4}, 11),
        random_input("2 texts of 3 heads, 4 queries, 5 keys", {{2, 3}, 4, 5, 3, 6}, 21),
        random_input("4 words, d_k 3, d_v 5", {{2}, 4, 4, 3, 5}, 31),
        random_input("5 words, all sizes 5", {{2}, 5, 5, 5, 5}, 41),
        random_input("the same sizes and other numbers", {{2}, 5, 5, 5, 5}, 46),
        random_input("scores so far apart that most weights are 0", {{2}, 4, 6, 5, 3}, 51, 30),
        random_input("one query, one key, d_k 1", {{1, 2}, 1, 1, 1, 2}, 61),
        random_input("one query, 4 keys", {{2}, 1, 4, 3, 2}, 91),
        random_input("3 queries, one key, d_v 1", {{}, 3, 1, 2, 1}, 96),
        times(1000, random_input("G around 1000", {{2}, 3, 4, 5, 2}, 101)),
        times(1000, random_input("2 queries, 70 keys, G around 1000", {{1}, 2, 70, 3, 4}, 66)),
        of_views(),
        of_one_tensor(),
        of_words_themselves(),
        with_zeros(),
        with_a_large_value(),
    };
}

Case on(const Input& in, const AttentionBackward& backward) {
    return {in.name,
            [=](const Slips& slip) { return stages(walk(in, slip)); },
            [=] { return stages(backward(in.Q, in.K, in.V, in.weights, in.G)); },
            {{"Q", in.Q}, {"K", in.K}, {"V", in.V}, {"weights", in.weights}, {"G", in.G}}};
}

// With gradients so small that the judge would take all of them for 0.
Case of_small_gradients(const AttentionBackward& backward) {
    Case one = on(times(1e-16, random_input("G around 10^-16", {{2}, 4, 3, 2, 5}, 106)), backward);
    const auto walk_as_it_is = one.walk;
    const auto learner_as_it_is = one.learner;
    one.walk = [=](const Slips& slip) { return enlarged(walk_as_it_is(slip)); };
    one.learner = [=] { return enlarged(learner_as_it_is()); };
    return one;
}

// Adding a constant to all scores of a query changes nothing.
std::string rows_sum_to_0(const AttentionBackward& backward) {
    const Input in = random_input("", {{2}, 3, 4, 5, 6}, 81);
    const Tensor of_scores = backward(in.Q, in.K, in.V, in.weights, in.G).scores;
    const Tensor sums = tensor::sum(of_scores, -1);
    const Tensor zeros = tensor::zeros_like(sums);
    return same(sums, zeros) ? "" : "The sum of a row is off: " + worst_entry(sums, zeros) + ".";
}

}  // namespace

Exercise attention_backward(const AttentionBackward& backward) {
    Exercise exercise;
    exercise.number = "07.5";
    exercise.title = "Attention's backward pass by hand";
    for (const Input& in : inputs()) exercise.cases.push_back(on(in, backward));
    exercise.cases.push_back(of_small_gradients(backward));
    exercise.laws = {
        {"every row of ∂L/∂scores sums to 0", [=] { return rows_sum_to_0(backward); }}};
    exercise.mistakes = backward_mistakes();
    exercise.hints = {
        "Which was the last step of the forward pass, and what went into it?",
        "Lesson 02.5 has both gradients of a matrix product, 02.8 that of softmax: three steps "
        "back, five gradients. Take T_q = 2, T_k = 3 and write the shape beside every line",
        "For C = A·B: ∂L/∂A = G·Bᵀ and ∂L/∂B = Aᵀ·G. For softmax: ∂L/∂s_j = y_j·(G_j - Σ_i "
        "G_i·y_i). A division by √d_k divides the gradient, too",
        "weightsᵀ·G for V and G·Vᵀ for the weights; weights * (∂L/∂weights - the row's sum of "
        "weights * ∂L/∂weights) for the scores; with D = ∂L/∂scores / √d_k, D·K for Q and Dᵀ·Q for "
        "K"};
    return exercise;
}

namespace {

GradientsByHand by_the_library(const Tensor& Q, const Tensor& K, const Tensor& V, const Tensor&,
                               const Tensor& G) {
    const Variable q(Q, requires_grad), k(K, requires_grad), v(V, requires_grad);
    const Variable scores = matmul(q, transpose(k)) / root(K.dim(-1));
    const Variable weights = softmax(scores, -1);
    const Variable output = matmul(weights, v);
    const std::vector<Variable> found = grad(output, {v, weights, scores, q, k}, {.upstream = G});
    return {found[0].value(), found[1].value(), found[2].value(), found[3].value(),
            found[4].value()};
}

// Σ_j weights_ij·∂L/∂weights_ij is the product of G_i and the output: no need of [T_q, T_k] for it.
GradientsByHand by_the_output(const Tensor& Q, const Tensor& K, const Tensor& V,
                              const Tensor& weights, const Tensor& G) {
    const Tensor output = tensor::matmul(weights, V);
    const Tensor of_weights = tensor::matmul(G, tensor::transpose(V));
    const Tensor s = tensor::sum(G * output, -1, keepdim);
    const Tensor of_scores = weights * of_weights - weights * s;
    const Tensor of_K_turned = tensor::matmul(tensor::transpose(Q), of_scores);  // [..., d_k, T_k]
    return {tensor::transpose(tensor::matmul(tensor::transpose(G), weights)), of_weights, of_scores,
            tensor::matmul(of_scores, K / root(K.dim(-1))),
            tensor::transpose(of_K_turned) / root(Q.dim(-1))};
}

}  // namespace

Trials attention_backward_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return attention_backward([=](const Tensor& Q, const Tensor& K, const Tensor& V,
                                      const Tensor& weights, const Tensor& G) {
            return walk({"", Q, K, V, weights, G}, slip);
        });
    };
    trials.right["by the library's backward"] = [] { return attention_backward(by_the_library); };
    trials.right["by the output, and transposed"] = [] {
        return attention_backward(by_the_output);
    };
    return trials;
}

}  // namespace exercise
