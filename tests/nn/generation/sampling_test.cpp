// Temperature, top-k and top-p: by hand, and by laws.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>

using namespace heed;

namespace {
// Whose probabilities are 1/2, 1/4, 1/8, 1/8.
Tensor halves() { return tensor::log(tensor::of({4, 2, 1, 1})); }

bool close(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && tensor::all_close(a, b, 1e-6, 1e-6);
}

Tensor drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random, 0, 3);
}

}  // namespace

TEST_CASE("temperature, top-k and top-p worked out by hand", "[nn][sampling]") {
    const Tensor logits = halves();
    CHECK(close(sampling_probabilities(logits), tensor::of({0.5, 0.25, 0.125, 0.125})));
    // Temperature 1/2 squares the probabilities: 16, 4, 1, 1 of 22; 2 takes their roots.
    CHECK(close(sampling_probabilities(logits, {.temperature = 0.5}),
                tensor::of({16.0 / 22, 4.0 / 22, 1.0 / 22, 1.0 / 22})));
    const double roots = 2 + std::sqrt(2.0) + 2;
    CHECK(close(sampling_probabilities(logits, {.temperature = 2}),
                tensor::of({2 / roots, std::sqrt(2.0) / roots, 1 / roots, 1 / roots})));
    CHECK(
        close(sampling_probabilities(logits, {.top_k = 2}), tensor::of({2.0 / 3, 1.0 / 3, 0, 0})));
    CHECK(close(sampling_probabilities(logits, {.top_p = 0.6}),
                tensor::of({2.0 / 3, 1.0 / 3, 0, 0})));
    CHECK(close(sampling_probabilities(logits, {.top_p = 0.8}),
                tensor::of({4.0 / 7, 2.0 / 7, 1.0 / 7, 0})));
    CHECK(close(sampling_probabilities(logits, {.top_p = 0.01}), tensor::of({1, 0, 0, 0})));
    // Where p is reached exactly, no token more: of four equal ones, p/4.
    for (const std::int64_t n : {1, 2, 3}) {
        const Tensor p =
            sampling_probabilities(tensor::zeros({4}), {.top_p = 0.25 * static_cast<double>(n)});
        CHECK((p > tensor::zeros({1})).count() == n);
    }
    // Unsorted rows, each by itself.
    CHECK(close(sampling_probabilities(tensor::log(tensor::of({{1, 4, 2, 1}, {8, 1, 1, 90}})),
                                       {.top_p = 0.6}),
                tensor::of({{0, 2.0 / 3, 1.0 / 3, 0}, {0, 0, 0, 1}})));
}

TEST_CASE("temperature comes before top-k and top-p, and top-p counts what top-k left",
          "[nn][sampling]") {
    // At temperature 1/2 the likeliest has 16/22 = .73 and is enough for .7; at 1 it has .5.
    CHECK(close(sampling_probabilities(halves(), {.temperature = 0.5, .top_p = 0.7}),
                tensor::of({1, 0, 0, 0})));
    CHECK(close(sampling_probabilities(halves(), {.top_p = 0.7}),
                tensor::of({2.0 / 3, 1.0 / 3, 0, 0})));
    // Of two, the likeliest has 2/3, which is enough for .6; of all it has 1/2, which is not.
    CHECK(close(sampling_probabilities(halves(), {.top_k = 2, .top_p = 0.6}),
                tensor::of({1, 0, 0, 0})));
}

TEST_CASE("options that leave everything change nothing", "[nn][sampling]") {
    const Tensor logits = drawn({3, 5, 17}, 1);
    const Tensor plain = tensor::softmax(logits, -1);
    CHECK(tensor::same_bits(sampling_probabilities(logits), plain));
    CHECK(tensor::same_bits(sampling_probabilities(logits, {.top_k = 17}), plain));
    CHECK(tensor::same_bits(sampling_probabilities(logits, {.top_k = 1000}), plain));
    CHECK(tensor::same_bits(sampling_probabilities(logits, {.temperature = 1, .top_p = 1}), plain));
    // Also where a float rounds the others away.
    CHECK(sampling_probabilities(tensor::of({0, -30}))(1) > 0);
    CHECK(sampling_probabilities(tensor::of({0, -30}), {.top_p = 0.9999999})(1) == 0);
}

TEST_CASE("temperature 0 and top_k = 1 are greedy, and of equals take the lowest id",
          "[nn][sampling]") {
    const Tensor logits = drawn({50, 9}, 2);
    const IndexTensor best = tensor::argmax(logits, -1);
    for (const SamplingOptions& options :
         {SamplingOptions{.temperature = 0}, SamplingOptions{.top_k = 1},
          SamplingOptions{.top_p = 1e-9}, SamplingOptions{.temperature = 1e-30},
          SamplingOptions{.temperature = 1e-60},
          SamplingOptions{.temperature = 0, .top_k = 3, .top_p = 0.5}}) {
        const Tensor p = sampling_probabilities(logits, options);
        CHECK(tensor::same_entries(tensor::argmax(p, -1), best));
        CHECK(tensor::same_entries(tensor::max(p, -1) == tensor::ones({50}),
                                   tensor::ones({50}) == tensor::ones({50})));
    }
    const Tensor equal = tensor::of({1, 3, 2, 3, 3});
    CHECK(close(sampling_probabilities(equal, {.temperature = 0}), tensor::of({0, 1, 0, 0, 0})));
    CHECK(close(sampling_probabilities(equal, {.top_k = 1}), tensor::of({0, 1, 0, 0, 0})));
    CHECK(close(sampling_probabilities(equal, {.top_k = 2}), tensor::of({0, 0.5, 0, 0.5, 0})));
    CHECK(close(sampling_probabilities(equal, {.top_p = 0.3}), tensor::of({0, 0.5, 0, 0.5, 0})));
    CHECK(close(sampling_probabilities(equal, {.top_p = 0.2}), tensor::of({0, 1, 0, 0, 0})));
}

