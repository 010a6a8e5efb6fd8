#include "tutorials/exercises/judges/lesson_03.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {

static Stages given(const Experiment& in) {
    return {{"X", in.X}, {"target", in.target}, {"W", in.W}};
}

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

// What is said of a rate: does it diverge?
bool diverges(double before, double last_but_one, double after, const Slips& slip) {
    if (slip("div.last-step")) return after > last_but_one;
    if (slip("div.inverted")) return after < before;
    if (slip("div.not-finite")) return !std::isfinite(after);
    if (slip("div.above-1")) return after > 1;
    if (slip("div.not-below")) return after >= before;
    return after > before;
}

RatesMeasured walk(const Experiment& experiment, const Slips& slip) {
    RatesMeasured measured;
    Tensor W = experiment.W;
    std::vector<double> rates = experiment.rates;
    if (slip("lr.sorted")) std::sort(rates.begin(), rates.end());
    for (const double rate : rates) {
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
        measured.losses.push_back(slip("lr.before") ? before : after);
        measured.diverges.push_back(diverges(before, last_but_one, after, slip));
    }
    return measured;
}

std::vector<Mistake> mistakes() {
    const std::string begin = "Print W before the first step of each rate.";
    const std::string question = "With which loss is the last one compared?";
    return {
        {"lr.not-fresh", "each rate went on from the W where the one before had ended",
         "Does every rate have the same chance?", begin},
        {"opt.no-zero-grad", "gradients were never cleared between steps",
         "What does backward() do with a gradient that is already there?",
         "Print tensor W.grad() after each backward."},
        {"opt.ascent", "each step went uphill", "In which direction does a gradient point?",
         "Look at the line that moves W."},
        {"lr.last-but-one", "the loss was that before the last step instead of after it",
         "Which W does your loss belong to?", "Count losses and steps: 0 steps, which loss?"},
        {"lr.before", "the loss was that before the first step",
         "Which W does your loss belong to?", "Is it the same for all rates?"},
        {"lr.one-more", "there was one step too many", "How many steps are asked for?",
         "Count them for steps = 1."},
        {"div.last-step",
         "a rate counted as diverging whenever its loss rose from one step to the next, even if it "
         "ended below the loss before the first step",
         question, "Look at a rate whose loss falls first and then rises."},
        {"div.inverted", "yes and no were exchanged", "What does a loss do that diverges?",
         "Look at the smallest rate."},
        {"div.not-finite",
         "none of these losses counted as diverging, perhaps because none is infinite", question,
         "Look at the largest rate: is its loss a good one?"},
        {"div.above-1", "the last loss was compared with 1, or with another fixed number", question,
         "Print the loss before the first step."},
        {"div.not-below", "a loss that had not changed at all counted as diverging",
         "Does a rate of 0 diverge?", "Look at > and >= where you compare."},
        {"lr.sorted", "the rates were sorted first", "In which order are the results expected?",
         "Print the rates as your loop takes them."},
    };
}

Stages stages(const MeasureRates& measure, const Experiment& experiment) {
    const RatesMeasured measured = measure(experiment);
    return {{"the list of losses", numbers(measured.losses)},
            {"which rates diverge (1 is yes)", numbers(measured.diverges)}};
}

// Columns of X have different norms, so that one direction diverges before the others.
Experiment random_experiment(std::int64_t N, std::int64_t in, std::int64_t out, int steps,
                             const std::vector<double>& rates, std::uint64_t seed) {
    const Tensor widths = tensor::linspace(0.3, 1.5, in);
    return {random({N, in}, seed) * widths, random({N, out}, seed + 1, 2),
            random({in, out}, seed + 2), steps, rates};
}

// Looks as if nothing moved any more, and then explodes: W begins close to the best one, a little
// off in a direction that shrinks and very little in one that grows threefold with each step.
Experiment still_at_first() {
    const Tensor X = tensor::of({{2, 0}, {0, 0.7}, {0, 0}});
    const Tensor best = random({2, 1}, 31);
    const Tensor target = tensor::matmul(X, best) + tensor::of({{0}, {0}, {1.5}});
    return {X, target, best + tensor::of({{1e-8}, {1e-4}}), 20, {1.5, 0.3, 1.35}};
}

// The loss is (W² + 9)/2, and a step multiplies W by 1 - rate: at a rate of 2 the loss stays as it
// is, to the last bit, a little below it falls slowly, and a little above it rises slowly.
Experiment at_the_edge() {
    return {tensor::of({{1}, {0}}),
            tensor::of({{0}, {3}}),
            tensor::of({{2}}),
            3,
            {1.9995, 2.0005, 2, 2.01, 1, 1.99}};
}

