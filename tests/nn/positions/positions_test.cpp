// Positions of every kind: by hand, by their laws, in every attention layer, past their limits.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/attention/head_by_head.h"

#include <cmath>
#include <functional>
#include <memory>

using namespace heed;

namespace {
Variable drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return Variable(tensor::normal(shape, random));
}

bool close(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && tensor::all_close(a, b, 1e-5, 1e-5);
}

struct Kind {
    std::string name;
    AnyPositions positions;  // for d_model 12, 3 heads of 4
};

RelativeBias drawn_bias(std::int64_t num_heads, std::int64_t farthest, std::uint64_t seed) {
    RelativeBias bias(num_heads, farthest);
    Random random(seed);
    init::normal(bias.weight, random, 0, 1);
    return bias;
}

std::vector<Kind> kinds() {
    Random random(1);
    return {
        {"learned", LearnedPositions(20, 12, random)},
        {"sinusoids", SinusoidalPositions(12)},
        {"rotary, halves", RotaryPositions(4)},
        {"rotary, neighbours",
         RotaryPositions(4, {.pairs = RotatedPairs::neighbours, .d_rotated = 2})},
        {"rotary, scaled", RotaryPositions(4, {.scaling = {.factor = 3, .original_limit = 20}})},
        {"relative bias", drawn_bias(3, 4, 2)},
        {"ALiBi", Alibi(3)}};
}

}  // namespace

TEST_CASE("sinusoids worked out by hand, and their laws", "[nn][positions]") {
    const SinusoidalPositions positions(4);
    const Tensor PE = positions.table(3);
    const double f = 1.0 / 100;  // 10000^(-2/4)
    CHECK(
        close(PE, tensor::of({{0, 1, 0, 1},
                              {std::sin(1.0), std::cos(1.0), std::sin(f), std::cos(f)},
                              {std::sin(2.0), std::cos(2.0), std::sin(2 * f), std::cos(2 * f)}})));
    // An odd d ends in a sine; a later beginning is the rest of the table.
    const Tensor odd = SinusoidalPositions(5).table(8);
    CHECK(odd.shape() == Shape{8, 5});
    CHECK(odd(1, 4) == Approx(std::sin(std::pow(10000.0, -4.0 / 5))));
    CHECK(tensor::same_bits(SinusoidalPositions(5).table(3, 5), tensor::slice(odd, 0, 5, 8)));
    // Each pair of entries is turned by a fixed angle from one position to the next, so the product
    // of two positions depends on their distance only.
    const Tensor table = SinusoidalPositions(16).table(50);
    const Tensor products = tensor::matmul(table, tensor::transpose(table));
    for (std::int64_t i = 0; i < 40; i += 7) CHECK(products(i, i + 9) == Approx(products(0, 9)));
    CHECK((tensor::abs(table) <= 1).all());
    // Angles of far positions are right, too, also in float.
    CHECK(static_cast<double>(positions.table(1, 1'000'000)(0, 0)) ==
          Approx(std::sin(1e6)).margin(1e-6));
}

TEST_CASE("a learned table is added row by row", "[nn][positions]") {
    Random random(2);
    const LearnedPositions positions(5, 3, random);
    const Variable X = drawn({2, 4, 3}, 3);
    const Tensor rows = tensor::slice(positions.weight.value(), 0, 1, 5);
    CHECK(tensor::same_bits(positions.added_to(X, 1).value(), X.value() + rows));
    CHECK(positions.details() == "limit=5, d=3");
}

