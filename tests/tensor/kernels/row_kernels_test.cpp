// Kernels of rows, columns and optimizer steps: each table gives the same bits as the plain one,
// and the plain one gives those of the formulas.
#include "tensor/kernels/kernels.h"
#include "tensor/random.h"
#include "tests/catch.h"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

using namespace heed;
using kernels::Table;
using Numbers = std::vector<Scalar>;

namespace {
constexpr Scalar inf = __builtin_huge_val();
constexpr Scalar nan = Scalar(__builtin_nan(""));
constexpr Scalar huge = Scalar(sizeof(Scalar) == 4 ? 1e30 : 1e200);  // its square is infinite

// The kinds of rows tested.
enum class Kind { plain, specials, huge, all_minus_infinity, half_minus_infinity };

Numbers draw(std::int64_t n, Random& random, Kind kind = Kind::plain) {
    const Scalar special[] = {0, Scalar(-0.0), inf, -inf, nan, Scalar(1e-40), 1};
    Numbers numbers;
    for (std::int64_t i = 0; i < n; ++i) {
        Scalar entry = Scalar(random.normal() * std::exp(random.normal()));
        if (kind == Kind::specials && random.below(6) == 0) entry = special[random.below(7)];
        if (kind == Kind::huge) entry *= huge;
        if (kind == Kind::all_minus_infinity) entry = -inf;
        if (kind == Kind::half_minus_infinity && random.below(2) == 0) entry = -inf;
        numbers.push_back(entry);
    }
    return numbers;
}

// All NaNs count as equal.
bool same(const Numbers& a, const Numbers& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const bool both_nan = a[i] != a[i] && b[i] != b[i];
        if (!both_nan && std::memcmp(&a[i], &b[i], sizeof(Scalar)) != 0) return false;
    }
    return true;
}

Numbers room(std::int64_t n) { return Numbers(static_cast<std::size_t>(n) + 1, Scalar(77)); }

// The results of all row kernels of `table` on the same numbers, concatenated. Each result is
// followed by a number that no kernel may write.
Numbers row_results(const Table& table, std::int64_t n, Kind kind) {
    Random random(static_cast<std::uint64_t>(n) * 4 + 1);
    const Numbers x = draw(n, random, kind), G = draw(n, random), weight = draw(n, random);
    const Numbers bias = draw(n, random, kind);
    Numbers all;
    const auto add = [&](const Numbers& more) { all.insert(all.end(), more.begin(), more.end()); };

    all.push_back(table.squared_deviations(n, x.data(), Scalar(0.3)));
    all.push_back(table.sum_of_exp(n, x.data(), Scalar(0.7)));
    Numbers Y = room(n), dx = room(n);
    table.softmax(n, x.data(), Y.data());
    table.softmax_gradient(n, Y.data(), G.data(), dx.data());
    add(Y), add(dx);
    table.log_softmax(n, x.data(), Y.data());
    table.log_softmax_gradient(n, Y.data(), G.data(), dx.data());
    add(Y), add(dx);
    const kernels::SoftmaxRow row = table.softmax_row(n, x.data());
    all.push_back(row.row_max);
    all.push_back(row.log_row_sum);
    for (const double g : {-0.7, 0.7}) {
        if (n > 0) table.log_probability_gradient(n, x.data(), row, n / 2, Scalar(g), dx.data());
        add(dx);
    }
    const kernels::LayerNormRow norm = {n, x.data(), weight.data()};
    Numbers weight_lane = draw(n + 1, random), bias_lane = draw(n + 1, random);
    const kernels::MeanAndDeviation known =
        table.layer_norm(norm, bias.data(), Scalar(0.01), Y.data());
    table.layer_norm_gradient(norm, known, G.data(), dx.data(), weight_lane.data(),
                              bias_lane.data());
    add(Y), add(dx), add(weight_lane), add(bias_lane), add({known.mu, known.sigma});
    return all;
}

Numbers column_results(const Table& table, std::int64_t rows, std::int64_t columns) {
    Random random(static_cast<std::uint64_t>(rows * 1000 + columns));
    const std::int64_t x_row = columns + 3;
    const Numbers x = draw((rows + 1) * x_row, random, Kind::specials);
    Numbers y = room(columns);
    table.sum_columns(rows, columns, x.data(), x_row, y.data());
    return y;
}

const kernels::AdamStep adam_steps[] = {
    {1, 0, Scalar(0.9), Scalar(0.1), Scalar(0.99), Scalar(0.01), Scalar(0.19), Scalar(0.02),
     Scalar(0.3), Scalar(1e-8)},
    {Scalar(0.98), 0, Scalar(0.8), Scalar(0.2), Scalar(0.9), Scalar(0.1), Scalar(0.5), Scalar(0.4),
     Scalar(0.1), Scalar(1e-3)},
    {1, Scalar(0.05), Scalar(0.8), Scalar(0.2), Scalar(0.9), Scalar(0.1), Scalar(0.5), Scalar(0.4),
     Scalar(0.1), 0},
    {Scalar(0.9), Scalar(0.05), Scalar(0.8), Scalar(0.2), Scalar(0.9), Scalar(0.1), Scalar(0.5),
     Scalar(0.4), Scalar(0.1), Scalar(1e-3)},
};

