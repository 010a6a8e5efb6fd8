// Answers to 11.1, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_11.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

using namespace heed;
using namespace exercise;

namespace {
// A table of scores as queries, for one-hot keys.
Tensor table(std::int64_t rows, std::int64_t columns,
             const std::function<double(std::int64_t, std::int64_t)>& score) {
    std::vector<Scalar> all;
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) all.push_back(static_cast<Scalar>(score(i, j)));
    }
    return tensor::from_vector(all, {rows, columns});
}

QueriesKeys of_places(std::int64_t T, double (*score)(std::int64_t, std::int64_t)) {
    return {table(T, T, score), tensor::eye(T)};
}

QueriesKeys first(std::int64_t T) {
    return of_places(T, [](std::int64_t, std::int64_t j) { return j == 0 ? 30.0 : 0.0; });
}
QueriesKeys previous(std::int64_t T) {
    return of_places(T, [](std::int64_t i, std::int64_t j) { return j == i - 1 ? 30.0 : 0.0; });
}
QueriesKeys same(const IndexTensor& ids, std::int64_t V) {
    const Tensor tokens = tensor::one_hot(ids, V);
    return {30 * tokens, tokens};
}
QueriesKeys sorted(const IndexTensor& ids, std::int64_t V) {
    const Tensor scores = table(V, V, [=](std::int64_t v, std::int64_t u) {
        return -30.0 * static_cast<double>(u >= v ? u - v : V + v - u);
    });
    return {scores, tensor::one_hot(ids, V)};
}

// First token.
QueriesKeys all_the_same(std::int64_t T) { return {tensor::ones({T, T}), tensor::ones({T, T})}; }
QueriesKeys first_soft(std::int64_t T) {
    return of_places(T, [](std::int64_t, std::int64_t j) { return j == 0 ? 8.0 : 0.0; });
}
QueriesKeys first_column(std::int64_t T) {
    return of_places(T, [](std::int64_t i, std::int64_t) { return i == 0 ? 30.0 : 0.0; });
}
QueriesKeys first_up_to_64(std::int64_t T) {
    return of_places(T,
                     [](std::int64_t i, std::int64_t j) { return j == 0 && i < 64 ? 30.0 : 0.0; });
}
QueriesKeys one_row(std::int64_t T) {
    return {30 * tensor::slice(tensor::eye(T), 0, 0, 1), tensor::eye(T)};
}
QueriesKeys earlier_is_better(std::int64_t T) {
    return of_places(T, [](std::int64_t, std::int64_t j) { return -static_cast<double>(j); });
}
QueriesKeys first_by_14(std::int64_t T) {
    return of_places(T, [](std::int64_t, std::int64_t j) { return j == 0 ? 14.0 : 0.0; });
}
QueriesKeys first_by_1(std::int64_t T) {
    return of_places(T, [](std::int64_t, std::int64_t j) { return j == 0 ? 1.0 : 0.0; });
}
QueriesKeys the_first_itself_looks_everywhere(std::int64_t T) {
    return of_places(T,
                     [](std::int64_t i, std::int64_t j) { return j == 0 && i > 0 ? 30.0 : 0.0; });
}
QueriesKeys the_last(std::int64_t T) {
    return {tensor::ones({T, 1}), table(T, 1, [](std::int64_t j, std::int64_t) {
                return 30.0 * static_cast<double>(j);
            })};
}
QueriesKeys keys_of_two_features(std::int64_t T) {
    return {tensor::ones({T, 1}), tensor::concatenate({first(T).K, first(T).K}, 1)};
}
QueriesKeys infinity_times_zero(std::int64_t T) {
    return {tensor::eye(T),
            table(T, T, [](std::int64_t j, std::int64_t) { return j == 0 ? 0.0 : -HUGE_VAL; })};
}

