#include "tutorials/exercises/judges/common_qkv.h"
#include "tutorials/exercises/judges/lesson_09.h"
#include "tutorials/exercises/judging/kit.h"
#include "tutorials/exercises/judging/solved.h"

#include "nn/attention/attention.h"

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

HeadsAndWeights walked(const Variable& temperature, QueriesKeysValues x, const Slips& slip) {
    if (slip("temp.keys-detached")) x.K = x.K.detach();
    const Variable tau = divisor(temperature, slip);
    const Variable ordinary = matmul(x.Q, transpose(x.K)) * scale(x, {}, slip);
    const Variable scores = slip("temp.after") ? ordinary : ordinary / tau;
    Variable weights = weights_of(scores, {}, slip);
    if (slip("temp.after")) weights = weights / tau;
    const Variable others = slip("temp.output-ordinary") ? softmax(ordinary, -1) : weights;
    const bool constant = slip("train.weights-detached");
    const Variable output = matmul(constant ? others.detach() : others, x.V);
    if (slip("temp.weights-ordinary")) weights = softmax(ordinary, -1);
    return {slip("temp.returned-detached") ? weights.detach() : weights, output};
}

std::vector<Mistake> of_temperature() {
    const std::vector<std::string> axes = {"Which axis of the scores is the heads'?",
                                           "The shape of what you divide by."};
    const std::vector<std::string> way = {
        "Does a high temperature make a lookup softer or harder, and by how much?",
        "What you divide the scores by."};
    const std::vector<std::string> start = {"Which temperature changes nothing?",
                                            "The constructor."};
    return {
        {"temp.from-0", "the temperatures began at 0", start},
        {"temp.one-for-all", "there was one temperature for all heads",
         "How many heads learn a temperature?", "The shape of the parameter."},
        {"temp.frozen", "the temperature of a new layer was no parameter that learns",
         "Does the temperature require a gradient?", "The constructor."},
        {"temp.after", "the weights were divided by the temperature, and not the scores",
         "What do the rows of your weights sum to?", "Where the division is."},
        {"temp.unused", "the temperature was not used", "Where does the temperature come in?",
         "The line of the scores."},
        {"temp.per-text", "the heads' temperatures met the text axis", axes},
        {"temp.on-queries", "the heads' temperatures met the query axis", axes},
        {"temp.on-keys", "the heads' temperatures met the key axis, the last one", axes},
        {"temp.one-head", "all heads used the temperature of head 0", axes},
        {"temp.mean", "all heads used the mean of the temperatures", axes},
        {"temp.inverse", "the scores were multiplied by the temperature", way},
        {"temp.squared", "the scores were divided by the temperature twice", way},
        {"temp.under-root", "the scores were divided by the root of the temperature", way},
    };
}

std::vector<Mistake> of_attention() {
    const std::vector<std::string> scaled = {"What is ordinary attention?",
                                             "The number under your root."};
    const std::vector<std::string> graph = {"Which step is not recorded in the graph?",
                                            "Every use of .value(), .item() and .detach()."};
    const std::vector<std::string> which = {"Are the weights you return those of the output?",
                                            "The lines of weights and output."};
    return {
        {"att.no-scale", "the scores were not divided by √d_k as well", scaled},
        {"att.scale-dk", "the scores were divided by d_k, and not by its root", scaled},
        {"att.scale-dv", "the scores were divided by √d_v, and not by √d_k", scaled},
        {"att.scale-T", "the scores were divided by the root of the number of keys", scaled},
        {"sm.cols", "the softmax ran over the queries",
         "Among whom does one query share out its attention?", "The axis of your softmax."},
        {"sm.no-max", "exp was taken of the scores without subtracting the largest first",
         "What is exp(1000)?", "The case of large numbers: which step is the first with inf?"},
        {"temp.output-ordinary", "the output was that of temperature 1", which},
        {"temp.weights-ordinary", "the weights that you return were those of temperature 1", which},
        {"temp.detached", "the temperature was a constant, used through .value() or .detach()",
         graph},
        {"temp.keys-detached", "the keys were constants, used through .value() or .detach()",
         graph},
        {"temp.returned-detached", "the weights that you return were a constant", graph},
        {"train.weights-detached",
         "the weights were constants where they meet the values, so that only the values learn",
         graph},
    };
}

struct Given {
    Variable temperature;
    QueriesKeysValues x;
};

Stages given(const Given& in) {
    return joined(values_of({{"the temperature", in.temperature}}), given(in.x));
}

Given random_input(const AttentionSizes& sizes, const std::vector<Scalar>& temperatures,
                   std::uint64_t seed, double deviation = 1) {
    return {leaf(tensor::from_vector(temperatures, {std::ssize(temperatures)})),
            random_attention_input(sizes, seed, deviation)};
}

// Every query is opposite to every key.
Given far_below_0() {
    const auto [temperature, x] = random_input({{2, 2}, 3, 4, 2, 3}, {1.5, 0.5}, 60);
    return {temperature, {leaf(x.Q.value() + 1e4), leaf(x.K.value() - 1e4), x.V}};
}

