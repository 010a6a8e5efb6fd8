// Lesson 03: what a classifier's outputs mean and how wrong they are. Softmax makes probabilities
// of logits (03.4), cross-entropy a loss of these (03.5).
#include "tutorials/03_training/parts.h"

#include "autograd/variable.h"
#include "nn/losses.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

// p_c = exp(z_c) / Σ_j exp(z_j), for each row.
Tensor softmax_by_hand(const Tensor& z) {
    const Tensor e = tensor::exp(z);                   // [..., C]
    const Tensor p = e / tensor::sum(e, -1, keepdim);  // [..., C]
    return p;
}

void softmax_of_logits() {
    section("03.4 From logits to probabilities: softmax");
    say("\"Which moon?\" has two answers, so the network will give two numbers, a score for each "
        "class. Such scores, not yet probabilities, are called logits. Softmax turns them into "
        "probabilities:");
    tutorial::formula("p_c = exp(z_c) / Σ_j exp(z_j)");
    const Tensor z = tensor::of({2, 1, -1});   // [C]
    const Tensor p = softmax_by_hand(z);       // [C]
    const Tensor shares = z / tensor::sum(z);  // [C], without exp
    stop("03.4 logits and probabilities", {{"z", z}, {"p", p}, {"shares", shares}});
    std::cout << "z       " << z << "\nexp(z)  " << tensor::exp(z) << "\np       " << p
              << "\nz / Σz  " << shares << "\n\n";
    say("Why exp? It is positive, so p are shares of a whole; $z / Σz$ has a negative one. It "
        "rises, so the largest logit gets the largest probability. And $exp(a) / exp(b) = exp(a - "
        "b)$: how many times as probable one class is as another depends on the difference of "
        "their logits alone. So only differences count, and the same number added to all changes "
        "nothing.");
    const Tensor elsewhere = softmax_by_hand(tensor::of({0, -3, -4}));  // [C]
    tutorial::predict_number(
        "The logits 2 and 1 differ by 1. How many times as probable is the first class?",
        p(0) / p(1), 0.02,
        "$exp(2) / exp(1) = exp(1) = e$, as for any two logits that differ by 1.");
    std::cout << "p_0 / p_1 at logits 2 and 1:   " << fixed(p(0) / p(1), 2)
              << "\np_1 / p_2 at logits -3 and -4: " << fixed(elsewhere(1) / elsewhere(2), 2)
              << "\n\n";
    check(tensor::all_close(p, tensor::softmax(z, -1), 0, 1e-6), "heed's softmax gives the same");
    check(tensor::all_close(softmax_by_hand(z + 5), p, 0, 1e-6),
          "adding 5 to each logit does not change the probabilities");
    check(!tensor::all_close((z + 5) / tensor::sum(z + 5), shares, 0, 0.1),
          "without exp the shares are different");
    const Tensor e = tensor::exp(tensor::of({1, 1}));  // [2]
    check(tensor::all_close(tensor::of({p(0) / p(1), elsewhere(1) / elsewhere(2)}), e, 1e-5, 0),
          "a logit larger by 1 makes its class e times as probable, wherever the two are");
}

// The mean of -log p_y over the rows.
double loss_by_hand(const Tensor& Z, const IndexTensor& classes) {
    const Tensor p = softmax_by_hand(Z);                                               // [N, C]
    const Tensor p_y = tensor::gather(p, 1, tensor::reshape(classes, {Z.dim(0), 1}));  // [N, 1]
    return -tensor::mean(tensor::log(p_y)).item();
}

// ∂loss/∂Z, measured: (loss(z + h) - loss(z - h)) / 2h for each entry z.
Tensor measured_slopes(const Tensor& Z, const IndexTensor& classes) {
    const double h = 1.0 / 64;
    std::vector<Scalar> slopes;
    for (std::int64_t i = 0; i < Z.numel(); ++i) {
        const Tensor only_i = tensor::select(tensor::eye(Z.numel()), 0, i);  // [numel]
        const Tensor nudge = h * tensor::reshape(only_i, {Z.dim(0), Z.dim(1)});
        const double ahead = loss_by_hand(Z + nudge, classes);
        const double behind = loss_by_hand(Z - nudge, classes);
        slopes.push_back(static_cast<Scalar>((ahead - behind) / (2 * h)));
    }
    return tensor::from_vector(slopes, Z.shape());
}

void loss_and_derivative() {
    section("03.5 Cross-entropy, and its derivative");
    say("The loss of a classifier at a point of class y is $-log p_y$: 0 if the right class has "
        "all the probability, and larger the less it has. It is called cross-entropy. Two logits, "
        "the right class first:");
    const Tensor cases = tensor::of({{3, -3}, {0, 0}, {-3, 3}});  // [3, 2]
    print_row(std::cout, "logits", {"p_y", "-log p_y"}, 10, 8);
    for (std::int64_t i = 0; i < 3; ++i) {
        const Tensor row = tensor::slice(cases, 0, i, i + 1);  // [1, 2]
        print_row(
            std::cout, fixed(row(0, 0), 0) + ", " + fixed(row(0, 1), 0),
            {fixed(softmax_by_hand(row)(0, 0), 3), fixed(loss_by_hand(row, IndexTensor({0})), 2)},
            10, 8);
    }
    std::cout << "\n";
    say("Its derivative takes three lines, where $[c = y]$ is 1 for the right class and 0 for the "
        "others:");
    tutorial::formula("loss       = -log p_y = -z_y + log Σ_j exp(z_j)\n"
                      "∂loss/∂z_c = -[c = y] + exp(z_c) / Σ_j exp(z_j)\n"
                      "           = p_c - [c = y]");
    say("Probability minus truth: a step downhill lowers each wrong logit by what its class has, "
        "and raises the right one by what its class lacks. For a batch the loss is the mean over "
        "its N points, so the derivative is $(p - y) / N$, with the truth y as one-hot rows:");
    const Tensor numbers = tensor::of({{2, 1, -1}, {0, 0, 0}});  // [N, C]
    const IndexTensor classes({1, 2});                           // [N]
    const Tensor y = tensor::one_hot(classes, 3);                // [N, C]
    const Tensor G = (softmax_by_hand(numbers) - y) / 2;         // [N, C]
    tutorial::predict_number("Logits 0, 0, 0; the third class is right. What is its $p - y$?",
                             2 * G(1, 2), 0.01, "Three equal probabilities: 1/3 - 1.");
    Variable Z(numbers, requires_grad);
    const Variable loss = cross_entropy(Z, classes);  // []
    loss.backward();
    const Tensor measured = measured_slopes(numbers, classes);  // [N, C]
    stop("03.5 three gradients", {{"y", y}, {"G", G}, {"Z", Z}, {"measured", measured}});
    std::cout << "(p - y) / N =\n"
              << G << "\ncross_entropy's gradient =\n"
              << Z.grad() << "\nmeasured =\n"
              << measured << "\n\n";
    check(tensor::all_close(tensor::of(loss_by_hand(numbers, classes)), loss.value(), 1e-6, 0),
          "heed's cross_entropy gives the loss by hand");
    check(tensor::all_close(Z.grad(), G, 0, 1e-6), "its gradient is $(p - y) / N$");
    check(tensor::all_close(measured, G, 0, 1e-4), "and so is the measured one, within 0.0001");
}
