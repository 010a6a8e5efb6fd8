// Answers to 11.1, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/11_1_known_jobs.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include "heed/tensor/factories.h"
#include "heed/tensor/ops.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace heed;
using namespace exercise;

namespace exercise {
Answers answers_11_1();
}

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

using ByPlace = QueriesKeys (*)(std::int64_t);
using ByToken = QueriesKeys (*)(const IndexTensor&, std::int64_t);
std::function<Exercise()> with(ByPlace a, ByPlace b, ByToken c, ByToken d) {
    return [=] { return known_jobs({a, b, c, d}); };
}

// Right ones.
QueriesKeys scores_themselves(const IndexTensor& ids, std::int64_t) {
    const std::int64_t T = ids.dim(0);
    return {
        table(T, T, [&](std::int64_t i, std::int64_t j) { return ids(i) == ids(j) ? 0.0 : -99.0; }),
        tensor::eye(T)};
}
QueriesKeys one_feature(std::int64_t T) {
    return {tensor::ones({T, 1}),
            table(T, 1, [](std::int64_t j, std::int64_t) { return j == 0 ? 50.0 : 0.0; })};
}

}  // namespace

Answers exercise::answers_11_1() {
    Answers answers;
    answers.number = "11.1";
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
    };
    answers.right = {
        {"scores themselves, one feature", with(one_feature, previous, scores_themselves, sorted)},
        {"by tables", with(first, previous, same, sorted)},
    };
    return answers;
}
