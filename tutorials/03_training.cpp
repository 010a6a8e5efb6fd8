// 03 Training: a small network learns to separate two moons. One step by hand, the same step with
// the optimizer, what happens if gradients are not zeroed, and a picture of what was learned.
#include "heed/autograd/grad_mode.h"
#include "heed/autograd/ops.h"
#include "heed/nn/activations.h"
#include "heed/nn/linear.h"
#include "heed/nn/losses.h"
#include "heed/nn/optim/optimizers.h"
#include "heed/nn/sequential.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/print.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

constexpr std::int64_t points_in_a_moon = 100;

struct Moons {
    Tensor points;   // [N, 2]
    Tensor targets;  // [N, 1], +1 for the upper moon, -1 for the lower
};

// Two interlocking half circles, with a little random noise on each point.
Moons make_moons(Random& random) {
    const double pi = 3.141592653589793;
    const std::int64_t n = points_in_a_moon;
    const Tensor angle = tensor::linspace(0, pi, n);
    const Tensor upper = tensor::stack({tensor::cos(angle), tensor::sin(angle)}, 1);
    const Tensor lower = tensor::stack({1 - tensor::cos(angle), 0.5 - tensor::sin(angle)}, 1);
    const Tensor both = tensor::concatenate({upper, lower}, 0);
    const Tensor noise = tensor::normal({2 * n, 2}, random, 0, 0.08);
    const Tensor signs = tensor::concatenate({tensor::ones({n, 1}), -tensor::ones({n, 1})}, 0);
    return {both + noise, signs};
}

Sequential make_network(Random& random) {
    return Sequential{Linear(2, 16, random), Tanh(), Linear(16, 16, random), Tanh(),
                      Linear(16, 1, random)};
}

// The fraction of points that the network classifies correctly.
double accuracy(const Sequential& network, const Moons& moons) {
    const NoGrad no_grad;
    const Tensor scores = network(Variable(moons.points)).value();  // [N, 1]
    const BoolTensor right = scores * moons.targets > 0;
    return static_cast<double>(right.count()) / static_cast<double>(right.numel());
}

void the_network(Random& random, const Moons& moons) {
    section("03.1 The network, by hand and by nn");
    say("A layer multiplies by a matrix and adds a row; between layers each number goes through "
        "tanh, without which two layers would be no more than one. PyTorch, and so heed, keeps a "
        "layer's matrix W as [out, in], and computes x·Wᵀ + b.");
    const Linear hidden(2, 16, random);
    const Linear output(16, 1, random);
    const Variable x(moons.points);                                              // [N, 2]
    const Variable h = tanh(matmul(x, transpose(hidden.weight)) + hidden.bias);  // [N, 16]
    const Variable y = matmul(h, transpose(output.weight)) + output.bias;        // [N, 1]
    const Sequential network{hidden, Tanh(), output};
    tutorial::predict_shape(
        "x is [200, 2], 2 numbers become 16. What shape has h?", h.shape(),
        "A layer changes the last axis only: each of the 200 points has 16 numbers now.");
    tutorial::predict_number(
        "How many numbers do the two layers, 2 to 16 and 16 to 1, have to learn?",
        static_cast<double>(count_parameters(network)), 0,
        "2·16 and 16·1 in the matrices, and a bias for each output: 16 and 1.");
    stop("03.1 the network", {{"x", x}, {"h", h}, {"y", y}});
    std::cout << "x " << x.shape() << " -> h " << h.shape() << " -> y " << y.shape() << "\n\n";
    check(tensor::same_bits(network(x).value(), y.value()),
          "Sequential(Linear, Tanh, Linear) gives the same bits");
    check(count_parameters(network) == 2 * 16 + 16 + 16 + 1,
          "it has 2·16 + 16 + 16·1 + 1 = 65 parameters");
}