// Previous token.
QueriesKeys next(std::int64_t T) {
    return of_places(T, [](std::int64_t i, std::int64_t j) { return j == i + 1 ? 30.0 : 0.0; });
}
QueriesKeys all_before(std::int64_t T) {
    return of_places(T, [](std::int64_t i, std::int64_t j) { return j < i ? 30.0 : 0.0; });
}
QueriesKeys zero_at_zero(std::int64_t T) {
    return of_places(T, [](std::int64_t i, std::int64_t j) {
        return j == std::max<std::int64_t>(i - 1, 0) ? 30.0 : 0.0;
    });
}
QueriesKeys by_distance(std::int64_t T) {
    return of_places(T, [](std::int64_t i, std::int64_t j) {
        return -30.0 * static_cast<double>(std::abs(i - 1 - j));
    });
}
QueriesKeys round_the_end(std::int64_t T) {
    Tensor Q = tensor::zeros({T, T});
    for (std::int64_t i = 0; i < T; ++i) Q.writable_data()[i * T + (i + T - 1) % T] = 30;
    return {Q, tensor::eye(T)};
}
QueriesKeys both_moved(std::int64_t T) { return {previous(T).Q, previous(T).Q}; }
QueriesKeys previous_by_14(std::int64_t T) {
    return of_places(T, [](std::int64_t i, std::int64_t j) { return j == i - 1 ? 14.0 : 0.0; });
}
QueriesKeys up_to_128_features(std::int64_t T) {
    const auto hot = [](std::int64_t at) {
        return [at](std::int64_t i, std::int64_t k) { return k == i - at ? 30.0 : 0.0; };
    };
    return {table(T, 128, hot(1)), table(T, 128, hot(0))};
}
QueriesKeys the_first_leaves_itself_out(std::int64_t T) {
    QueriesKeys head = previous(T);
    if (T > 1) head.Q.writable_data()[0] = -30;
    return head;
}
QueriesKeys keys_moved_round(std::int64_t T) {
    const Tensor places = tensor::eye(T);
    return {30 * places,
            tensor::concatenate({tensor::slice(places, 0, 1), tensor::slice(places, 0, 0, 1)}, 0)};
}
// Places on a circle of 256, where neighbours are close to each other.
Tensor on_a_circle(std::int64_t T, std::int64_t back, double radius) {
    return table(T, 2, [=](std::int64_t i, std::int64_t k) {
        const double angle = 6.283185307179586 / 256 * static_cast<double>(i - back);
        return radius * (k == 0 ? std::cos(angle) : std::sin(angle));
    });
}
QueriesKeys blunt_circle(std::int64_t T) {
    Tensor Q = on_a_circle(T, 1, 1e4);
    Q.writable_data()[0] = Q.writable_data()[1] = 0;
    return {Q, on_a_circle(T, 0, 1)};
}
QueriesKeys sharp_circle(std::int64_t T) {
    Tensor Q = on_a_circle(T, 1, 1e7);
    Q.writable_data()[0] = Q.writable_data()[1] = 0;
    return {Q, on_a_circle(T, 0, 1)};
}

