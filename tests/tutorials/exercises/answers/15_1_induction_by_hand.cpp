// Answers to 15.1, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_15.h"

#include "nn/heed.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

using namespace heed;
using namespace exercise;

namespace {
Tensor eye(std::int64_t T) { return tensor::eye(T); }

// Row i is place i - back; zeros where there is none.
Tensor places_back(std::int64_t T, std::int64_t back) {
    Tensor Q = tensor::zeros({T, T});
    for (std::int64_t i = std::max<std::int64_t>(back, 0); i < T && i - back < T; ++i) {
        Q.writable_data()[i * T + i - back] = 1;
    }
    return Q;
}

QueriesKeys first(std::int64_t T) { return {30 * places_back(T, 1), eye(T)}; }

// A column for late places and for token 0.
Tensor preferences(std::int64_t T, double late, double rest) {
    std::vector<Scalar> column;
    for (std::int64_t j = 0; j < T; ++j) {
        column.push_back(static_cast<Scalar>(late * static_cast<double>(j) + (j == 0 ? rest : 0)));
    }
    return tensor::from_vector(column, {T, 1});
}

QueriesKeys weighed(const Tensor& tokens, const Tensor& previous, double match, double late,
                    double rest) {
    const std::int64_t T = tokens.dim(0);
    return {tensor::concatenate({match * tokens, tensor::ones({T, 1})}, 1),
            tensor::concatenate({previous, preferences(T, late, rest)}, 1)};
}

double length(const Tensor& tokens) { return static_cast<double>(tokens.dim(0)); }

QueriesKeys second(const Tensor& tokens, const Tensor& previous) {
    const double n = length(tokens);
    return weighed(tokens, previous, 60 * n, 30, 30 * n);
}

// First layers.
QueriesKeys asks_for_itself(std::int64_t T) { return {40 * eye(T), eye(T)}; }
QueriesKeys asks_for_the_next(std::int64_t T) { return {40 * places_back(T, -1), eye(T)}; }
QueriesKeys both_moved(std::int64_t T) { return {40 * places_back(T, 1), places_back(T, 1)}; }
QueriesKeys two_back(std::int64_t T) { return {40 * places_back(T, 2), eye(T)}; }
QueriesKeys times_5(std::int64_t T) { return {5 * places_back(T, 1), eye(T)}; }
QueriesKeys not_sharp(std::int64_t T) { return {places_back(T, 1), eye(T)}; }
QueriesKeys cut_at_64(std::int64_t T) {
    Tensor K = tensor::eye(T);
    for (std::int64_t j = 64; j < T; ++j) K.writable_data()[j * T + j] = 0;
    return {40 * places_back(T, 1), K};
}
QueriesKeys even_places_only(std::int64_t T) {
    Tensor Q = 40 * places_back(T, 1);
    for (std::int64_t i = 3; i < T; i += 2) Q.writable_data()[i * T + i - 1] = 0;
    return {Q, eye(T)};
}
QueriesKeys with_infinity(std::int64_t T) { return {infinity * places_back(T, 1), eye(T)}; }
QueriesKeys transposed(std::int64_t T) { return {tensor::ones({1, T}), eye(T)}; }
QueriesKeys falling_scores(std::int64_t T) {
    // The nearer the better, the token itself left out: by -40·|i - 1 - j| it would work.
    const Tensor j = tensor::unsqueeze(tensor::arange(static_cast<double>(T)), 1);
    return {tensor::ones({T, 1}), 40 * j};
}

// Second layers.
QueriesKeys of_the_lesson(const Tensor& tokens, const Tensor& previous) {
    return {40 * tokens, previous};
}
QueriesKeys lesson_with_rest(const Tensor& tokens, const Tensor& previous) {
    return weighed(tokens, previous, 80, 0, 40);
}
QueriesKeys match_of_1000(const Tensor& tokens, const Tensor& previous) {
    return weighed(tokens, previous, 1000, 20, 500);
}
QueriesKeys one_a_place(const Tensor& tokens, const Tensor& previous) {
    const double n = length(tokens);
    return weighed(tokens, previous, 20 * n, 1, 10 * n);
}
QueriesKeys no_rest(const Tensor& tokens, const Tensor& previous) {
    return weighed(tokens, previous, 60 * length(tokens), 30, 0);
}
QueriesKeys early_is_better(const Tensor& tokens, const Tensor& previous) {
    const double n = length(tokens);
    return weighed(tokens, previous, 90 * n, -30, 30 * n);
}
QueriesKeys rest_beats_match(const Tensor& tokens, const Tensor& previous) {
    const double n = length(tokens);
    return weighed(tokens, previous, 60 * n, 30, 100 * n);
}
QueriesKeys late_beats_match(const Tensor& tokens, const Tensor& previous) {
    return weighed(tokens, previous, 20, 30, 0);
}
QueriesKeys keys_are_tokens(const Tensor& tokens, const Tensor&) { return second(tokens, tokens); }
QueriesKeys swapped(const Tensor& tokens, const Tensor& previous) {
    return second(previous, tokens);
}
QueriesKeys one_more_before(const Tensor& tokens, const Tensor& previous) {
    const std::int64_t T = tokens.dim(0);
    const Tensor moved = tensor::concatenate(
        {tensor::slice(previous, 0, 0, 1), tensor::slice(previous, 0, 0, T - 1)}, 0);
    return second(tokens, moved);
}
QueriesKeys last_row_only(const Tensor& tokens, const Tensor& previous) {
    const std::int64_t T = tokens.dim(0);
    const QueriesKeys right = second(tokens, previous);
    Tensor Q = tensor::clone(right.Q);
    const std::int64_t d = Q.dim(1);
    for (std::int64_t entry = 0; entry < (T - 1) * d; ++entry) Q.writable_data()[entry] = 0;
    return {Q, right.K};
}
QueriesKeys at_most_32_kinds(const Tensor& tokens, const Tensor& previous) {
    const std::int64_t V = std::min<std::int64_t>(tokens.dim(1), 32);
    return second(tensor::slice(tokens, 1, 0, V), tensor::slice(previous, 1, 0, V));
}
QueriesKeys marks_previous(const Tensor& tokens, const Tensor& previous) {
    Tensor keys = previous;
    for (std::int64_t v = 0; v < keys.dim(1); ++v) keys.writable_data()[v] = 0;
    return second(tokens, keys);
}
QueriesKeys first_kind_is_the_beginning(const Tensor& tokens, const Tensor& previous) {
    // Rests where the token is of kind 0.
    const std::int64_t T = tokens.dim(0);
    const double n = length(tokens);
    const Tensor rest = 30 * n * tensor::slice(tokens, 1, 0, 1);
    return {tensor::concatenate({60 * n * tokens, tensor::ones({T, 1})}, 1),
            tensor::concatenate({previous, preferences(T, 30, 0) + rest}, 1)};
}
QueriesKeys itself_left_out(const Tensor& tokens, const Tensor& previous) {
    const std::int64_t T = tokens.dim(0);
    const double n = length(tokens);
    const QueriesKeys right = second(tokens, previous);
    return {tensor::concatenate({right.Q, -200 * n * eye(T)}, 1),
            tensor::concatenate({right.K, eye(T)}, 1)};
}

// Right ones.
QueriesKeys rest_by_the_query(const Tensor& tokens, const Tensor& previous) {
    // Every token asks for the beginning, too, which is the previous token of place 0 and of 1.
    const std::int64_t T = tokens.dim(0);
    const double n = length(tokens);
    const Tensor begins = tensor::slice(tokens, 0, 0, 1);  // [1, V]
    const Tensor Q = 100 * n * tokens + 50 * n * begins;
    Tensor column = tensor::clone(preferences(T, 30, 0));
    if (T > 1) column.writable_data()[1] -= static_cast<Scalar>(50 * n);
    column.writable_data()[0] += 60;
    // Place 1 follows the beginning: what is asked there by mistake is taken back.
    return {tensor::concatenate({Q, tensor::ones({T, 1})}, 1),
            tensor::concatenate({previous, column}, 1)};
}

QueriesKeys scores_as_they_are(const Tensor& tokens, const Tensor& previous) {
    const std::int64_t T = tokens.dim(0);
    const Tensor match = tensor::matmul(tokens, tensor::transpose(previous));  // [T, T]
    const Tensor j = tensor::reshape(preferences(T, 1, static_cast<double>(T)), {1, T});
    return {50 * (2 * length(tokens) * match + j), eye(T)};
}

QueriesKeys nearest_by_squares(std::int64_t T) {
    const Tensor i = tensor::unsqueeze(tensor::arange(static_cast<double>(T)), 1);
    const Tensor ones = tensor::ones({T, 1});
    return {tensor::concatenate({60 * (i - 1), -30 * ones}, 1), tensor::concatenate({i, i * i}, 1)};
}

// Tables of scores, and what a learner may look for in them.
using Score = std::function<double(std::int64_t, std::int64_t)>;

// A table of scores as queries, for one-hot keys.
QueriesKeys table(std::int64_t T, const Score& score) {
    std::vector<Scalar> all;
    for (std::int64_t i = 0; i < T; ++i) {
        for (std::int64_t j = 0; j < T; ++j) all.push_back(static_cast<Scalar>(score(i, j)));
    }
    return {tensor::from_vector(all, {T, T}), tensor::eye(T)};
}

// 0, 1, ... in a column, each times `factor`
Tensor places(std::int64_t T, double factor) {
    return tensor::unsqueeze(tensor::arange(static_cast<double>(T)), 1) * factor;
}

Tensor column(std::int64_t T, double value) { return tensor::full({T, 1}, value); }
// 1 in the row of place 0
Tensor only_first(std::int64_t T) { return tensor::slice(tensor::eye(T), 1, 0, 1); }

// The nearest place to i - 1 wins, by a score that is too flat.
QueriesKeys flat_parabola(std::int64_t T) {
    return table(T, [](std::int64_t i, std::int64_t j) {
        const double d = static_cast<double>(j - i + 1);
        return -5 * d * d;
    });
}

QueriesKeys never_itself(std::int64_t T) {
    return table(T, [](std::int64_t i, std::int64_t j) {
        return j == i ? -std::numeric_limits<double>::infinity() : j == i - 1 ? 40.0 : 0.0;
    });
}

// Angles: 1 turn in T places; neighbours are too close.
QueriesKeys on_a_circle(std::int64_t T) {
    const Tensor angle = places(T, 2 * 3.141592653589793 / static_cast<double>(T));
    const Tensor K = tensor::concatenate({tensor::cos(angle), tensor::sin(angle)}, 1);
    const Tensor before = angle - 2 * 3.141592653589793 / static_cast<double>(T);
    return {200 * tensor::concatenate({tensor::cos(before), tensor::sin(before)}, 1), K};
}

QueriesKeys first_made_for_all(std::int64_t T) {
    static const QueriesKeys made = first(T);
    return made;
}

QueriesKeys one_token_has_none(std::int64_t T) {
    if (T == 1) return {tensor::zeros({0, 1}), tensor::zeros({0, 1})};
    return first(T);
}

// Right in other ways.
QueriesKeys rolled(std::int64_t T) {
    const Tensor I = tensor::eye(T);
    const Tensor last = tensor::slice(I, 0, T - 1), others = tensor::slice(I, 0, 0, T - 1);
    return {100 * tensor::concatenate({last, others}, 0), I};
}

// The kind of each row.
Places kinds(const Tensor& rows) {
    const IndexTensor kind = tensor::argmax(rows, {-1});
    return Places(kind.data(), kind.data() + kind.numel());
}

struct Given {
    const Tensor &tokens, &previous;
    Places kind = kinds(tokens), before = kinds(previous);
    std::int64_t T() const { return tokens.dim(0); }
    std::int64_t V() const { return tokens.dim(1); }
};

QueriesKeys joined(const std::vector<Tensor>& Q, const std::vector<Tensor>& K) {
    return {tensor::concatenate(Q, 1), tensor::concatenate(K, 1)};
}

// A match counts `match`, each place `place`, place 0 `rest` besides.
QueriesKeys by_parts(const Given& in, double match, double place, double rest) {
    const std::int64_t T = in.T();
    const Tensor ones = column(T, 1);
    // The previous token of place 0 is none.
    const Tensor previous = in.previous * (1 - only_first(T));
    return joined({match * in.tokens, ones, ones},
                  {previous, places(T, place), rest * only_first(T)});
}

// The place that it shall look at, by a rule.
QueriesKeys looking(const Given& in, const std::function<std::int64_t(std::int64_t)>& place) {
    Places found;
    for (std::int64_t i = 0; i < in.T(); ++i) found.push_back(place(i));
    return table(in.T(), [&](std::int64_t i, std::int64_t j) {
        return j == found[static_cast<std::size_t>(i)] ? 40.0 : 0.0;
    });
}

std::int64_t last_match(const Given& in, std::int64_t i, std::int64_t from, std::int64_t to,
                        std::int64_t otherwise) {
    for (std::int64_t j = from; j >= to; --j) {
        if (in.before[static_cast<std::size_t>(j)] == in.kind[static_cast<std::size_t>(i)])
            return j;
    }
    return otherwise;
}

QueriesKeys place_beats_rest(const Given& in) { return by_parts(in, 40000, 40, 40); }

QueriesKeys places_nearly_apart(const Given& in) { return by_parts(in, 40000, 9, 20000); }

// The rest is as good as a match at place 0, without a place of its own.
QueriesKeys rest_is_a_match(const Given& in) {
    const std::int64_t T = in.T();
    return joined({40 * in.tokens, column(T, 40)}, {in.previous, only_first(T)});
}

QueriesKeys same_previous(const Given& in) {
    const std::int64_t T = in.T();
    return joined({40000 * in.previous, column(T, 1), column(T, 20000)},
                  {in.previous, places(T, 40), only_first(T)});
}

QueriesKeys rests_on_itself(const Given& in) {
    return looking(in, [&](std::int64_t i) { return last_match(in, i, i, 1, i); });
}

QueriesKeys rests_before(const Given& in) {
    return looking(in, [&](std::int64_t i) {
        return last_match(in, i, i, 1, std::max<std::int64_t>(0, i - 1));
    });
}

QueriesKeys rests_on_place_1(const Given& in) {
    return looking(
        in, [&](std::int64_t i) { return last_match(in, i, i, 1, std::min<std::int64_t>(i, 1)); });
}

QueriesKeys match_itself(const Given& in) {
    return looking(in, [&](std::int64_t i) {
        const std::int64_t j = last_match(in, i, i, 1, 0);
        return j == 0 ? 0 : j - 1;
    });
}

QueriesKeys one_further(const Given& in) {
    return looking(in, [&](std::int64_t i) {
        const std::int64_t j = last_match(in, i, i, 1, 0);
        return j == 0 ? 0 : std::min(j + 1, i);
    });
}

QueriesKeys hundred_back(const Given& in) {
    return looking(in, [&](std::int64_t i) {
        return last_match(in, i, i, std::max<std::int64_t>(1, i - 100), 0);
    });
}

QueriesKeys two_before_if_alike(const Given& in) {
    return looking(in, [&](std::int64_t i) {
        for (std::int64_t j = i; j >= 2; --j) {
            if (in.before[static_cast<std::size_t>(j)] == in.kind[static_cast<std::size_t>(i)] &&
                in.before[static_cast<std::size_t>(j - 1)] ==
                    in.before[static_cast<std::size_t>(i)])
                return j;
        }
        return last_match(in, i, i, 1, 0);
    });
}

QueriesKeys seen_to_the_end(const Given& in) {
    return looking(in, [&](std::int64_t i) { return last_match(in, i, in.T() - 1, 1, 0); });
}

QueriesKeys kinds_as_numbers(const Given& in) {
    const std::int64_t T = in.T(), V = in.V();
    const Tensor numbers = tensor::unsqueeze(tensor::arange(static_cast<double>(V)), 1);
    return joined({40000 * tensor::matmul(in.tokens, numbers), column(T, 1)},
                  {tensor::matmul(in.previous, numbers), places(T, 40)});
}

QueriesKeys V_places(const Given& in) {
    const std::int64_t T = in.T(), V = in.V();
    const Tensor order = tensor::unsqueeze(tensor::arange(static_cast<double>(V)), 1) * 40;
    Tensor p = T <= V ? tensor::slice(order, 0, 0, T) : places(T, 0);
    const Tensor previous = in.previous * (1 - only_first(T));
    return joined({40000 * in.tokens, column(T, 1), column(T, 20000)},
                  {previous, p, only_first(T)});
}

QueriesKeys remembers_by_shape(const Given& in) {
    static std::map<std::pair<std::int64_t, std::int64_t>, QueriesKeys> made;
    return made.try_emplace({in.T(), in.V()}, second(in.tokens, in.previous)).first->second;
}

// Later places are better by their share of the text, whatever its length.
QueriesKeys share_of_the_text(const Given& in) {
    const double T = static_cast<double>(in.T());
    return by_parts(in, 1000, 500 / T, 750);
}

QueriesKeys most_frequent(const Given& in) {
    return looking(in, [&](std::int64_t i) {
        std::map<std::int64_t, int> counts;
        std::int64_t best = 0;
        for (std::int64_t j = 1; j <= i; ++j) {
            if (in.before[static_cast<std::size_t>(j)] != in.kind[static_cast<std::size_t>(i)])
                continue;
            const int count = ++counts[in.kind[static_cast<std::size_t>(j)]];
            if (best == 0 || count >= counts[in.kind[static_cast<std::size_t>(best)]]) best = j;
        }
        return best;
    });
}

QueriesKeys over_the_top(const Given& in) { return by_parts(in, 1e308, 1e307, 1e308); }

QueriesKeys not_place_1(const Given& in) {
    return looking(in, [&](std::int64_t i) { return last_match(in, i, i, 2, 0); });
}

QueriesKeys match_by_place(const Given& in) {
    const std::int64_t T = in.T();
    // A later previous token is longer; place 0 has a match with all of half a step.
    const Tensor previous = in.previous * (1 - only_first(T)) * places(T, 1);
    return joined({60 * in.tokens, column(T, 30)}, {previous, only_first(T)});
}

// No match costs; place 0 costs less.
QueriesKeys by_costs(const Given& in) {
    const std::int64_t T = in.T();
    const Tensor others = (1 - in.previous) * (1 - only_first(T));
    return joined({in.tokens, column(T, 1), column(T, 1)},
                  {-1e6 * others, -5e5 * only_first(T), places(T, 100)});
}

QueriesKeys previous_from_tokens(const Given& in) {
    const std::int64_t T = in.T();
    const Tensor zeros = tensor::zeros({1, in.V()});
    const Tensor before = tensor::concatenate({zeros, tensor::slice(in.tokens, 0, 0, T - 1)}, 0);
    return joined({1e5 * in.tokens, column(T, 1), column(T, 5e4)},
                  {before, places(T, 50), only_first(T)});
}

QueriesKeys huge(const Given& in) { return by_parts(in, 1e300, 1e297, 5e299); }

template <QueriesKeys (*way)(const Given&)>
QueriesKeys of_given(const Tensor& tokens, const Tensor& previous) {
    return way({tokens, previous});
}

std::function<Exercise()> with(QueriesKeys (*a)(std::int64_t),
                               QueriesKeys (*b)(const Tensor&, const Tensor&)) {
    return [=] { return judge_15_1({a, b}); };
}

// Scores -40·(i - 1 - j)², written as a product of two numbers each.
QueriesKeys by_squares(std::int64_t T) {
    const Tensor i = tensor::unsqueeze(tensor::arange(static_cast<double>(T)), 1);  // [T, 1]
    const Tensor Q = tensor::concatenate({80 * (i - 1), tensor::full({T, 1}, -40)}, 1);
    return {Q, tensor::concatenate({i, i * i}, 1)};
}

// Queries at position i, keys as if each stood one later.
QueriesKeys by_sinusoids(std::int64_t T) {
    const SinusoidalPositions waves(64);
    return {1000 * waves.table(T), waves.table(T, 1)};
}

// Whatever matches is not punished; late places and token 0 are preferred a little.
QueriesKeys by_punishment(const Tensor& tokens, const Tensor& previous) {
    const std::int64_t T = tokens.dim(0);
    const double n = static_cast<double>(T);
    std::vector<Scalar> preferred;
    for (std::int64_t j = 0; j < T; ++j) preferred.push_back(static_cast<Scalar>(25 * j));
    preferred[0] = static_cast<Scalar>(25 * n);
    const Tensor column = tensor::from_vector(preferred, {T, 1});
    return {tensor::concatenate({(tokens - 1) * (100 * n), tensor::ones({T, 1})}, 1),
            tensor::concatenate({previous, column}, 1)};
}

// Each row asks for the place that was found for it by a search.
QueriesKeys by_search(const Tensor& tokens, const Tensor& previous) {
    const std::int64_t T = tokens.dim(0);
    const Tensor same = tensor::matmul(tokens, tensor::transpose(previous));  // [T, T]
    Tensor Q = tensor::zeros({T, T});
    for (std::int64_t i = 0; i < T; ++i) {
        std::int64_t j = i;
        while (j > 0 && same(i, j) == 0) --j;
        Q.writable_data()[i * T + j] = 1e5;
    }
    return {Q, tensor::eye(T)};
}

}  // namespace

