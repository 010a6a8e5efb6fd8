#include "tutorials/exercises/judges/03_3_learning_rates.h"

#include "tutorials/exercises/judging/inputs.h"

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

#include <cmath>
#include <cstdio>

using namespace heed;

namespace exercise {

namespace {

double loss_at(const Experiment& experiment, const Tensor& W) {
    const Tensor error = tensor::matmul(experiment.X, W) - experiment.target;
    return tensor::mean(error * error).item();
}

// dL/dW of the mean of (X·W - target)²
Tensor slope_at(const Experiment& experiment, const Tensor& W) {
    const Tensor error = tensor::matmul(experiment.X, W) - experiment.target;
    return tensor::matmul(tensor::transpose(experiment.X), error) *
           (2 / static_cast<double>(error.numel()));
}

RatesMeasured walk(const Experiment& experiment, const Slips& slip) {
    RatesMeasured measured;
    Tensor W = experiment.W;
    for (const double rate : experiment.rates) {
        if (!slip("lr.not-fresh")) W = experiment.W;
        const double before = loss_at(experiment, W);
        Tensor slope = tensor::zeros_like(W);
        double last_but_one = before;
        const int steps = slip("lr.one-more") ? experiment.steps + 1 : experiment.steps;
        for (int step = 0; step < steps; ++step) {
            last_but_one = loss_at(experiment, W);
            const Tensor fresh = slope_at(experiment, W);
            slope = slip("opt.no-zero-grad") ? slope + fresh : fresh;
            W = slip("opt.ascent") ? W + slope * rate : W - slope * rate;
        }
        double after = loss_at(experiment, W);
        if (slip("lr.last-but-one")) after = last_but_one;
        bool diverges = after > before;
        if (slip("div.last-step")) diverges = after > last_but_one;
        if (slip("div.inverted")) diverges = after < before;
        if (slip("div.not-finite")) diverges = !std::isfinite(after);
        if (slip("div.above-1")) diverges = after > 1;
        measured.losses.push_back(slip("lr.before") ? before : after);
        measured.diverges.push_back(diverges);
    }
    return measured;
}

Stages stages(const RatesMeasured& measured) {
    const std::vector<Scalar> losses(measured.losses.begin(), measured.losses.end());
    const std::vector<Scalar> flags(measured.diverges.begin(), measured.diverges.end());
    const std::int64_t n = static_cast<std::int64_t>(losses.size());
    const std::int64_t m = static_cast<std::int64_t>(flags.size());
    return {{"the list of losses", tensor::from_vector(losses, {n})},
            {"what diverges (1 is yes)", tensor::from_vector(flags, {m})}};
}

// Columns of X have different norms, so that one direction diverges before the others.
Experiment random_experiment(std::int64_t N, std::int64_t in, std::int64_t out, int steps,
                             const std::vector<double>& rates, std::uint64_t seed) {
    const Tensor widths = tensor::linspace(0.3, 1.5, in);
    return {random({N, in}, seed) * widths, random({N, out}, seed + 1, 2),
            random({in, out}, seed + 2), steps, rates};
}

std::vector<Mistake> mistakes() {
    const std::string begin = "Print W before the first step of each rate.";
    const std::string question = "With which loss is the last one compared?";
    return {
        {"lr.not-fresh",
         "each rate went on from where the one before had ended",
         {"Is the comparison of rates a fair one?", begin}},
        {"opt.no-zero-grad",
         "gradients were never cleared between steps",
         {"What does backward() do with a gradient that is there already?",
          "tensor W.grad() after each backward."}},
        {"opt.ascent",
         "each step went uphill",
         {"In which direction does a gradient point?", "Look at the line that moves W."}},
        {"lr.last-but-one",
         "the loss were that before the last step and not after it",
         {"Which W does your loss belong to?", "Count losses and steps: 0 steps, which loss?"}},
        {"lr.before",
         "the loss were that before the first step",
         {"Which W does your loss belong to?", "Is it the same for all rates?"}},
        {"lr.one-more",
         "there were a step too many",
         {"How many steps are asked for?", "Count them for steps = 1."}},
        {"div.last-step",
         "the last loss were compared with the one before it",
         {question, "Look at a rate whose loss falls first and rises then."}},
        {"div.inverted",
         "yes and no had changed places",
         {"What does a loss do that diverges?", "Look at the smallest rate."}},
        {"div.not-finite",
         "only an infinite loss counted",
         {question, "Look at the largest rate: is its loss a good one?"}},
        {"div.above-1",
         "the last loss were compared with 1",
         {question, "Print the loss before the first step."}},
    };
}

std::string rate_0(const MeasureRates& measure) {
    const Experiment experiment = random_experiment(8, 3, 2, 4, {0}, 40);
    const RatesMeasured measured = measure(experiment);
    const double before = loss_at(experiment, experiment.W);
    if (measured.losses.size() != 1 || measured.diverges.size() != 1) return "";
    const bool right = std::fabs(measured.losses[0] - before) < 1e-9 && !measured.diverges[0];
    return right ? ""
                 : "It gives " + std::to_string(measured.losses[0]) + ", and the loss is " +
                       std::to_string(before) + " before.";
}

std::string untouched(const MeasureRates& measure) {
    const Experiment experiment = random_experiment(8, 3, 2, 4, {0.1, 0.2}, 50);
    const Tensor W = tensor::clone(experiment.W);
    measure(experiment);
    return tensor::same_bits(W, experiment.W) ? "" : "The experiment's own W was overwritten.";
}

}  // namespace

Exercise learning_rates(const MeasureRates& measure) {
    Exercise exercise;
    exercise.number = "03.3";
    exercise.title = "How large a step";
    const auto add = [&](const std::string& name, const Experiment& experiment) {
        exercise.cases.push_back({name,
                                  [=](const Slips& slip) { return stages(walk(experiment, slip)); },
                                  [=] { return stages(measure(experiment)); }});
    };
    add("4 rates, 5 steps", random_experiment(9, 4, 2, 5, {0.02, 0.2, 0.8, 3}, 1));
    add("12 rates, 6 steps",
        random_experiment(12, 3, 1, 6,
                          {0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 1}, 11));
    add("2 rates, one step", random_experiment(7, 2, 3, 1, {0.05, 4}, 21));
    exercise.laws = {{"a rate of 0 changes nothing", [=] { return rate_0(measure); }},
                     {"what you are given stays as it is", [=] { return untouched(measure); }}};
    exercise.mistakes = mistakes();
    exercise.hints = {"What must be made anew for each rate, and what for each step?",
                      "Lesson 03.2 for a step; nn/optim/optimizers.h has SGD, nn/losses.h mse_loss",
                      "for each rate: W from the start; steps times: clear, loss, backward, step; "
                      "then the loss once more",
                      "Variable W(clone(experiment.W), requires_grad); SGD optimizer({W}, {.lr = "
                      "rate}); and last_loss > first_loss"};
    exercise.cause_of_nan = "so many steps uphill that numbers overflow";
    return exercise;
}

Trials learning_rates_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return learning_rates([=](const Experiment& experiment) { return walk(experiment, slip); });
    };
    trials.right["by SGD and backward"] = [] {
        return learning_rates([](const Experiment& experiment) {
            RatesMeasured measured;
            for (const double rate : experiment.rates) {
                Variable W(tensor::clone(experiment.W), requires_grad);
                SGD optimizer({W}, {.lr = rate});
                const double before = loss_at(experiment, W.value());
                for (int step = 0; step < experiment.steps; ++step) {
                    optimizer.zero_grad();
                    const Variable y = matmul(Variable(experiment.X), W);
                    mse_loss(y, Variable(experiment.target)).backward();
                    optimizer.step();
                }
                measured.losses.push_back(loss_at(experiment, W.value()));
                measured.diverges.push_back(measured.losses.back() > before);
            }
            return measured;
        });
    };
    return trials;
}

void show(const MeasureRates& measure) {
    const std::vector<double> rates = {0.001, 0.01, 0.1, 0.2, 0.5, 0.7, 1};
    const Experiment experiment = random_experiment(12, 3, 1, 20, rates, 11);
    const RatesMeasured measured = measure(experiment);
    std::printf("\n  What you measure: the loss after 20 steps, %.3f before the first.\n\n",
                loss_at(experiment, experiment.W));
    std::printf("    rate          loss\n");
    for (std::size_t i = 0; i < rates.size(); ++i) {
        std::printf("  %6.3f %13.3f%s\n", rates[i], measured.losses[i],
                    measured.diverges[i] ? "  diverges" : "");
    }
}

}  // namespace exercise
