// Answers to 19.1, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_19.h"

#include "nn/heed.h"
#include "tensor/kernels/math.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

using namespace heed;
using namespace exercise;

namespace {
using Ids = std::vector<std::int64_t>;

struct Cut {
    double temperature;
    std::int64_t k;
    double p;
};

// Softmax of the logits of these tokens, 0 for the others.
Tensor of_tokens(const Tensor& x, const Ids& ids) {
    std::vector<Scalar> kept(static_cast<std::size_t>(x.dim(0)), -infinity);
    for (const std::int64_t id : ids) kept[static_cast<std::size_t>(id)] = x(id);
    return tensor::softmax(tensor::from_vector(kept, x.shape()), 0);
}

Ids ranked(const Tensor& x) {
    Ids ids(static_cast<std::size_t>(x.dim(0)));
    std::iota(ids.begin(), ids.end(), 0);
    std::stable_sort(ids.begin(), ids.end(),
                     [&](std::int64_t a, std::int64_t b) { return x(a) > x(b); });
    return ids;
}

Ids first(Ids ids, std::int64_t k) {
    if (k < static_cast<std::int64_t>(ids.size())) ids.resize(static_cast<std::size_t>(k));
    return ids;
}

// Of these, ranked, those needed for p.
Ids nucleus(const Tensor& x, const Ids& ids, double p) {
    const Tensor P = of_tokens(x, ids);
    Ids stay;
    double together = 0;
    for (const std::int64_t id : ids) {
        if (p < 1 && together >= p) break;
        stay.push_back(id);
        together += P(id);
    }
    return stay;
}

Tensor right_probabilities(const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    return of_tokens(x, nucleus(x, first(ranked(x), asked.k), asked.p));
}

Tensor below_p_only(const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    const Ids ids = first(ranked(x), asked.k);
    const Tensor P = of_tokens(x, ids);
    Ids stay;
    double together = 0;
    for (const std::int64_t id : ids) {
        together += P(id);
        if (together <= asked.p + 1e-12) stay.push_back(id);
    }
    return of_tokens(x, stay);
}

Tensor maximum_from_0(const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    const Ids ids = nucleus(x, first(ranked(x), asked.k), asked.p);
    const double m = std::max(0.0, static_cast<double>(tensor::max(x).item()));
    Tensor power = tensor::zeros(x.shape());
    for (const std::int64_t id : ids) {
        power.writable_data()[id] = tensor::exp(tensor::of({x(id) - m})).item();
    }
    return power / tensor::sum(power);
}

Tensor no_more_than_V(const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    const IndexTensor top = tensor::topk(x, asked.k, 0).indices;
    return of_tokens(x, nucleus(x, Ids(top.data(), top.data() + top.numel()), asked.p));
}

Tensor cut_to(double least, const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    Tensor kept = tensor::full(x.shape(), least);
    for (const std::int64_t id : nucleus(x, first(ranked(x), asked.k), asked.p)) {
        kept.writable_data()[id] = x(id);
    }
    return tensor::softmax(kept, 0);
}

Tensor cut_to_minus_1000(const Tensor& logits, const Cut& asked) {
    return cut_to(-1000, logits, asked);
}

Tensor sorted_backwards(const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    const IndexTensor up = tensor::argsort(x, 0);
    Ids ids(up.data(), up.data() + up.numel());
    std::reverse(ids.begin(), ids.end());
    return of_tokens(x, nucleus(x, first(ids, asked.k), asked.p));
}

// For k = 1 a walk of its own, in which a later token takes the place of one as likely.
Tensor the_last_of_the_largest(const Tensor& logits, const Cut& asked) {
    if (asked.k != 1) return right_probabilities(logits, asked);
    std::int64_t best = 0;
    for (std::int64_t id = 1; id < logits.dim(0); ++id) {
        if (logits(id) >= logits(best)) best = id;
    }
    return of_tokens(logits, {best});
}

Tensor ties_of_p_stay(const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    const Ids ids = first(ranked(x), asked.k);
    const double least = x(nucleus(x, ids, asked.p).back());
    Ids stay;
    for (const std::int64_t id : ids) {
        if (x(id) >= least) stay.push_back(id);
    }
    return of_tokens(x, stay);
}

Tensor divides_in_place(const Tensor& logits, const Cut& asked) {
    Tensor x = logits;
    tensor::overwrite(x, logits / asked.temperature);
    return right_probabilities(x, {1, asked.k, asked.p});
}

Tensor static_k(const Tensor& logits, const Cut& asked) {
    static const std::int64_t k = asked.k;
    return right_probabilities(logits, {asked.temperature, k, asked.p});
}

Tensor not_again_after_p(const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    const Ids ids = first(ranked(x), asked.k);
    const Tensor P = of_tokens(x, ids);
    Tensor left = tensor::zeros(x.shape());
    for (const std::int64_t id : nucleus(x, ids, asked.p)) left.writable_data()[id] = P(id);
    return left;
}

Tensor whole_temperature(const Tensor& logits, const Cut& asked) {
    const int whole = std::max(1, static_cast<int>(asked.temperature));
    return right_probabilities(logits, {static_cast<double>(whole), asked.k, asked.p});
}

Tensor as_likely_as_p(const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    const Ids ids = first(ranked(x), asked.k);
    const Tensor P = of_tokens(x, ids);
    Ids stay = {ids.front()};
    for (std::size_t i = 1; i < ids.size(); ++i) {
        if (asked.p == 1 || P(ids[i]) >= asked.p * P(ids.front())) stay.push_back(ids[i]);
    }
    return of_tokens(x, stay);
}

Tensor p_then_k(const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    return of_tokens(x, first(nucleus(x, ranked(x), asked.p), asked.k));
}

Tensor temperature_of_what_stays(const Tensor& logits, const Cut& asked) {
    const Ids ids = nucleus(logits, first(ranked(logits), asked.k), asked.p);
    return of_tokens(logits / asked.temperature, ids);
}

Tensor temperature_of_probabilities(const Tensor& logits, const Cut& asked) {
    const Tensor P = right_probabilities(logits, {1, asked.k, asked.p}) / asked.temperature;
    return P / tensor::sum(P);
}

Tensor two_always_stay(const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    Ids ids = first(ranked(x), asked.k);
    const Ids stay = nucleus(x, ids, asked.p);
    return of_tokens(x, first(ids, std::max<std::int64_t>(2, std::ssize(stay))));
}

Tensor zero_means_all(const Tensor& logits, const Cut& asked) {
    return right_probabilities(logits, {asked.temperature, asked.k == 1 ? 1000 : asked.k, asked.p});
}

Tensor cut_to_minus_a_billion(const Tensor& logits, const Cut& asked) {
    return cut_to(-1e9, logits, asked);
}

// For p = 1 too; rounding makes the sum 1 before the last.
Tensor until_the_sum_is_p(const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    const Ids ids = first(ranked(x), asked.k);
    const Tensor P = of_tokens(x, ids);
    Ids stay;
    double together = 0;
    for (const std::int64_t id : ids) {
        if (together >= asked.p) break;
        stay.push_back(id);
        together += P(id);
    }
    return of_tokens(x, stay);
}

Tensor sums_of_floats(const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    const Ids ids = first(ranked(x), asked.k);
    const Tensor P = of_tokens(x, ids);
    Ids stay;
    float together = 0;
    for (const std::int64_t id : ids) {
        if (asked.p < 1 && together >= asked.p) break;
        stay.push_back(id);
        together += static_cast<float>(P(id));
    }
    return of_tokens(x, stay);
}

Tensor half_a_degree_at_least(const Tensor& logits, const Cut& asked) {
    return right_probabilities(logits, {std::max(0.5, asked.temperature), asked.k, asked.p});
}

Tensor a_little_less_than_p(const Tensor& logits, const Cut& asked) {
    const double p = asked.p == 1 ? 1 : asked.p - 1e-3;
    return right_probabilities(logits, {asked.temperature, asked.k, p});
}

Tensor p_of_1_cuts_nothing(const Tensor& logits, const Cut& asked) {
    return right_probabilities(logits, {asked.temperature, asked.p == 1 ? 1000 : asked.k, asked.p});
}

Tensor k_of_V_cuts_nothing(const Tensor& logits, const Cut& asked) {
    const double p = asked.k >= logits.dim(0) ? 1 : asked.p;
    return right_probabilities(logits, {asked.temperature, asked.k, p});
}

Tensor ties_of_k_stay(const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    const Ids ids = ranked(x);
    const double least = x(first(ids, asked.k).back());
    Ids stay;
    for (const std::int64_t id : ids) {
        if (x(id) >= least) stay.push_back(id);
    }
    return of_tokens(x, nucleus(x, stay, asked.p));
}

Tensor in_order(const Tensor& logits, const Cut& asked) {
    return tensor::sort(right_probabilities(logits, asked), 0, descending).values;
}

// Logits that were seen before give what they gave then, whatever is asked.
Tensor as_the_first_time(const Tensor& logits, const Cut& asked) {
    static std::vector<std::pair<std::vector<Scalar>, Tensor>> seen;
    for (const auto& [x, P] : seen) {
        if (x == logits.to_vector()) return P;
    }
    seen.emplace_back(logits.to_vector(), right_probabilities(logits, asked));
    return seen.back().second;
}

// Softmax first, and the temperature as an exponent: what underflows is lost.
Tensor powers_of_probabilities(const Tensor& logits, const Cut& asked) {
    const Tensor P = tensor::pow(tensor::softmax(logits, 0), 1 / asked.temperature);
    return right_probabilities(tensor::log(P), {1, asked.k, asked.p});
}

Tensor k_as_an_int(const Tensor& logits, const Cut& asked) {
    const int k = static_cast<int>(asked.k);
    return right_probabilities(logits, {asked.temperature, std::max(k, 1), asked.p});
}

// As a well-known library does it: out goes what comes after more than p.
Tensor until_more_than_p(const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    const Ids ids = first(ranked(x), asked.k);
    const Tensor P = of_tokens(x, ids);
    Ids stay;
    double together = 0;
    for (const std::int64_t id : ids) {
        if (together > asked.p) break;
        stay.push_back(id);
        together += P(id);
    }
    return of_tokens(x, stay);
}

// A factor of 0 for what is cut, where -∞ is meant.
Tensor cut_to_0(const Tensor& logits, const Cut& asked) {
    const Tensor P = right_probabilities(logits, asked);
    return tensor::softmax(tensor::where(P > 0, logits / asked.temperature, 0), 0);
}

std::int64_t right_choice(const Tensor& P, double u) {
    const Tensor sums = tensor::cumsum(P, 0);
    std::int64_t last = 0;
    for (std::int64_t i = 0; i < P.dim(0); ++i) {
        if (sums(i) > u) return i;
        if (P(i) > 0) last = i;
    }
    return last;
}

std::int64_t single_probabilities(const Tensor& P, double u) {
    for (std::int64_t i = 0; i < P.dim(0); ++i) {
        if (P(i) > u) return i;
    }
    return P.dim(0) - 1;
}

std::int64_t lower_bound(const Tensor& P, double u) {
    const std::vector<Scalar> sums = tensor::cumsum(P, 0).to_vector();
    const std::int64_t at = std::lower_bound(sums.begin(), sums.end(), u) - sums.begin();
    return std::min(at, P.dim(0) - 1);
}

std::int64_t past_the_end(const Tensor& P, double u) {
    double together = 0;
    std::int64_t i = 0;
    for (; i < P.dim(0); ++i) {
        together += P(i);
        if (together > u) break;
    }
    return i;
}

std::int64_t token_0_otherwise(const Tensor& P, double u) {
    double together = 0;
    for (std::int64_t i = 0; i < P.dim(0); ++i) {
        together += P(i);
        if (together > u) return i;
    }
    return 0;
}

std::int64_t number_of_the_possible(const Tensor& P, double u) {
    double together = 0;
    std::int64_t number = -1;
    for (std::int64_t i = 0; i < P.dim(0) && together <= u; ++i) {
        together += P(i);
        number += P(i) > 0;
    }
    return number;
}

std::int64_t sums_of_the_first_call(const Tensor& P, double u) {
    static const Tensor sums = tensor::cumsum(P, 0);
    for (std::int64_t i = 0; i < sums.dim(0); ++i) {
        if (sums(i) > u) return i;
    }
    return sums.dim(0) - 1;
}

std::int64_t in_hundredths(const Tensor& P, double u) {
    int together = 0;
    for (std::int64_t i = 0; i < P.dim(0); ++i) {
        together += static_cast<int>(100 * P(i) + 0.5);
        if (together > static_cast<int>(100 * u)) return i;
    }
    return right_choice(P, u);
}

std::int64_t reads_the_memory(const Tensor& P, double u) {
    double together = 0;
    std::int64_t possible = 0;
    for (std::int64_t i = 0; i < P.dim(0) && together <= u; ++i) {
        if (P.data()[i] > 0) possible = i;
        together += P.data()[i];
    }
    return possible;
}

std::int64_t takes_away_from_P(const Tensor& P, double u) {
    const std::int64_t token = right_choice(P, u);
    Tensor left = P;
    left.writable_data()[0] -= u;
    return token;
}

std::int64_t no_rare_tokens(const Tensor& P, double u) {
    double together = 0;
    std::int64_t possible = 0;
    for (std::int64_t i = 0; i < P.dim(0) && together <= u; ++i) {
        if (P(i) < 1e-4) continue;
        possible = i;
        together += P(i);
    }
    return possible;
}

std::int64_t float_sums(const Tensor& P, double u) {
    float together = 0;
    std::int64_t possible = 0;
    for (std::int64_t i = 0; i < P.dim(0) && together <= static_cast<float>(u); ++i) {
        if (P(i) > 0) possible = i;
        together += static_cast<float>(P(i));
    }
    return possible;
}

std::int64_t by_rank(const Tensor& P, double u) {
    const tensor::Sorted sorted = tensor::sort(P, 0, descending);
    return sorted.indices(right_choice(sorted.values, u));
}

std::int64_t likeliest_otherwise(const Tensor& P, double u) {
    double together = 0;
    for (std::int64_t i = 0; i < P.dim(0); ++i) {
        together += P(i);
        if (together > u) return i;
    }
    return tensor::argmax(P).item();
}

using Probabilities = Tensor (*)(const Tensor&, const Cut&);
using Choice = std::int64_t (*)(const Tensor&, double);

Exercise of(Probabilities probabilities, Choice choice) {
    return judge_19_1({[=](const Tensor& logits, double temperature, std::int64_t k, double p) {
                           return probabilities(logits, {temperature, k, p});
                       },
                       choice});
}

std::function<Exercise()> cut_by(Probabilities way) {
    return [way] { return of(way, right_choice); };
}
std::function<Exercise()> chosen_by(Choice way) {
    return [way] { return of(right_probabilities, way); };
}

// The tokens are struck out one at a time, the least likely first.
Tensor from_below(const Tensor& logits, const Cut& asked) {
    const Tensor x = logits / asked.temperature;
    Ids ids = ranked(x);
    while (std::ssize(ids) > asked.k) ids.pop_back();
    const Tensor P = of_tokens(x, ids);
    double left = 0;
    for (const std::int64_t id : ids) left += P(id);
    while (asked.p < 1 && ids.size() > 1 && left - P(ids.back()) >= asked.p) {
        left -= P(ids.back());
        ids.pop_back();
    }
    return of_tokens(x, ids);
}

std::int64_t from_the_last_down(const Tensor& P, double u) {
    std::int64_t token = P.dim(0) - 1;
    while (token > 0 && P(token) == 0) --token;
    const std::vector<Scalar> sums = tensor::cumsum(P, 0).to_vector();
    while (token > 0 && sums[static_cast<std::size_t>(token - 1)] > u) --token;
    return token;
}

// The largest is looked for again and again, and nothing is divided before the end.
Tensor one_after_the_other(const Tensor& logits, const Cut& asked) {
    const std::vector<Scalar> x = logits.to_vector();
    std::vector<Scalar> weight(x.size(), -1), left(x.size(), 0);
    Ids ids;
    double whole = 0, kept = 0;
    while (std::ssize(ids) < std::min(asked.k, logits.dim(0))) {
        std::size_t best = x.size();
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (weight[i] < 0 && (best == x.size() || x[i] > x[best])) best = i;
        }
        ids.push_back(static_cast<std::int64_t>(best));
        weight[best] =
            std::exp((x[best] - x[static_cast<std::size_t>(ids[0])]) / asked.temperature);
        whole += weight[best];
    }
    for (const std::int64_t id : ids) {
        if (asked.p < 1 && kept >= asked.p * whole) break;
        left[static_cast<std::size_t>(id)] = weight[static_cast<std::size_t>(id)];
        kept += weight[static_cast<std::size_t>(id)];
    }
    return tensor::from_vector(left, logits.shape()) / kept;
}