Answers answers_15_1() {
    Answers answers;
    answers.number = "15.1";
    answers.slipping = slipping(judge_15_1);
    answers.wrong = {
        {"asks for itself", with(asks_for_itself, second), {"ind.first-itself"}},
        {"asks for the next", with(asks_for_the_next, second), {"ind.first-next"}},
        {"queries and keys moved", with(both_moved, second), {"ind.first-itself"}},
        {"two back", with(two_back, second), {"ind.first-two-back"}},
        {"times 5", with(times_5, second)},
        {"not multiplied", with(not_sharp, second), {"ind.first-soft"}},
        {"64 places", with(cut_at_64, second)},
        {"even places ask", with(even_places_only, second)},
        {"infinity times a one-hot row", with(with_infinity, second)},
        {"one query", with(transposed, second)},
        {"the latest wins", with(falling_scores, second), {"ind.first-itself"}},
        {"the second layer of the lesson",
         with(first, of_the_lesson),
         {"ind.all-alike", "ind.no-rest"}},
        {"that of the lesson, with a rest", with(first, lesson_with_rest), {"ind.all-alike"}},
        {"a match counts 1000 at any T", with(first, match_of_1000)},
        {"1 for each place", with(first, one_a_place)},
        {"no rest", with(first, no_rest), {"ind.rests-on-itself"}},
        {"early is better", with(first, early_is_better), {"ind.oldest"}},
        {"resting beats a match", with(first, rest_beats_match), {"ind.always-rests"}},
        {"late beats a match", with(first, late_beats_match), {"ind.itself"}},
        {"keys are tokens", with(first, keys_are_tokens), {"ind.itself"}},
        {"queries and keys exchanged", with(first, swapped), {"ind.roles-swapped"}},
        {"the token two before", with(first, one_more_before), {"ind.two-after"}},
        {"only the last token asks", with(first, last_row_only)},
        {"at most 32 kinds", with(first, at_most_32_kinds)},
        {"changes previous", with(first, marks_previous)},
        {"kind 0 is the beginning", with(first, first_kind_is_the_beginning)},
        {"j = i is left out", with(first, itself_left_out), {"ind.strictly-before"}},
        {"a flat parabola", with(flat_parabola, second)},
        {"never itself", with(never_itself, second)},
        {"on a circle", with(on_a_circle, second)},
        {"made for the first T", with(first_made_for_all, second)},
        {"nothing for one token", with(one_token_has_none, second)},
        {"places beat the rest", with(first, of_given<place_beats_rest>)},
        {"places nearly apart", with(first, of_given<places_nearly_apart>)},
        {"the rest counts as a match", with(first, of_given<rest_is_a_match>)},
        {"the same previous token", with(first, of_given<same_previous>)},
        {"rests on itself", with(first, of_given<rests_on_itself>), {"ind.rests-on-itself"}},
        {"rests on the place before", with(first, of_given<rests_before>)},
        {"rests on place 1", with(first, of_given<rests_on_place_1>), {"ind.rests-on-1"}},
        {"the match, not what followed", with(first, of_given<match_itself>), {"ind.copied"}},
        {"one place further", with(first, of_given<one_further>)},
        {"at most 100 places back", with(first, of_given<hundred_back>)},
        {"two tokens alike if possible", with(first, of_given<two_before_if_alike>)},
        {"the future looked at", with(first, of_given<seen_to_the_end>)},
        {"kinds as numbers", with(first, of_given<kinds_as_numbers>)},
        {"places only up to V", with(first, of_given<V_places>)},
        {"remembered by shape", with(first, of_given<remembers_by_shape>)},
        {"a place counts its share of the text", with(first, of_given<share_of_the_text>)},
        {"what followed most often", with(first, of_given<most_frequent>)},
        {"an overflow", with(first, of_given<over_the_top>)},
    };
    answers.right = {
        {"the scores themselves, and a row for each place", with(first, scores_as_they_are)},
        {"squares", with(nearest_by_squares, second)},
        {"a token asks for the beginning, too", with(first, rest_by_the_query)},
        {"round the end", with(rolled, second)},
        {"place 1, which only token 0 asks for, left out", with(first, of_given<not_place_1>)},
        {"previous tokens as long as their places", with(first, of_given<match_by_place>)},
        {"costs for what does not match", with(first, of_given<by_costs>)},
        {"the previous tokens from the tokens", with(first, of_given<previous_from_tokens>)},
        {"scores of 1e300", with(first, of_given<huge>)},
        {"squares of distances, and a punishment for what does not match",
         with(by_squares, by_punishment)},
        {"sinusoids, and a search", with(by_sinusoids, by_search)},
    };
    return answers;
}
