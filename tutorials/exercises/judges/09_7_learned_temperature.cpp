#include "tutorials/exercises/judges/09_7_learned_temperature.h"

#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/gradcheck/gradcheck.h"
#include "heed/autograd/ops.h"
#include "heed/nn/attention/attention.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/ops/compare.h"

#include <cmath>

using namespace heed;

namespace exercise {

namespace {

HeadsAndWeights walked(const Variable& temperature, const Variable& Q, const Variable& K,
                       const Variable& V, const Slips& slip) {
    const std::int64_t h = temperature.dim(0);
    Variable tau = view(temperature, {h, 1, 1});
    if (slip("temp.unused")) tau = Variable(tensor::ones({1}));
    if (slip("temp.per-text")) tau = view(temperature, {h, 1, 1, 1});
    if (slip("temp.on-keys")) tau = temperature;
    if (slip("temp.one-head")) tau = slice(temperature, 0, 0, 1);
    if (slip("temp.squared")) tau = tau * tau;
    if (slip("temp.detached")) tau = tau.detach();
    const double root = slip("att.no-scale") ? 1 : std::sqrt(static_cast<double>(K.dim(-1)));
    const Variable ordinary = matmul(Q, transpose(K)) / root;
    Variable scores = slip("temp.inverse") ? ordinary * tau : ordinary / tau;
    if (slip("temp.after")) scores = ordinary;
    Variable weights = softmax(scores, slip("sm.cols") ? -2 : -1);
    if (slip("temp.after")) weights = weights / tau;
    return {weights, matmul(weights, V)};
}

// B = h = T_k = 2, so that confusing them is not a shape error but shows in the numbers. Both texts
// and both heads have the same queries.
struct Asked {
    Tensor Q = tensor::expand(random({1, 1, 3, 4}, 71), {2, 2, 3, 4});
    Tensor K = tensor::expand(random({1, 1, 2, 4}, 72), {2, 2, 2, 4});
    Tensor V = random({2, 2, 2, 5}, 73);
};

Tensor weights_at(const TemperatureLayer& layer, double first, double second) {
    const Asked asked;
    const Variable tau(tensor::of({first, second}));
    return layer.attend(tau, Variable(asked.Q), Variable(asked.K), Variable(asked.V))
        .weights.value();
}

bool close(const Tensor& a, const Tensor& b) { return tensor::all_close(a, b, 1e-8, 1e-8); }

Tensor entry(const Tensor& x, int axis, std::int64_t i) { return tensor::slice(x, axis, i, i + 1); }

// The sum of each row if all rows have the same, else NaN.
double sum_of_rows(const Tensor& weights) {
    const Tensor sums = tensor::sum(weights, -1);
    const double one = sums(0, 0, 0);
    return close(sums, tensor::full(sums.shape(), one)) ? one : std::nan("");
}

std::string divided_afterwards(const TemperatureLayer& layer) {
    const double sum = sum_of_rows(weights_at(layer, 2, 2));
    return std::abs(sum - 0.5) < 1e-8 ? "At temperature 2 each row sums to 1/2." : "";
}

std::string over_queries(const TemperatureLayer& layer) {
    const Tensor sums = tensor::sum(weights_at(layer, 1, 1), -2);
    const bool columns = close(sums, tensor::ones(sums.shape()));
    return columns ? "The columns of the weights sum to 1, and not the rows." : "";
}

std::string nothing_changes(const TemperatureLayer& layer) {
    const bool same = close(weights_at(layer, 1, 1), weights_at(layer, 3, 2));
    return same ? "Other temperatures give the same weights." : "";
}

std::string texts_differ(const TemperatureLayer& layer) {
    const Tensor weights = weights_at(layer, 1, 3);
    if (close(entry(weights, 0, 0), entry(weights, 0, 1))) return "";
    return "Two texts that ask the same get other weights.";
}

std::string another_head_changes(const TemperatureLayer& layer) {
    const Tensor before = weights_at(layer, 1, 1), after = weights_at(layer, 1, 3);
    if (close(entry(before, 1, 0), entry(after, 1, 0))) return "";
    return "The temperature of head 1 changes the weights of head 0.";
}

std::string its_own_does_nothing(const TemperatureLayer& layer) {
    const Tensor before = weights_at(layer, 1, 1), after = weights_at(layer, 1, 3);
    if (!close(entry(before, 1, 1), entry(after, 1, 1))) return "";
    return "The temperature of head 1 does not change its weights.";
}

std::string heat_sharpens(const TemperatureLayer& layer) {
    const double cold = tensor::max(weights_at(layer, 1, 1)).item();
    const double hot = tensor::max(weights_at(layer, 4, 4)).item();
    if (hot <= cold) return "";
    return "The largest weight grows from " + std::to_string(cold) + " at temperature 1 to " +
           std::to_string(hot) + " at 4.";
}

// Do the weights at temperature tau equal the ordinary weights of scores times `factor`?
bool as_if(const TemperatureLayer& layer, double tau, double factor) {
    const Asked asked;
    const Variable Q(asked.Q * factor), K(asked.K), V(asked.V);
    const Attention ordinary = scaled_dot_product_attention(Q, K, V);
    return close(weights_at(layer, tau, tau), ordinary.weights.value());
}

// At a temperature much larger than all scores; not_the_best() is the opposite case.
std::string not_the_mean(const TemperatureLayer& layer) {
    const Tensor weights = weights_at(layer, 1e12, 1e12);
    if (close(weights, tensor::full(weights.shape(), 0.5))) return "";
    return "At temperature 10¹² the two keys do not get the same weight.";
}

std::string not_the_best(const TemperatureLayer& layer) {
    const Tensor best = tensor::max(weights_at(layer, 1e-5, 1e-5), -1);
    if (close(best, tensor::ones(best.shape()))) return "";
    return "At temperature 10⁻⁵ the best key does not get all weight.";
}

std::string wrong_gradient(const TemperatureLayer& layer) {
    const GradcheckResult result = gradcheck(
        [&](const std::vector<Variable>& in) {
            return layer.attend(in[0], in[1], in[2], in[3]).output;
        },
        {tensor::of({0.6, 1.3, 2.1}), random({2, 3, 4, 2}, 74), random({2, 3, 5, 2}, 75),
         random({2, 3, 5, 4}, 76)},
        {.names = {"temperature", "Q", "K", "V"}});
    return result.ok() ? "" : result.text();
}

std::vector<Law> laws(const TemperatureLayer& layer) {
    const std::vector<std::string> axes = {"Which axis of the scores is the heads'?",
                                           "The shape of what you divide by."};
    return {
        {"the temperature keeps sums of rows",
         [=] { return divided_afterwards(layer); },
         {{"temp.after",
           "the weights had been divided by the temperature, and not the scores",
           {"What do the rows of your weights sum to?", "Where the division stands."}}}},
        {"the softmax goes over the keys",
         [=] { return over_queries(layer); },
         {{"sm.cols",
           "the softmax had gone over the queries",
           {"Among whom does one query share out its attention?", "The axis of your softmax."}}}},
        {"the temperature counts",
         [=] { return nothing_changes(layer); },
         {{"temp.unused",
           "the temperature had not been used",
           {"Where does the temperature come in?", "The line of the scores."}}}},
        {"every text has the same temperatures",
         [=] { return texts_differ(layer); },
         {{"temp.per-text", "the heads' temperatures had met the texts' axis", axes}}},
        {"a head's temperature is its own",
         [=] { return another_head_changes(layer); },
         {{"temp.on-keys", "the heads' temperatures had met the keys' axis, the last one", axes}}},
        {"each head follows its own temperature",
         [=] { return its_own_does_nothing(layer); },
         {{"temp.one-head", "all heads had used the temperature of head 0", axes}}},
        {"heat makes weights more even",
         [=] { return heat_sharpens(layer); },
         {{"temp.inverse",
           "the scores had been multiplied with the temperature",
           {"Should a high temperature make a lookup softer or harder?", "* or /"}}}},
        {"the scores are scaled by 1/√d_k",
         [=]() -> std::string {
             return as_if(layer, 1, 2) ? "At temperature 1 the scores are √d_k times too large."
                                       : "";
         },
         {{"att.no-scale",
           "the scores had not been divided by √d_k as well",
           {"What is ordinary attention?", "What you divide the scores by."}}}},
        {"temperature 3 makes scores a third as large",
         [=]() -> std::string {
             return as_if(layer, 3, 1.0 / 9) ? "At temperature 3 scores are a ninth as large." : "";
         },
         {{"temp.squared",
           "the scores had been divided by the temperature twice",
           {"How often does the temperature divide?", "Both factors of your product."}}}},
        {"temperature 1 is ordinary attention",
         [=]() -> std::string {
             return as_if(layer, 1, 1) ? "" : "At temperature 1 the weights are others.";
         }},
        {"temperature 3 is attention of scores a third as large",
         [=]() -> std::string {
             return as_if(layer, 3, 1.0 / 3) ? "" : "At temperature 3 the weights are others.";
         }},
        {"a high temperature gives the mean", [=] { return not_the_mean(layer); }},
        {"a low temperature picks the best key", [=] { return not_the_best(layer); }},
        {"the gradient of everything is right",
         [=] { return wrong_gradient(layer); },
         {{"temp.detached",
           "the temperature had been read as a number, so that it cannot learn",
           {"Does the graph know the temperature?", "How it is read: .value(), .item()?"}}}},
    };
}

Tensor new_temperatures(std::int64_t h, const Slips& slip) {
    if (slip("temp.from-0")) return tensor::zeros({h});
    return slip("temp.one-for-all") ? tensor::ones({1}) : tensor::ones({h});
}

}  // namespace

Exercise learned_temperature(const TemperatureLayer& layer) {
    Exercise exercise;
    exercise.number = "09.7";
    exercise.title = "A temperature for each head";
    exercise.cases.push_back({"a new layer of 3 heads",
                              [](const Slips& slip) {
                                  return Stages{{"temperature", new_temperatures(3, slip)}};
                              },
                              [=] {
                                  return Stages{{"temperature", layer.construct(3)}};
                              }});
    // The laws check its numbers; here it only has to run and have the right shapes.
    exercise.cases.push_back({"2 texts, 2 heads, 3 queries, 2 keys",
                              [](const Slips&) {
                                  return Stages{{"weights", tensor::zeros({2, 2, 3, 2})},
                                                {"output", tensor::zeros({2, 2, 3, 5})}};
                              },
                              [=] {
                                  const Asked asked;
                                  const Variable Q(asked.Q), K(asked.K), V(asked.V);
                                  const Variable tau(tensor::of({0.5, 2}));
                                  const HeadsAndWeights given = layer.attend(tau, Q, K, V);
                                  return Stages{{"weights", tensor::zeros(given.weights.shape())},
                                                {"output", tensor::zeros(given.output.shape())}};
                              }});
    exercise.laws = laws(layer);
    exercise.mistakes = {
        {"temp.from-0",
         "the temperatures had begun at 0",
         {"What is a score divided by 0?", "The constructor."}},
        {"temp.one-for-all",
         "there had been one temperature for all heads",
         {"How many heads learn a temperature?", "The shape of the parameter."}},
    };
    exercise.hints = {"Of the axes [B, h, T_q, T_k], with which one does the temperature change?",
                      "Broadcasting aligns axes at the right; view gives the temperature more of "
                      "them",
                      "weights[b, n] = softmax(Q[b, n]·K[b, n]ᵀ / (√d_k · τ_n))",
                      "scores / view(temperature, {h, 1, 1})"};
    return exercise;
}

Trials learned_temperature_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return learned_temperature({[=](std::int64_t h) { return new_temperatures(h, slip); },
                                    [=](const Variable& tau, const Variable& Q, const Variable& K,
                                        const Variable& V) { return walked(tau, Q, K, V, slip); }});
    };
    for (const Law& law : laws({})) {
        if (!law.mistake.empty()) trials.more_ids.push_back(law.mistake.front().id);
    }
    trials.right["head by head, the queries divided"] = [] {
        const auto attend = [](const Variable& tau, const Variable& Q, const Variable& K,
                               const Variable& V) {
            std::vector<Variable> weights, outputs;
            const double root = std::sqrt(static_cast<double>(Q.dim(-1)));
            for (std::int64_t n = 0; n < tau.dim(0); ++n) {
                const Variable cooled = select(Q, 1, n) / (select(tau, 0, n) * root);
                weights.push_back(softmax(matmul(cooled, transpose(select(K, 1, n))), -1));
                outputs.push_back(matmul(weights.back(), select(V, 1, n)));
            }
            return HeadsAndWeights{stack(weights, 1), stack(outputs, 1)};
        };
        return learned_temperature(
            {[](std::int64_t h) { return new_temperatures(h, {}); }, attend});
    };
    return trials;
}

}  // namespace exercise
