// 00 First look: scaled dot-product attention from end to end, on sentences, on a small matrix with
// its gradient, or on your own words. The following lessons build every line of it from
// scratch.
#include "autograd/grad.h"
#include "autograd/ops.h"
#include "nn/attention/attention.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/00_first_look/parts.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

// Note 000: Attention(Q, K, V) = softmax(Q·Kᵀ / √d_k)·V, looking backwards only.
Attention attend(const Variable& Q, const Variable& K, const Variable& V) {
    const double d_k = static_cast<double>(K.dim(-1));
    const Mask mask = Mask::causal(Q.dim(0), K.dim(0));

    const Variable scores = matmul(Q, transpose(K)) / std::sqrt(d_k);          // [T_q, T_k]
    const Variable backward = masked_fill(scores, mask.blocked(), -infinity);  // [T_q, T_k]
    const Variable weights = softmax(backward, -1);                            // [T_q, T_k]
    const Variable output = matmul(weights, V);                                // [T_q, d_v]
    return Attention{output, weights};
}

Tensor notes_matrix() {
    section("00.3 Three words, five numbers each");
    say("Attention again, with numbers small enough to follow: a matrix X with a row for each of "
        "three words. The row of the word that looks is its query, the row of a word it looks at "
        "is that word's key, and the row it takes from there is the value. All three are rows of "
        "the same X here, $Q = K = V = X$ in");
    tutorial::formula("Attention(Q, K, V) = softmax(Q·Kᵀ / √d_k)·V");
    say("where $d_k$, here 5, is the dimension of a query and of a key.");
    const Tensor numbers = tensor::of({{0.8505, 0.4000, 0.3561, 0.2708, 0.9474},
                                       {0.6939, 0.9952, 0.3525, 0.0898, 0.2699},
                                       {0.1606, 0.4863, 0.0489, 0.7793, 0.2100}});
    const Variable X(numbers);
    std::cout << "X =\n" << X << "\n\n";
    stop("00.3 the matrix", {{"X", X}});
    return numbers;
}

void weights_and_output(const Variable& X) {
    section("00.4 Attention: each word becomes a weighted sum of itself and those before it");
    say("Each query is compared with the keys up to its own place, softmax turns the scores into "
        "weights, and the output is the sum of the values with these weights.");
    const Tensor printed_weights =
        tensor::of({{1, 0, 0}, {0.4684, 0.5316, 0}, {0.3263, 0.3235, 0.3502}});
    const Tensor printed_output = tensor::of({{0.8505, 0.4000, 0.3561, 0.2708, 0.9474},
                                              {0.7673, 0.7164, 0.3542, 0.1746, 0.5872},
                                              {0.5583, 0.6228, 0.2474, 0.3903, 0.4700}});
    const Attention attention = attend(X, X, X);
    tutorial::predict_shape("X is [3, 5]. What is the shape of the weights?",
                            attention.weights.shape(),
                            "There is a row for each query and a column for each key, and three "
                            "words look at three words.");
    tutorial::predict_number("How much weight does the first word give to itself?",
                             attention.weights(0, 0), 0,
                             "It sees nobody else, and a row of weights sums to 1.");
    stop("00.4 the weights", {{"attention.weights", attention.weights}});
    stop("00.4 the output", {{"attention.output", attention.output}});
    std::cout << "weights = softmax(X·Xᵀ / √5), a row for each query =\n" << attention.weights;
    std::cout << "\noutput = weights·X =\n" << attention.output << "\n\n";

    const Attention ready_made = scaled_dot_product_attention(X, X, X, Mask::causal(3));
    check(tensor::all_close(attention.weights.value(), printed_weights, 0, 1e-4),
          "the weights are those the note prints");
    check(tensor::all_close(attention.output.value(), printed_output, 0, 1e-4),
          "the output is the one the note prints");
    check(tensor::same_bits(attention.output.value(), ready_made.output.value()),
          "heed's own scaled_dot_product_attention gives the same bits");
    tutorial::in_the_notes("000 has this matrix, and prints these weights and this output.");
}

// The effect of changing X[2, 3] on the first number of the last word's output: by moving that
// entry slightly in both directions (finite differences), and from the graph.
void slope_of_one_number(const Tensor& numbers) {
    section("00.5 What if a number of X were a little larger?");
    say("To learn, a network must know how its output moves when one of its numbers does. Take "
        "$X[2, 3] = 0.7793$, and y[2, 0], the first number of the last word's output. Move X[2, 3] "
        "up and down by 1/64, and see how far y[2, 0] moves. The ratio of the two distances is the "
        "slope, the derivative $∂y[2, 0]/∂X[2, 3]$.");
    const double step = 1.0 / 64;
    const Tensor nudge = tensor::of({{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, step, 0}});
    const Variable above(numbers + nudge);
    const Variable below(numbers - nudge);
    const double y_above = attend(above, above, above).output(2, 0);
    const double y_below = attend(below, below, below).output(2, 0);
    const double measured = (y_above - y_below) / (2 * step);
    const Variable X(numbers, requires_grad);
    const Attention attention = attend(X, X, X);
    const Variable y = select(select(attention.output, 0, 2), 0, 0);
    const Variable dy_dX = grad(y, X);

    tutorial::predict_choice("X[2, 3] grows a little. Does y[2, 0] rise or fall?", {"rise", "fall"},
                             dy_dX(2, 3) > 0 ? "rise" : "fall",
                             "Word 2 is then more like itself, looks more at itself, and its own "
                             "first number is the smallest of the three.");
    stop("00.5 the gradient", {{"dy_dX", dy_dX}});
    std::cout << "X[2, 3] + 1/64: y[2, 0] = " << fixed(y_above, 6)
              << "\nX[2, 3] - 1/64: y[2, 0] = " << fixed(y_below, 6)
              << "\ntheir difference, divided by 2/64: " << fixed(measured) << "\n\n";
    say("X has 15 such numbers, a network millions. Autograd need not try them one by one: it goes "
        "back once over all that was computed and has the slope of each, the gradient. X is query, "
        "key and value at once, so a change reaches y by three paths, and their slopes are added "
        "up. (Lesson 02 builds this.)");
    std::cout << "∂y[2, 0]/∂X =\n" << dy_dX.value() << "\n\n";
    check(std::fabs(measured - dy_dX(2, 3)) < 1e-3, "entry [2, 3] is the slope measured above");
}

void lesson(const tutorial::Options& options) {
    if (!options.words().empty() || options.has("--file")) return your_words(options);
    if (options.has("--vectors")) throw tutorial::UsageError("--vectors needs words or --file");
    a_sentence();                           // 00.1, sentence.cpp
    one_word_two_sentences();               // 00.2
    const Tensor numbers = notes_matrix();  // 00.3
    weights_and_output(Variable(numbers));  // 00.4
    slope_of_one_number(numbers);           // 00.5
}

int main(int argc, char** argv) {
    return tutorial::run(
        {"00_first_look",
         "Attention from end to end: on a sentence and a small matrix, or on your words.",
         {{"--file", "FILE", "take the first sentence of this file"},
          {"--vectors", "FILE", "word vectors in text form, for your words"}},
         "WORD..."},
        argc, argv, lesson);
}
