// 03 Training: a small network learns to separate two moons.
#include "autograd/ops.h"
#include "nn/activations.h"
#include "nn/linear.h"
#include "nn/losses.h"
#include "nn/optim/optimizers.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/03_training/parts.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

void the_network(Random& random, const Moons& moons) {
    section("03.1 The network, by hand and by nn");
    say("A layer multiplies by a matrix and adds a row, the bias; between layers each number goes "
        "through tanh. Without it, two linear layers collapse into one. PyTorch, and so heed, "
        "computes $x·Wᵀ + b$ with a matrix W of shape [out, in].");
    const Linear hidden(2, 16, random);
    const Linear output(16, 1, random);
    const Variable x(moons.points);                                              // [N, 2]
    const Variable h = tanh(matmul(x, transpose(hidden.weight)) + hidden.bias);  // [N, 16]
    const Variable y = matmul(h, transpose(output.weight)) + output.bias;        // [N, 1]
    const Sequential network{hidden, Tanh(), output};
    tutorial::predict_shape(
        "x is [200, 2], 2 numbers become 16. What is the shape of h?", h.shape(),
        "A layer changes the last axis only: each of the 200 points has 16 numbers now.");
    tutorial::predict_number(
        "How many numbers do the two layers, 2 to 16 and 16 to 1, have to learn?",
        static_cast<double>(count_parameters(network)), 0,
        "$2·16$ and $16·1$ in the matrices, and a bias for each output: 16 and 1.");
    stop("03.1 the network", {{"x", x}, {"h", h}, {"y", y}});
    std::cout << "x " << x.shape() << " -> h " << h.shape() << " -> y " << y.shape() << "\n\n";
    check(tensor::same_bits(network(x).value(), y.value()),
          "Sequential(Linear, Tanh, Linear) gives the same bits");
    check(count_parameters(network) == 2 * 16 + 16 + 16 * 1 + 1,
          "it has $2·16 + 16 + 16·1 + 1 = 65$ parameters");
    const Variable W = matmul(output.weight, hidden.weight);                         // [1, 2]
    const Variable b = matmul(hidden.bias, transpose(output.weight)) + output.bias;  // [1]
    const Variable one_layer = matmul(x, transpose(W)) + b;                          // [N, 1]
    check(tensor::all_close(output(hidden(x)).value(), one_layer.value(), 0, 1e-5),
          "without tanh, the two layers are one: a matrix $W₂·W₁$ and a bias");
}

void one_step(Random& random, const Moons& moons) {
    section("03.2 One step downhill");
    say("The loss is one number that says how wrong the network is: here the mean of $(y - "
        "target)²$. Its gradient says for each parameter which way is up; a step of gradient "
        "descent goes the other way, $w ← w - rate · ∂loss/∂w$.");
    const double rate = 0.1;
    Linear layer(2, 1, random);
    const Tensor w = tensor::clone(layer.weight.value());
    const Variable x(moons.points);
    const Variable target(moons.targets);

    const Variable before = mse_loss(layer(x), target);
    before.backward();
    stop("03.2 after backward", {{"before", before}, {"layer.weight", layer.weight}});
    const Tensor by_hand = w - rate * layer.weight.grad();
    SGD optimizer(parameters(layer), {.lr = rate});
    optimizer.step();
    const Variable after = mse_loss(layer(x), target);
    stop("03.2 after the step", {{"w", w}, {"layer.weight", layer.weight}, {"after", after}});
    std::cout << "w                 = " << w << "\n∂loss/∂w          = " << layer.weight.grad()
              << "\nw - 0.1·∂loss/∂w  = " << by_hand << "\n"
              << "loss before " << fixed(before.item()) << ", after " << fixed(after.item())
              << "\n\n";
    check(tensor::all_close(layer.weight.value(), by_hand, 1e-6, 0),
          "the optimizer's step is the one by hand");
    check(after.item() < before.item(), "the loss fell");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 03: training. A network, a loss, its gradient, and a loop; then what classifiers "
        "and language models are trained with: cross-entropy, Adam, minibatches, and points held "
        "out to see what was learned.");
    const Moons moons = make_moons(100, random);
    the_network(random, moons);          // 03.1
    one_step(random, moons);             // 03.2
    forgetting_to_clear(random, moons);  // 03.3, clearing.cpp
    softmax_of_logits();                 // 03.4, cross_entropy.cpp
    loss_and_derivative();               // 03.5
    adam(random, moons);                 // 03.6, classification.cpp
    minibatches(random, moons);          // 03.7
    const Moons held_out = make_moons(100, random);
    const Sequential network = learning(random, moons, held_out);  // 03.7
    what_it_learned(network, moons, held_out);                     // 03.8
}

int main(int argc, char** argv) {
    return tutorial::run({"03_training",
                          "Training: loss, step, clearing gradients; a small network "
                          "learns to tell two moons apart."},
                         argc, argv, lesson);
}
