// Answers to 06.2.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_06.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using namespace heed;
using namespace exercise;

namespace {
using Names = std::vector<std::string>;
using Temperatures = std::vector<double>;

Tensor weights_at(const Tensor& scores, double temperature) {
    return tensor::softmax(scores / temperature, -1);
}

double largest_of(const Tensor& weights) { return tensor::max(weights).item(); }

double entropy_of(const Tensor& weights) {
    const Tensor terms = weights * tensor::log(weights);
    return -tensor::sum(tensor::masked_fill(terms, weights == 0.0, 0)).item();
}

// The measurement, with one of its three steps given.
Softness with_weights(const Tensor& scores, const Temperatures& temperatures,
                      Tensor (*weigh)(const Tensor&, double)) {
    Softness found;
    for (const double temperature : temperatures) {
        const Tensor weights = weigh(scores, temperature);
        found.largest.push_back(largest_of(weights));
        found.entropy.push_back(entropy_of(weights));
    }
    return found;
}

Softness right(const Tensor& scores, const Temperatures& temperatures) {
    return with_weights(scores, temperatures, weights_at);
}

Answer weighed(const std::string& what, Tensor (*weigh)(const Tensor&, double),
               const Names& names = {}) {
    return {what,
            [weigh] {
                return judge_06_2([weigh](const Tensor& scores, const Temperatures& all) {
                    return with_weights(scores, all, weigh);
                });
            },
            names};
}

Answer entropy(const std::string& what, double (*of)(const Tensor&), const Names& names = {}) {
    return {what,
            [of] {
                return judge_06_2([of](const Tensor& scores, const Temperatures& all) {
                    Softness found = right(scores, all);
                    for (std::size_t i = 0; i < all.size(); ++i) {
                        found.entropy[i] = of(weights_at(scores, all[i]));
                    }
                    return found;
                });
            },
            names};
}

Softness by_log_softmax(const Tensor& scores, const Temperatures& temperatures) {
    Softness softness;
    for (const double temperature : temperatures) {
        const Tensor logs = tensor::log_softmax(scores / temperature, -1);
        const Tensor weights = tensor::exp(logs);
        softness.largest.push_back(tensor::max(weights).item());
        softness.entropy.push_back(-tensor::sum(weights * logs).item());
    }
    return softness;
}

Answer whole(const std::string& what, Softness (*measure)(const Tensor&, const Temperatures&)) {
    return {what, [measure] { return judge_06_2(measure); }};
}

Tensor multiplied(const Tensor& s, double t) { return tensor::softmax(s * t, -1); }

Tensor divided_after_softmax(const Tensor& s, double t) { return tensor::softmax(s, -1) / t; }

Tensor even_above_100(const Tensor& s, double t) {
    const Tensor even = tensor::full(s.shape(), 1 / static_cast<double>(s.dim(0)));
    return t > 100 ? even : weights_at(s, t);
}

Tensor shifted_by_the_first(const Tensor& s, double t) {
    const Tensor powers = tensor::exp((s - s(0)) / t);
    return powers / tensor::sum(powers);
}

double surprise_of_the_largest(const Tensor& weights) { return -std::log(largest_of(weights)); }

// log Σ exp(s/T) less the mean of s/T, two large numbers.
Softness entropy_in_float(const Tensor& scores, const Temperatures& temperatures) {
    Softness found = right(scores, temperatures);
    for (std::size_t i = 0; i < temperatures.size(); ++i) {
        const Tensor s = scores / temperatures[i];
        const double mean = tensor::sum(tensor::softmax(s, 0) * s).item();
        found.entropy[i] =
            static_cast<float>(tensor::logsumexp(s, 0).item()) - static_cast<float>(mean);
    }
    return found;
}

// log T_k less the divergence of the weights from equal ones.
Softness by_divergence(const Tensor& scores, const Temperatures& temperatures) {
    Softness found;
    const double n = static_cast<double>(scores.dim(0));
    for (const double t : temperatures) {
        const Tensor powers = tensor::exp((scores - tensor::max(scores)) / t);
        found.largest.push_back(1 / tensor::sum(powers).item());
        const Tensor weights = powers * found.largest.back();
        const Tensor terms = weights * tensor::log(tensor::maximum(weights, 1e-300) * n);
        found.entropy.push_back(std::log(n) - tensor::sum(terms).item());
    }
    return found;
}

Tensor not_shifted(const Tensor& s, double t) {
    const Tensor powers = tensor::exp(s / t);
    return powers / tensor::sum(powers);
}

Tensor shifted_before_division(const Tensor& s, double t) {
    const Tensor powers = tensor::exp(s / t - tensor::max(s));
    return powers / tensor::sum(powers);
}

Tensor maximum_from_zero(const Tensor& s, double t) {
    const Tensor powers = tensor::exp((s - tensor::maximum(tensor::max(s), 0.0)) / t);
    return powers / tensor::sum(powers);
}

Tensor at_least_a_tenth(const Tensor& s, double t) { return weights_at(s, std::max(t, 0.1)); }

Tensor hard_below_a_hundredth(const Tensor& s, double t) {
    if (t >= 0.01) return weights_at(s, t);
    const std::int64_t winner = tensor::argmax(s).item();
    Tensor weights = tensor::zeros_like(s);
    Tensor place = tensor::slice(weights, 0, winner, winner + 1);
    tensor::overwrite(place, tensor::ones({1}));
    return weights;
}

Tensor at_most_one(const Tensor& s, double t) { return weights_at(s, std::min(t, 1.0)); }

Tensor a_little_warmer(const Tensor& s, double t) { return weights_at(s, t + 1e-3); }

Tensor root_of_the_temperature(const Tensor& s, double t) { return weights_at(s, std::sqrt(t)); }

double without_the_rule_for_0(const Tensor& a) { return -tensor::sum(a * tensor::log(a)).item(); }

double in_bits(const Tensor& a) { return entropy_of(a) / std::log(2.0); }

double as_a_share_of_the_most(const Tensor& a) {
    return a.numel() == 1 ? 0 : entropy_of(a) / std::log(static_cast<double>(a.numel()));
}

double a_little_inside_log(const Tensor& a) {
    return -tensor::sum(a * tensor::log(a + 1e-4)).item();
}

double small_weights_left_out(const Tensor& a) {
    const Tensor terms = a * tensor::log(a);
    return -tensor::sum(tensor::masked_fill(terms, a < 1e-3, 0)).item();
}

double none_if_nearly_hard(const Tensor& a) { return largest_of(a) > 0.99 ? 0 : entropy_of(a); }

double largest_against_the_rest(const Tensor& a) {
    const double p = largest_of(a);
    return p == 1 ? 0 : -p * std::log(p) - (1 - p) * std::log(1 - p);
}

double mean_of_the_terms(const Tensor& a) { return entropy_of(a) / static_cast<double>(a.numel()); }

double of_the_first_ten(const Tensor& a) { return entropy_of(tensor::slice(a, 0, 0, 10)); }

double tiny_weights_left_out(const Tensor& a) {
    const Tensor terms = a * tensor::log(a);
    return -tensor::sum(tensor::masked_fill(terms, a < 1e-4, 0)).item();
}

double none_if_all_are_equal(const Tensor& a) {
    return tensor::max(a).item() == tensor::min(a).item() ? 0 : entropy_of(a);
}

Tensor never_divided_by_0(const Tensor& s, double t) { return weights_at(s, t + 1e-8); }

Tensor ties_are_broken(const Tensor& s, double t) {
    const std::int64_t winner = tensor::argmax(s).item();
    Tensor other = tensor::clone(s);
    Tensor place = tensor::slice(other, 0, winner, winner + 1);
    tensor::overwrite(place, place + 1e-3);
    return weights_at(other, t);
}

Softness first_temperature_kept(const Tensor& scores, const Temperatures& temperatures) {
    static std::vector<double> measured;
    static Softness kept;
    if (measured != temperatures) kept = right(scores, temperatures), measured = temperatures;
    return kept;
}

Softness from_hot_to_cold(const Tensor& scores, const Temperatures& temperatures) {
    Temperatures sorted = temperatures;
    std::sort(sorted.rbegin(), sorted.rend());
    return right(scores, sorted);
}

Softness each_temperature_once(const Tensor& scores, const Temperatures& temperatures) {
    Temperatures different;
    for (const double t : temperatures) {
        if (std::count(different.begin(), different.end(), t) == 0) different.push_back(t);
    }
    return right(scores, different);
}

Softness divided_again_and_again(const Tensor& scores, const Temperatures& temperatures) {
    Softness found;
    Tensor scaled = scores;
    for (const double t : temperatures) {
        scaled /= t;
        found.largest.push_back(largest_of(tensor::softmax(scaled, -1)));
        found.entropy.push_back(entropy_of(tensor::softmax(scaled, -1)));
    }
    return found;
}

Softness shifted_in_place(const Tensor& scores, const Temperatures& temperatures) {
    Tensor shifted = scores;
    tensor::overwrite(shifted, scores - tensor::max(scores));
    return right(shifted, temperatures);
}

Softness zeros_in_front(const Tensor& scores, const Temperatures& temperatures) {
    Softness found = right(scores, temperatures);
    found.entropy.insert(found.entropy.begin(), temperatures.size(), 0.0);
    return found;
}

Softness lists_go_on(const Tensor& scores, const Temperatures& temperatures) {
    static Softness found;
    const Softness more = right(scores, temperatures);
    found.largest.insert(found.largest.end(), more.largest.begin(), more.largest.end());
    found.entropy.insert(found.entropy.end(), more.entropy.begin(), more.entropy.end());
    return found;
}

Softness all_colder_are_hard(const Tensor& scores, const Temperatures& temperatures) {
    Softness found = right(scores, temperatures);
    bool hard = false;
    for (std::size_t i = 0; i < temperatures.size(); ++i) {
        if (hard) found.largest[i] = 1, found.entropy[i] = 0;
        hard = hard || found.largest[i] > 0.9999;
    }
    return found;
}

Softness weight_of_the_largest_magnitude(const Tensor& scores, const Temperatures& temperatures) {
    Softness found = right(scores, temperatures);
    const std::int64_t place = tensor::argmax(tensor::abs(scores)).item();
    for (std::size_t i = 0; i < temperatures.size(); ++i) {
        found.largest[i] = weights_at(scores, temperatures[i])(place);
    }
    return found;
}

// The largest weight is 1/Σ exp((s - max)/T).
Softness from_the_sum_of_powers(const Tensor& scores, const Temperatures& temperatures) {
    Softness found;
    const Tensor below = scores - tensor::max(scores);
    for (const double t : temperatures) {
        const Tensor powers = tensor::exp(below / t);
        const double total = tensor::sum(powers).item();
        const Tensor terms = tensor::masked_fill(powers * below, powers == 0.0, 0);
        found.largest.push_back(1 / total);
        found.entropy.push_back(std::log(total) - tensor::sum(terms).item() / t / total);
    }
    return found;
}

Softness all_at_once(const Tensor& scores, const Temperatures& temperatures) {
    const std::vector<Scalar> numbers(temperatures.begin(), temperatures.end());
    const std::int64_t n = static_cast<std::int64_t>(numbers.size());
    const Tensor a = tensor::softmax(scores / tensor::from_vector(numbers, {n, 1}), -1);
    const Tensor logs = tensor::log(tensor::where(a == 0.0, 1.0, a));
    const std::vector<Scalar> largest = tensor::max(a, -1).to_vector();
    const std::vector<Scalar> entropies = tensor::sum(-a * logs, -1).to_vector();
    return {{largest.begin(), largest.end()}, {entropies.begin(), entropies.end()}};
}

}  // namespace

