#include "tutorials/exercises/judges/09_7_learned_temperature.h"

#include "tutorials/exercises/judges/09_7_learned_temperature_mistakes.h"
#include "tutorials/exercises/judges/common_heads.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "nn/attention/attention.h"
#include "tensor/ops.h"

#include <cmath>

using namespace heed;

namespace exercise {

namespace {

Variable new_temperatures(std::int64_t h, const Slips& slip) {
    if (slip("temp.from-0")) return Variable(tensor::zeros({h}), requires_grad);
    if (slip("temp.one-for-all")) return Variable(tensor::ones({1}), requires_grad);
    return slip("temp.frozen") ? Variable(tensor::ones({h}))
                               : Variable(tensor::ones({h}), requires_grad);
}

// What the scores are divided by, besides √d_k.
Variable divisor(const Variable& given, const Slips& slip) {
    const Variable temperature = slip("temp.detached") ? given.detach() : given;
    const std::int64_t h = temperature.dim(0);
    if (slip("temp.unused")) return Variable(tensor::ones({1}));
    if (slip("temp.per-text")) return view(temperature, {h, 1, 1, 1});
    if (slip("temp.on-queries")) return view(temperature, {h, 1});
    if (slip("temp.on-keys")) return temperature;
    if (slip("temp.one-head")) return slice(temperature, 0, 0, 1);
    if (slip("temp.mean")) return mean(temperature);
    const Variable tau = view(temperature, {h, 1, 1});
    if (slip("temp.squared")) return tau * tau;
    if (slip("temp.under-root")) return sqrt(tau);
    return slip("temp.inverse") ? 1 / tau : tau;
}

double root_of(const Variable& K, const Variable& V, const Slips& slip) {
    const auto root = [](std::int64_t n) { return std::sqrt(static_cast<double>(n)); };
    if (slip("att.no-scale")) return 1;
    if (slip("att.scale-dk")) return static_cast<double>(K.dim(-1));
    if (slip("att.scale-dv")) return root(V.dim(-1));
    return root(slip("att.scale-T") ? K.dim(-2) : K.dim(-1));
}

HeadsAndWeights walked(const Variable& temperature, const Variable& Q, const Variable& given_K,
                       const Variable& V, const Slips& slip) {
    const Variable K = slip("temp.keys-detached") ? given_K.detach() : given_K;
    const Variable tau = divisor(temperature, slip);
    const Variable ordinary = matmul(Q, transpose(K)) / root_of(K, V, slip);
    const Variable scores = slip("temp.after") ? ordinary : ordinary / tau;
    Variable weights = softmax(scores, slip("sm.cols") ? -2 : -1);
    if (slip("sm.no-max")) weights = exp(scores) / sum(exp(scores), -1, keepdim);
    if (slip("temp.after")) weights = weights / tau;
    const Variable others = slip("temp.output-ordinary") ? softmax(ordinary, -1) : weights;
    const bool constant = slip("train.weights-detached");
    const Variable output = matmul(constant ? others.detach() : others, V);
    if (slip("temp.weights-ordinary")) weights = softmax(ordinary, -1);
    return {slip("temp.returned-detached") ? weights.detach() : weights, output};
}

TemperatureLayer walk_of(const Slips& slip) {
    return {[=](std::int64_t h) { return new_temperatures(h, slip); },
            [=](const Variable& tau, const Variable& Q, const Variable& K, const Variable& V) {
                return walked(tau, Q, K, V, slip);
            }};
}

// ----- cases

struct Given {
    Variable temperature, Q, K, V;
};

// The parameter of a new layer, both results and the gradients through each of them. Most mistakes
// show in the values `right`, and then no gradient needs to be computed.
Stages answers(const TemperatureLayer& layer, const Given& in, const Stages& right) {
    const Variable fresh = layer.construct(in.temperature.dim(0));
    const std::string name = "the temperature of a new layer";
    const Stages of_new = with_gradients({{name, fresh.value()}}, fresh, {{name, fresh}});
    if (!(fresh.shape() == in.temperature.shape())) return {of_new.front()};
    const HeadsAndWeights result = layer.attend(in.temperature, in.Q, in.K, in.V);
    Stages all = of_new;
    all.push_back({"weights", result.weights.value()});
    all.push_back({"output", result.output.value()});
    if (right.empty() || !same(all, right)) return all;
    const std::vector<Leaf> leaves = {
        {"temperature", in.temperature}, {"Q", in.Q}, {"K", in.K}, {"V", in.V}};
    const std::vector<Leaf> through_weights = {{"temperature through weights", in.temperature},
                                               {"Q through weights", in.Q},
                                               {"K through weights", in.K}};
    return with_gradients(with_gradients(all, result.output, leaves), result.weights,
                          through_weights);
}

struct Sizes {
    std::int64_t B, h, T_q, T_k, d_k, d_v;
};

Given random_input(const Sizes& its, const std::vector<Scalar>& temperatures, std::uint64_t seed,
                   double deviation = 1) {
    const auto leaf = [&](const Tensor& x) { return Variable(x, requires_grad); };
    return {leaf(tensor::from_vector(temperatures, {its.h})),
            leaf(random({its.B, its.h, its.T_q, its.d_k}, seed, deviation)),
            leaf(random({its.B, its.h, its.T_k, its.d_k}, seed + 1, deviation)),
            leaf(random({its.B, its.h, its.T_k, its.d_v}, seed + 2))};
}

// Every query is opposite to every key.
Given far_below_0() {
    const Given in = random_input({2, 2, 3, 4, 2, 3}, {1.5, 0.5}, 60);
    return {in.temperature, Variable(in.Q.value() + 1e4, requires_grad),
            Variable(in.K.value() - 1e4, requires_grad), in.V};
}

// Each head's scores are about as large as its temperature.
Given tiny_and_huge() {
    const Given in = random_input({2, 2, 3, 4, 3, 2}, {2e-14, 7e11}, 100);
    const Tensor sizes = tensor::of({{{{1e-7}}, {{1e6}}}});
    return {in.temperature, Variable(in.Q.value() * sizes, requires_grad),
            Variable(in.K.value() * sizes, requires_grad), in.V};
}

Case judged(const std::string& name, const TemperatureLayer& layer, const Given& in) {
    const Stages right = answers(walk_of({}), in, {});
    return {
        name, [=](const Slips& slip) { return answers(walk_of(slip), in, right); },
        [=] { return answers(layer, in, right); },
        values_of({{"the temperature", in.temperature}, {"Q", in.Q}, {"K", in.K}, {"V", in.V}})};
}

std::vector<Case> cases(const TemperatureLayer& layer) {
    // In the first, B = h = T_q = T_k, so that mixing up axes is no error but shows in the numbers.
    return {
        judged("2 texts, 2 heads, 2 queries, 2 keys", layer,
               random_input({2, 2, 2, 2, 4, 5}, {0.6, 2.1}, 10)),
        judged("2 texts, 2 heads, 2 queries, 2 keys, other temperatures", layer,
               random_input({2, 2, 2, 2, 4, 5}, {3, 1.4}, 20)),
        judged("2 texts, 3 heads, 5 queries, 4 keys", layer,
               random_input({2, 3, 5, 4, 6, 2}, {1.3, 0.4, 1}, 30)),
        judged("a very small and a very large temperature", layer,
               random_input({2, 2, 3, 4, 3, 2}, {1e-5, 1e8}, 40)),
        judged("a tiny and a huge temperature, with scores of that size", layer, tiny_and_huge()),
        judged("temperatures of 1, as many keys as features", layer,
               random_input({2, 2, 3, 4, 4, 2}, {1, 1}, 110)),
        judged("one text, a single query", layer,
               random_input({1, 2, 1, 3, 4, 2}, {1.6, 0.5}, 120)),
        judged("large numbers", layer, random_input({2, 2, 3, 4, 3, 2}, {1.7, 0.7}, 50, 60)),
        judged("scores far below zero", layer, far_below_0()),
        judged("one text, one head", layer, random_input({1, 1, 3, 2, 4, 3}, {1.8}, 70)),
        judged("3 queries, 60 keys", layer, random_input({1, 2, 3, 60, 2, 3}, {0.7, 1.6}, 90)),
        judged("3 queries, a single key", layer, random_input({2, 2, 3, 1, 4, 2}, {1.6, 0.5}, 130)),
        judged("a single query and key", layer,
               random_input({2, 3, 1, 1, 2, 3}, {2, 0.8, 1.2}, 80)),
    };
}

// ----- laws

// Both texts and both heads have the same queries and keys.
struct Asked {
    Tensor Q = tensor::clone(tensor::expand(random({1, 1, 3, 4}, 171), {2, 2, 3, 4}));
    Tensor K = tensor::clone(tensor::expand(random({1, 1, 2, 4}, 172), {2, 2, 2, 4}));
    Tensor V = random({2, 2, 2, 5}, 173);
};

Tensor weights_at(const TemperatureLayer& layer, double first, double second) {
    const Asked asked;
    const Variable tau(tensor::of({first, second}));
    return layer.attend(tau, Variable(asked.Q), Variable(asked.K), Variable(asked.V))
        .weights.value();
}

std::string rows_do_not_sum(const TemperatureLayer& layer) {
    const Tensor sums = tensor::sum(weights_at(layer, 2, 0.5), -1);
    const Tensor ones = tensor::ones(sums.shape());
    return same(sums, ones) ? "" : "The sum of a row " + difference(sums, ones) + ".";
}

std::string another_head_changes(const TemperatureLayer& layer) {
    const Tensor before = weights_at(layer, 1, 1), after = weights_at(layer, 1, 3);
    const std::string change =
        first_change(tensor::select(before, 1, 0), tensor::select(after, 1, 0));
    if (change.empty()) return "";
    return "Another temperature of head 1 changes the weights of head 0, " + change + ".";
}

std::string not_ordinary(const TemperatureLayer& layer) {
    const Asked asked;
    const Attention ordinary =
        scaled_dot_product_attention(Variable(asked.Q), Variable(asked.K), Variable(asked.V));
    const Tensor yours = weights_at(layer, 1, 1), expected = ordinary.weights.value();
    if (same(yours, expected)) return "";
    return "Beside ordinary attention, weights " + difference(yours, expected) + ".";
}

// At a temperature much larger than all scores; not_the_best() is the opposite case.
std::string not_even(const TemperatureLayer& layer) {
    const Tensor weights = weights_at(layer, 1e12, 1e12);
    const Tensor even = tensor::full(weights.shape(), 0.5);
    if (same(weights, even)) return "";
    return "For 2 keys at temperature 10¹², weights " + difference(weights, even) + ".";
}

std::string not_the_best(const TemperatureLayer& layer) {
    const Tensor best = tensor::max(weights_at(layer, 1e-5, 1e-5), -1);
    const Tensor ones = tensor::ones(best.shape());
    if (same(best, ones)) return "";
    return "At temperature 10⁻⁵, the largest weight of a row " + difference(best, ones) + ".";
}

std::vector<Law> laws(const TemperatureLayer& layer) {
    return {
        {"each row of weights sums to 1", [=] { return rows_do_not_sum(layer); }},
        {"a head's temperature is its own", [=] { return another_head_changes(layer); }},
        {"temperature 1 is ordinary attention", [=] { return not_ordinary(layer); }},
        {"a high temperature gives all keys the same weight", [=] { return not_even(layer); }},
        {"a low temperature selects the best key", [=] { return not_the_best(layer); }},
    };
}

std::vector<Hole> holes() {
    return {{"TemperatureAttention",
             {"the temperature of a new layer", "the gradient of the temperature of a new layer"},
             {"How many temperatures are there, and does the layer learn them?",
              "the comment at the member temperature says its shape",
              "temperature is a Parameter of ones, one for each head",
              "temperature = Parameter(tensor::ones({num_heads}));"}},
            {"operator()",
             {"weights", "output"},
             {"With which of the axes [B, h, T_q, T_k] does the temperature change?",
              "broadcasting aligns axes at the right; view gives the temperature more of them",
              "weights[b, n] = softmax(Q[b, n]·K[b, n]ᵀ / (√d_k · τ_n)), output = weights·V",
              "the scores are divided by view(temperature, {h, 1, 1})"}}};
}

}  // namespace

Exercise learned_temperature(const TemperatureLayer& layer) {
    Exercise exercise;
    exercise.number = "09.7";
    exercise.title = "A temperature for each head";
    exercise.cases = cases(layer);
    exercise.laws = laws(layer);
    exercise.mistakes = temperature_mistakes();
    exercise.holes = holes();
    exercise.hints = {
        "Which step is the first whose numbers you do not expect?",
        "Stop in operator() with the key d, and print the shape of each step",
        "With all temperatures 1 it is ordinary attention: is it right there?",
        "Print the scores of head 1 with τ_1 = 1 and with τ_1 = 2: all must be halved"};
    return exercise;
}

Trials learned_temperature_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return learned_temperature(walk_of(slip)); };
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
        return learned_temperature({walk_of({}).construct, attend});
    };
    return trials;
}

}  // namespace exercise
