// Answers to 03.3.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_03.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace heed;
using namespace exercise;

namespace {
Variable loss_of(const Experiment& experiment, const Variable& W) {
    return mse_loss(matmul(Variable(experiment.X), W), Variable(experiment.target));
}

double loss_at(const Experiment& experiment, const Tensor& W) {
    return loss_of(experiment, Variable(W)).item();
}

void train(const Experiment& experiment, Variable& W, double rate, int steps) {
    SGD optimizer({W}, {.lr = rate});
    for (int step = 0; step < steps; ++step) {
        optimizer.zero_grad();
        loss_of(experiment, W).backward();
        optimizer.step();
    }
}

// The loss before the first step and after each, 1 + steps of them.
std::vector<double> curve(const Experiment& experiment, double rate) {
    Variable W(tensor::clone(experiment.W), requires_grad);
    std::vector<double> losses = {loss_at(experiment, W.value())};
    for (int step = 0; step < experiment.steps; ++step) {
        train(experiment, W, rate, 1);
        losses.push_back(loss_at(experiment, W.value()));
    }
    return losses;
}

// What is reported of each curve: the loss, and whether it diverges.
using LossOf = std::function<double(const std::vector<double>& curve)>;
using Diverges = std::function<bool(const std::vector<double>& curve)>;

double last(const std::vector<double>& curve) { return curve.back(); }
bool above_first(const std::vector<double>& curve) { return curve.back() > curve.front(); }

MeasureRates each(const LossOf& loss, const Diverges& diverges) {
    return [loss, diverges](const Experiment& experiment) {
        RatesMeasured measured;
        for (double rate : experiment.rates) {
            const std::vector<double> losses = curve(experiment, rate);
            measured.losses.push_back(loss(losses));
            measured.diverges.push_back(diverges(losses));
        }
        return measured;
    };
}

RatesMeasured right(const Experiment& experiment) { return each(last, above_first)(experiment); }

std::size_t before_last(const std::vector<double>& curve) {
    return curve.size() < 2 ? 0 : curve.size() - 2;
}

double before_the_last_step(const std::vector<double>& curve) { return curve[before_last(curve)]; }
double least(const std::vector<double>& curve) {
    return *std::min_element(curve.begin(), curve.end());
}
double mean_of_all(const std::vector<double>& curve) {
    double sum = 0;
    for (double loss : curve) sum += loss;
    return sum / static_cast<double>(curve.size());
}
double at_most_a_million(const std::vector<double>& curve) { return std::min(curve.back(), 1e6); }
double where_it_first_exceeds(const std::vector<double>& curve) {
    for (double loss : curve) {
        if (loss > curve.front()) return loss;
    }
    return curve.back();
}
double where_it_stops_falling(const std::vector<double>& curve) {
    for (std::size_t i = 1; i < curve.size(); ++i) {
        if (curve[i - 1] - curve[i] < 1e-6 && curve[i] <= curve[i - 1]) return curve[i];
    }
    return curve.back();
}

bool not_below_first(const std::vector<double>& curve) { return curve.back() >= curve.front(); }
bool rose_in_the_last_step(const std::vector<double>& curve) {
    return curve.back() > curve[before_last(curve)];
}
bool rose_in_some_step(const std::vector<double>& curve) {
    return !std::is_sorted(curve.rbegin(), curve.rend());
}
bool above_that_of_one_step(const std::vector<double>& curve) {
    return curve.back() > curve[curve.size() < 2 ? 0 : 1];
}
bool a_millionth_above_first(const std::vector<double>& curve) {
    return curve.back() > curve.front() + 1e-6;
}
bool was_above_first(const std::vector<double>& curve) {
    return *std::max_element(curve.begin(), curve.end()) > curve.front();
}
RatesMeasured equal_diverges_if_trained(const Experiment& experiment) {
    RatesMeasured measured = each(last, not_below_first)(experiment);
    for (std::size_t i = 0; i < experiment.rates.size(); ++i) {
        if (experiment.rates[i] == 0 || experiment.steps == 0) measured.diverges[i] = false;
    }
    return measured;
}
bool overflowed(const std::vector<double>& curve) { return !std::isfinite(curve.back()); }
bool above_a_thousand(const std::vector<double>& curve) { return curve.back() > 1000; }
bool far_above_first(const std::vector<double>& curve) { return curve.back() > 2 * curve.front(); }

RatesMeasured one_W_for_all(const Experiment& experiment) {
    Variable W(tensor::clone(experiment.W), requires_grad);
    const double before = loss_at(experiment, W.value());
    RatesMeasured measured;
    for (double rate : experiment.rates) {
        train(experiment, W, rate, experiment.steps);
        measured.losses.push_back(loss_at(experiment, W.value()));
        measured.diverges.push_back(measured.losses.back() > before);
    }
    return measured;
}

// What is returned comes from copies of W; the experiment's own is as the last rate left it.
RatesMeasured trains_the_given_W(const Experiment& experiment) {
    const RatesMeasured measured = right(experiment);
    if (experiment.rates.empty()) return measured;
    Variable W(experiment.W, requires_grad);
    train(experiment, W, experiment.rates.back(), experiment.steps);
    return measured;
}

RatesMeasured with_momentum(const Experiment& experiment) {
    RatesMeasured measured;
    for (double rate : experiment.rates) {
        Variable W(tensor::clone(experiment.W), requires_grad);
        SGD optimizer({W}, {.lr = rate, .momentum = 0.9});
        for (int step = 0; step < experiment.steps; ++step) {
            optimizer.zero_grad();
            loss_of(experiment, W).backward();
            optimizer.step();
        }
        measured.losses.push_back(loss_at(experiment, W.value()));
        measured.diverges.push_back(measured.losses.back() > loss_at(experiment, experiment.W));
    }
    return measured;
}

RatesMeasured never_cleared(const Experiment& experiment) {
    RatesMeasured measured;
    for (double rate : experiment.rates) {
        Variable W(tensor::clone(experiment.W), requires_grad);
        SGD optimizer({W}, {.lr = rate});
        for (int step = 0; step < experiment.steps; ++step) {
            loss_of(experiment, W).backward();
            optimizer.step();
        }
        measured.losses.push_back(loss_at(experiment, W.value()));
        measured.diverges.push_back(measured.losses.back() > loss_at(experiment, experiment.W));
    }
    return measured;
}

RatesMeasured one_step_more(Experiment experiment) {
    ++experiment.steps;
    return right(experiment);
}

RatesMeasured rates_sorted(Experiment experiment) {
    std::sort(experiment.rates.begin(), experiment.rates.end());
    return right(experiment);
}

RatesMeasured each_rate_once(Experiment experiment) {
    std::vector<double> once;
    for (double rate : experiment.rates) {
        if (std::find(once.begin(), once.end(), rate) == once.end()) once.push_back(rate);
    }
    experiment.rates = once;
    return right(experiment);
}

RatesMeasured rates_at_most_1(Experiment experiment) {
    for (double& rate : experiment.rates) rate = std::min(rate, 1.0);
    return right(experiment);
}

RatesMeasured measured_once_for_good(const Experiment& experiment) {
    static std::map<double, double> known;
    RatesMeasured measured;
    for (double rate : experiment.rates) {
        if (known.count(rate) == 0) known[rate] = curve(experiment, rate).back();
        measured.losses.push_back(known[rate]);
        measured.diverges.push_back(known[rate] > loss_at(experiment, experiment.W));
    }
    return measured;
}

RatesMeasured at_least_one_step(Experiment experiment) {
    experiment.steps = std::max(experiment.steps, 1);
    return right(experiment);
}

RatesMeasured fifty_steps_at_most(Experiment experiment) {
    experiment.steps = std::min(experiment.steps, 50);
    return right(experiment);
}

RatesMeasured hundred_steps_at_most(Experiment experiment) {
    experiment.steps = std::min(experiment.steps, 100);
    return right(experiment);
}

RatesMeasured flags_of_the_sorted_rates(const Experiment& experiment) {
    RatesMeasured measured = right(experiment);
    std::sort(measured.diverges.begin(), measured.diverges.end());
    return measured;
}

RatesMeasured first_loss_of_the_first_call(const Experiment& experiment) {
    static const double before = loss_at(experiment, experiment.W);
    RatesMeasured measured = right(experiment);
    for (std::size_t i = 0; i < measured.losses.size(); ++i) {
        measured.diverges[i] = measured.losses[i] > before;
    }
    return measured;
}

RatesMeasured target_shifted_in_place(const Experiment& experiment) {
    const RatesMeasured measured = right(experiment);
    Tensor target = experiment.target;
    tensor::overwrite(target, experiment.target - tensor::matmul(experiment.X, experiment.W));
    return measured;
}

RatesMeasured above_the_last_rate(const Experiment& experiment) {
    RatesMeasured measured = right(experiment);
    for (std::size_t i = 1; i < measured.losses.size(); ++i) {
        measured.diverges[i] = measured.losses[i] > measured.losses[i - 1];
    }
    return measured;
}

RatesMeasured sum_over_outputs(const Experiment& experiment) {
    RatesMeasured measured = right(experiment);
    for (double& loss : measured.losses) loss *= static_cast<double>(experiment.target.dim(-1));
    return measured;
}

RatesMeasured all_rates_at_once(const Experiment& experiment) {
    const std::int64_t count = static_cast<std::int64_t>(experiment.rates.size());
    if (count == 0) return {};
    std::vector<Scalar> numbers(experiment.rates.begin(), experiment.rates.end());
    const Tensor rates = tensor::from_vector(numbers, {count, 1, 1});
    const double entries = static_cast<double>(experiment.target.numel());
    const Tensor Xt = tensor::transpose(experiment.X);  // [in, N]
    Tensor W = experiment.W + 0 * rates;                // [rates, in, out]
    for (int step = 0; step < experiment.steps; ++step) {
        const Tensor error = tensor::matmul(experiment.X, W) - experiment.target;
        W = W - rates * tensor::matmul(Xt, error) * (2 / entries);
    }
    const Tensor error = tensor::matmul(experiment.X, W) - experiment.target;
    RatesMeasured measured;
    for (Scalar loss : tensor::mean(error * error, {1, 2}).to_vector()) {
        measured.losses.push_back(loss);
        measured.diverges.push_back(loss > loss_at(experiment, experiment.W));
    }
    return measured;
}

Tensor gradient_at(const Experiment& in, const Tensor& W) {
    const Tensor error = tensor::matmul(in.X, W) - in.target;
    return 2.0 / static_cast<double>(error.numel()) *
           tensor::matmul(tensor::transpose(in.X), error);
}

Tensor trained(const Experiment& in, double rate) {
    Tensor W = in.W;
    for (int step = 0; step < in.steps; ++step) W = W - rate * gradient_at(in, W);
    return W;
}

RatesMeasured remembers_all_calls(const Experiment& in) {
    static std::map<double, double> known;
    RatesMeasured out;
    for (const double rate : in.rates) {
        if (known.count(rate) == 0) known[rate] = loss_at(in, trained(in, rate));
        out.losses.push_back(known[rate]);
        out.diverges.push_back(known[rate] > loss_at(in, in.W));
    }
    return out;
}

// One W for each rate, so a rate that comes twice goes on with the W of its first time.
RatesMeasured one_W_for_each_rate(const Experiment& in) {
    std::map<double, Tensor> of_rate;
    RatesMeasured out;
    for (const double rate : in.rates) {
        Experiment next = in;
        if (of_rate.count(rate)) next.W = of_rate[rate];
        of_rate[rate] = trained(next, rate);
        out.losses.push_back(loss_at(in, of_rate[rate]));
        out.diverges.push_back(out.losses.back() > loss_at(in, in.W));
    }
    return out;
}

// All rates in one loss, whose mean is over the rates, too.
RatesMeasured all_in_one_loss(const Experiment& in) {
    const std::int64_t R = static_cast<std::int64_t>(in.rates.size());
    Tensor W = tensor::clone(tensor::expand(in.W, {R, in.W.dim(0), in.W.dim(1)}));
    const Tensor rates = tensor::from_vector({in.rates.begin(), in.rates.end()}, {R, 1, 1});
    for (int step = 0; step < in.steps; ++step) {
        Variable leaf(W, requires_grad);
        const Variable error = matmul(Variable(in.X), leaf) - Variable(in.target);
        mean(error * error).backward();
        W = W - rates * leaf.grad();
    }
    RatesMeasured out;
    for (std::int64_t r = 0; r < R; ++r) {
        out.losses.push_back(loss_at(in, tensor::select(W, 0, r)));
        out.diverges.push_back(out.losses.back() > loss_at(in, in.W));
    }
    return out;
}

RatesMeasured with_a_tolerance(const Experiment& in) {
    RatesMeasured out;
    for (const double rate : in.rates) {
        out.losses.push_back(loss_at(in, trained(in, rate)));
        out.diverges.push_back(out.losses.back() > 1.05 * loss_at(in, in.W));
    }
    return out;
}

RatesMeasured rounded_to_float(const Experiment& in) {
    RatesMeasured out;
    for (const double rate : in.rates) {
        const float loss = static_cast<float>(loss_at(in, trained(in, rate)));
        out.losses.push_back(loss);
        out.diverges.push_back(loss > static_cast<float>(loss_at(in, in.W)));
    }
    return out;
}

// Diverges once, and all larger rates diverge.
RatesMeasured all_larger_diverge_too(const Experiment& in) {
    RatesMeasured out;
    bool too_large = false;
    for (const double rate : in.rates) {
        out.losses.push_back(loss_at(in, trained(in, rate)));
        too_large = too_large || out.losses.back() > loss_at(in, in.W);
        out.diverges.push_back(too_large);
    }
    return out;
}

// By the largest eigenvalue of XᵀX, as theory has it.
RatesMeasured by_theory(const Experiment& in) {
    const Tensor H = 2.0 / static_cast<double>(in.target.numel()) *
                     tensor::matmul(tensor::transpose(in.X), in.X);
    Tensor v = tensor::ones({H.dim(0), 1});
    double largest = 0;
    for (int i = 0; i < 100; ++i) {
        v = tensor::matmul(H, v);
        largest = std::sqrt(tensor::sum(v * v).item());
        v = v / largest;
    }
    RatesMeasured out;
    for (const double rate : in.rates) {
        out.losses.push_back(loss_at(in, trained(in, rate)));
        out.diverges.push_back(in.steps > 0 && rate > 2 / largest);
    }
    return out;
}

// With SGD of the library and a memory within one call.
RatesMeasured known_rates_once(const Experiment& in) {
    std::map<double, double> known;
    RatesMeasured out;
    for (const double rate : in.rates) {
        if (known.count(rate) == 0) {
            Variable W(tensor::clone(in.W), requires_grad);
            SGD optimizer({{"W", W}}, {.lr = rate});
            for (int step = 0; step < in.steps; ++step) {
                optimizer.zero_grad();
                mse_loss(matmul(Variable(in.X), W), Variable(in.target)).backward();
                optimizer.step();
            }
            known[rate] = loss_at(in, W.value());
        }
        out.losses.push_back(known[rate]);
        out.diverges.push_back(known[rate] > loss_at(in, in.W));
    }
    return out;
}

RatesMeasured by_sgd(const Experiment& experiment) {
    const auto loss_at = [&](const Tensor& W) {
        const Tensor error = tensor::matmul(experiment.X, W) - experiment.target;
        return tensor::mean(error * error).item();
    };
    RatesMeasured measured;
    for (const double rate : experiment.rates) {
        Variable W(tensor::clone(experiment.W), requires_grad);
        SGD optimizer({W}, {.lr = rate});
        const double before = loss_at(W.value());
        for (int step = 0; step < experiment.steps; ++step) {
            optimizer.zero_grad();
            const Variable y = matmul(Variable(experiment.X), W);
            mse_loss(y, Variable(experiment.target)).backward();
            optimizer.step();
        }
        measured.losses.push_back(loss_at(W.value()));
        measured.diverges.push_back(measured.losses.back() > before);
    }
    return measured;
}

Answer answer(const std::string& what, const MeasureRates& measure,
              const std::vector<std::string>& names = {}) {
    return {what, [measure] { return judge_03_3(measure); }, names};
}

std::vector<Answer> wrong_reports() {
    return {
        answer("the loss before the last step", each(before_the_last_step, above_first),
               {"lr.last-but-one"}),
        answer("the least loss", each(least, above_first)),
        answer("the mean of all losses", each(mean_of_all, above_first)),
        answer("a loss of at most a million", each(at_most_a_million, above_first)),
        answer("stops where it exceeds the first", each(where_it_first_exceeds, above_first)),
        answer("stops where it hardly falls", each(where_it_stops_falling, above_first)),
        answer("diverges: equal to the first is enough", each(last, not_below_first),
               {"div.not-below"}),
        answer("diverges: the last step rose", each(last, rose_in_the_last_step),
               {"div.last-step"}),
        answer("diverges: some step rose", each(last, rose_in_some_step), {"div.last-step"}),
        answer("diverges: above that after one step", each(last, above_that_of_one_step)),
        answer("diverges: infinite or NaN", each(last, overflowed), {"div.not-finite"}),
        answer("diverges: above 1000", each(last, above_a_thousand)),
        answer("diverges: above twice the first", each(last, far_above_first)),
        answer("diverges: a millionth above the first", each(last, a_millionth_above_first)),
        answer("diverges: equal to the first after training", equal_diverges_if_trained),
    };
}

}  // namespace

