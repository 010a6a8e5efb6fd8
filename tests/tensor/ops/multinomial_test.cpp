// Drawing indices: frequencies, what is never drawn, the same draws everywhere, and errors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <algorithm>

using namespace heed;
using tensor::multinomial;
using tensor::of;
using tensor::same_entries;

TEST_CASE("an index is drawn as often as its probability says", "[tensor][multinomial]") {
    Random random(1);
    const IndexTensor drawn =
        multinomial(of({{1, 0, 3}, {0.5, 0.25, 0.25}}), 20000, random, with_replacement);
    CHECK(drawn.shape() == Shape{2, 20000});
    double counts[2][3] = {};
    for (std::int64_t row = 0; row < 2; ++row) {
        for (std::int64_t i = 0; i < 20000; ++i) counts[row][drawn(row, i)] += 1.0 / 20000;
    }
    CHECK(counts[0][0] == Approx(0.25).margin(0.015));
    CHECK(counts[0][1] == 0);
    CHECK(counts[0][2] == Approx(0.75).margin(0.015));
    CHECK(counts[1][0] == Approx(0.5).margin(0.015));
    CHECK(counts[1][1] == Approx(0.25).margin(0.015));
}

TEST_CASE("without replacement no index is drawn twice, and the rest keep their proportions",
          "[tensor][multinomial]") {
    Random random(2);
    const Tensor weights = of({1, 2, 0, 3});
    double second_after_3[4] = {};
    double after_3 = 0;
    for (int round = 0; round < 6000; ++round) {
        const IndexTensor drawn = multinomial(weights, 3, random);
        std::vector<std::int64_t> sorted(drawn.data(), drawn.data() + 3);
        std::sort(sorted.begin(), sorted.end());
        REQUIRE(sorted == std::vector<std::int64_t>{0, 1, 3});
        if (drawn(0) != 3) continue;
        after_3 += 1;
        second_after_3[drawn(1)] += 1;
    }
    CHECK(after_3 / 6000 == Approx(0.5).margin(0.03));
    CHECK(second_after_3[1] / after_3 == Approx(2.0 / 3).margin(0.03));
}

TEST_CASE("one uniform number is used for each index", "[tensor][multinomial]") {
    Random random(7), uniforms(7);
    const Tensor weights = of({{4, 1, 3}, {0, 2, 2}});
    const IndexTensor drawn = multinomial(weights, 2, random, with_replacement);
    for (std::int64_t row = 0; row < 2; ++row) {
        for (std::int64_t i = 0; i < 2; ++i) {
            double place = uniforms.uniform() * (row == 0 ? 8 : 4);
            std::int64_t expected = 0;
            while (place >= static_cast<double>(weights(row, expected))) {
                place -= static_cast<double>(weights(row, expected++));
            }
            CHECK(drawn(row, i) == expected);
        }
    }
    CHECK(random.next() == uniforms.next());
    Random again(7);
    CHECK(same_entries(
        multinomial(tensor::transpose(of({{4, 0}, {1, 2}, {3, 2}})), 2, again, with_replacement),
        drawn));
}

TEST_CASE("probabilities may be tiny, huge, few or none", "[tensor][multinomial]") {
    Random random(3);
    CHECK(multinomial(of({0, 1e-30, 0}), 1, random).item() == 1);
    CHECK(multinomial(of({0, 3e38, 0}), 3, random, with_replacement)(2) == 1);
    CHECK(multinomial(of({5}), 1, random).item() == 0);
    CHECK(multinomial(of({5, 5}), 0, random).shape() == Shape{0});
    CHECK(multinomial(tensor::zeros({0, 3}), 2, random).shape() == Shape{0, 2});
}

TEST_CASE("probabilities that are none are rejected with a clear message",
          "[tensor][multinomial]") {
    Random random(4);
    const auto words = [&](const Tensor& weights, std::int64_t count) {
        return message_of<std::invalid_argument>([&] { multinomial(weights, count, random); });
    };
    CHECK(words(of({{1, 2}, {1, -0.5}}), 1) ==
          "multinomial: the probability at [1, 1] is -0.5; each must be a finite number of 0 or "
          "more");
    CHECK_THAT(words(of({1, __builtin_nan("")}), 1), Contains("the probability at [1] is "));
    CHECK_THAT(words(of({infinity, 1}), 1), Contains("the probability at [0] is inf;"));
    CHECK(words(of({{1, 2}, {0, 0}}), 1) ==
          "multinomial: row 1 of the probabilities has no entry above 0, so there is nothing to "
          "draw");
    CHECK(words(of({0, 1, 2}), 3) ==
          "multinomial: row 0 of the probabilities has 2 entries above 0, too few to draw 3 "
          "different ones; with_replacement may draw one again");
    CHECK(words(of({1, 2}), -1) == "multinomial: the count is -1; it must be 0 or more");
    CHECK_THAT(words(tensor::zeros({2, 0}), 1),
               Contains("row 0 of the probabilities has no entry"));
    CHECK(message_of<ShapeError>([&] { multinomial(of(1), 1, random); }) ==
          "multinomial: the probabilities have shape []; they must be [C] or [rows, C]");
    // A refused call has drawn nothing.
    Random fresh(4);
    CHECK(random.next() == fresh.next());
}
