#include "tutorials/exercises/judges/common_qkv.h"
#include "tutorials/exercises/judges/lesson_07.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
double root(std::int64_t n) { return std::sqrt(static_cast<double>(n)); }

struct Input {
    Tensor Q, K, V, weights, G;
};

Stages given(const Input& in) {
    return {{"Q", in.Q}, {"K", in.K}, {"V", in.V}, {"weights", in.weights}, {"G", in.G}};
}

Stages stages(const AttentionBackward& backward, const Input& in) {
    const GradientsByHand found = backward(in.Q, in.K, in.V, in.weights, in.G);
    return {{"∂L/∂V", found.V},
            {"∂L/∂weights", found.weights},
            {"∂L/∂scores", found.scores},
            {"∂L/∂Q", found.Q},
            {"∂L/∂K", found.K}};
}

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

std::vector<Mistake> product_mistakes() {
    const std::string shapes = "Write the shapes of both factors beside your product.";
    const std::string letters = "Is each letter in your product the one you meant?";
    return {
        {"attb.dV-noT", "∂L/∂V was weights·G, with the weights as they are",
         "v_j is in the output of every query: over which axis of the weights is summed?", shapes},
        {"attb.dP-noT", "∂L/∂weights was G·V, with V as it is",
         "A weight belongs to a query and a key: which two rows make its gradient?", shapes},
        {"attb.dP-keys", "∂L/∂weights was made with the keys in place of the values",
         "By what are the weights multiplied in the forward pass?", letters},
        {"attb.dQ-T", "∂L/∂scores was transposed in ∂L/∂Q as well",
         "Query i is in row i of the scores: which row of ∂L/∂scores does it need?", shapes},
        {"attb.dQ-from-Q", "∂L/∂Q was made with the queries in place of the keys",
         "Score ij is q_i·k_j: what is its derivative with respect to q_i?", letters},
        {"attb.dK-noT", "∂L/∂K was made with ∂L/∂scores as it is, not transposed",
         "Key j is in column j of the scores: over which axis is summed?", shapes},
        {"attb.dK-from-K", "∂L/∂K was made with the keys in place of the queries",
         "Score ij is q_i·k_j: what is its derivative with respect to k_j?", letters},
        {"ag.swapped-parents", "∂L/∂Q and ∂L/∂K had changed places",
         "In which order are the five returned?", "Look at your return."},
        {"ag.no-upstream", "G was left out, as if L were the sum of the outputs",
         "How much does L change when an entry of the output does?", "Look for G in your lines."},
    };
}

std::vector<Mistake> softmax_mistakes() {
    const std::string sum_of_row = "Sum a row of your ∂L/∂scores: it should be 0.";
    const std::string look_at_sum = "Print what you subtract, and its shape.";
    return {
        {"attb.no-softmax",
         "∂L/∂weights was passed on to the scores as it is, as if there were no softmax",
         "Which step lies between the scores and the weights?", sum_of_row},
        {"smb.p-dy",
         "softmax passed on weights·∂L/∂weights, without what all weights of a row share",
         "If one score grows, what happens to the other weights of its row?", sum_of_row},
        {"smb.diag", "each score reached only its own weight",
         "If one score grows, what happens to the other weights of its row?", sum_of_row},
        {"smb.dy-s", "the factor in front, the weight itself, was forgotten in ∂L/∂scores",
         "How strongly can a weight change that is almost 0?",
         "Look at ∂L/∂scores where a weight is almost 0."},
        {"smb.y-once", "the weight multiplied ∂L/∂weights, but not the sum that is subtracted",
         "Which terms does the factor in front belong to?", "Look at the brackets."},
        {"smb.mean", "the mean along the row was subtracted, not the sum",
         "What weighs the terms already, so that nothing is left to divide by?", look_at_sum},
        {"smb.sum-G", "∂L/∂weights was summed without the weights",
         "How much does a key count whose weight is almost 0?", look_at_sum},
        {"smb.all", "the sum ran over all rows at once",
         "Does a score reach the weights of another query?", look_at_sum},
        {"smb.wrong-axis", "the sum ran over the queries, not over the keys",
         "Along which axis do the weights sum to 1?", look_at_sum},
        {"smb.plus", "the sum was added, not subtracted",
         "If one score grows, do the other weights of its row grow or shrink?", sum_of_row},
    };
}