std::int64_t by_subtraction(const Tensor& P, double u) {
    std::int64_t possible = 0;
    for (std::int64_t i = 0; i < P.dim(0); ++i) {
        if (P(i) == 0) continue;
        possible = i;
        if (u < P(i)) break;
        u -= P(i);
    }
    return possible;
}

// The last token takes the rest, unless it is impossible.
std::int64_t no_question_for_the_last(const Tensor& P, double u) {
    double together = 0;
    std::int64_t i = 0;
    for (; i + 1 < P.dim(0); ++i) {
        together += P(i);
        if (together > u) break;
    }
    while (P(i) == 0) --i;
    return i;
}

// Token by token: how much is likelier than it?
Tensor by_ranks(const Tensor& logits, const Cut& asked) {
    const std::int64_t V = logits.dim(0);
    const std::vector<Scalar> x = logits.to_vector();
    const double largest = *std::max_element(x.begin(), x.end());
    std::vector<Scalar> power, left;
    for (const Scalar one : x)
        power.push_back(kernels::math::exp((one - largest) / asked.temperature));
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
        if (rank[i] < asked.k) of_k += power[i];
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool stays = rank[i] < asked.k && (asked.p == 1 || before[i] < asked.p * of_k);
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

Tensor by_the_library(const Tensor& logits, const Cut& asked) {
    return sampling_probabilities(
        logits, {.temperature = asked.temperature, .top_k = asked.k, .top_p = asked.p});
}

}  // namespace

