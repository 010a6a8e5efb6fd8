#include "tutorials/exercises/judges/lesson_06.h"
#include "tutorials/exercises/judging/kit.h"

#include "tensor/errors.h"

#include <iomanip>

using namespace heed;

namespace exercise {
namespace {
Tensor weights_at(const Tensor& scores, double temperature, const Slips& slip) {
    if (slip("temp.mul")) return tensor::softmax(scores * temperature, -1);
    if (slip("temp.ignored")) return tensor::softmax(scores, -1);
    if (slip("temp.after")) return tensor::softmax(scores, -1) / temperature;
    if (slip("temp.root")) return tensor::softmax(scores / std::sqrt(temperature), -1);
    if (slip("temp.weights-power")) {
        return tensor::softmax(tensor::softmax(scores, -1) / temperature, -1);
    }
    if (slip("sm.no-max")) {
        const Tensor powers = tensor::exp(scores / temperature);
        return powers / tensor::sum(powers);
    }
    return tensor::softmax(scores / temperature, -1);
}

double entropy_of(const Tensor& weights, const Slips& slip) {
    Tensor logarithms = tensor::log(weights);
    if (!slip("ent.zero-log")) {
        logarithms = tensor::masked_fill(logarithms, weights == 0, 0);
    }
    if (slip("ent.no-weights")) return -tensor::sum(logarithms).item();
    const Tensor terms = weights * logarithms;
    double entropy = 0 - tensor::sum(terms).item();  // 0 and not -0
    if (slip("ent.mean")) entropy /= static_cast<double>(weights.numel());
    if (slip("ent.normalised") && weights.numel() > 1) {
        entropy /= tensor::log(tensor::of(static_cast<double>(weights.numel()))).item();
    }
    if (slip("ent.no-minus")) entropy = -entropy;
    if (slip("ent.log2")) entropy *= 1.4426950408889634;
    return entropy;
}

Softness walk(const Tensor& scores, const std::vector<double>& temperatures, const Slips& slip) {
    Softness softness;
    for (const double temperature : temperatures) {
        const Tensor weights = weights_at(scores, temperature, slip);
        double largest = tensor::max(weights).item();
        if (slip("temp.first")) largest = weights(0);
        if (slip("temp.largest-score")) largest = tensor::max(scores).item();
        softness.largest.push_back(largest);
        softness.entropy.push_back(entropy_of(weights, slip));
    }
    return softness;
}

std::vector<Mistake> mistakes() {
    const std::string weights = "Print the weights at a temperature of 0.1 and at one of 10.";
    return {
        {"temp.mul", "the scores were multiplied by the temperature and not divided by it",
         "Does a high temperature make weights more alike, or less?", weights},
        {"temp.ignored", "the temperature was not used",
         "Why do all temperatures give the same numbers?", weights},
        {"temp.after", "the weights were divided by the temperature, after the softmax",
         "What must weights sum to?", weights},
        {"temp.root", "the scores were divided by the root of the temperature",
         "What does the contract divide by?", weights},
        {"ent.normalised", "the entropy was divided by its largest value, log T_k",
         "What is the entropy of 4 equal weights?", "Compare with log 4 = 1.386."},
        {"temp.weights-power",
         "the weights were divided by the temperature and put through a second softmax",
         "What is divided, scores or weights?", weights},
        {"sm.no-max",
         "exp was applied to scores that were not shifted, and overflows at low temperatures",
         "What is exp(3 / 0.001)?", weights},
        {"temp.first", "the weight was that of the first key and not the largest",
         "Which key gets the most weight?", "Compare your number with the list of weights."},
        {"temp.largest-score", "the number was the largest score and not the largest weight",
         "Is it measured before softmax or after it?", "Is your number above 1?"},
        {"ent.zero-log", "0·log 0 was computed as it stands, 0·(-∞), which is NaN",
         "What is the limit of a·log a as a goes to 0?",
         "Print the logarithms of the weights at a temperature of 0.001."},
        {"ent.no-weights", "the logarithms were added up without their weights",
         "Is entropy a sum of logarithms or a weighted sum?", "Look at what is added up."},
        {"ent.mean", "the terms were averaged and not added up",
         "What is the entropy of 4 equal weights?", "Compare with log 4 = 1.386."},
        {"ent.no-minus", "the minus sign was missing", "Is the logarithm of a weight positive?",
         "Look at the sign."},
        {"ent.log2", "the entropy was measured in bits, with logarithms of base 2",
         "What is the entropy of 4 equal weights?", "Compare with log 4 = 1.386."},
    };
}

std::string pair_text(double before, double after) {
    return text(std::setprecision(5), before, " and then ", after);
}

std::string colder_is_harder(const MeasureSoftness& measure) {
    const std::vector<double> falling = {8, 2, 1, 0.5, 0.1};
    const Softness found = measure(random({6}, 31), falling);
    if (found.largest.size() != falling.size() || found.entropy.size() != falling.size()) return "";
    for (std::size_t i = 1; i < falling.size(); ++i) {
        if (!(found.largest[i] > found.largest[i - 1])) {
            return "The largest weight does not grow: " +
                   pair_text(found.largest[i - 1], found.largest[i]) + ".";
        }
        if (!(found.entropy[i] < found.entropy[i - 1])) {
            return "The entropy does not fall: " +
                   pair_text(found.entropy[i - 1], found.entropy[i]) + ".";
        }
    }
    return "";
}

struct Input {
    Tensor scores;
    std::vector<double> temperatures;
};
Stages given(const Input& in) { return {{"scores", in.scores}}; }

Stages stages(const MeasureSoftness& measure, const Input& in) {
    const Softness softness = measure(in.scores, in.temperatures);
    return {{"largest", numbers(softness.largest)}, {"entropy", numbers(softness.entropy)}};
}

Inputs<Input> inputs() {
    std::vector<double> sixty;
    for (int i = 1; i <= 60; ++i) sixty.push_back(0.1 * i);
    return {
        {"5 scores at 4 temperatures", {random({5}, 1), {4, 1.5, 0.6, 0.2}}},
        {"5 other scores at the same temperatures", {random({5}, 11), {4, 1.5, 0.6, 0.2}}},
        {"8 scores, temperatures up and down, one of them twice",
         {random({8}, 2, 2), {0.7, 9, 2, 9, 0.3}}},
        {"3 scores, very cold", {tensor::of({1.2, 3, -0.4}), {1, 0.01, 0.001, 1}}},
        {"scores below 0, very cold", {tensor::of({-5, -3, -3.004, -9}), {0.002, 3, 0.05}}},
        {"scores around 1000", {random({6}, 21) + 1000.0, {1, 5, 0.3}}},
        {"scores around ±1000, at temperatures as high",
         {random({6}, 71, 1000), {1000, 5000, 200}}},
        // Two share the first place, and a third is close behind.
        {"scores of which two are the largest",
         {tensor::of({-2, 7, -1, 7, 6.999}), {0.5, 0.02, 0.001, 0.0004}}},
        {"scores a millionth apart, at temperatures as low",
         {tensor::of({3e-6, 0, 2e-6}), {1e-6, 4e-6, 5e-7}}},
        {"two scores, nearly hard", {tensor::of({0, 1}), {0.3, 0.19, 0.14, 0.105}}},
        {"equal scores of 0", {tensor::zeros({4}), {0.5, 3}}},
        {"4 scores at 60 temperatures", {random({4}, 61), sixty}},
        {"a single score", {tensor::of({2.5}), {0.1, 1, 10}}},
        {"scores that are a view",
         {tensor::slice(random({10}, 51, 2), 0, 0, tensor::to_the_end, 2), {2, 0.5}}},
        // So many that their weights are small, and still count together.
        {"3000 scores", {random({3000}, 41, 3), {3, 50, 1, 0.002}}},
        {"the first 5 scores again", {random({5}, 1), {4, 1.5, 0.6, 0.2}}},
    };
}

Rules<MeasureSoftness> rules() {
    return {
        .number = "06.2",
        .title = "From soft to hard: the temperature",
        .reference =
            [](const Slips& slip) {
                return [=](const Tensor& scores, const std::vector<double>& temperatures) {
                    return walk(scores, temperatures, slip);
                };
            },
        .cases = on_each(stages, inputs()),
        .laws = {{"the lower the temperature, the more weight goes to the largest score",
                  colder_is_harder}},
        .mistakes = mistakes(),
        .hints = {"What does a temperature do to the differences between scores?",
                  "Lesson 06.3; tensor/ops/softmax.h, and tensor/ops/reduce.h for max and sum",
                  "a = softmax(s / temperature); max_j a_j, and -Σ_j a_j·log a_j with 0·log 0 = 0",
                  "weights = softmax(scores / temperature, -1); where a weight is 0, "
                  "masked_fill(log(weights), weights == 0, 0)"},
        .cause_of_nan = "0·log 0, or ∞ / ∞ or 0 / 0 in a softmax",
    };
}

}  // namespace

const Judge<MeasureSoftness> judge_06_2(rules);

void show(const MeasureSoftness& measure) {
    const std::vector<double> temperatures = {10, 4, 1, 0.25, 0.05, 0.01};
    const Softness softness = measure(tensor::of({0.8, 0.6, 0.36, 0}), temperatures);
    std::cout << "\n  What you measure for the bat of lesson 06 and its four keys:\n\n"
                 "  temperature    largest weight    entropy\n";
    for (std::size_t i = 0; i < temperatures.size(); ++i) {
        std::cout << text(std::fixed, std::setprecision(2), "  ", std::setw(11), temperatures[i],
                          std::setprecision(3), " ", std::setw(17), softness.largest[i], " ",
                          std::setw(10), softness.entropy[i], "\n");
    }
}

}  // namespace exercise
