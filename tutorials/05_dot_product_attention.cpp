// 05 Dot-product attention: each word is compared with the others, softmax turns the scores into
// weights, and the output is the weighted sum of the words. With loops, with matrices, and, in
// 05_word_vectors.cpp, on real word vectors; with the errors of the notes on the way.
#include "tutorials/05_word_vectors.h"

#include "heed/autograd/variable.h"
#include "heed/nn/attention/attention.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/display.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::same;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

struct LookingBack {
    Tensor scores;   // [N, N], -∞ where j > i
    Tensor weights;  // [N, N]
    Tensor output;   // [N, d]
};

Scalar exp_of(Scalar x) { return tensor::exp(tensor::of(x)).item(); }

//     s_ij = x_i·x_j,    a_ij = exp(s_ij) / Σ_{k≤i} exp(s_ik),    y_i = Σ_{j≤i} a_ij x_j
// With as_the_notes_have_it, the last x is x_i.
LookingBack look_back(const Tensor& X, bool as_the_notes_have_it) {
    const std::int64_t N = X.dim(0), d = X.dim(1);
    std::vector<Scalar> s(N * N, static_cast<Scalar>(-infinity)), a(N * N, 0), y(N * d, 0);
    for (std::int64_t i = 0; i < N; ++i) {
        Scalar total = 0;
        for (std::int64_t j = 0; j <= i; ++j) {
            Scalar score = 0;
            for (std::int64_t k = 0; k < d; ++k) score += X(i, k) * X(j, k);
            s[i * N + j] = score;
            a[i * N + j] = exp_of(score);
            total += a[i * N + j];
        }
        for (std::int64_t j = 0; j <= i; ++j) {
            a[i * N + j] /= total;
            const std::int64_t row = as_the_notes_have_it ? i : j;
            for (std::int64_t k = 0; k < d; ++k) y[i * d + k] += a[i * N + j] * X(row, k);
        }
    }
    return {tensor::from_vector(s, {N, N}), tensor::from_vector(a, {N, N}),
            tensor::from_vector(y, {N, d})};
}

// Four words with handmade vectors, such that "it" is most similar to "chicken".
const Words small_words = {"the", "chicken", "crossed", "it"};
const NestedList small_numbers = {{0.5, 0, 0}, {0, 2, 0}, {0, 0, 1.5}, {0, 1.5, 0.5}};

void by_loops() {
    section("05.1 Looking back, by loops");
    say("Note 000's first version: compare x_i with every x_j up to its own place, "
        "s_ij = x_i·x_j; make weights of the scores, a_ij = softmax of s_ij over j ≤ i; and take "
        "the mean of the words with these weights, y_i = Σ_{j≤i} a_ij x_j. The x_i in the centre "
        "is the query: it asks. The x_j with which it is compared are the keys; the note has "
        "these two names the wrong way round (erratum 000-2). The x_j that are added up are the "
        "values.");
    const Tensor X = tensor::of(small_numbers);  // [N, d]
    const LookingBack right = look_back(X, false);
    const LookingBack wrong = look_back(X, true);
    tutorial::predict_largest(
        "At which word does \"it\", which is (0, 1.5, 0.5), look most?", small_words,
        tutorial::row(right.weights, 3),
        "Its product with \"chicken\", which is (0, 2, 0), is 3, with itself 2.5.");
    stop("05.1 by loops", {{"right.weights", right.weights}, {"right.output", right.output}});
    std::cout << "X, a row each for: the, chicken, crossed, it =\n" << X << "\n\n";
    tutorial::print_heat_map(std::cout, small_words, small_words, right.weights,
                             Mask::causal(X.dim(0)));
    std::cout << "y = Σ a_ij x_j =\n" << right.output << "\n\n";
    check(right.weights(3, 1) > right.weights(3, 3),
          "\"it\" looks at \"chicken\" more than at itself");

    say("Notes 000 and 004 write x_i for the last x_j. But then the same x_i stands in every term, "
        "the weights sum to 1, and what comes out is x_i: attention does nothing (erratum "
        "000-1).");
    std::cout << "y = Σ a_ij x_i =\n"
              << wrong.output
              << "\n\nlargest |y - x|: " << fixed(tensor::max_difference(wrong.output, X))
              << " with x_i, " << fixed(tensor::max_difference(right.output, X)) << " with x_j\n\n";
    check(tensor::max_difference(wrong.output, X) < 1e-6, "with x_i, the output is the input");
    check(tensor::max_difference(right.output, X) > 0.2, "with x_j it is not");
}