void one_step(Random& random, const Moons& moons) {
    section("03.2 One step downhill");
    say("The loss is one number that says how wrong the network is: the mean of (y - target)². Its "
        "gradient says for each parameter which way is up; a step of gradient descent goes the "
        "other way, w ← w - rate · ∂loss/∂w.");
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

// The loss before each step, with the gradients cleared between steps or not.
std::vector<double> train(Sequential& network, const Moons& moons, int steps, bool clear) {
    SGD optimizer(parameters(network), {.lr = 0.05});
    std::vector<double> losses;
    for (int step = 0; step < steps; ++step) {
        if (clear) optimizer.zero_grad();
        const Variable y = network(Variable(moons.points));          // [N, 1]
        const Variable loss = mse_loss(y, Variable(moons.targets));  // []
        loss.backward();
        optimizer.step();
        losses.push_back(loss.item());
    }
    return losses;
}

bool falls_at_every_step(const std::vector<double>& losses) {
    for (std::size_t step = 1; step < losses.size(); ++step) {
        if (!(losses[step] < losses[step - 1])) return false;
    }
    return true;
}

void forgetting_to_clear(Random& random, const Moons& moons) {
    section("03.3 Gradients must be cleared between steps");
    say("backward() adds to what is there (lesson 02). A loop that does not clear .grad goes on in "
        "every direction it ever took.");
    Sequential cleared = make_network(random);
    Sequential not_cleared = cleared;
    const std::vector<double> right = train(cleared, moons, 40, true);
    const std::vector<double> wrong = train(not_cleared, moons, 40, false);
    tutorial::predict_choice("Gradients are never cleared. Does the loss fall at every step?",
                             {"yes", "no"}, falls_at_every_step(wrong) ? "yes" : "no",
                             "Old gradients go on pushing, long after they were right.");
    stop("03.3 two ways to train");
    std::cout << "step   cleared   not cleared\n";
    for (std::size_t step = 0; step < 40; step += 13) {
        std::cout << (step < 10 ? "   " : "  ") << step << "    " << fixed(right[step])
                  << "        " << fixed(wrong[step]) << "\n";
    }
    std::cout << "\n";
    check(right[0] == wrong[0], "both begin alike");
    check(falls_at_every_step(right), "where gradients are cleared, every step lowers the loss");
    check(!falls_at_every_step(wrong), "where they are not, it rises again on the way");
}

// The network's prediction at each place: # for the upper moon, · for the lower; O and x are the
// points of the two moons.
void draw(const Sequential& network, const Moons& moons) {
    const int rows = 22, columns = 72;
    const double left = -1.5, top = 1.5, width = 4.0, height = 2.5;
    std::vector<double> places;
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
            places.push_back(left + width * (j + 0.5) / columns);
            places.push_back(top - height * (i + 0.5) / rows);
        }
    }
    const std::vector<Scalar> grid(places.begin(), places.end());
    const NoGrad no_grad;
    const Variable scores = network(Variable(tensor::from_vector(grid, {rows * columns, 2})));

    std::vector<std::string> picture;
    for (std::int64_t place = 0; place < scores.numel(); ++place) {
        picture.push_back(scores(place, 0) > 0 ? "#" : "·");
    }
    for (std::int64_t n = 0; n < moons.points.dim(0); ++n) {
        const int j = static_cast<int>((moons.points(n, 0) - left) / width * columns);
        const int i = static_cast<int>((top - moons.points(n, 1)) / height * rows);
        if (i < 0 || i >= rows || j < 0 || j >= columns) continue;
        picture[static_cast<std::size_t>(i * columns + j)] = moons.targets(n, 0) > 0 ? "O" : "x";
    }
    for (int i = 0; i < rows; ++i) {
        std::cout << "  ";
        for (int j = 0; j < columns; ++j) {
            std::cout << picture[static_cast<std::size_t>(i * columns + j)];
        }
        std::cout << "\n";
    }
    std::cout << "\n";
}

void learning(Random& random, const Moons& moons) {
    section("03.4 Learning: a 2-16-16-1 network");
    Sequential network = make_network(random);
    std::cout << network << "\n\n";
    const double accuracy_before = accuracy(network, moons);
    stop("03.4 at the start", {{"moons.points", moons.points}, {"moons.targets", moons.targets}});
    Adam optimizer(parameters(network), {.lr = 0.02});
    double first_loss = 0, last_loss = 0;
    const int steps = 400;
    for (int step = 0; step <= steps; ++step) {
        optimizer.zero_grad();
        const Variable y = network(Variable(moons.points));          // [N, 1]
        const Variable loss = mse_loss(y, Variable(moons.targets));  // []
        loss.backward();
        optimizer.step();
        last_loss = loss.item();
        if (step == 0) first_loss = last_loss;
        if (step % 50 == 0) {
            const std::string bar(static_cast<std::size_t>(1 + last_loss * 50), '=');
            std::cout << "  step "
                      << (step < 10    ? "  "
                          : step < 100 ? " "
                                       : "")
                      << step << "  loss " << fixed(last_loss) << "  " << bar << "\n";
        }
    }
    const double accuracy_after = accuracy(network, moons);
    stop("03.4 after learning");
    std::cout << "\nright at first: " << fixed(100 * accuracy_before, 1)
              << " %, at the end: " << fixed(100 * accuracy_after, 1) << " %\n\n";
    check(last_loss < 0.2 * first_loss, "the loss fell to less than a fifth");
    check(accuracy_after > 0.99, "more than 99 % of the points are on their side");

    section("03.5 What it learned: # and O are one moon, · and x the other");
    draw(network, moons);
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 03: training. A network of 337 numbers, a loss, its gradient, and a loop.");
    const Moons moons = make_moons(random);
    the_network(random, moons);
    one_step(random, moons);
    forgetting_to_clear(random, moons);
    learning(random, moons);
}

int main(int argc, char** argv) {
    return tutorial::run({"03_training", "Training: loss, step, zeroing gradients; a small network "
                                         "learns to tell two moons apart."},
                         argc, argv, lesson);
}