// Same token.
QueriesKeys ids_as_numbers(const IndexTensor& ids, std::int64_t) {
    const Tensor column = table(
        ids.dim(0), 1, [&](std::int64_t i, std::int64_t) { return static_cast<double>(ids(i)); });
    return {30 * column, column};
}
QueriesKeys not_multiplied(const IndexTensor& ids, std::int64_t V) {
    return {tensor::one_hot(ids, V), tensor::one_hot(ids, V)};
}
QueriesKeys its_place(const IndexTensor& ids, std::int64_t) {
    return {30 * tensor::eye(ids.dim(0)), tensor::eye(ids.dim(0))};
}
QueriesKeys first_five_kinds(const IndexTensor& ids, std::int64_t V) {
    const Tensor tokens = tensor::slice(tensor::one_hot(ids, V), 1, 0, 5);
    return {30 * tokens, tokens};
}
QueriesKeys itself_preferred(const IndexTensor& ids, std::int64_t V) {
    const Tensor both = tensor::concatenate({tensor::one_hot(ids, V), tensor::eye(ids.dim(0))}, 1);
    return {30 * both, both};
}
QueriesKeys other_kinds(const IndexTensor& ids, std::int64_t V) {
    return {-30 * tensor::one_hot(ids, V), tensor::one_hot(ids, V)};
}
QueriesKeys same_by(const IndexTensor& ids, std::int64_t V, double factor) {
    return {factor * tensor::one_hot(ids, V), tensor::one_hot(ids, V)};
}
QueriesKeys same_by_12(const IndexTensor& ids, std::int64_t V) { return same_by(ids, V, 12); }
QueriesKeys same_by_14(const IndexTensor& ids, std::int64_t V) { return same_by(ids, V, 14.2); }
QueriesKeys kind_0_has_no_feature(const IndexTensor& ids, std::int64_t V) {
    const Tensor tokens = tensor::slice(tensor::one_hot(ids, V + 1), 1, 1);
    return {30 * tokens, tokens};
}
// The binary digits of each kind, 0 as `zero`.
QueriesKeys by_digits(const IndexTensor& ids, std::int64_t digits, double zero) {
    const Tensor bits = table(ids.dim(0), digits, [&](std::int64_t i, std::int64_t k) {
        return ((ids(i) >> k) & 1) != 0 ? 1.0 : zero;
    });
    return {30 * bits, bits};
}
QueriesKeys common_digits(const IndexTensor& ids, std::int64_t) { return by_digits(ids, 8, 0); }
QueriesKeys seven_digits(const IndexTensor& ids, std::int64_t) { return by_digits(ids, 7, -1); }
QueriesKeys eight_digits(const IndexTensor& ids, std::int64_t) { return by_digits(ids, 8, -1); }
QueriesKeys kinds_on_a_circle(const IndexTensor& ids, std::int64_t V) {
    const Tensor points = table(ids.dim(0), 2, [&](std::int64_t i, std::int64_t k) {
        const double angle =
            6.283185307179586 * static_cast<double>(ids(i)) / static_cast<double>(V);
        return k == 0 ? std::cos(angle) : std::sin(angle);
    });
    return {1000 * points, points};
}
QueriesKeys others_alone(const IndexTensor& ids, std::int64_t) {
    const std::int64_t T = ids.dim(0);
    const Tensor scores = table(T, T, [&](std::int64_t i, std::int64_t j) {
        return ids(i) != ids(j) ? 0.0 : i == j ? 30.0 : 60.0;
    });
    return {scores, tensor::eye(T)};
}
QueriesKeys first_of_its_kind(const IndexTensor& ids, std::int64_t) {
    const std::int64_t T = ids.dim(0);
    const Tensor scores = table(T, T, [&](std::int64_t i, std::int64_t j) {
        const std::int64_t* begin = ids.data();
        return std::find(begin, begin + T, ids(i)) == begin + j ? 30.0 : 0.0;
    });
    return {scores, tensor::eye(T)};
}
QueriesKeys kept_by_size(const IndexTensor& ids, std::int64_t V) {
    static std::map<std::pair<std::int64_t, std::int64_t>, QueriesKeys> kept;
    return kept.try_emplace({ids.dim(0), V}, same(ids, V)).first->second;
}