void as_matrices() {
    section("05.2 The same as matrices");
    say("All scores at once are S = X·Xᵀ. Where j > i the score becomes -∞, and exp(-∞) = 0 (why "
        "-∞ and nothing else is the subject of lesson 08). Softmax goes along each row, and the "
        "output is A·X.");
    const Tensor X = tensor::of(small_numbers);                             // [N, d]
    const Mask mask = Mask::causal(X.dim(0));                               // [N, N]
    const Tensor S = tensor::matmul(X, tensor::transpose(X));               // [N, N]
    const Tensor back = tensor::masked_fill(S, mask.blocked(), -infinity);  // [N, N]
    const Tensor A = tensor::softmax(back, -1);                             // [N, N]
    const Tensor Y = tensor::matmul(A, X);                                  // [N, d]
    tutorial::predict_number("\"crossed\" is (0, 0, 1.5). What is its score with itself?", S(2, 2),
                             0, "A word's product with itself is its squared length.");
    stop("05.2 scores before and after the mask", {{"S", S}, {"mask", mask}, {"back", back}});
    stop("05.2 weights and output", {{"A", A}, {"Y", Y}});
    std::cout << "S, with -∞ for what lies ahead =\n" << back << "\n\n";
    const LookingBack loops = look_back(X, false);
    check(tensor::same_bits(back, loops.scores),
          "the scores have the same bits: these products and sums need no rounding");
    check(tensor::max_difference(A, loops.weights) < 1e-6 &&
              tensor::max_difference(Y, loops.output) < 1e-6,
          "weights and output agree within 1e-6: matrices add in another order than the loops");
}

// Note 001's function: it ignores its axis argument.
Tensor softmax_of_note_001(const Tensor& x, int) {
    return tensor::exp(x) / tensor::sum(tensor::exp(x));
}

void which_softmax() {
    section("05.3 Which softmax");
    say("Softmax takes scores, any numbers, and gives probabilities: all positive, sum 1. (Note "
        "001 says it takes a vector of probabilities; those come out, erratum 001-12.) Each query "
        "gets a distribution of its own, so the sum goes along its row, over the keys. Note 001's "
        "function divides by the sum over the whole matrix (erratum 001-1).");
    const Tensor X = tensor::of(small_numbers);                // [N, d]
    const Tensor S = tensor::matmul(X, tensor::transpose(X));  // [N, N]
    const Tensor A = tensor::softmax(S, -1);                   // [N, N]
    const Tensor B = softmax_of_note_001(S, -1);               // [N, N]
    const Tensor rows_A = tensor::sum(A, -1);                  // [N]
    const Tensor rows_B = tensor::sum(B, -1);                  // [N]
    tutorial::predict_number(
        "Divided by the sum over the whole matrix: what do all weights sum to?",
        tensor::sum(B).item(), 1e-3,
        "So no row can sum to 1, and no query has a distribution of its own.");
    stop("05.3 which softmax", {{"S", S}, {"A", A}, {"B", B}});
    std::cout << "along each row =\n"
              << A << "\nover the whole matrix, as in note 001 =\n"
              << B << "\n\nrow sums: " << rows_A << "\nnote 001: " << rows_B << "\n\n";
    check(tensor::all_close(rows_A, tensor::ones_like(rows_A), 0, 1e-6), "each row sums to 1");
    check(tensor::max(rows_B).item() < 0.9 && std::fabs(tensor::sum(B).item() - 1) < 1e-6,
          "in the note's version no row does: all rows together sum to 1");

    say("The other trouble is exp itself: in float32, exp(89) is more than the largest number "
        "there is, so it is inf, and inf/inf is NaN (erratum 001-2). But softmax(s) = softmax(s - "
        "c) for any c, since exp(-c) cancels. With the row's maximum as c the largest exponent "
        "is 0.");
    const Tensor large = tensor::of({88, 89, 90});
    const Tensor powers = tensor::exp(large);
    const Tensor not_shifted = powers / tensor::sum(powers);
    const Tensor shifted = tensor::softmax(large, -1);
    std::cout << "scores           " << large << "\nexp              " << powers
              << "\nexp / sum        " << not_shifted << "\nshifted before   " << shifted << "\n\n";
    check(tensor::is_nan(not_shifted).any(), "without the shift there is NaN");
    check(tensor::same_bits(shifted, tensor::softmax(tensor::of({-2, -1, 0}), -1)),
          "with it, 88, 89, 90 have the weights of -2, -1, 0, to the last bit");
    const Tensor no_shift = tensor::exp(S) / tensor::sum(tensor::exp(S), -1, keepdim);  // [N, N]
    check(tensor::max_difference(A, no_shift) < 1e-6,
          "and for the small scores of S the shift changes nothing");
}

