// 03 Training: a small network learns to separate two moons. One step by hand, the same step with
// the optimizer, and what happens if gradients are not cleared: sections 03.1 to 03.3. The loss of
// a classifier is in 03_cross_entropy.cpp; Adam, minibatches and points held out are in
// 03_classification.cpp.
#include "autograd/ops.h"
#include "nn/activations.h"
#include "nn/linear.h"
#include "nn/losses.h"
#include "nn/optim/optimizers.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/03_training/classification.h"
#include "tutorials/03_training/cross_entropy.h"
#include "tutorials/03_training/moons.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

void the_network(Random& random, const Moons& moons) {
    section("03.1 The network, by hand and by nn");
    say("A layer multiplies by a matrix and adds a row, the bias; between layers each number goes "
        "through tanh. Without it, two linear layers collapse into one. PyTorch, and so heed, "
        "computes x·Wᵀ + b with a matrix W of shape [out, in].");
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
        "2·16 and 16·1 in the matrices, and a bias for each output: 16 and 1.");
    stop("03.1 the network", {{"x", x}, {"h", h}, {"y", y}});
    std::cout << "x " << x.shape() << " -> h " << h.shape() << " -> y " << y.shape() << "\n\n";
    check(tensor::same_bits(network(x).value(), y.value()),
          "Sequential(Linear, Tanh, Linear) gives the same bits");
    check(count_parameters(network) == 2 * 16 + 16 + 16 * 1 + 1,
          "it has 2·16 + 16 + 16·1 + 1 = 65 parameters");
    const Variable W = matmul(output.weight, hidden.weight);                         // [1, 2]
    const Variable b = matmul(hidden.bias, transpose(output.weight)) + output.bias;  // [1]
    const Variable one_layer = matmul(x, transpose(W)) + b;                          // [N, 1]
    check(tensor::all_close(output(hidden(x)).value(), one_layer.value(), 0, 1e-5),
          "without tanh, the two layers are one: a matrix W₂·W₁ and a bias");
}

