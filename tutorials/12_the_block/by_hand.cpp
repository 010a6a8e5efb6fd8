// Lesson 12: what a block is made of, by hand: feed-forward (12.1), layer norm (12.2) and dropout
// (12.3).
#include "tutorials/12_the_block/parts.h"

#include "autograd/ops.h"
#include "nn/dropout.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::difference;
using tutorial::in_the_notes;
using tutorial::print_row;
using tutorial::row;
using tutorial::rows_that_differ;
using tutorial::same;
using tutorial::say;
using tutorial::section;

namespace {

// The probability that a standard normal number is below x.
Tensor Phi(const Tensor& x) { return (tensor::erf(x / std::sqrt(2.0)) + 1) / 2; }

// Numbers side by side under one label, with four decimals.
void print_numbers(const std::string& what, const Tensor& x) {
    std::vector<std::string> cells;
    for (std::int64_t i = 0; i < x.dim(0); ++i) cells.push_back(fixed(x(i)));
    print_row(std::cout, what, cells, 22, 7);
}

// X with row j replaced.
Variable with_row(const Variable& X, std::int64_t j, Random& random) {
    Tensor changed = tensor::clone(X.value());
    Tensor one = tensor::slice(changed, 0, j, j + 1);
    tensor::overwrite(one, tensor::normal({1, X.dim(1)}, random));
    return Variable(changed);
}

void one_row_of_feed_forward() {
    const Tensor x = tensor::of({1, -1});                              // [2]
    const Tensor W_1 = tensor::of({{1, 0, 1, 2}, {0, 1, 1, 0}});       // [2, 4]
    const Tensor W_2 = tensor::of({{1, 0}, {0, 1}, {1, 1}, {0, -1}});  // [4, 2]
    const Tensor wide = tensor::matmul(x, W_1);                        // [4]
    const Tensor hidden = wide * Phi(wide);                            // [4]
    const Tensor y = tensor::matmul(hidden, W_2);                      // [2]
    std::cout << "W_1 =\n" << W_1 << "\nW_2 =\n" << W_2 << "\n\n";
    print_numbers("x", x);
    print_numbers("x·W_1", wide);
    print_numbers("Φ(x·W_1)", Phi(wide));
    print_numbers("gelu: their product", hidden);
    print_numbers("gelu(x·W_1)·W_2 = y", y);
    std::cout << "\nReLU would give " << tensor::relu(wide) << "\n\n";
    check(std::fabs(y(0) - 0.8413) < 1e-4 && std::fabs(y(1) + 0.1587 + 1.9545) < 1e-4,
          "$y = 0.8413·(1, 0) - 0.1587·(0, 1) + 0·(1, 1) + 1.9545·(0, -1)$");
    check(hidden(1) < 0 && tensor::relu(wide)(1) == 0,
          "GELU leaves a little of a negative number, ReLU nothing");
}

}  // namespace

void feed_forward(Random& random) {
    section("12.1 Feed-forward: each position by itself");
    say("$FFN(x) = gelu(x·W_1 + b_1)·W_2 + b_2$: into a wider hidden layer, through a curve, and "
        "back. Vaswani et al. (2017, equation 2) have ReLU, max(0, x), for the curve, BERT and "
        "GPT-2 GELU, $x·Φ(x)$, where $Φ(x) = (1 + erf(x/√2))/2$ is the probability that a standard "
        "normal number is below x. Large numbers pass ($Φ = 1$), very negative ones become 0 ($Φ = "
        "0$), and between the two there is no corner. One row by hand, without $b_1$ and $b_2$:");
    one_row_of_feed_forward();
    say("Five words of 6 numbers and, as is usual, a hidden layer four times as wide:");
    const FeedForward layer(6, 24, random, {.activation = Activation::gelu});
    const Variable X(tensor::normal({5, 6}, random));  // [T, d]
    const Variable hidden =
        gelu(matmul(X, transpose(layer.W_1.weight)) + layer.W_1.bias);                // [5, 24]
    const Variable y = matmul(hidden, transpose(layer.W_2.weight)) + layer.W_2.bias;  // [5, 6]
    stop("12.1 feed-forward", {{"X", X}, {"hidden", hidden}, {"y", y}});
    std::cout << "y =\n" << y.value() << "\n\n";
    check(tensor::all_close(y.value(), layer(X).value(), 1e-5, 1e-6), "nn's layer gives the same");

    say("Now the vector of word 3 changes. How many of the five outputs change, of feed-forward, "
        "and of attention?");
    const MultiHeadAttention attention(6, 2, random);
    const Variable changed = with_row(X, 3, random);
    const std::int64_t by_feed_forward = rows_that_differ(layer(changed).value(), layer(X).value());
    const std::int64_t by_attention =
        rows_that_differ(attention(changed).value(), attention(X).value());
    tutorial::predict_number("How many outputs of feed-forward change?",
                             static_cast<double>(by_feed_forward), 0,
                             "It sees one position at a time.");
    std::cout << "feed-forward " << by_feed_forward << ", attention " << by_attention << "\n\n";
    check(by_feed_forward == 1 && by_attention == 5,
          "feed-forward changes the word's own output and no bit of the others, attention changes "
          "all five");
    say("Attention moves information between positions. Feed-forward works on it where it is.");
}