Answers answers_06_2() {
    Answers answers;
    answers.number = "06.2";
    answers.slipping = slipping(judge_06_2);
    answers.wrong = {
        weighed("scores times the temperature", multiplied, {"temp.mul"}),
        weighed("weights divided by the temperature", divided_after_softmax, {"temp.after"}),
        weighed("exp of scores that are not shifted", not_shifted, {"sm.no-max"}),
        weighed("shifted by the maximum of the undivided scores", shifted_before_division),
        weighed("the maximum starts at 0", maximum_from_zero),
        weighed("temperatures below 0.1 count as 0.1", at_least_a_tenth),
        weighed("below 0.01 the first largest score takes all", hard_below_a_hundredth),
        weighed("temperatures above 1 count as 1", at_most_one),
        weighed("0.001 is added to the temperature", a_little_warmer),
        weighed("the root of the temperature", root_of_the_temperature, {"temp.root"}),
        entropy("0·log 0 is NaN", without_the_rule_for_0, {"ent.zero-log"}),
        entropy("entropy in bits", in_bits, {"ent.log2"}),
        entropy("entropy divided by log T_k", as_a_share_of_the_most, {"ent.normalised"}),
        entropy("log(a + 0.0001)", a_little_inside_log),
        entropy("weights below 0.001 are left out of the entropy", small_weights_left_out),
        entropy("no entropy if the largest weight is above 0.99", none_if_nearly_hard),
        entropy("entropy of two: the largest weight and the rest", largest_against_the_rest),
        entropy("the mean for the sum over keys", mean_of_the_terms, {"ent.mean"}),
        entropy("entropy of the first ten weights", of_the_first_ten),
        entropy("weights below 0.0001 are left out of the entropy", tiny_weights_left_out),
        entropy("no entropy if all weights are equal", none_if_all_are_equal),
        weighed("1e-8 is added to the temperature", never_divided_by_0),
        weighed("the first of the largest scores is 0.001 ahead", ties_are_broken),
        whole("the same temperatures are measured once", first_temperature_kept),
        whole("from the highest temperature to the lowest", from_hot_to_cold),
        whole("equal temperatures are measured once", each_temperature_once),
        whole("scores are divided by all temperatures so far", divided_again_and_again),
        whole("the scores are shifted in place", shifted_in_place),
        whole("the entropies follow as many zeros", zeros_in_front),
        whole("the lists of earlier calls go on", lists_go_on),
        whole("all temperatures after a hard one count as hard", all_colder_are_hard),
        whole("the weight of the score of largest magnitude", weight_of_the_largest_magnitude),
        weighed("equal weights above 100", even_above_100),
        weighed("shifted by the first score", shifted_by_the_first),
        entropy("-log of the largest weight", surprise_of_the_largest),
        whole("the entropy from two large numbers, in float", entropy_in_float),
    };
    answers.right = {
        whole("both from the sum of powers", from_the_sum_of_powers),
        whole("all temperatures at once", all_at_once),
        whole("by the divergence from equal weights", by_divergence),
        whole("with the logarithm of softmax", by_log_softmax),
    };
    return answers;
}