std::vector<Mistake> scale_mistakes() {
    const std::string where = "Look for √d_k in the lines after ∂L/∂scores.";
    const std::string how = "Compare your ∂L/∂Q with ∂L/∂scores·K.";
    return {
        {"attb.scale-lost",
         "the division by √d_k was forgotten on the way back, in ∂L/∂Q and in ∂L/∂K",
         "What lies between Q·Kᵀ and the scores?", where},
        {"attb.scale-lost-Q", "the division by √d_k was forgotten in ∂L/∂Q only",
         "Who is divided by √d_k in a product of q_i and k_j?", how},
        {"attb.scale-lost-K", "the division by √d_k was forgotten in ∂L/∂K only",
         "Who is divided by √d_k in a product of q_i and k_j?", where},
        {"attb.scores-scaled",
         "∂L/∂scores was divided by √d_k, as if it belonged to the scores before the division",
         "The scores of the contract: are they divided already, or not yet?",
         "Sum up what each of your names stands for."},
        {"attb.scale-twice", "∂L/∂scores was divided by √d_k, and ∂L/∂Q and ∂L/∂K once more",
         "How often does the forward pass divide by √d_k?", where},
        {"attb.scale-dk", "the gradients of Q and K were divided by d_k, not by its root",
         "By what does the forward pass divide?", how},
        {"attb.scale-mul", "the gradients of Q and K were multiplied by √d_k",
         "y = x/2 has which derivative?", how},
        {"attb.scale-T", "the gradients of Q and K were divided by the root of the number of keys",
         "Which axis does a score sum over?", "Which number is under your root?"},
        {"attb.scale-T_q",
         "the gradients of Q and K were divided by the root of the number of queries",
         "Which axis does a score sum over?", "Which number is under your root?"},
        {"attb.int-root", "√d_k was made a whole number", "What is √7?",
         "Which type has the variable that holds the root?"},
        {"attb.scale-dv",
         "the gradients of Q and K were divided by the root of the dimension of a value",
         "Which axis does a score sum over?", "Which number is under your root?"},
    };
}

Input with_weights(const Tensor& Q, const Tensor& K, const Tensor& V, const Tensor& G) {
    const Tensor scores = tensor::matmul(Q, tensor::transpose(K)) / root(K.dim(-1));
    return {Q, K, V, tensor::softmax(scores, -1), G};
}