void by_nn(Random& random) {
    section("05.9 The same by nn");
    say("nn's dot_product_attention(Q, K, V, mask) is softmax(Q·Kᵀ)·V and gives output and "
        "weights. Compared with random matrices that are all different, since with Q = K = V an "
        "exchange of two of them would not be seen.");
    const Tensor Q = tensor::normal({4, 3}, random);                // [T_q, d]
    const Tensor K = tensor::normal({6, 3}, random);                // [T_k, d]
    const Tensor V = tensor::normal({6, 2}, random);                // [T_k, d_v]
    const Tensor scores = tensor::matmul(Q, tensor::transpose(K));  // [T_q, T_k]
    const Tensor weights = tensor::softmax(scores, -1);             // [T_q, T_k]
    const Tensor output = tensor::matmul(weights, V);               // [T_q, d_v]
    tutorial::predict_shape("Q is [4, 3], K [6, 3], V [6, 2]. What shape has the output?",
                            output.shape(), "A row for each query, as long as a value.");
    stop("05.9 queries, keys, values", {{"Q", Q}, {"K", K}, {"V", V}, {"weights", weights}});
    std::cout << "Q " << Q.shape() << ", K " << K.shape() << ", V " << V.shape() << " -> weights "
              << weights.shape() << ", output =\n"
              << output << "\n\n";
    check(same(dot_product_attention(Variable(Q), Variable(K), Variable(V)),
               {Variable(output), Variable(weights)}),
          "every word on every word: weights and output have the same bits");

    const Variable X(tensor::of(small_numbers));  // [N, d]
    const Mask mask = Mask::causal(X.dim(0));     // [N, N]
    const Tensor S = tensor::matmul(X.value(), tensor::transpose(X.value()));
    const Tensor A = tensor::softmax(tensor::masked_fill(S, mask.blocked(), -infinity), -1);
    check(same(dot_product_attention(X, X, X, mask),
               {Variable(tensor::matmul(A, X.value())), Variable(A)}),
          "looking back, as in 05.2: the same bits");
    check(!tensor::all_close(A, dot_product_attention(X, X, X).weights.value(), 0, 0.1),
          "without the mask the weights are others");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    const tutorial::WordVectors vectors = vectors_for(options);
    say("Lesson 05: dot-product attention. Compare, make weights, take the mean: first on four "
        "words by hand, then on words with vectors learned from text.");
    by_loops();
    as_matrices();
    which_softmax();
    words_and_vectors(vectors);
    by_nn(random);
}

int main(int argc, char** argv) {
    return tutorial::run(
        {"05_dot_product_attention",
         "Dot-product attention: scores, softmax, the mean of the values.",
         {{"--vectors", "FILE", "word vectors in word2vec's or GloVe's text form"}}},
        argc, argv, lesson);
}
