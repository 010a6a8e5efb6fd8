#include "tutorials/exercises/judges/06_2_temperature.h"

#include "tutorials/exercises/judging/inputs.h"

#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/choose.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/functions.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/ops/softmax.h"

#include <cmath>
#include <cstdio>

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
    double entropy = -tensor::sum(terms).item();
    if (slip("ent.mean")) entropy /= static_cast<double>(weights.numel());
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

Tensor list(const std::vector<double>& numbers) {
    const std::vector<Scalar> entries(numbers.begin(), numbers.end());
    return tensor::from_vector(entries, {static_cast<std::int64_t>(entries.size())});
}

Stages stages(const Softness& softness) {
    return {{"the largest weights", list(softness.largest)},
            {"the entropies", list(softness.entropy)}};
}

std::vector<Mistake> mistakes() {
    const std::string weights = "Print the weights at a temperature of 0.1 and at one of 10.";
    return {
        {"temp.mul",
         "scores were multiplied by the temperature and not divided",
         {"Does heat make weights alike, or unlike?", weights}},
        {"temp.ignored",
         "the temperature were not used",
         {"Why is every temperature the same?", weights}},
        {"temp.after",
         "the weights were divided, after the softmax",
         {"What must weights sum to?", weights}},
        {"temp.root",
         "scores were divided by the root of the temperature",
         {"What does the contract divide by?", weights}},
        {"temp.weights-power",
         "weights were divided and sent through a second softmax",
         {"What is divided, scores or weights?", weights}},
        {"sm.no-max",
         "exp were taken of scores as they are, which overflows in the cold",
         {"What is exp(3 / 0.001)?", weights}},
        {"temp.first",
         "the first weight were taken and not the largest",
         {"Which key fits best?", "Compare it with the list of weights."}},
        {"temp.largest-score",
         "the largest score were taken and not the largest weight",
         {"Before softmax or after it?", "Is it more than 1?"}},
        {"ent.zero-log",
         "0·log 0 were computed as it stands, which is no number",
         {"What is the limit of a·log a, as a goes to 0?", "Print log of a cold one's weights."}},
        {"ent.no-weights",
         "the logarithms were added up without their weights",
         {"Is entropy a sum, or a weighted mean?", "Look at what is added up."}},
        {"ent.mean",
         "the mean of the terms were taken and not their sum",
         {"What is the entropy of 4 equal weights?", "Compare with log 4 = 1.386."}},
        {"ent.no-minus",
         "the minus were missing",
         {"Is the logarithm of a weight positive?", "Look at the sign."}},
        {"ent.log2",
         "the entropy were counted in bits, with base 2",
         {"What is the entropy of 4 equal weights?", "Compare with log 4 = 1.386."}},
    };
}

std::string colder_is_harder(const MeasureSoftness& measure) {
    const Softness softness = measure(random({6}, 31), {8, 2, 1, 0.5, 0.1});
    for (std::size_t i = 1; i < softness.largest.size() && i < softness.entropy.size(); ++i) {
        if (!(softness.largest[i] > softness.largest[i - 1])) {
            return "The largest weight does not grow as it gets colder.";
        }
        if (!(softness.entropy[i] < softness.entropy[i - 1])) {
            return "The entropy does not fall as it gets colder.";
        }
    }
    return "";
}

std::string equal_scores(const MeasureSoftness& measure) {
    const Softness softness = measure(tensor::full({4}, 2.5), {0.5, 3});
    if (softness.largest.size() != 2 || softness.entropy.size() != 2) return "";
    const bool right = std::fabs(softness.largest[0] - 0.25) < 1e-9 &&
                       std::fabs(softness.entropy[1] - 1.3862943611198906) < 1e-9;
    return right ? "" : "Four equal scores have weights of 1/4 and the entropy log 4 = 1.3863.";
}

}  // namespace

Exercise temperature(const MeasureSoftness& measure) {
    Exercise exercise;
    exercise.number = "06.2";
    exercise.title = "From soft to hard: the temperature";
    const auto add = [&](const std::string& name, const Tensor& scores,
                         const std::vector<double>& temperatures) {
        exercise.cases.push_back(
            {name, [=](const Slips& slip) { return stages(walk(scores, temperatures, slip)); },
             [=] { return stages(measure(scores, temperatures)); }});
    };
    add("5 scores at 4 temperatures", random({5}, 1), {4, 1.5, 0.6, 0.2});
    add("8 scores at 3 temperatures", random({8}, 2, 2), {9, 2, 0.7});
    add("3 scores, very cold", tensor::of({1.2, 3, -0.4}), {1, 0.01, 0.001});
    exercise.laws = {
        {"the colder, the more goes to one", [=] { return colder_is_harder(measure); }},
        {"equal scores share at any temperature", [=] { return equal_scores(measure); }}};
    exercise.mistakes = mistakes();
    exercise.hints = {"What does a temperature do to the distances between scores?",
                      "Lesson 06.3; tensor/ops/softmax.h, and tensor/ops/reduce.h for max and sum",
                      "a = softmax(s / temperature); max_j a_j, and -Σ_j a_j·log a_j with 0·log 0 "
                      "= 0",
                      "weights = softmax(scores / temperature, -1); where a weight is 0, "
                      "masked_fill(log(weights), weights == 0, 0)"};
    exercise.cause_of_nan = "0·log 0, or an exp that overflows";
    return exercise;
}

Trials temperature_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return temperature([=](const Tensor& scores, const std::vector<double>& temperatures) {
            return walk(scores, temperatures, slip);
        });
    };
    trials.right["with the logarithm of softmax"] = [] {
        return temperature([](const Tensor& scores, const std::vector<double>& temperatures) {
            Softness softness;
            for (const double temperature : temperatures) {
                const Tensor logs = tensor::log_softmax(scores / temperature, -1);
                const Tensor weights = tensor::exp(logs);
                softness.largest.push_back(tensor::max(weights).item());
                softness.entropy.push_back(-tensor::sum(weights * logs).item());
            }
            return softness;
        });
    };
    return trials;
}

void show(const MeasureSoftness& measure) {
    const std::vector<double> temperatures = {10, 4, 1, 0.25, 0.05, 0.01};
    const Softness softness = measure(tensor::of({0.8, 0.6, 0.36, 0}), temperatures);
    std::printf("\n  What you measure for the bat of lesson 06 and its four keys:\n\n");
    std::printf("  temperature    largest weight    entropy\n");
    for (std::size_t i = 0; i < temperatures.size(); ++i) {
        std::printf("  %11.2f %17.3f %10.3f\n", temperatures[i], softness.largest[i],
                    softness.entropy[i]);
    }
}

}  // namespace exercise