// The same with losses around 1e-8.
Experiment at_the_edge_and_tiny() {
    Experiment tiny = at_the_edge();
    tiny.target = tiny.target * 0x1p-14;
    tiny.W = tiny.W * 0x1p-14;
    return tiny;
}

Tensor rounded(const Tensor& A) {
    std::vector<Scalar> whole;
    for (const Scalar entry : A.to_vector()) whole.push_back(std::round(entry));
    return tensor::from_vector(whole, A.shape());
}

// With whole numbers, and a power of two of them, a loss that does not change is the same to the
// last bit in whatever order it is computed.
Experiment of_whole_numbers(int steps, const std::vector<double>& rates, std::uint64_t seed) {
    const Experiment experiment = random_experiment(8, 3, 2, steps, rates, seed);
    return {rounded(2 * experiment.X), rounded(2 * experiment.target), rounded(2 * experiment.W),
            steps, rates};
}

Experiment of_views() {
    Experiment experiment = random_experiment(6, 3, 2, 4, {0.1, 0.6}, 41);
    experiment.X = tensor::transpose(random({3, 6}, 44));
    experiment.W = tensor::slice(random({3, 4}, 45), 1, 0, 4, 2);
    return experiment;
}

Inputs<Experiment> inputs() {
    const std::vector<double> many = {0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 1};
    const Experiment first = random_experiment(9, 4, 2, 5, {0.02, 0.2, 0.8, 3}, 1);
    return {
        {"4 rates, 5 steps", first},
        {"12 rates, 6 steps", random_experiment(12, 3, 1, 6, many, 11)},
        {"2 rates, one step", random_experiment(7, 2, 3, 1, {0.05, 4}, 21)},
        {"rates in no order, some twice, one 0",
         of_whole_numbers(4, {0.5, 0.1, 0, 1.2, 0.1, 0.5, 0.02}, 51)},
        {"losses that hardly move at first", still_at_first()},
        {"losses that end a little above or below the first", at_the_edge()},
        {"tiny losses that end a little above or below the first", at_the_edge_and_tiny()},
        {"losses beyond 10⁴⁰", random_experiment(7, 2, 2, 60, {5, 0.1, 9}, 101)},
        {"3 rates, 70 points", random_experiment(70, 3, 2, 3, {0.1, 0.9, 0.4}, 111)},
        {"2 rates, points with 70 numbers", random_experiment(4, 70, 66, 2, {0.1, 0.5}, 121)},
        {"120 steps", random_experiment(5, 2, 2, 120, {0.3, 0.003}, 61)},
        {"no step at all", of_whole_numbers(0, {0.1, 2}, 71)},
        {"one rate, a single point", random_experiment(1, 2, 1, 3, {0.2}, 81)},
        {"views of other tensors", of_views()},
        {"4 rates, 5 steps, other numbers", random_experiment(9, 4, 2, 5, {0.02, 0.2, 0.8, 3}, 91)},
        {"the first 4 rates again", first},
    };
}

Rules<MeasureRates> rules() {
    return {
        .number = "03.3",
        .title = "How large a step",
        .reference =
            [](const Slips& slip) {
                return [=](const Experiment& experiment) { return walk(experiment, slip); };
            },
        .cases = on_each(stages, inputs()),
        .mistakes = mistakes(),
        .hints = {"What must be made new for each rate, and what for each step?",
                  "Lesson 03.2 for a step; nn/optim/optimizers.h has SGD, nn/losses.h mse_loss",
                  "for each rate: W from the start; steps times: clear, loss, backward, step; then "
                  "the loss once more",
                  "Variable W(clone(experiment.W), requires_grad); SGD optimizer({W}, {.lr = "
                  "rate}); and last_loss > first_loss"},
    };
}

}  // namespace

const Judge<MeasureRates> judge_03_3(rules);

void show(const MeasureRates& measure) {
    const std::vector<double> rates = {0.001, 0.01, 0.1, 0.2, 0.5, 0.7, 1};
    const Experiment experiment = random_experiment(12, 3, 1, 20, rates, 11);
    const RatesMeasured measured = measure(experiment);
    std::cout << "\n  What you measure: the loss after 20 steps, "
              << fixed(loss_at(experiment, experiment.W), 3) << " before the first.\n\n"
              << "    rate          loss\n";
    for (std::size_t i = 0; i < rates.size(); ++i) {
        std::cout << text(std::fixed, std::setprecision(3), "  ", std::setw(6), rates[i], " ",
                          std::setw(13), measured.losses[i],
                          measured.diverges[i] ? "  diverges\n" : "\n");
    }
}

}  // namespace exercise