TEST_CASE("what is left sums to 1, in the order and the proportions of before", "[nn][sampling]") {
    const Tensor logits = drawn({40, 12}, 3);
    const Tensor before = tensor::softmax(logits, -1);
    for (const double top_p : {0.1, 0.5, 0.9, 0.999}) {
        for (const std::int64_t top_k : {0, 1, 3, 11}) {
            const Tensor p = sampling_probabilities(logits, {.top_k = top_k, .top_p = top_p});
            CHECK(tensor::all_close(tensor::sum(p, -1), tensor::ones({40}), 1e-5, 1e-5));
            for (std::int64_t row = 0; row < 40; ++row) {
                double least_in = 1, most_out = 0, in = 0, of_top_k = 0;
                std::int64_t count = 0;
                const Tensor sorted = tensor::sort(before, -1, descending).values;
                for (std::int64_t i = 0; i < (top_k ? top_k : 12); ++i) {
                    of_top_k += static_cast<double>(sorted(row, i));
                }
                for (std::int64_t i = 0; i < 12; ++i) {
                    const double one = static_cast<double>(before(row, i));
                    if (p(row, i) > 0) {
                        least_in = std::min(least_in, one);
                        in += one;
                        ++count;
                    } else {
                        most_out = std::max(most_out, one);
                    }
                }
                CHECK(least_in >= most_out);
                CHECK((top_k == 0 || count <= top_k));
                CHECK((in >= top_p * of_top_k - 1e-6));           // enough,
                CHECK(in - least_in <= top_p * of_top_k + 1e-6);  // and no fewer would be
            }
        }
    }
}

TEST_CASE("extreme logits neither overflow nor draw what is impossible", "[nn][sampling]") {
    const Tensor logits = tensor::of({1e30, -1e30, -infinity, 1e30});
    for (const double temperature : {0.0, 1e-300, 1e-60, 1e-20, 1.0, 1e20, 1e38, 1e308}) {
        const Tensor p = sampling_probabilities(logits, {.temperature = temperature});
        CHECK(p(2) == 0);
        CHECK(p(0) >= static_cast<Scalar>(0.3));
    }
    CHECK(close(sampling_probabilities(tensor::of({-infinity, 7}), {.top_k = 2, .top_p = 0.99}),
                tensor::of({0, 1})));
    CHECK(sampling_probabilities(tensor::zeros({0, 4})).shape() == Shape({0, 4}));
    const Tensor transposed = tensor::transpose(drawn({5, 3}, 4));
    CHECK(tensor::same_bits(
        sampling_probabilities(transposed, {.top_k = 2, .top_p = 0.7}),
        sampling_probabilities(tensor::clone(transposed), {.top_k = 2, .top_p = 0.7})));
}

TEST_CASE("sampling says what is wrong", "[nn][sampling]") {
    const auto refused = [](const SamplingOptions& options) {
        return message_of<std::invalid_argument>(
            [&] { sampling_probabilities(halves(), options); });
    };
    CHECK(refused({.temperature = -1}) ==
          "sampling_probabilities: temperature is -1; it must be finite and not negative; 0 always "
          "takes the likeliest token");
    CHECK(refused({.temperature = infinity})
              .starts_with("sampling_probabilities: temperature is inf"));
    CHECK(refused({.temperature = std::nan("")})
              .starts_with("sampling_probabilities: temperature is nan"));
    CHECK(refused({.top_k = -2}) ==
          "sampling_probabilities: top_k is -2; it must be at least 1, or 0 for all");
    CHECK(refused({.top_p = 0}) == "sampling_probabilities: top_p is 0; it must be above 0 and at "
                                   "most 1, which keeps all tokens");
    CHECK(refused({.top_p = 1.5}).starts_with("sampling_probabilities: top_p is 1.5;"));
    CHECK(refused({.top_p = std::nan("")}).starts_with("sampling_probabilities: top_p is nan;"));
    const auto logits = [](const Tensor& x) {
        return message_of<std::invalid_argument>([&] { sampling_probabilities(x); });
    };
    CHECK(logits(tensor::of({{1, 2}, {3, std::nan("")}})) ==
          "sampling_probabilities: the largest logit in row 1 is nan; it must be finite: was the "
          "model trained on a loss that was not?");
    CHECK(logits(tensor::of({infinity, 0}))
              .starts_with("sampling_probabilities: the largest logit in row 0 is inf"));
    CHECK(logits(tensor::of({-infinity, -infinity}))
              .starts_with("sampling_probabilities: the largest logit in row 0 is -inf"));
    CHECK(message_of<ShapeError>([] {
              sampling_probabilities(tensor::zeros({3, 0}));
          }) == "sampling_probabilities: the logits have shape [3, 0]; they must be [..., "
                "vocab_size], with at least one token");
    CHECK(message_of<ShapeError>([] {
              sampling_probabilities(tensor::of(1));
          }).starts_with("sampling_probabilities: the logits have shape []"));
}