// lr, w_in_g, momentum, rest, has_momentum, first, nesterov
const kernels::SgdStep sgd_steps[] = {
    {Scalar(0.3), 0, 0, 1, false, false, false},
    {Scalar(0.3), Scalar(0.1), 0, 1, false, true, false},
    {Scalar(0.3), 0, Scalar(0.9), Scalar(0.7), true, true, false},
    {Scalar(0.3), Scalar(0.1), Scalar(0.9), Scalar(0.7), true, false, false},
    {Scalar(0.3), Scalar(0.1), Scalar(0.9), 1, true, false, true},
};

Numbers step_results(const Table& table, std::int64_t n, Kind kind) {
    Random random(static_cast<std::uint64_t>(n) + 9);
    Numbers all;
    const auto add = [&](const Numbers& more) { all.insert(all.end(), more.begin(), more.end()); };
    for (const kernels::AdamStep& step : adam_steps) {
        Numbers w = draw(n + 1, random, kind), m = draw(n + 1, random), v = draw(n + 1, random);
        for (Scalar& entry : v) entry = entry * entry;
        const Numbers g = draw(n, random, kind);
        table.adam(step, n, w.data(), g.data(), m.data(), v.data());
        add(w), add(m), add(v);
    }
    for (const kernels::SgdStep& step : sgd_steps) {
        Numbers w = draw(n + 1, random, kind), b = draw(n + 1, random);
        const Numbers g = draw(n, random, kind);
        table.sgd(step, n, w.data(), g.data(), step.has_momentum ? b.data() : nullptr);
        add(w), add(b);
    }
    return all;
}

const Table& plain() { return *kernels::available().tables[0]; }

std::string differences(const Table& table) {
    std::string wrong;
    std::vector<std::int64_t> lengths = {127, 128, 129,  255,  256,  257,  511,
                                         512, 513, 1023, 1024, 1025, 2500, 5000};
    for (std::int64_t n = 0; n < 70; ++n) lengths.push_back(n);
    for (std::int64_t n : lengths) {
        for (Kind kind : {Kind::plain, Kind::specials, Kind::huge, Kind::all_minus_infinity,
                          Kind::half_minus_infinity}) {
            const bool rows = same(row_results(table, n, kind), row_results(plain(), n, kind));
            if (!rows) wrong += "row of " + std::to_string(n) + "; ";
            const bool steps = same(step_results(table, n, kind), step_results(plain(), n, kind));
            if (!steps) wrong += "step of " + std::to_string(n) + "; ";
        }
    }
    for (std::int64_t rows : {0, 1, 2, 15, 16, 17, 33, 100, 256, 257, 320, 1025}) {
        for (std::int64_t columns : {0, 1, 3, 16, 17, 127, 128, 129, 300}) {
            if (same(column_results(table, rows, columns), column_results(plain(), rows, columns)))
                continue;
            wrong += std::to_string(rows) + " x " + std::to_string(columns) + " columns; ";
        }
    }
    return wrong;
}

}  // namespace

TEST_CASE("every set of row kernels gives the same bits as the plain loops", "[tensor][kernels]") {
    const kernels::Available found = kernels::available();
    REQUIRE(found.count >= 2);
    for (int i = 1; i < found.count; ++i) {
        INFO(found.tables[i]->name);
        CHECK(differences(*found.tables[i]) == "");
    }
}

TEST_CASE("no row kernel writes beyond its row", "[tensor][kernels]") {
    for (std::int64_t n : {0, 1, 16, 37}) {
        const Numbers all = row_results(plain(), n, Kind::plain);
        // two sums, Y, dx, Y, dx, two numbers of the row, dx, Y, dx
        std::int64_t after = 2;
        for (int result = 0; result < 7; ++result) {
            if (result == 4) after += 2;
            after += n + 1;
            CHECK(all[static_cast<std::size_t>(after - 1)] == 77);
        }
    }
    CHECK(column_results(plain(), 5, 7).back() == 77);
}

TEST_CASE("a column has the same sum as a row of the same numbers", "[tensor][kernels]") {
    Random random(3);
    for (const std::int64_t rows : {37, 700}) {
        const Numbers x = draw(rows * 5, random);
        Numbers y = room(5);
        plain().sum_columns(rows, 5, x.data(), 5, y.data());
        for (std::size_t j = 0; j < 5; ++j) {
            Numbers column;
            for (std::size_t i = j; i < x.size(); i += 5) column.push_back(x[i]);
            CHECK(y[j] == plain().sum(rows, column.data()));
        }
    }
}

TEST_CASE("a step of Adam by hand", "[tensor][kernels]") {
    // w 2, g 3, m 1, v 4; w is halved first
    const kernels::AdamStep step = {
        Scalar(0.5), 0,           Scalar(0.75), Scalar(0.25), Scalar(0.5),
        Scalar(0.5), Scalar(0.5), Scalar(0.25), Scalar(0.25), 0};
    Scalar w = 2, m = 1, v = 4;
    const Scalar g = 3;
    plain().adam(step, 1, &w, &g, &m, &v);
    CHECK(m == Scalar(1.5));                                   // ¾·1 + ¼·3
    CHECK(v == Scalar(6.5));                                   // ½·4 + ½·9
    CHECK(double(w) == Approx(1 - 0.25 * 3 / std::sqrt(26)));  // m̂ = 3, v̂ = 26
}
