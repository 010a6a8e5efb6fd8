// 05 Dot-product attention: each word is compared with the others, softmax turns the scores into
// weights, and the output is the weighted sum of the words. By loops, as matrices, then on vectors
// learned from text.
#include "autograd/variable.h"
#include "nn/attention/attention.h"
#include "nn/pages/heat_map.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/05_dot_product_attention/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;

struct ByLoops {
    Tensor scores, weights, output;  // [N, N], [N, N], [N, d]
};

//     s_ij = x_i·x_j,    a_ij = exp(s_ij) / Σ_k exp(s_ik),    y_i = Σ_j a_ij x_j
// With `slip`, the last x is x_i.
ByLoops attend_by_loops(const Tensor& X, bool slip) {
    const std::int64_t N = X.dim(0), d = X.dim(1);
    std::vector<Scalar> s(N * N, 0), a(N * N), y(N * d, 0);
    for (std::int64_t i = 0; i < N; ++i) {
        Scalar total = 0;
        for (std::int64_t j = 0; j < N; ++j) {
            for (std::int64_t k = 0; k < d; ++k) s[i * N + j] += X(i, k) * X(j, k);
            a[i * N + j] = tensor::exp(tensor::of(s[i * N + j])).item();
            total += a[i * N + j];
        }
        for (std::int64_t j = 0; j < N; ++j) {
            a[i * N + j] /= total;
            for (std::int64_t k = 0; k < d; ++k) y[i * d + k] += a[i * N + j] * X(slip ? i : j, k);
        }
    }
    return {tensor::from_vector(s, {N, N}), tensor::from_vector(a, {N, N}),
            tensor::from_vector(y, {N, d})};
}

void by_loops(const Tensor& X) {
    tutorial::section("05.2 Self-attention, by loops");
    say("Four words of dimension 3 with made-up numbers: \"the\" (0.5, 0, 0), \"chicken\" (0, 2, "
        "0), \"crossed\" (0, 0, 1.5), \"it\" (0, 1.5, 0.5). \"it\" was built to resemble "
        "\"chicken\"; later lessons learn such vectors. Each word i asks all words j: $x_i$ is the "
        "query, the $x_j$ it is compared with are the keys, and the scores are $s_ij = x_i·x_j$. "
        "Softmax makes weights $a_ij$ of them, and the output is the weighted sum of the values, "
        "here the $x_j$ again: $y_i = Σ_j a_ij x_j$. This is self-attention: queries, keys and "
        "values come from the same words.");
    const ByLoops right = attend_by_loops(X, false), wrong = attend_by_loops(X, true);
    const tutorial::Words words = {"the", "chicken", "crossed", "it"};
    tutorial::predict_largest("At which word does \"it\" look most?", words,
                              tutorial::row(right.weights, 3),
                              "Its product with \"chicken\" is 3, with itself 2.5.");
    stop("05.2 by loops", {{"right.weights", right.weights}, {"right.output", right.output}});
    print_heat_map(std::cout, words, words, right.weights);
    std::cout << "\"it\": x " << tutorial::row(X, 3) << " -> y " << tutorial::row(right.output, 3)
              << "\n\n";
    check(right.weights(3, 1) > right.weights(3, 3),
          "\"it\" looks at \"chicken\" more than at itself");
    say("A common slip: $x_i$ for the last $x_j$. Then the same $x_i$ stands in every term, the "
        "weights sum to 1, and what comes out is $x_i$: attention does nothing.");
    std::cout << "largest |y - x|: " << fixed(tensor::max_difference(wrong.output, X))
              << " with x_i, " << fixed(tensor::max_difference(right.output, X)) << " with x_j\n\n";
    check(tensor::max_difference(wrong.output, X) < 1e-6 &&
              tensor::max_difference(right.output, X) > 0.2,
          "with $x_i$ the output is the input, with $x_j$ it is not");
    tutorial::in_the_notes("000 and 004 have $x_i$ for $x_j$ in this sum (000-1); 000 has the "
                           "names of query and key the wrong way round (000-2). For 002 a word "
                           "looks at all other words; it looks at itself, too (002-17). For 004 "
                           "the output tells which words were in focus; the weights do (004-10).");
}

