#include "tutorials/exercises/judges/03_1_training_loop.h"

#include "tutorials/exercises/judges/common_qkv.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/ops/matmul.h"
#include "heed/autograd/variable.h"
#include "heed/nn/losses.h"
#include "heed/nn/optim/optimizers.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/matmul.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/views.h"

using namespace heed;

namespace exercise {

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

Stages stages(const Trained& trained) {
    const std::vector<Scalar> losses(trained.losses.begin(), trained.losses.end());
    const std::int64_t steps = static_cast<std::int64_t>(losses.size());
    return {{"the list of losses", tensor::from_vector(losses, {steps})},
            {"W", trained.W},
            {"b", trained.b}};
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

std::vector<Mistake> mistakes() {
    const std::string order = "Stop in descend and ask: tensor parameter.grad()";
    return {
        {"opt.ascent",
         "each step went uphill, along the gradient",
         {"In which direction does a gradient point, up or down?", "Look into descend."}},
        {"opt.no-zero-grad",
         "gradients were never cleared, so that each step takes all earlier ones again",
         {"What does backward() do with a gradient that is there already?",
          "Stop in descend at the second step and ask: tensor parameter.grad()"}},
        {"opt.no-zero-b",
         "the gradient of b was never cleared, that of W was",
         {"How many parameters have a gradient?", "Which of them does your loop clear?"}},
        {"opt.stale",
         "each step used the gradient of the step before, and the first one none",
         {"Which loss does the gradient in descend belong to?", order}},
        {"opt.zero-late",
         "gradients were cleared between backward and the step, so that nothing ever moves",
         {"Who needs a gradient last, and who fills it?", order}},
        {"opt.lr-twice",
         "the step were multiplied by the rate twice",
         {"How long is the step, compared with the gradient?", "Look into descend."}},
        {"train.b-left",
         "b were never moved",
         {"How many parameters are there to learn?",
          "tensor b, at the first step and at the last"}},
        {"train.W-left",
         "W were never moved",
         {"How many parameters are there to learn?",
          "tensor W, at the first step and at the last"}},
        {"opt.loss-after",
         "each loss were taken down after its step and not before",
         {"To which W does the first loss of the list belong?", "Look at losses[0]."}},
    };
}

std::string falls(const Train& train) {
    const Training training = random_training(12, 3, 2, 10, 0.01, 40);
    const std::vector<double> losses = train(training).losses;
    for (std::size_t i = 1; i < losses.size(); ++i) {
        if (!(losses[i] < losses[i - 1])) {
            return "With a rate of 0.01, loss " + std::to_string(i) + " is " +
                   std::to_string(losses[i]) + " after " + std::to_string(losses[i - 1]) +
                   ". Begin where the first step is made: d starts the debugger in descend.";
        }
    }
    return "";
}

std::string untouched(const Train& train) {
    const Training training = random_training(12, 3, 2, 3, 0.1, 50);
    const Tensor W = tensor::clone(training.W), b = tensor::clone(training.b);
    train(training);
    const bool same = tensor::same_bits(W, training.W) && tensor::same_bits(b, training.b);
    return same ? "" : "W or b of the training, where it begins, was overwritten.";
}

}  // namespace

Exercise training_loop(const Train& train) {
    Exercise exercise;
    exercise.number = "03.1";
    exercise.title = "A loop that does not learn";
    const auto add = [&](const std::string& name, const Training& training) {
        exercise.cases.push_back({name,
                                  [=](const Slips& slip) { return stages(walk(training, slip)); },
                                  [=] { return stages(train(training)); }});
    };
    add("one step on 7 points", random_training(7, 3, 2, 1, 0.1, 1));
    add("5 steps on 12 points", random_training(12, 3, 2, 5, 0.1, 11));
    add("8 steps on 9 points with 4 numbers", random_training(9, 4, 1, 8, 0.05, 21));
    exercise.laws = {
        {"small steps downhill lower the loss, every one", [=] { return falls(train); }},
        {"what training begins with stays as it is", [=] { return untouched(train); }}};
    exercise.mistakes = mistakes();
    exercise.hints = {"What does the first step do to the loss, and what should it do?",
                      "Stop in descend, at the first step and at the second: tensor "
                      "parameter.grad()",
                      "forward, loss, backward, w <- w - rate * dloss/dw for all, clear",
                      "numbers - rate * parameter.grad() in descend; loss.backward() before the "
                      "two calls of it; W.zero_grad() and b.zero_grad() after them"};
    exercise.cause_of_nan = "steps that go uphill or are too long, until numbers overflow";
    return exercise;
}

namespace {

Trained by_sgd(const Training& training) {
    Variable W(tensor::clone(training.W), requires_grad);
    Variable b(tensor::clone(training.b), requires_grad);
    SGD optimizer({W, b}, {.lr = training.rate});
    std::vector<double> losses;
    for (int step = 0; step < training.steps; ++step) {
        optimizer.zero_grad();
        const Variable loss = loss_of(training, W, b);
        loss.backward();
        optimizer.step();
        losses.push_back(loss.item());
    }
    return {losses, W.value(), b.value()};
}

// The derivative in closed form: (y - target)·2/n, propagated through y = X·W + b.
Trained by_hand(const Training& training) {
    Tensor W = training.W, b = training.b;
    std::vector<double> losses;
    for (int step = 0; step < training.steps; ++step) {
        const Tensor error = tensor::matmul(training.X, W) + b - training.target;
        losses.push_back(tensor::mean(error * error).item());
        const Tensor G = error * (2 / static_cast<double>(error.numel()));
        W = W - training.rate * tensor::matmul(tensor::transpose(training.X), G);
        b = b - training.rate * tensor::sum(G, 0);
    }
    return {losses, W, b};
}

}  // namespace

Trials training_loop_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return training_loop([=](const Training& training) { return walk(training, slip); });
    };
    trials.right["by SGD"] = [] { return training_loop(by_sgd); };
    trials.right["by a derivative worked out"] = [] { return training_loop(by_hand); };
    return trials;
}

}  // namespace exercise