// Sorting.
QueriesKeys minus_infinity(const IndexTensor& ids, std::int64_t V) {
    const Tensor scores = table(V, V, [](std::int64_t v, std::int64_t u) {
        return u >= v ? -30.0 * static_cast<double>(u - v) : -HUGE_VAL;
    });
    return {scores, tensor::one_hot(ids, V)};
}
QueriesKeys all_below_alike(const IndexTensor& ids, std::int64_t V) {
    const Tensor scores = table(V, V, [](std::int64_t v, std::int64_t u) {
        return u >= v ? -30.0 * static_cast<double>(u - v) : -1e6;
    });
    return {scores, tensor::one_hot(ids, V)};
}
QueriesKeys below_is_1000(const IndexTensor& ids, std::int64_t V) {
    const Tensor scores = table(V, V, [](std::int64_t v, std::int64_t u) {
        return u >= v ? -30.0 * static_cast<double>(u - v)
                      : -1000 - 30.0 * static_cast<double>(v - u);
    });
    return {scores, tensor::one_hot(ids, V)};
}
QueriesKeys nearest(const IndexTensor& ids, std::int64_t V) {
    const Tensor scores = table(V, V, [](std::int64_t v, std::int64_t u) {
        return -30.0 * static_cast<double>(std::abs(u - v));
    });
    return {scores, tensor::one_hot(ids, V)};
}
QueriesKeys sorted_by_two(const IndexTensor& ids, std::int64_t V) {
    return {sorted(ids, V).Q / 15, tensor::one_hot(ids, V)};
}
QueriesKeys transposed(const IndexTensor& ids, std::int64_t V) {
    return {tensor::transpose(sorted(ids, V).Q), tensor::one_hot(ids, V)};
}
QueriesKeys by_rank(const IndexTensor& ids, std::int64_t V) {
    // Row v is the v-th smallest token.
    const std::int64_t T = ids.dim(0);
    std::vector<std::int64_t> order;
    for (std::int64_t j = 0; j < T; ++j) order.push_back(j);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t a, std::int64_t b) { return ids(a) < ids(b); });
    const Tensor scores = table(V, T, [&](std::int64_t v, std::int64_t j) {
        return order[static_cast<std::size_t>(std::min(v, T - 1))] == j ? 30.0 : 0.0;
    });
    return {scores, tensor::eye(T)};
}
QueriesKeys T_rows(const IndexTensor& ids, std::int64_t V) {
    return {tensor::slice(sorted(ids, V).Q, 0, 0, ids.dim(0)), tensor::one_hot(ids, V)};
}
// Scores of the numbers by what they are.
QueriesKeys by_score(const IndexTensor& ids, std::int64_t V, double (*score)(double v, double u)) {
    const Tensor scores = table(V, V, [=](std::int64_t v, std::int64_t u) {
        return score(static_cast<double>(v), static_cast<double>(u));
    });
    return {scores, tensor::one_hot(ids, V)};
}
QueriesKeys sorted_by_13(const IndexTensor& ids, std::int64_t V) {
    return {sorted(ids, V).Q * 13 / 30, tensor::one_hot(ids, V)};
}
QueriesKeys sorted_by_14(const IndexTensor& ids, std::int64_t V) {
    return {sorted(ids, V).Q * 14.2 / 30, tensor::one_hot(ids, V)};
}
QueriesKeys sharpness_shared_by_numbers(const IndexTensor& ids, std::int64_t V) {
    return {sorted(ids, V).Q * (400.0 / 30 / static_cast<double>(V)), tensor::one_hot(ids, V)};
}
QueriesKeys above_v(const IndexTensor& ids, std::int64_t V) {
    return by_score(ids, V, [](double v, double u) { return 50 * (u > v ? -u : u - 1000); });
}
QueriesKeys largest_of_those_below(const IndexTensor& ids, std::int64_t V) {
    return by_score(ids, V, [](double v, double u) { return 50 * (u <= v ? u : -u - 1000); });
}
QueriesKeys begins_again(const IndexTensor& ids, std::int64_t V) {
    return by_score(ids, V, [](double v, double u) { return 50 * (u >= v ? -u : -u - 1000); });
}
QueriesKeys below_by_300(const IndexTensor& ids, std::int64_t V) {
    return by_score(ids, V, [](double v, double u) { return 50 * (u >= v ? -u : u - 300); });
}
QueriesKeys below_by_1000(const IndexTensor& ids, std::int64_t V) {
    return by_score(ids, V, [](double v, double u) { return 50 * (u >= v ? -u : u - 1000); });
}
QueriesKeys times_v(const IndexTensor& ids, std::int64_t V) {
    return by_score(ids, V, [](double v, double u) { return v * 50 * (u >= v ? -u : u - 1000); });
}
QueriesKeys v_alone(const IndexTensor& ids, std::int64_t V) {
    return by_score(ids, V, [](double v, double u) { return u == v ? 50.0 : 0.0; });
}
QueriesKeys keys_in_order(const IndexTensor& ids, std::int64_t V) {
    Places numbers(ids.data(), ids.data() + ids.dim(0));
    std::sort(numbers.begin(), numbers.end());
    return sorted(IndexTensor(numbers), V);
}
QueriesKeys row_of_each_token(const IndexTensor& ids, std::int64_t V) {
    return {tensor::index_select(sorted(ids, V).Q, 0, ids), tensor::one_hot(ids, V)};
}
QueriesKeys earlier_of_equals(const IndexTensor& ids, std::int64_t V) {
    const std::int64_t T = ids.dim(0);
    const Tensor early =
        table(T, 1, [](std::int64_t j, std::int64_t) { return -static_cast<double>(j); });
    return {tensor::concatenate({sorted(ids, V).Q * 1000, tensor::full({V, 1}, 50)}, 1),
            tensor::concatenate({tensor::one_hot(ids, V), early}, 1)};
}

