// Lesson 03: what the loss does if gradients are not cleared between steps, and why that is
// momentum without friction (03.3).
#include "tutorials/03_training/parts.h"

#include "nn/losses.h"
#include "nn/optim/optimizers.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>
#include <string>
#include <vector>

using namespace heed;
using tutorial::check;
using tutorial::counted;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

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
        "momentum keeps $u ← momentum·u + ∂loss/∂w$ and steps by $w ← w - rate·u$, so a loop that "
        "does not clear has momentum 1: undamped momentum, a ball that rolls without friction. A "
        "usual choice is 0.9: a gradient then counts $0.9ⁿ$ after n more steps, and fades.");
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
    if (tutorial::page_is_written()) {
        tutorial::draw_in_place_of_characters(
            tutorial::plot_svg({.title = "Gradients cleared, and not",
                                .x = {.label = "step"},
                                .y = {.label = "loss, a mean square", .covers = {0}},
                                .series = {{"cleared", counted(right), right},
                                           {"not cleared", counted(wrong), wrong}}}));
    }
    say("o is the loss with gradients cleared, x without, * where both meet. Single values of the "
        "two could show anything; the whole curves show the difference.");
    std::cout << "not cleared: " << times_up << " of " << steps - 1
              << " steps raise the loss, which has " << turns << " maxima\n\n";
    check(right[0] == wrong[0], "both begin alike");
    check(steps_up(right) == 0, "where gradients are cleared, every step lowers the loss");
    check(turns >= 5, "where they are not, it rises and falls again, many times");
    check(steps_below(wrong, right) > 0, "at some steps it is the lower of the two");

    as_momentum(network, moons, wrong);
}