TEST_CASE("rotary positions worked out by hand", "[nn][positions]") {
    const Variable x(tensor::of({{1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4}}));
    const double f = 0.01, c = std::cos(1.0), s = std::sin(1.0);
    const double cf = std::cos(f), sf = std::sin(f);
    const Tensor halves = RotaryPositions(4).turned(x).value();
    CHECK(close(tensor::select(halves, 0, 0), tensor::of({1, 2, 3, 4})));
    CHECK(close(tensor::select(halves, 0, 1),
                tensor::of({c - 3 * s, 2 * cf - 4 * sf, 3 * c + s, 4 * cf + 2 * sf})));
    const Tensor neighbours =
        RotaryPositions(4, {.pairs = RotatedPairs::neighbours}).turned(x).value();
    CHECK(close(tensor::select(neighbours, 0, 1),
                tensor::of({c - 2 * s, 2 * c + s, 3 * cf - 4 * sf, 4 * cf + 3 * sf})));
    const Tensor partly = RotaryPositions(4, {.d_rotated = 2}).turned(x).value();
    CHECK(close(tensor::select(partly, 0, 1), tensor::of({c - 2 * s, 2 * c + s, 3, 4})));
    const Tensor slowly = RotaryPositions(4, {.base = 4}).turned(x).value();  // the second by 1/2
    const double ch = std::cos(0.5), sh = std::sin(0.5);
    CHECK(close(tensor::select(slowly, 0, 1),
                tensor::of({c - 3 * s, 2 * ch - 4 * sh, 3 * c + s, 4 * ch + 2 * sh})));
}

TEST_CASE("scaled rotary positions worked out by hand", "[nn][positions]") {
    const Variable x(tensor::of({{1, 1, 1, 0, 0, 0}, {1, 1, 1, 0, 0, 0}}));
    // The pairs turn by 1, 1/10 and 1/100 from one position to the next.
    const auto check = [&](const RotaryScaling& scaling, double a, double b, double c) {
        const Tensor rotated =
            RotaryPositions(6, {.base = 1000, .scaling = scaling}).turned(x).value();
        CHECK(close(tensor::select(rotated, 0, 1),
                    tensor::of({std::cos(a), std::cos(b), std::cos(c), std::sin(a), std::sin(b),
                                std::sin(c)})));
    };
    check({}, 1, 0.1, 0.01);
    check({.factor = 4}, 0.25, 0.025, 0.0025);
    // Within 157 positions they make 24.99, 2.499 and 0.25 turns.
    const double kept = (157 * 0.1 / (2 * std::acos(-1.0)) - 1) / 3;
    check({.factor = 4, .original_limit = 157}, 1, 0.1 * (kept + (1 - kept) / 4), 0.0025);
    check({.factor = 4, .original_limit = 157, .few_turns = 0, .many_turns = 0.1}, 1, 0.1, 0.01);
    check({.factor = 4, .original_limit = 157, .few_turns = 30, .many_turns = 40}, 0.25, 0.025,
          0.0025);
}

TEST_CASE("a product of turned vectors depends on their distance only", "[nn][positions]") {
    const Variable q = drawn({1, 8}, 4), k = drawn({1, 8}, 5);
    for (const RotatedPairs pairs : {RotatedPairs::halves, RotatedPairs::neighbours}) {
        const RotaryPositions rotary(8, {.pairs = pairs});
        const auto product = [&](std::int64_t i, std::int64_t j) {
            return sum(rotary.turned(q, i) * rotary.turned(k, j)).item();
        };
        CHECK(static_cast<double>(product(7, 3)) ==
              Approx(static_cast<double>(product(104, 100))).margin(1e-5));
        CHECK(std::fabs(static_cast<double>(product(7, 3) - product(7, 4))) > 1e-3);
        // A turn changes no length.
        CHECK(static_cast<double>(product(5, 5)) ==
              Approx(static_cast<double>(sum(q * k).item())).margin(1e-5));
    }
}

TEST_CASE("relative biases worked out by hand", "[nn][positions]") {
    RelativeBias learned(2, 1);
    StateDict state;
    state.add("weight", tensor::of({{10, 20, 30}, {1, 2, 3}}));  // before, same, after
    load_state_dict(learned, state);
    CHECK(tensor::same_bits(
        learned.bias(2, 4, 1)->value(),
        tensor::of({{{10, 20, 30, 30}, {10, 10, 20, 30}}, {{1, 2, 3, 3}, {1, 1, 2, 3}}})));
    CHECK(learned.details() == "num_heads=2, farthest=1");
    // Slopes 2^-4 and 2^-8 for two heads; three have those of two and the first of four between.
    CHECK(Alibi(2).slopes == std::vector<double>{1.0 / 16, 1.0 / 256});
    CHECK(Alibi(3).slopes == std::vector<double>{1.0 / 16, 1.0 / 256, 1.0 / 4});
    CHECK(Alibi(6).slopes ==
          std::vector<double>{1.0 / 4, 1.0 / 16, 1.0 / 64, 1.0 / 256, 1.0 / 2, 1.0 / 8});
    CHECK(Alibi(8).slopes.front() == 0.5);
    CHECK(Alibi(8).slopes.back() == 1.0 / 256);
    CHECK(tensor::same_bits(Alibi(1).bias(2, 3, 1)->value() * 256,
                            tensor::of({{{-1, 0, -1}, {-2, -1, 0}}})));
}