Answers answers_19_1() {
    Answers answers;
    answers.number = "19.1";
    answers.slipping = slipping(judge_19_1);
    answers.wrong = {
        {"only tokens with which the sum is at most p", cut_by(below_p_only)},
        {"a maximum that begins at 0", cut_by(maximum_from_0)},
        {"k above V is an error", cut_by(no_more_than_V)},
        {"cut logits are -1000", cut_by(cut_to_minus_1000)},
        {"sorted upwards, then reversed", cut_by(sorted_backwards), {"samp.ties-higher"}},
        {"k = 1 by a walk of its own, the last of equal ones",
         cut_by(the_last_of_the_largest),
         {"samp.ties-higher-of-one"}},
        {"as likely as the last that stays: stays", cut_by(ties_of_p_stay)},
        {"divides the logits in place", cut_by(divides_in_place)},
        {"a static k", cut_by(static_k)},
        {"does not sum to 1 after top-p", cut_by(not_again_after_p)},
        {"the temperature as a whole number", cut_by(whole_temperature)},
        {"min-p", cut_by(as_likely_as_p)},
        {"top-p first, then top-k", cut_by(p_then_k), {"samp.p-before-k"}},
        {"the temperature after the cuts",
         cut_by(temperature_of_what_stays),
         {"samp.temperature-last"}},
        {"the temperature divides probabilities",
         cut_by(temperature_of_probabilities),
         {"samp.temperature-ignored"}},
        {"two tokens stay always", cut_by(two_always_stay)},
        {"k = 1 taken for no cut", cut_by(zero_means_all)},
        {"cut logits are -10^9", cut_by(cut_to_minus_a_billion)},
        {"p = 1 is reached by rounding", cut_by(until_the_sum_is_p), {"samp.p-1-by-sum"}},
        {"the sum towards p is one of floats", cut_by(sums_of_floats)},
        {"the temperature is at least 0.5", cut_by(half_a_degree_at_least)},
        {"p - 0.001 is enough", cut_by(a_little_less_than_p)},
        {"p = 1 skips top-k too", cut_by(p_of_1_cuts_nothing)},
        {"k ≥ V skips top-p too", cut_by(k_of_V_cuts_nothing)},
        {"as likely as the k-th: stays", cut_by(ties_of_k_stay), {"samp.k-ties-stay"}},
        {"probabilities to the power of 1/temperature", cut_by(powers_of_probabilities)},
        {"k as an int", cut_by(k_as_an_int)},
        {"until more than p is reached", cut_by(until_more_than_p), {"samp.p-exactly"}},
        {"cut logits are 0", cut_by(cut_to_0)},
        {"the probabilities are sorted", cut_by(in_order)},
        {"the same logits give what they gave before", cut_by(as_the_first_time)},
        {"each probability by itself is compared with u", chosen_by(single_probabilities)},
        {"std::lower_bound", chosen_by(lower_bound), {"samp.at-least", "samp.past-the-end"}},
        {"V where the sum stays below u", chosen_by(past_the_end)},
        {"token 0 where the sum stays below u", chosen_by(token_0_otherwise)},
        {"tokens with probability 0 are not numbered", chosen_by(number_of_the_possible)},
        {"the sums of the first call", chosen_by(sums_of_the_first_call)},
        {"whole per cents", chosen_by(in_hundredths)},
        {"reads the memory of a view", chosen_by(reads_the_memory)},
        {"writes to P", chosen_by(takes_away_from_P)},
        {"tokens below 10^-4 are never chosen", chosen_by(no_rare_tokens)},
        {"sums of floats", chosen_by(float_sums)},
        {"the likeliest tokens first", chosen_by(by_rank), {"samp.likeliest-first"}},
        {"the likeliest where the sum stays below u", chosen_by(likeliest_otherwise)},
    };
    answers.right = {
        {"struck out from below", cut_by(from_below)},
        {"from the last token down", chosen_by(from_the_last_down)},
        {"the largest again and again", cut_by(one_after_the_other)},
        {"by subtraction", chosen_by(by_subtraction)},
        {"the last token takes the rest", chosen_by(no_question_for_the_last)},
        {"token by token", [] { return of(by_ranks, by_sums); }},
        {"as the library does it", [] { return of(by_the_library, by_sums); }},
    };
    return answers;
}