Answers answers_03_3() {
    Answers answers;
    answers.number = "03.3";
    answers.slipping = slipping(judge_03_3);
    answers.wrong = wrong_reports();
    const std::vector<Answer> more = {
        answer("diverges: above the loss of the rate before", above_the_last_rate),
        answer("one W for all rates", one_W_for_all, {"lr.not-fresh"}),
        answer("the experiment's W is trained", trains_the_given_W),
        answer("momentum", with_momentum),
        answer("gradients are never cleared", never_cleared, {"opt.no-zero-grad"}),
        answer("one step too many", one_step_more, {"lr.one-more"}),
        answer("the rates are sorted", rates_sorted, {"lr.sorted"}),
        answer("each rate once", each_rate_once),
        answer("rates above 1 count as 1", rates_at_most_1),
        answer("a rate is measured in the first experiment only", measured_once_for_good),
        answer("losses are sums over the outputs", sum_over_outputs),
        answer("at least one step", at_least_one_step),
        answer("fifty steps at most", fifty_steps_at_most),
        answer("a hundred steps at most", hundred_steps_at_most),
        answer("what diverges is put at the end", flags_of_the_sorted_rates),
        answer("compared with the first loss of the first call", first_loss_of_the_first_call),
        answer("the target becomes the error, in place", target_shifted_in_place),
        answer("remembers the losses of earlier calls", remembers_all_calls),
        answer("a rate that comes twice goes on", one_W_for_each_rate),
        answer("the mean is over the rates, too", all_in_one_loss),
        answer("losses in float", rounded_to_float),
        answer("diverges: 5 % above the first", with_a_tolerance),
        answer("diverges: all rates after the first that does", all_larger_diverge_too),
        answer("diverges: by the largest eigenvalue", by_theory),
        answer("diverges: above a hundred times the first",
               each(last, [](const std::vector<double>& c) { return c.back() > 100 * c.front(); })),
    };
    answers.wrong.insert(answers.wrong.end(), more.begin(), more.end());
    answers.right = {
        answer("all rates at once", all_rates_at_once),
        answer("from the curve of all losses", right),
        answer("each rate once, from a memory", known_rates_once),
        // A loss that has risen above the first one goes on rising, as it is a sum of powers.
        answer("diverges: some loss was above the first", each(last, was_above_first)),
        answer("by SGD and backward", by_sgd),
    };
    return answers;
}