TEST_CASE("without positions attention is equivariant, with any of them it is not",
          "[nn][positions]") {
    const Variable X = drawn({7, 12}, 6);
    const IndexTensor turned({3, 0, 6, 1, 5, 2, 4});
    const Variable permuted = index_select(X, 0, turned);
    Random random(7);
    MultiHeadAttention layer(12, 3, random);
    CHECK(close(layer(permuted).value(), index_select(layer(X), 0, turned).value()));
    for (const Kind& kind : kinds()) {
        INFO(kind.name);
        layer.positions = kind.positions;
        CHECK_FALSE(close(layer(permuted).value(), index_select(layer(X), 0, turned).value()));
    }
}

TEST_CASE("attention layers with positions of every kind equal their definition",
          "[nn][positions]") {
    const Variable X = drawn({2, 7, 12}, 8), source = drawn({2, 5, 12}, 9);
    const Mask mask = Mask::causal(7);
    for (const Kind& kind : kinds()) {
        INFO(kind.name);
        Random random(10);
        const MultiHeadAttention layer(12, 3, random, {.positions = kind.positions});
        CHECK(close(layer(X, mask).value(), head_by_head(layer, X, X, X, mask).output.value()));
        CHECK(
            close(layer(X, source).value(), head_by_head(layer, X, source, source).output.value()));
        CHECK(close(layer.with_weights(X).weights.value(),
                    head_by_head(layer, X, X, X).weights.value()));
    }
    // A single head equals a layer of one head.
    Random random(11);
    AttentionHead head(12, 4, random, {.positions = RotaryPositions(4)});
    MultiHeadAttention one(12, 1, random, {.d_head = 4, .positions = RotaryPositions(4)});
    one.W_Q = head.W_Q;
    one.W_K = head.W_K;
    one.W_V = head.W_V;
    CHECK(close(select(one.with_weights(X).weights, 1, 0).value(),
                head.with_weights(X).weights.value()));
    head.positions = Alibi(1);
    one.positions = Alibi(1);
    CHECK(close(select(one.with_weights(X).weights, 1, 0).value(),
                head.with_weights(X).weights.value()));
    head.positions = Alibi(3);
    CHECK(message_of<ShapeError>([&] { head(X); }) ==
          "AttentionHead: the bias of the positions has shape [3, 7, 7], so 3 heads; there is only "
          "one");
}

TEST_CASE("positions are members of their layer, and copied with it", "[nn][positions]") {
    Random random(12);
    MultiHeadAttention layer(12, 3, random, {.positions = drawn_bias(3, 4, 2)});
    CHECK(count_parameters(layer) == 4 * (12 * 12 + 12) + 3 * 9);
    CHECK(parameters(layer).back().name == "positions.weight");
    const Variable X = drawn({5, 12}, 13);
    MultiHeadAttention copy = layer;
    CHECK(tensor::same_bits(copy(X).value(), layer(X).value()));
    init::zeros(*member_tree(copy).members.back().members.front().parameter);
    CHECK_FALSE(tensor::same_bits(copy(X).value(), layer(X).value()));
    // It is trained.
    sum(layer(X) * drawn({5, 12}, 14)).backward();
    CHECK(parameters(layer).back().parameter.has_grad());
    CHECK((tensor::abs(parameters(layer).back().parameter.grad()) > 0).any());
    // And assigned: to none, and back.
    AnyPositions positions = layer.positions;
    CHECK(positions.are_given());
    positions = AnyPositions();
    CHECK_FALSE(positions.are_given());
    CHECK_FALSE(positions.bias(2, 2).has_value());
    CHECK(tensor::same_bits(positions.turned(X).value(), X.value()));
    positions = Alibi(3);
    CHECK(positions.bias(2, 2)->shape() == Shape{3, 2, 2});
}