void layer_norm(Random& random) {
    section("12.2 Layer norm: each position at one scale");
    say("$y = (x - μ)/√(σ² + ε) ⊙ γ + β$, where $μ$ and $σ²$ are mean and variance of the d "
        "numbers of one position (Ba, Kiros and Hinton 2016), ⊙ multiplies entry by entry, and $ε "
        "= 0.00001$ keeps the root from being 0. Scale γ and shift β, d numbers each, are learned; "
        "they begin as ones and zeros. One row by hand:");
    const Tensor x = tensor::of({1, 3, 5, 7});      // [4]
    const Tensor gamma = tensor::of({1, 2, 1, 1});  // [4]
    const Tensor beta = tensor::of({0, 0, 1, 0});   // [4]
    const Scalar mu = tensor::mean(x).item();
    const Tensor centred = x - mu;
    const Scalar variance = tensor::mean(centred * centred).item();  // divided by d, not d - 1
    const Tensor normed = centred / std::sqrt(static_cast<double>(variance) + 1e-5);
    const Tensor y = normed * gamma + beta;
    print_numbers("x", x);
    std::cout << "μ = (1 + 3 + 5 + 7)/4 = " << fixed(mu, 0) << "\n";
    print_numbers("x - μ", centred);
    std::cout << "σ² = (9 + 1 + 1 + 9)/4 = " << fixed(variance, 0) << "\n";
    print_numbers("(x - μ)/√(σ² + ε)", normed);
    print_numbers("⊙ γ = (1, 2, 1, 1)", normed * gamma);
    print_numbers("+ β = (0, 0, 1, 0)", y);
    std::cout << "\n";
    stop("12.2 one row", {{"x", x}, {"normed", normed}, {"y", y}});
    LayerNorm norm(4);
    check(tensor::all_close(normed, norm(Variable(x)).value(), 1e-5, 1e-6),
          "nn's new LayerNorm gives the fourth row");
    norm.weight = Parameter(gamma, "weight");
    norm.bias = Parameter(beta, "bias");
    check(tensor::all_close(y, norm(Variable(x)).value(), 1e-5, 1e-6),
          "with this γ and β it gives the last");
    const double mean_before = tensor::mean(normed).item(), mean_after = tensor::mean(y).item();
    check(std::fabs(mean_before) < 1e-6 && std::fabs(mean_after) > 0.1,
          "before γ and β the mean is 0; after them it is not");
    say("The layer norm forgets where the numbers lie and how far apart they are: $10·x + 7$ has "
        "the same one, so no layer can hand huge numbers to the next. And it does not mix words: "
        "mean and variance are taken over the numbers of one word, not over the words or the "
        "batch.");
    const LayerNorm one(6);
    const Variable X(tensor::normal({5, 6}, random));
    check(difference(one(X * 10 + 7), one(X)) < 0.002,
          "$10·X + 7$ has the layer norm of X, but for ε");
    check(rows_that_differ(one(with_row(X, 3, random)).value(), one(X).value()) == 1,
          "another word 3 changes no bit of the other four words");
    in_the_notes("For 002 a layer norm's output has mean 0 and variance 1; that is so before its "
                 "learned scale and shift (002-18).");
}

void dropout(Random& random) {
    section("12.3 Dropout: only while training");
    say("$y_i = m_i·x_i/(1 - p)$, where $m_i$ is 0 with probability p, else 1, drawn anew at each "
        "call (Srivastava et al. 2014). No number can rely on one other being there. Division by "
        "$1 - p$ makes up for what is missing: the mean of $y_i$ over many calls is $x_i$. In "
        "evaluation nothing is drawn and $y = x$. With $p = 0.25$, so $1/(1 - p) = 1.3333$:");
    Dropout layer(0.25, random);
    const Variable x(tensor::of({1, 2, 3, 4, 5, 6, 7, 8}));  // [8]
    const Variable first = layer(x), second = layer(x);
    const Variable many = layer(Variable(tensor::ones({100000})));
    const double zeros = static_cast<double>((many.value() == 0).count()) / 100000;
    const double mean_of_many = tensor::mean(many.value()).item();
    layer.eval();
    const Variable evaluated = layer(x);
    stop("12.3 dropout", {{"x", x}, {"first", first}, {"second", second}});
    std::cout << "training      " << first.value() << "\nagain         " << second.value()
              << "\nin evaluation " << evaluated.value() << "\n\n";
    say("Of 100,000 ones, in training, " + fixed(100 * zeros, 1) +
        " % become 0 and the others 1.3333. Their mean is " + fixed(mean_of_many, 3) + ".");
    check(std::fabs(zeros - 0.25) < 0.01 && std::fabs(mean_of_many - 1) < 0.01,
          "a quarter is dropped, and the mean stays 1");
    check(same(evaluated, x), "in evaluation it returns x, to the last bit");

    say("In a block it stands in four places: on the attention weights, on the hidden layer, and "
        "on what attention and feed-forward add. A common mistake is to use a model without "
        "calling model.eval() first: then it still drops. The same block twice on the same "
        "words:");
    TransformerEncoderLayer block(8, 2, 32, random, {.dropout = 0.1});
    const Variable X(tensor::normal({5, 8}, random));  // [T, d]
    const std::int64_t training = rows_that_differ(block(X).value(), block(X).value());
    block.eval();
    const std::int64_t evaluating = rows_that_differ(block(X).value(), block(X).value());
    tutorial::predict_number("In training, how many of the five outputs differ from one call to "
                             "the next?",
                             5, 0, "Each position has draws of its own.");
    std::cout << "outputs that differ: in training " << training << " of 5, in evaluation "
              << evaluating << " of 5\n\n";
    check(training == 5 && evaluating == 0,
          "in training each call gives other outputs; in evaluation each gives the same");
    in_the_notes("002's dropout in the embeddings is PyTorch's default, 0.5, whatever the "
                 "configuration says (002-7).");
}