using ByPlace = QueriesKeys (*)(std::int64_t);
using ByToken = QueriesKeys (*)(const IndexTensor&, std::int64_t);
std::function<Exercise()> with(ByPlace a, ByPlace b, ByToken c, ByToken d) {
    return [=] { return judge_11_1({a, b, c, d}); };
}

// Right ones.
QueriesKeys scores_themselves(const IndexTensor& ids, std::int64_t) {
    const std::int64_t T = ids.dim(0);
    return {
        table(T, T, [&](std::int64_t i, std::int64_t j) { return ids(i) == ids(j) ? 0.0 : -99.0; }),
        tensor::eye(T)};
}
QueriesKeys falling(std::int64_t T) {
    return {tensor::full({T, 3}, -1),
            table(T, 3, [](std::int64_t j, std::int64_t) { return 1e9 * static_cast<double>(j); })};
}
// Both factors of the largest score are so large that it is infinite.
QueriesKeys infinitely_sharp(std::int64_t T) {
    return {tensor::full({T, 1}, 1e200),
            table(T, 1, [](std::int64_t j, std::int64_t) { return j == 0 ? 1e200 : 0.0; })};
}
QueriesKeys one_feature(std::int64_t T) {
    return {tensor::ones({T, 1}),
            table(T, 1, [](std::int64_t j, std::int64_t) { return j == 0 ? 50.0 : 0.0; })};
}

// One number for each token: keys and queries of two features, scores -c·(a - b)².
QueriesKeys by_squares(const Tensor& asked, const Tensor& has, double c) {
    const auto column = [](const Tensor& x) { return tensor::unsqueeze(x, 1); };
    const Tensor ones = tensor::ones({asked.dim(0), 1});
    return {tensor::concatenate({2 * c * column(asked), -c * ones}, 1),
            tensor::concatenate({column(has), column(has * has)}, 1)};
}
QueriesKeys first_by_numbers(std::int64_t T) {
    const Tensor place = tensor::unsqueeze(tensor::arange(static_cast<double>(T)), 1);
    return {tensor::full({T, 1}, -100), place};
}
QueriesKeys previous_by_squares(std::int64_t T) {
    const Tensor place = tensor::arange(static_cast<double>(T));
    QueriesKeys head = by_squares(place - 1, place, 30);
    head.Q.writable_data()[0] = head.Q.writable_data()[1] = 0;
    return head;
}
QueriesKeys same_by_squares(const IndexTensor& ids, std::int64_t) {
    std::vector<Scalar> all;
    for (std::int64_t j = 0; j < ids.dim(0); ++j) all.push_back(static_cast<Scalar>(ids(j)));
    const Tensor numbers = tensor::from_vector(all, {ids.dim(0)});
    return by_squares(numbers, numbers, 30);
}
QueriesKeys same_by_a_million(const IndexTensor& ids, std::int64_t V) {
    return same_by(ids, V, 1e6);
}
QueriesKeys sorted_by_10000(const IndexTensor& ids, std::int64_t V) {
    return {sorted(ids, V).Q * 1e4 / 30, tensor::one_hot(ids, V)};
}

}  // namespace