TEST_CASE("positions past the limit are refused with both numbers", "[nn][positions]") {
    Random random(15);
    const LearnedPositions table(5, 3, random);
    const std::string rule = "; shorten the text, or make the layer with a larger limit";
    CHECK(message_of<std::out_of_range>([&] {
              table.added_to(drawn({6, 3}, 1));
          }) ==
          "LearnedPositions: position 5 is past the limit: there are 5 positions, numbered 0 to 4" +
              rule);
    CHECK(message_of<std::out_of_range>([&] {
              table.added_to(drawn({1, 3}, 1), 9);
          }) ==
          "LearnedPositions: position 9 is past the limit: there are 5 positions, numbered 0 to 4" +
              rule);
    CHECK(message_of<std::out_of_range>([&] {
              table.added_to(drawn({1, 3}, 1), -1);
          }) == "LearnedPositions: the first position is -1; it must be at least 0");
    CHECK(table.added_to(drawn({0, 3}, 1), 5).shape() == Shape{0, 3});
    CHECK(table.added_to(drawn({0, 3}, 1), 6).shape() == Shape{0, 3});  // no token is past it
    CHECK(table.added_to(drawn({5, 3}, 1)).shape() == Shape{5, 3});
    CHECK(RotaryPositions(4, {.limit = 1}).turned(drawn({1, 4}, 1)).shape() == Shape{1, 4});
    CHECK(message_of<std::out_of_range>([&] {
              RotaryPositions(4, {.limit = 1}).turned(drawn({2, 4}, 1));
          }) ==
          "RotaryPositions: position 1 is past the limit: there are 1 positions, numbered 0 to 0" +
              rule);
    const RotaryPositions rotary(4, {.limit = 8});
    CHECK(message_of<std::out_of_range>([&] {
              rotary.turned(drawn({2, 4}, 1), 7);
          }) ==
          "RotaryPositions: position 8 is past the limit: there are 8 positions, numbered 0 to 7" +
              rule);
    MultiHeadAttention layer(4, 1, random, {.positions = rotary});
    CHECK_THAT(message_of<std::out_of_range>([&] {
                   layer(drawn({9, 4}, 1));
               }),
               Contains("position 8 is past the limit: there are 8 positions"));
}

TEST_CASE("positions of every kind count from 0, up to the last of 64 bits", "[nn][positions]") {
    Random random(16);
    const LearnedPositions learned(5, 4, random);
    const SinusoidalPositions sinusoidal(4);
    const RotaryPositions rotary(4);
    const RelativeBias relative(2, 3);
    const Alibi alibi(2);
    const Variable x = drawn({3, 4}, 1);
    const std::int64_t largest = INT64_MAX;
    for (const std::int64_t first : {std::int64_t{-1}, INT64_MIN, largest, largest - 2}) {
        const std::string given = ": the first position is " + std::to_string(first);
        const std::string rule =
            given + (first < 0 ? "; it must be at least 0"
                               : " and there are 3; the last does not fit in 64 bits");
        const auto refused = [](const auto& call) { return message_of<std::out_of_range>(call); };
        CHECK(refused([&] { learned.added_to(x, first); }) == "LearnedPositions" + rule);
        CHECK(refused([&] { sinusoidal.added_to(x, first); }) == "SinusoidalPositions" + rule);
        CHECK(refused([&] { sinusoidal.table(3, first); }) == "SinusoidalPositions" + rule);
        CHECK(refused([&] { rotary.turned(x, first); }) == "RotaryPositions" + rule);
        CHECK(refused([&] { relative.bias(3, 5, first); }) == "RelativeBias" + rule);
        CHECK(refused([&] { alibi.bias(3, 5, first); }) == "Alibi" + rule);
        if (first > 0) {
            CHECK(refused([&] {
                      tensor::sinusoids(first, 3, {1});
                  }).starts_with("sinusoids" + given + " and there are 3; the last"));
        }
    }
    // The last that there are: only distances beyond the farthest.
    const Variable far = *relative.bias(3, 5, largest - 3);
    CHECK(far.shape() == Shape{2, 3, 5});
    CHECK(tensor::sinusoids(largest - 3, 3, {0}).cos(2, 0) == 1);
    CHECK(message_of<std::invalid_argument>([] { RelativeBias(1, INT64_MAX / 2 + 1); }) ==
          "RelativeBias: farthest is 4611686018427387904; 2·farthest + 1 does not fit in 64 bits");
}