void one_step(Random& random, const Moons& moons) {
    section("03.2 One step downhill");
    say("The loss is one number that says how wrong the network is: here the mean of (y - "
        "target)². Its gradient says for each parameter which way is up; a step of gradient "
        "descent goes the other way, w ← w - rate · ∂loss/∂w.");
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

const int steps = 68;
const double rate = 0.05;

enum class AfterStep { clear, keep };

// The loss before each step. The network is a copy, with parameters of its own.
std::vector<double> train(Sequential network, const Moons& moons, AfterStep with_gradients,
                          double momentum = 0) {
    SGD optimizer(parameters(network), {.lr = rate, .momentum = momentum});
    std::vector<double> losses;
    for (int step = 0; step < steps; ++step) {
        if (with_gradients == AfterStep::clear) optimizer.zero_grad();
        const Variable y = network(Variable(moons.points));          // [N, 1]
        const Variable loss = mse_loss(y, Variable(moons.targets));  // []
        loss.backward();
        optimizer.step();
        losses.push_back(loss.item());
    }
    return losses;
}

// The same by hand, with cleared gradients and a velocity u for each parameter w:
//     u ← u + ∂loss/∂w,    w ← w - rate·u
std::vector<double> train_with_velocity(Sequential network, const Moons& moons) {
    const std::vector<NamedParameter> all = parameters(network);
    std::vector<Tensor> u;
    for (const NamedParameter& named : all) {
        u.push_back(tensor::zeros_like(named.parameter.value()));
    }
    std::vector<double> losses;
    for (int step = 0; step < steps; ++step) {
        const Variable output = network(Variable(moons.points));          // [N, 1]
        const Variable loss = mse_loss(output, Variable(moons.targets));  // []
        loss.backward();
        for (std::size_t i = 0; i < all.size(); ++i) {
            Variable w = all[i].parameter;
            u[i] = u[i] + w.grad();
            Tensor numbers = w.value();
            tensor::overwrite(numbers, numbers - rate * u[i]);
            w.zero_grad();
        }
        losses.push_back(loss.item());
    }
    return losses;
}

int steps_up(const std::vector<double>& losses) {
    int up = 0;
    for (std::size_t i = 1; i < losses.size(); ++i) up += !(losses[i] < losses[i - 1]);
    return up;
}

// How often the loss rises and then falls again.
int maxima(const std::vector<double>& losses) {
    int count = 0;
    for (std::size_t i = 1; i + 1 < losses.size(); ++i) {
        count += losses[i - 1] < losses[i] && losses[i] >= losses[i + 1];
    }
    return count;
}

int steps_below(const std::vector<double>& losses, const std::vector<double>& others) {
    int below = 0;
    for (std::size_t i = 0; i < losses.size(); ++i) below += losses[i] < others[i];
    return below;
}

void print_counts(const std::string& name, const std::vector<double>& losses) {
    print_row(std::cout, name, {fixed(steps_up(losses), 0), fixed(maxima(losses), 0)}, 14, 8);
}

void as_momentum(const Sequential& network, const Moons& moons,
                 const std::vector<double>& not_cleared) {
    say("The sum of all past gradients has a name: it is a velocity u that never decays. SGD with "
        "momentum keeps u ← momentum·u + ∂loss/∂w and steps by w ← w - rate·u, so a loop that does "
        "not clear has momentum 1: undamped momentum, a ball that rolls without friction. A usual "
        "choice is 0.9: a gradient then counts 0.9ⁿ after n more steps, and fades.");
    const std::vector<double> by_hand = train_with_velocity(network, moons);
    const std::vector<double> undamped = train(network, moons, AfterStep::clear, 1);
    const std::vector<double> damped = train(network, moons, AfterStep::clear, 0.9);
    print_row(std::cout, "", {"steps up", "maxima"}, 14, 8);
    print_counts("not cleared", not_cleared);
    print_counts("momentum 1", undamped);
    print_counts("momentum 0.9", damped);
    std::cout << "\n";
    check(by_hand == not_cleared, "a velocity by hand gives the same loss at every step");
    check(undamped == not_cleared, "and so does SGD with momentum 1");
    check(steps_up(damped) < steps_up(not_cleared), "with momentum 0.9 fewer steps raise the loss");
}

void forgetting_to_clear(Random& random, const Moons& moons) {
    section("03.3 Gradients must be cleared between steps");
    say("backward() adds to .grad (lesson 02). A loop that never clears it keeps re-applying all "
        "past gradients: each step goes along the sum of all of them, and the oldest counts as "
        "much as the newest. Both ways from the same network, every step:");
    const Sequential network = make_network(1, random);
    const std::vector<double> right = train(network, moons, AfterStep::clear);
    const std::vector<double> wrong = train(network, moons, AfterStep::keep);
    const int times_up = steps_up(wrong), turns = maxima(wrong);
    tutorial::predict_choice("Gradients are never cleared. What does the loss do?",
                             {"falls", "swings", "explodes"}, turns > 3 ? "swings" : "falls",
                             "Old gradients keep pushing long after they were right, until newer "
                             "ones outweigh them, and then these push too long.");
    stop("03.3 two ways to train");
    print_curves({{'o', right}, {'x', wrong}}, 1.4);
    say("o is the loss with gradients cleared, x without, * where both meet. Single samples of the "
        "two could show anything; the whole curves show what is different.");
    std::cout << "not cleared: " << times_up << " of " << steps - 1
              << " steps raise the loss, which has " << turns << " maxima\n\n";
    check(right[0] == wrong[0], "both begin alike");
    check(steps_up(right) == 0, "where gradients are cleared, every step lowers the loss");
    check(turns >= 5, "where they are not, it rises and falls again, many times");
    check(steps_below(wrong, right) > 0, "at some steps it is the lower of the two");

    as_momentum(network, moons, wrong);
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 03: training. A network, a loss, its gradient, and a loop; then what classifiers "
        "and language models are trained with: cross-entropy, Adam, minibatches, and points held "
        "out to see what was learned.");
    const Moons moons = make_moons(100, random);
    the_network(random, moons);
    one_step(random, moons);
    forgetting_to_clear(random, moons);
    cross_entropy_by_hand();
    classification(random, moons);
}

int main(int argc, char** argv) {
    return tutorial::run({"03_training",
                          "Training: loss, step, clearing gradients; a small network "
                          "learns to tell two moons apart."},
                         argc, argv, lesson);
}