Input random_input(const AttentionSizes& of, std::uint64_t seed, double deviation = 1) {
    const QueriesKeysValues x = random_attention_input(of, seed, deviation);
    return with_weights(x.Q.value(), x.K.value(), x.V.value(),
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
    Input in = with_weights(turned(4, 3, 71), turned(5, 3, 72), turned(5, 2, 73), turned(4, 2, 74));
    in.weights = tensor::transpose(tensor::clone(tensor::transpose(in.weights)));
    return in;
}

// Queries, keys and values side by side in one tensor.
Input of_one_tensor() {
    const Tensor all = random({2, 5, 12}, 111);
    return with_weights(tensor::slice(all, -1, 0, 4), tensor::slice(all, -1, 4, 8),
                        tensor::slice(all, -1, 8), random({2, 5, 4}, 112));
}

Input of_words_themselves() {
    const Tensor X = random({2, 4, 3}, 113);
    return with_weights(X, X, X, random({2, 4, 3}, 114));
}

// A query whose output the loss does not use, and a value of zeros: ∂L/∂weights has zeros.
Input with_zeros() {
    const Tensor used = tensor::of({{1}, {0}, {1}}), kept = tensor::of({{1}, {1}, {0}, {1}});
    return with_weights(random({3, 5}, 115), random({4, 5}, 116), kept * random({4, 2}, 117),
                        used * random({3, 2}, 118));
}

// The second weight of each query is exactly 0, so what its value is must not matter.
Input with_a_large_value() {
    return with_weights(tensor::of({{2000}, {1500}}), tensor::of({{1}, {0}, {1}}),
                        tensor::of({{0.5, 2}, {1e12, -2e12}, {-1, 0.3}}),
                        tensor::of({{1, -0.5}, {0.4, 2}}));
}

Inputs<Input> inputs() {
    return {
        {"3 queries and 5 keys, d_k 7, d_v 2", random_input({{}, 3, 5, 7, 2}, 1)},
        {"5 queries and 3 keys in 2 texts, d_k 2, d_v 4", random_input({{2}, 5, 3, 2, 4}, 11)},
        {"2 texts of 3 heads, 4 queries, 5 keys", random_input({{2, 3}, 4, 5, 3, 6}, 21)},
        {"4 words, d_k 3, d_v 5", random_input({{2}, 4, 4, 3, 5}, 31)},
        {"5 words, all sizes 5", random_input({{2}, 5, 5, 5, 5}, 41)},
        {"the same sizes and other numbers", random_input({{2}, 5, 5, 5, 5}, 46)},
        {"scores so far apart that most weights are 0", random_input({{2}, 4, 6, 5, 3}, 51, 30)},
        {"one query, one key, d_k 1", random_input({{1, 2}, 1, 1, 1, 2}, 61)},
        {"one query, 4 keys", random_input({{2}, 1, 4, 3, 2}, 91)},
        {"3 queries, one key, d_v 1", random_input({{}, 3, 1, 2, 1}, 96)},
        {"G around 1000", times(1000, random_input({{2}, 3, 4, 5, 2}, 101))},
        {"2 queries, 70 keys, G around 1000", times(1000, random_input({{1}, 2, 70, 3, 4}, 66))},
        {"transposed views", of_views()},
        {"Q, K and V side by side in one tensor", of_one_tensor()},
        {"words that are their own queries, keys and values", of_words_themselves()},
        {"rows of zeros in G and V", with_zeros()},
        {"a value of 10^12 whose weight is 0", with_a_large_value()},
    };
}

// So small that the judge would take all of them for 0.
Inputs<Input> of_small_gradients() {
    return {{"G around 10^-16", times(1e-16, random_input({{2}, 4, 3, 2, 5}, 106))}};
}

// Adding a constant to all scores of a query changes nothing.
std::string sums_of_rows(const AttentionBackward& backward) {
    const Input in = random_input({{2}, 3, 4, 5, 6}, 81);
    const Tensor of_scores = backward(in.Q, in.K, in.V, in.weights, in.G).scores;
    const Tensor sums = tensor::sum(of_scores, -1);
    const Tensor zeros = tensor::zeros_like(sums);
    return same(sums, zeros) ? "" : "The sum of a row is off: " + worst_entry(sums, zeros) + ".";
}

AttentionBackward reference(const Slips& slip) {
    return [=](const Tensor& Q, const Tensor& K, const Tensor& V, const Tensor& weights,
               const Tensor& G) {
        return walk({Q, K, V, weights, G}, slip);
    };
}

Rules<AttentionBackward> rules() {
    return {
        .number = "07.5",
        .title = "Attention's backward pass by hand",
        .reference = reference,
        .cases = joined(on_each(stages, inputs()), enlarged(on_each(stages, of_small_gradients()))),
        .laws = {{"every row of ∂L/∂scores sums to 0", sums_of_rows}},
        .mistakes = joined(product_mistakes(), softmax_mistakes(), scale_mistakes()),
        .hints =
            {"Which was the last step of the forward pass, and what went into it?",
             "Lesson 02.5 has both gradients of a matrix product, 02.8 that of softmax: three "
             "steps "
             "back, five gradients. Take T_q = 2, T_k = 3 and write the shape beside every line",
             "For C = A·B: ∂L/∂A = G·Bᵀ and ∂L/∂B = Aᵀ·G. For softmax: ∂L/∂s_j = y_j·(G_j - Σ_i "
             "G_i·y_i). A division by √d_k divides the gradient, too",
             "weightsᵀ·G for V and G·Vᵀ for the weights; weights * (∂L/∂weights - the row's sum of "
             "weights * ∂L/∂weights) for the scores; with D = ∂L/∂scores / √d_k, D·K for Q and "
             "Dᵀ·Q for "
             "K"},
    };
}

}  // namespace

const Judge<AttentionBackward> judge_07_5(rules);

}  // namespace exercise