TEST_CASE("positions that cannot be made", "[nn][positions]") {
    Random random(16);
    const auto refused = [](const std::function<void()>& make) {
        return message_of<std::invalid_argument>(make);
    };
    CHECK(refused([&] { LearnedPositions(0, 3, random); }) ==
          "LearnedPositions: limit is 0 and d is 3; both must be at least 1");
    CHECK(refused([&] { SinusoidalPositions(0); }) ==
          "SinusoidalPositions: d is 0; it must be at least 1");
    CHECK(refused([&] { RotaryPositions(3); }) ==
          "RotaryPositions: 3 of 3 features would be rotated; the number must be even and at least "
          "2, since they are rotated in pairs");
    CHECK(refused([&] { RotaryPositions(4, {.d_rotated = 6}); }) ==
          "RotaryPositions: 6 of 4 features would be rotated; the number must be even and at least "
          "2, since they are rotated in pairs");
    CHECK(refused([&] {
              RotaryPositions(4, {.d_rotated = -2});
          }).starts_with("RotaryPositions: -2 of 4 features would be rotated"));
    CHECK(refused([&] { RotaryPositions(4, {.base = 0}); }) ==
          "RotaryPositions: base is 0; it must be positive and finite");
    CHECK(refused([&] { RotaryPositions(4, {.base = infinity}); }) ==
          "RotaryPositions: base is inf; it must be positive and finite");
    CHECK(refused([&] { RotaryPositions(4, {.limit = -1}); }) ==
          "RotaryPositions: the limit is -1; it must be at least 1, or 0 for none");
    for (const RotaryScaling& scaling : {RotaryScaling{.factor = 0},
                                         {.factor = infinity},
                                         {.original_limit = -1},
                                         {.few_turns = 4},
                                         {.few_turns = -1},
                                         {.many_turns = infinity}}) {
        CHECK(refused([&] { RotaryPositions(4, {.scaling = scaling}); }) ==
              text("RotaryPositions: scaling is ", scaling,
                   "; the factor must be positive and finite, original_limit at least 0, and "
                   "few_turns at least 0 and less than many_turns"));
    }
    CHECK(refused([&] { RelativeBias(0, 3); }) ==
          "RelativeBias: num_heads is 0 and farthest is 3; num_heads must be at least 1, and "
          "farthest at least 0");
    CHECK(refused([&] { Alibi(0); }) == "Alibi: num_heads is 0; it must be at least 1");
    CHECK(message_of<ShapeError>([&] {
              SinusoidalPositions(4).added_to(drawn({2, 3}, 1));
          }) == "SinusoidalPositions: x has shape [2, 3]; it must be [..., T, 4]");
    CHECK(message_of<ShapeError>([&] { RotaryPositions(4).turned(drawn({4}, 1)); }) ==
          "RotaryPositions: x has shape [4]; it must be [..., T, 4]");
}

TEST_CASE("positions begin and print as they are made", "[nn][positions]") {
    Random random(17);
    const LearnedPositions table(50, 40, random);
    const double mean_square =
        static_cast<double>(tensor::mean((table.weight * table.weight).value()).item());
    CHECK(mean_square == Approx(1).margin(0.1));
    CHECK(LearnedPositions(1, 3, random).details() == "limit=1, d=3");
    CHECK(SinusoidalPositions(6).details() == "d=6");
    CHECK(RotaryPositions(4).details() == "d=4, base=10000");
    CHECK(RotaryPositions(
              6, {.base = 9, .pairs = RotatedPairs::neighbours, .d_rotated = 2, .limit = 1})
              .details() == "d=6, base=9, d_rotated=2, neighbours, limit=1");
    CHECK(RotaryPositions(4, {.scaling = {.factor = 8, .original_limit = 90}}).details() ==
          "d=4, base=10000, scaling={.factor = 8, .original_limit = 90, .few_turns = 1, "
          ".many_turns = 4}");
    CHECK(Alibi(3).details() == "num_heads=3");
    const RelativeBias everywhere(2, 0);  // one bias a head, whatever the distance
    CHECK(everywhere.details() == "num_heads=2, farthest=0");
    CHECK(everywhere.bias(2, 3)->shape() == Shape{2, 2, 3});
}