// Each head's scores are about as large as its temperature.
Given tiny_and_huge() {
    const auto [temperature, x] = random_input({{2, 2}, 3, 4, 3, 2}, {2e-14, 7e11}, 100);
    const Tensor sizes = tensor::of({{{{1e-7}}, {{1e6}}}});
    return {temperature, {leaf(x.Q.value() * sizes), leaf(x.K.value() * sizes), x.V}};
}

Inputs<Given> inputs() {
    // In the first, B = h = T_q = T_k, so that mixing up axes is no error but shows in the numbers.
    return {
        {"2 texts, 2 heads, 2 queries, 2 keys", random_input({{2, 2}, 2, 2, 4, 5}, {0.6, 2.1}, 10)},
        {"2 texts, 2 heads, 2 queries, 2 keys, other temperatures",
         random_input({{2, 2}, 2, 2, 4, 5}, {3, 1.4}, 20)},
        {"2 texts, 3 heads, 5 queries, 4 keys",
         random_input({{2, 3}, 5, 4, 6, 2}, {1.3, 0.4, 1}, 30)},
        {"a very small and a very large temperature",
         random_input({{2, 2}, 3, 4, 3, 2}, {1e-5, 1e8}, 40)},
        {"a tiny and a huge temperature, with scores of that size", tiny_and_huge()},
        {"temperatures of 1, as many keys as features",
         random_input({{2, 2}, 3, 4, 4, 2}, {1, 1}, 110)},
        {"one text, a single query", random_input({{1, 2}, 1, 3, 4, 2}, {1.6, 0.5}, 120)},
        {"large numbers", random_input({{2, 2}, 3, 4, 3, 2}, {1.7, 0.7}, 50, 60)},
        {"scores far below zero", far_below_0()},
        {"one text, one head", random_input({{1, 1}, 3, 2, 4, 3}, {1.8}, 70)},
        {"3 queries, 60 keys", random_input({{1, 2}, 3, 60, 2, 3}, {0.7, 1.6}, 90)},
        {"3 queries, a single key", random_input({{2, 2}, 3, 1, 4, 2}, {1.6, 0.5}, 130)},
        {"a single query and key", random_input({{2, 3}, 1, 1, 2, 3}, {2, 0.8, 1.2}, 80)},
    };
}

TemperatureLayer reference(const Slips& slip) {
    return {[=](std::int64_t h) { return new_temperatures(h, slip); },
            [=](const Variable& tau, const Variable& Q, const Variable& K, const Variable& V) {
                return walked(tau, {Q, K, V}, slip);
            }};
}

// The parameter of a new layer, both results and, if they are `right`, the gradients through each.
Stages stages(const TemperatureLayer& layer, const Solved<Given>& solved) {
    const Given& in = solved.in;
    const Variable fresh = layer.construct(in.temperature.dim(0));
    const std::string name = "the temperature of a new layer";
    const Stages of_new = with_gradients({{name, fresh.value()}}, fresh, {{name, fresh}});
    if (!(fresh.shape() == in.temperature.shape())) return {of_new.front()};
    const HeadsAndWeights result = layer.attend(in.temperature, in.x.Q, in.x.K, in.x.V);
    const Stages values = {{"weights", result.weights.value()}, {"output", result.output.value()}};
    if (!same(values, solved.right)) return joined(of_new, values);
    const Stages of_output =
        with_gradients(values, result.output,
                       joined(std::vector<Leaf>{{"temperature", in.temperature}}, leaves_of(in.x)));
    return joined(of_new, with_gradients(of_output, result.weights,
                                         {{"temperature through weights", in.temperature},
                                          {"Q through weights", in.x.Q},
                                          {"K through weights", in.x.K}}));
}

Stages right(const Given& in) {
    const HeadsAndWeights result = walked(in.temperature, in.x, {});
    return {{"weights", result.weights.value()}, {"output", result.output.value()}};
}

// Both texts and both heads have the same queries and keys.
struct SameForAll {
    Tensor Q = tensor::clone(tensor::expand(random({1, 1, 3, 4}, 171), {2, 2, 3, 4}));
    Tensor K = tensor::clone(tensor::expand(random({1, 1, 2, 4}, 172), {2, 2, 2, 4}));
    Tensor V = random({2, 2, 2, 5}, 173);
};

Tensor weights_at(const TemperatureLayer& layer, double first, double second) {
    const SameForAll asked;
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
    const SameForAll asked;
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

Rules<TemperatureLayer> rules() {
    return {
        .number = "09.7",
        .title = "A temperature for each head",
        .reference = reference,
        .cases = on_each(stages, solved(inputs(), right)),
        .laws = {{"each row of weights sums to 1", rows_do_not_sum},
                 {"a head's temperature is its own", another_head_changes},
                 {"temperature 1 is ordinary attention", not_ordinary},
                 {"a high temperature gives all keys the same weight", not_even},
                 {"a low temperature selects the best key", not_the_best}},
        .mistakes = joined(of_temperature(), of_attention()),
        .hints = {"Which step is the first whose numbers you do not expect?",
                  "Stop in operator() with the key d, and print the shape of each step",
                  "With all temperatures 1 it is ordinary attention: is it right there?",
                  "Print the scores of head 1 with τ_1 = 1 and with τ_1 = 2: all must be halved"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<TemperatureLayer> judge_09_7(rules);

}  // namespace exercise