void as_matrices(const Tensor& X, Random& random) {
    tutorial::section("05.3 The same as matrices, and by nn");
    say("All scores at once: $S = X·Xᵀ$. A is the softmax of each row, the output $Y = A·X$.");
    const Tensor S = tensor::matmul(X, tensor::transpose(X));  // [N, N]
    const Tensor A = tensor::softmax(S, -1);                   // [N, N]
    const Tensor Y = tensor::matmul(A, X);                     // [N, d]
    tutorial::predict_number("\"crossed\" is (0, 0, 1.5). What is its score with itself?", S(2, 2),
                             0, "A word's product with itself is its squared norm.");
    stop("05.3 scores, weights, output", {{"S", S}, {"A", A}, {"Y", Y}});
    std::cout << "S =\n" << S << "\n\n";
    const ByLoops loops = attend_by_loops(X, false);
    check(tensor::same_bits(S, loops.scores),
          "the scores have the same bits: nothing in them had to be rounded");
    check(tensor::max_difference(A, loops.weights) < 1e-6 &&
              tensor::max_difference(Y, loops.output) < 1e-6,
          "weights and output agree within 1e-6: they are added in another order");
    say("nn's dot_product_attention(Q, K, V) is $softmax(Q·Kᵀ)·V$. Compared with random matrices "
        "that are all different, since with $Q = K = V$ an exchange of two of them would not be "
        "seen. Keys and values may come from another sequence.");
    const Tensor Q = tensor::normal({4, 3}, random);  // [T_q, d]
    const Tensor K = tensor::normal({6, 3}, random);  // [T_k, d]
    const Tensor V = tensor::normal({6, 2}, random);  // [T_k, d_v]
    const Tensor weights =
        tensor::softmax(tensor::matmul(Q, tensor::transpose(K)), -1);  // [T_q, T_k]
    const Tensor output = tensor::matmul(weights, V);                  // [T_q, d_v]
    tutorial::predict_shape("Q is [4, 3], K [6, 3], V [6, 2]. What is the shape of the output?",
                            output.shape(), "A row for each query, of the dimension of a value.");
    std::cout << "Q " << Q.shape() << ", K " << K.shape() << ", V " << V.shape() << " -> weights "
              << weights.shape() << ", output " << output.shape() << "\n\n";
    check(tutorial::same(dot_product_attention(Variable(Q), Variable(K), Variable(V)),
                         {Variable(output), Variable(weights)}),
          "where every word attends to every word, weights and output have the same bits");
}

// A slip: it ignores its axis argument.
Tensor softmax_of_all(const Tensor& x, int) { return tensor::exp(x) / tensor::sum(tensor::exp(x)); }

void which_softmax(const Tensor& X) {
    tutorial::section("05.4 Which softmax");
    say("Each query gets a distribution of its own, so the sum goes along its row, over the keys. "
        "A common slip is to divide by the sum over the whole matrix.");
    const Tensor S = tensor::matmul(X, tensor::transpose(X));               // [N, N]
    const Tensor A = tensor::softmax(S, -1), B = softmax_of_all(S, -1);     // [N, N]
    const Tensor rows_A = tensor::sum(A, -1), rows_B = tensor::sum(B, -1);  // [N]
    tutorial::predict_number(
        "Divided by the sum over the whole matrix: what do all weights sum to?",
        tensor::sum(B).item(), 1e-3,
        "So no row can sum to 1, and no query has a distribution of its own.");
    stop("05.4 which softmax", {{"A", A}, {"B", B}});
    std::cout << "row sums, each row for itself " << rows_A << "\nover the whole matrix         "
              << rows_B << "\n\n";
    check(tensor::all_close(rows_A, tensor::ones_like(rows_A), 0, 1e-6) &&
              tensor::max(rows_B).item() < 0.9 && std::fabs(tensor::sum(B).item() - 1) < 1e-6,
          "each row sums to 1; over the whole matrix, only all together do");

    say("The other trouble is exp itself: in float32, $exp(89)$ is more than the largest number "
        "there is, so it is inf, and inf/inf is NaN. But $softmax(s) = softmax(s - c)$ for any c. "
        "With the row's maximum as c the largest exponent is 0.");
    const Tensor large = tensor::of({88, 89, 90});                                    // [3]
    const Tensor not_shifted = tensor::exp(large) / tensor::sum(tensor::exp(large));  // [3]
    const Tensor shifted = tensor::softmax(large, -1);                                // [3]
    std::cout << "scores           " << large << "\nexp              " << tensor::exp(large)
              << "\nexp / sum        " << not_shifted << "\nshifted before   " << shifted << "\n\n";
    check(tensor::is_nan(not_shifted).any() &&
              tensor::same_bits(shifted, tensor::softmax(tensor::of({-2, -1, 0}), -1)),
          "without the shift there is NaN; with it, the weights of -2, -1, 0, bit for bit");
    tutorial::in_the_notes("001's softmax divides by the sum of the whole matrix (001-1), does not "
                           "shift (001-2), and is said to be of probabilities (001-12).");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    const tutorial::WordVectors vectors = vectors_for(options);
    const Tensor X = tensor::of({{0.5, 0, 0}, {0, 2, 0}, {0, 0, 1.5}, {0, 1.5, 0.5}});  // [N, d]
    say("Lesson 05: dot-product attention. Compare, make weights, take the weighted sum: first on "
        "arrows and made-up words, then on vectors learned from text, until one word, apple, has "
        "two vectors, one in each of two contexts.");
    two_arrows();               // 05.1, arrows.cpp
    softmax_by_hand();          // 05.1
    by_loops(X);                // 05.2
    as_matrices(X, random);     // 05.3
    which_softmax(X);           // 05.4
    seven_real_words(vectors);  // 05.5, word_vectors.cpp
    two_measures(vectors);      // 05.6
    labels(vectors);            // 05.7
    in_context(vectors);        // 05.8, in_context.cpp
}

int main(int argc, char** argv) {
    return tutorial::run(
        {"05_dot_product_attention",
         "Dot-product attention: scores, softmax, the weighted sum of the values.",
         {{"--vectors", "FILE", "word vectors in word2vec's or GloVe's text form"}}},
        argc, argv, lesson);
}
