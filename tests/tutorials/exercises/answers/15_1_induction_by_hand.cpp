// Answers to 15.1, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/15_1_induction_by_hand.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include "heed/tensor/factories.h"
#include "heed/tensor/ops.h"

#include <algorithm>

using namespace heed;
using namespace exercise;

namespace exercise {
Answers answers_15_1();
}

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

std::function<Exercise()> with(QueriesKeys (*a)(std::int64_t),
                               QueriesKeys (*b)(const Tensor&, const Tensor&)) {
    return [=] { return induction_by_hand({a, b}); };
}

}  // namespace

Answers exercise::answers_15_1() {
    Answers answers;
    answers.number = "15.1";
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
    };
    answers.right = {
        {"the scores themselves, and a row for each place", with(first, scores_as_they_are)},
        {"squares", with(nearest_by_squares, second)},
        {"a token asks for the beginning, too", with(first, rest_by_the_query)},
    };
    return answers;
}