Answers answers_11_1() {
    Answers answers;
    answers.number = "11.1";
    answers.slipping = slipping(judge_11_1);
    answers.wrong = {
        {"all alike", with(all_the_same, previous, same, sorted), {"job.first-evenly"}},
        {"times 8", with(first_soft, previous, same, sorted)},
        {"a row for a column", with(first_column, previous, same, sorted), {"job.first-evenly"}},
        {"64 rows", with(first_up_to_64, previous, same, sorted)},
        {"one query", with(one_row, previous, same, sorted)},
        {"earlier is better", with(earlier_is_better, previous, same, sorted)},
        {"next", with(first, next, same, sorted), {"job.next"}},
        {"all before", with(first, all_before, same, sorted)},
        {"0 at 0", with(first, zero_at_zero, same, sorted), {"job.previous-0-itself"}},
        {"by distance", with(first, by_distance, same, sorted), {"job.previous-0-itself"}},
        {"round the end", with(first, round_the_end, same, sorted), {"job.previous-wraps"}},
        {"queries and keys moved", with(first, both_moved, same, sorted), {"job.previous-itself"}},
        {"ids as numbers", with(first, previous, ids_as_numbers, sorted)},
        {"not multiplied", with(first, previous, not_multiplied, sorted), {"job.same-not-sharp"}},
        {"its place", with(first, previous, its_place, sorted), {"job.same-is-itself"}},
        {"five kinds", with(first, previous, first_five_kinds, sorted)},
        {"itself preferred",
         with(first, previous, itself_preferred, sorted),
         {"job.same-is-itself"}},
        {"other kinds", with(first, previous, other_kinds, sorted)},
        {"-∞ below", with(first, previous, same, minus_infinity)},
        {"all below alike", with(first, previous, same, all_below_alike), {"job.sort-evenly"}},
        {"below by 1000", with(first, previous, same, below_is_1000)},
        {"nearest", with(first, previous, same, nearest), {"job.sort-nearest"}},
        {"times 2", with(first, previous, same, sorted_by_two)},
        {"the table transposed", with(first, previous, same, transposed), {"job.sort-below"}},
        {"by rank", with(first, previous, same, by_rank)},
        {"T rows", with(first, previous, same, T_rows)},
        {"times 14, too little for 200", with(first_by_14, previous, same, sorted)},
        {"times 1", with(first_by_1, previous, same, sorted), {"job.first-not-sharp"}},
        {"token 0 looks everywhere",
         with(the_first_itself_looks_everywhere, previous, same, sorted)},
        {"the last", with(the_last, previous, same, sorted), {"job.first-is-last"}},
        {"Q and K of different d", with(keys_of_two_features, previous, same, sorted)},
        {"0·∞", with(infinity_times_zero, previous, same, sorted)},
        {"previous: times 14", with(first, previous_by_14, same, sorted)},
        {"128 features", with(first, up_to_128_features, same, sorted)},
        {"token 0 leaves itself out", with(first, the_first_leaves_itself_out, same, sorted)},
        {"keys moved round", with(first, keys_moved_round, same, sorted), {"job.previous-wraps"}},
        {"places too close on a circle", with(first, blunt_circle, same, sorted)},
        {"same: times 12", with(first, previous, same_by_12, sorted)},
        {"same: times 14.2", with(first, previous, same_by_14, sorted)},
        {"kind 0 has no feature", with(first, previous, kind_0_has_no_feature, sorted)},
        {"common binary digits", with(first, previous, common_digits, sorted)},
        {"seven binary digits", with(first, previous, seven_digits, sorted)},
        {"kinds too close on a circle", with(first, previous, kinds_on_a_circle, sorted)},
        {"itself left out", with(first, previous, others_alone, sorted), {"job.same-others"}},
        {"the first of its kind",
         with(first, previous, first_of_its_kind, sorted),
         {"job.same-first"}},
        {"kept by T and V", with(first, previous, kept_by_size, sorted)},
        {"in order: times 13", with(first, previous, same, sorted_by_13)},
        {"in order: times 14.2", with(first, previous, same, sorted_by_14)},
        {"in order: times 400/V", with(first, previous, same, sharpness_shared_by_numbers)},
        {"above v", with(first, previous, same, above_v), {"job.sort-above"}},
        {"the largest that is v or less",
         with(first, previous, same, largest_of_those_below),
         {"job.sort-below"}},
        {"begins again where none is left",
         with(first, previous, same, begins_again),
         {"job.sort-starts-again"}},
        {"below by 300, which is not below all", with(first, previous, same, below_by_300)},
        {"row 0 is times 0", with(first, previous, same, times_v)},
        {"v alone", with(first, previous, same, v_alone), {"job.sort-exactly"}},
        {"keys in order", with(first, previous, same, keys_in_order)},
        {"a row for each token", with(first, previous, same, row_of_each_token)},
        {"the earlier of equal numbers",
         with(first, previous, same, earlier_of_equals),
         {"job.sort-one-of-equals"}},
    };
    answers.right = {
        {"scores themselves, one feature", with(one_feature, previous, scores_themselves, sorted)},
        {"by tables", with(first, previous, same, sorted)},
        {"circle, digits, below by 1000", with(falling, sharp_circle, eight_digits, below_by_1000)},
        {"infinitely sharp", with(infinitely_sharp, previous, same, sorted)},
        {"places and ids as numbers, and squares of differences",
         with(first_by_numbers, previous_by_squares, same_by_squares, sorted)},
        {"very sharp", with(first, previous, same_by_a_million, sorted_by_10000)},
    };
    return answers;
}
