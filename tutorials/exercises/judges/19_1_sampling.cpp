#include "tutorials/exercises/judges/19_1_sampling.h"

#include "tutorials/exercises/judges/19_1_sampling_mistakes.h"
#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/inputs.h"

#include "nn/generation/sampling.h"
#include "tensor/kernels/math.h"
#include "tensor/ops.h"

#include <algorithm>
#include <cmath>

using namespace heed;

namespace exercise {

namespace {

constexpr std::int64_t all = std::int64_t{1} << 40;  // a k that cuts nothing

Case cutting(const std::string& name, const Tensor& logits, const Cut& cut,
             const Sampling& answer) {
    return {name,
            [=](const Slips& slip) {
                return Stages{{"the distribution", probabilities_walk(logits, cut, slip)}};
            },
            [=] {
                return Stages{{"the distribution",
                               answer.probabilities_of(logits, cut.temperature, cut.k, cut.p)}};
            },
            {{"the logits", logits}}};
}

// Also which tokens have a probability above 0, however small it is.
Case staying(const std::string& name, const Tensor& logits, const Cut& cut,
             const Sampling& answer) {
    const auto with_those_that_stay = [](const Tensor& P) {
        return Stages{{"the distribution", P},
                      {"the tokens that stay (1)", tensor::to_tensor(P > 0)}};
    };
    return {name,
            [=](const Slips& slip) {
                return with_those_that_stay(probabilities_walk(logits, cut, slip));
            },
            [=] {
                return with_those_that_stay(
                    answer.probabilities_of(logits, cut.temperature, cut.k, cut.p));
            },
            {{"the logits", logits}}};
}

Case choosing(const std::string& name, const Tensor& P, const std::vector<double>& u,
              const Sampling& answer) {
    const auto of_each = [=](const std::function<std::int64_t(double)>& chosen) {
        std::vector<std::int64_t> tokens;
        for (const double number : u) tokens.push_back(chosen(number));
        return Stages{{"the choice", numbers(tokens)}};
    };
    return {name,
            [=](const Slips& slip) {
                return of_each([=](double number) { return choice_walk(P, number, slip); });
            },
            [=] { return of_each([=](double number) { return answer.choose(P, number); }); },
            {{"P", P}}};
}

// Logits that lie apart in memory.
Tensor column(std::int64_t V) { return tensor::select(random({V, 3}, 5), 1, 1); }

std::vector<Case> of_probabilities(const Sampling& answer) {
    const Tensor seven = random({7}, 1), ties = tensor::of({1, 3, 2, 3, 3, 0.5});
    const Tensor impossible = tensor::of({-infinity, 1, -infinity, 0.4, 2, 1.3});
    const Tensor fractions = tensor::log(tensor::of({0.3, 0.2, 0.5}));
    return {
        cutting("7 logits, nothing cut", seven, {1, 7, 1}, answer),
        cutting("7 logits, temperature 2", seven, {2, all, 1}, answer),
        cutting("7 logits, k = 3", seven, {1, 3, 1}, answer),
        cutting("7 logits, p = 0.8", seven, {1, all, 0.8}, answer),
        cutting("7 other logits, temperature 0.5, k = 4, p = 0.9", random({7}, 2), {0.5, 4, 0.9},
                answer),
        cutting("12 logits, temperature 3, k = 5, p = 0.7", random({12}, 3, 2), {3, 5, 0.7},
                answer),
        cutting("12 logits, temperature 3, k = 9, p = 0.5", random({12}, 3, 2), {3, 9, 0.5},
                answer),
        cutting("12 logits, temperature 3, p = 0.6", random({12}, 3, 2), {3, all, 0.6}, answer),
        cutting("12 logits, k = 1", random({12}, 4), {1, 1, 0.5}, answer),
        cutting("7 logits, p = 0.01", seven, {1, all, 0.01}, answer),
        cutting("logits 1 3 2 3 3 0.5, k = 2", ties, {1, 2, 1}, answer),
        cutting("logits 1 3 2 3 3 0.5, p = 0.4", ties, {1, all, 0.4}, answer),
        cutting("four equal logits, p = 0.5", tensor::full({4}, -2), {1, all, 0.5}, answer),
        cutting("eight equal logits, k = 4, p = 0.75", tensor::full({8}, 3), {1, 4, 0.75}, answer),
        cutting("two logits of -∞, k = 5", impossible, {1, 5, 1}, answer),
        cutting("two logits of -∞, temperature 2, p = 0.7", impossible, {2, all, 0.7}, answer),
        cutting("one token that is possible", tensor::of({-infinity, -infinity, 5, -infinity}),
                {0.7, 3, 0.9}, answer),
        cutting("logits around ±1000, temperature 100", random({9}, 6, 1000), {100, 6, 0.95},
                answer),
        cutting("logits around ±1000, temperature 800", random({9}, 6, 1000), {800, all, 1},
                answer),
        cutting("logits around ±1000, p = 0.9", random({9}, 10, 1000), {1, all, 0.9}, answer),
        cutting("logits around -3000, temperature 1.5", random({9}, 7) - 3000, {1.5, 4, 0.8},
                answer),
        cutting("a single logit", tensor::of({-2.5}), {2, 3, 0.3}, answer),
        cutting("90 logits, p = 0.95", random({90}, 8), {1, all, 0.95}, answer),
        cutting("90 logits, k = 60", random({90}, 8), {0.8, 60, 1}, answer),
        cutting("logits that are a view", column(8), {1.3, 5, 0.8}, answer),
        cutting("7 logits, temperature 0.05", seven, {0.05, 4, 0.99}, answer),
        cutting("logits of -10^10 and a little less, k = 2", tensor::of({-2, 0, -1, -3}) - 1e10,
                {1, 2, 1}, answer),
        cutting("logits of -10^30, -2·10^30 and -3·10^30, k = 1", tensor::of({-2, -1, -3}) * 1e30,
                {1, 1, 1}, answer),
        staying("logits 0 40 -1, p = 1", tensor::of({0, 40, -1}), {1, all, 1}, answer),
        cutting("probabilities 0.3 0.2 0.5, p = 0.8 + 10^-9", fractions, {1, all, 0.8 + 1e-9},
                answer),
        cutting("7 logits, k = 3 again", seven, {1, 3, 1}, answer),
    };
}

std::vector<Case> of_choices(const Sampling& answer) {
    const double below_1 = 1 - 0x1p-53;  // the largest u there is
    const Tensor nearly_1 = tensor::concatenate({tensor::full({10}, 0.1), tensor::zeros({2})}, 0);
    const Tensor rows = tensor::of({0.2, 7, 0.5, 7, 0.3, 7});
    const Tensor view = tensor::select(tensor::reshape(rows, {3, 2}), 1, 0);
    return {
        choosing("P = 0.3 0.1 0.6; u = 0, 0.2, 0.35, 0.5, 0.99", tensor::of({0.3, 0.1, 0.6}),
                 {0, 0.2, 0.35, 0.5, 0.99}, answer),
        choosing("P = 0.25 0.25 0.5; u = 0, 0.25, 0.5, 0.75", tensor::of({0.25, 0.25, 0.5}),
                 {0, 0.25, 0.5, 0.75}, answer),
        choosing("P = 0 0.5 0 0.5 0; u = 0, 0.49, 0.5, nearly 1", tensor::of({0, 0.5, 0, 0.5, 0}),
                 {0, 0.49, 0.5, below_1}, answer),
        choosing("P = 0.1 ten times, then 0 0; u = nearly 1", nearly_1, {0.05, 0.85, below_1},
                 answer),
        choosing("P = 0.5 10^-9 0.5; u just below 0.5, in the piece of token 1, just above it",
                 tensor::of({0.5, 1e-9, 0.5 - 1e-9}), {0.5 - 1e-10, 0.5 + 5e-10, 0.5 + 2e-9},
                 answer),
        choosing("P = 1; u = 0, 0.5, nearly 1", tensor::of({1}), {0, 0.5, below_1}, answer),
        choosing("P = 0.2 0.5 0.3, a view; u = 0.1, 0.3, 0.8", view, {0.1, 0.3, 0.8}, answer),
        choosing("100 tokens", tensor::softmax(random({100}, 9), 0),
                 {0, 0.013, 0.2, 0.37, 0.64, 0.93, 0.9999}, answer),
    };
}

// 1000 numbers u, evenly spread.
std::string not_as_often(const Sampling& answer) {
    const Tensor P = tensor::of({0.125, 0, 0.5, 0.0625, 0.3125});
    std::vector<double> times(5);
    for (int i = 0; i < 1000; ++i) {
        const std::int64_t token = answer.choose(P, (i + 0.5) / 1000);
        if (token < 0 || token > 4) {
            return "For u = " + std::to_string((i + 0.5) / 1000) + " it is token " +
                   std::to_string(token) + " of 0 ... 4.";
        }
        ++times[static_cast<std::size_t>(token)];
    }
    for (std::int64_t i = 0; i < 5; ++i) {
        const double seen = times[static_cast<std::size_t>(i)];
        if (std::fabs(seen - 1000 * static_cast<double>(P(i))) <= 1) continue;
        return "Of 1000 numbers u, evenly spread, " + std::to_string(static_cast<int>(seen)) +
               " give token " + std::to_string(i) + ", whose probability is " +
               std::to_string(static_cast<double>(P(i))) + ".";
    }
    return "";
}

}  // namespace

Exercise sampling(const Sampling& answer) {
    Exercise exercise;
    exercise.number = "19.1";
    exercise.title = "Sampling: top-k and top-p";
    exercise.cases = of_probabilities(answer);
    for (const Case& one : of_choices(answer)) exercise.cases.push_back(one);
    exercise.laws = {
        {"each token is chosen as often as it is likely", [=] { return not_as_often(answer); }}};
    exercise.mistakes = sampling_mistakes();
    exercise.hints = {
        "Which tokens stay, and how is one of them found for a number u?",
        "Lesson 19.4 prints what temperature, top-k and top-p do to the same logits",
        "Follow the case named above with pencil and paper, step by step",
        "probabilities_of is judged as soon as it is written, while choose is still open: begin "
        "with it"};
    exercise.holes = {
        {"probabilities_of",
         {"the distribution", "the tokens that stay (1)"},
         {"In which order must the tokens be, so that both cuts take the first few?",
          "tensor/ops/sort.h has topk, which keeps equal entries in order; tensor/ops/scatter.h "
          "puts numbers back to their ids",
          "Softmax of the k largest logits; add up from the first on while the sum is below p; "
          "softmax of the logits of those you have counted",
          "while (n < P.dim(0) && together < p), add P(n) and count n up; with p = 1 take all"}},
        {"choose",
         {"the choice"},
         {"If P_0 = 0.3 and P_1 = 0.1, for which u is it token 1?",
          "A loop over the tokens with a running sum",
          "The first token with which the sum is above u, not only at u",
          "In the loop, remember the last i with P(i) > 0, and stop once the sum is above u: that "
          "i is the answer in either case"}},
    };
    return exercise;
}

namespace {

// Token by token: how much is likelier than it?
Tensor by_ranks(const Tensor& logits, double temperature, std::int64_t k, double p) {
    const std::int64_t V = logits.dim(0);
    const std::vector<Scalar> x = logits.to_vector();
    const double largest = *std::max_element(x.begin(), x.end());
    std::vector<Scalar> power, left;
    for (const Scalar one : x) power.push_back(kernels::math::exp((one - largest) / temperature));
    const auto ahead = [&](std::size_t a, std::size_t b) {
        return x[a] > x[b] || (x[a] == x[b] && a < b);
    };
    double of_k = 0;
    std::vector<std::int64_t> rank(x.size(), 0);
    std::vector<double> before(x.size(), 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < x.size(); ++j) {
            rank[i] += ahead(j, i);
            before[i] += ahead(j, i) ? power[j] : 0;
        }
        if (rank[i] < k) of_k += power[i];
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool stays = rank[i] < k && (p == 1 || before[i] < p * of_k);
        left.push_back(stays ? power[i] : 0);
    }
    const Tensor kept = tensor::from_vector(left, {V});
    return kept / tensor::sum(kept);
}

// With a table of sums.
std::int64_t by_sums(const Tensor& P, double u) {
    const Tensor sums = tensor::cumsum(P, 0);
    for (std::int64_t i = 0; i < P.dim(0); ++i) {
        if (sums(i) > u) return i;
    }
    std::int64_t i = P.dim(0) - 1;
    while (P(i) == 0) --i;
    return i;
}

}  // namespace

Trials sampling_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return sampling({[=](const Tensor& logits, double temperature, std::int64_t k, double p) {
                             return probabilities_walk(logits, {temperature, k, p}, slip);
                         },
                         [=](const Tensor& P, double u) { return choice_walk(P, u, slip); }});
    };
    trials.right["token by token"] = [] { return sampling({by_ranks, by_sums}); };
    trials.right["as the library does it"] = [] {
        return sampling({[](const Tensor& logits, double temperature, std::int64_t k, double p) {
                             return sampling_probabilities(
                                 logits, {.temperature = temperature, .top_k = k, .top_p = p});
                         },
                         by_sums});
    };
    return trials;
}

}  // namespace exercise
