#include "tutorials/exercises/judges/lesson_03.h"
#include "tutorials/exercises/judging/kit.h"

#include "nn/losses.h"

using namespace heed;

namespace exercise {

static Stages given(const Training& in) {
    return {{"X", in.X}, {"target", in.target}, {"W", in.W}, {"b", in.b}};
}

namespace {
Variable loss_of(const Training& training, const Variable& W, const Variable& b) {
    const Variable y = matmul(Variable(training.X), W) + b;
    return mse_loss(y, Variable(training.target));
}

void descend(Variable& parameter, double rate) {
    if (!parameter.has_grad()) return;
    Tensor numbers = parameter.value();
    tensor::overwrite(numbers, numbers - rate * parameter.grad());
}

Trained walk(const Training& training, const Slips& slip) {
    Variable W(tensor::clone(training.W), requires_grad);
    Variable b(tensor::clone(training.b), requires_grad);
    double rate = slip("opt.lr-twice") ? training.rate * training.rate : training.rate;
    if (slip("opt.ascent")) rate = -rate;
    const auto step = [&] {
        if (!slip("train.W-left")) descend(W, rate);
        if (!slip("train.b-left")) descend(b, rate);
    };
    const auto clear = [&] {
        if (slip("opt.no-zero-grad")) return;
        W.zero_grad();
        if (!slip("opt.no-zero-b")) b.zero_grad();
    };
    std::vector<double> losses;
    for (int i = 0; i < training.steps; ++i) {
        const Variable loss = loss_of(training, W, b);
        if (slip("opt.stale")) {
            step();
            clear();
            loss.backward();
        } else {
            loss.backward();
            if (slip("opt.zero-late")) clear();
            step();
            clear();
        }
        const double after = loss_of(training, W, b).item();
        losses.push_back(slip("opt.loss-after") ? after : loss.item());
    }
    return {losses, W.value(), b.value()};
}

std::vector<Mistake> mistakes() {
    const std::string order = "Stop in descend and ask: tensor parameter.grad()";
    return {
        {"opt.ascent", "each step went uphill, along the gradient",
         "In which direction does a gradient point, up or down?", "Look into descend.",
         "w <- w - rate * dloss/dw", "numbers - rate * parameter.grad()"},
        {"opt.no-zero-grad",
         "gradients were never cleared, so that each step added all earlier ones",
         "What does backward() do with a gradient that is already there?",
         "Stop in descend at the second step and ask: tensor parameter.grad()",
         "forward, loss, backward, step, clear", "W.zero_grad() and b.zero_grad() after the step"},
        {"opt.no-zero-b", "the gradient of b was never cleared, while that of W was",
         "How many parameters have a gradient?", "Which of them does your loop clear?",
         "each parameter is cleared", "b.zero_grad()"},
        {"opt.stale", "each step used the gradient of the step before, and the first one none",
         "Which loss does the gradient in descend belong to?", order,
         "forward, loss, backward, step, clear", "loss.backward() before the calls of descend"},
        {"opt.zero-late",
         "gradients were cleared between backward and the step, so that nothing ever moved",
         "Who needs a gradient last, and who fills it?", order,
         "forward, loss, backward, step, clear", "zero_grad() after the calls of descend"},
        {"opt.lr-twice", "the step was multiplied by the rate twice",
         "How long is the step, compared with the gradient?", "Look into descend."},
        {"train.b-left", "b was never moved", "How many parameters are there to learn?",
         "tensor b, at the first step and at the last"},
        {"train.W-left", "W was never moved", "How many parameters are there to learn?",
         "tensor W, at the first step and at the last"},
        {"opt.loss-after", "each loss was recorded after its step and not before",
         "To which W does the first loss of the list belong?", "Look at losses[0]."},
    };
}

Stages stages(const Train& train, const Training& training) {
    const Trained trained = train(training);
    return {{"the list of losses", numbers(trained.losses)}, {"W", trained.W}, {"b", trained.b}};
}

Training random_training(std::int64_t N, std::int64_t in, std::int64_t out, int steps, double rate,
                         std::uint64_t seed) {
    return {random({N, in}, seed),
            random({N, out}, seed + 1, 2),
            random({in, out}, seed + 2),
            random({out}, seed + 3),
            steps,
            rate};
}

// Targets that some W and b fit exactly.
Training fitted_exactly() {
    Training training = random_training(11, 2, 3, 60, 0.3, 60);
    training.target = tensor::matmul(training.X, random({2, 3}, 64)) + random({3}, 65);
    return training;
}

Training of_views() {
    Training training = random_training(6, 3, 2, 4, 0.1, 70);
    training.X = tensor::transpose(random({3, 6}, 74));
    training.W = tensor::slice(random({3, 4}, 75), 1, 0, 4, 2);
    training.b = tensor::expand(random({1}, 76), 2);
    return training;
}

// Begins with a loss of about 1e-11, which each step multiplies by 850.
Training explodes_from_almost_nothing() {
    return {tensor::of({{1, 2}, {-1, 3}, {2, 0}}),
            tensor::zeros({3, 1}),
            tensor::of({{1e-6}, {-2e-6}}),
            tensor::of({3e-6}),
            26,
            3};
}

Inputs<Training> inputs() {
    return {
        {"one step on 7 points", random_training(7, 3, 2, 1, 0.1, 1)},
        {"5 steps on 12 points", random_training(12, 3, 2, 5, 0.1, 11)},
        {"8 steps on 9 points with 4 numbers", random_training(9, 4, 1, 8, 0.05, 21)},
        {"a rate so large that the loss rises", random_training(8, 3, 2, 6, 1.2, 30)},
        {"a rate so large that the loss becomes huge", random_training(6, 2, 3, 25, 4, 110)},
        {"2 steps on points with 70 numbers", random_training(4, 70, 66, 2, 0.1, 130)},
        {"2 steps on 70 points", random_training(70, 3, 2, 2, 0.1, 120)},
        {"60 steps to targets that a line fits", fitted_exactly()},
        {"110 slow steps", random_training(5, 2, 1, 110, 0.005, 140)},
        {"a loss that grows from almost 0 beyond 10⁴⁰", explodes_from_almost_nothing()},
        {"no step at all", random_training(5, 2, 3, 0, 0.1, 80)},
        {"a single point with one number", random_training(1, 1, 1, 3, 0.1, 90)},
        {"views of other tensors", of_views()},
        {"5 steps on 12 other points", random_training(12, 3, 2, 5, 0.1, 100)},
        {"one step on the first 7 points again", random_training(7, 3, 2, 1, 0.1, 1)},
    };
}

std::string falls(const Train& train) {
    const std::vector<double> losses = train(random_training(12, 3, 2, 10, 0.01, 40)).losses;
    for (std::size_t i = 1; i < losses.size(); ++i) {
        if (losses[i] < losses[i - 1]) continue;
        return "With a rate of 0.01, losses[" + std::to_string(i) + "] is " + fixed(losses[i], 6) +
               " after " + fixed(losses[i - 1], 6) + ".";
    }
    return "";
}

Rules<Train> rules() {
    return {
        .number = "03.1",
        .title = "A loop that does not learn",
        .reference =
            [](const Slips& slip) {
                return [=](const Training& training) { return walk(training, slip); };
            },
        .cases = on_each(stages, inputs()),
        .laws = {{"small steps downhill lower the loss, every one", falls}},
        .mistakes = mistakes(),
        .hints = {"What does the first step do to the loss, and what should it do?",
                  "Stop in descend, at the first step and at the second: tensor parameter.grad()",
                  "a step is w <- w - rate * dloss/dw, for W and for b; the order is forward, "
                  "loss, backward, step, clear",
                  "compare W, b and the loss of your first step with those worked out by hand: if "
                  "W has not moved, no gradient was there; if it moved the wrong way, look at the "
                  "sign; if only the third loss is wrong, at what was not cleared"},
    };
}

}  // namespace

const Judge<Train> judge_03_1(rules);

}  // namespace exercise
