// The random generator against its published definition, and its draws against their distributions.
#include "tensor/random.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace heed;
using Words = std::vector<std::uint64_t>;

namespace {
// The two recurrences as their authors publish them, on arbitrary states.
struct SplitMix64 {
    std::uint64_t x;
    std::uint64_t next() {
        std::uint64_t z = (x += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
};

struct Xoshiro256pp {
    std::uint64_t s[4];
    static std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
    std::uint64_t next() {
        const std::uint64_t result = rotl(s[0] + s[3], 23) + s[0];
        const std::uint64_t t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = rotl(s[3], 45);
        return result;
    }
};

Xoshiro256pp seeded(std::uint64_t seed) {
    SplitMix64 fill{seed};
    Xoshiro256pp generator{};
    for (std::uint64_t& word : generator.s) word = fill.next();
    return generator;
}

template <class Generator>
Words first(Generator generator, int count) {
    Words words;
    for (int i = 0; i < count; ++i) words.push_back(generator.next());
    return words;
}

double as_uniform(std::uint64_t word) { return std::ldexp(static_cast<double>(word >> 11), -53); }

}  // namespace

TEST_CASE("the recurrences of this test give the published numbers", "[tensor][random]") {
    CHECK(first(SplitMix64{1234567}, 3) ==
          Words{6457827717110365317u, 3203168211198807973u, 9817491932198370423u});
    CHECK(first(Xoshiro256pp{{1, 2, 3, 4}}, 6) == Words{41943041u, 58720359u, 3588806011781223u,
                                                        3591011842654386u, 9228616714210784205u,
                                                        9973669472204895162u});
}

TEST_CASE("the generator is xoshiro256++ seeded by splitmix64", "[tensor][random]") {
    for (std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{42}, ~std::uint64_t{0}}) {
        INFO("seed " << seed);
        CHECK(first(Random(seed), 1000) == first(seeded(seed), 1000));
    }
}

TEST_CASE("a copied generator continues with the same numbers", "[tensor][random]") {
    Random random(3);
    random.next();
    const Random copy = random;
    CHECK(first(copy, 5) == first(random, 5));
    CHECK_FALSE(first(Random(3), 5) == first(Random(4), 5));
}

TEST_CASE("a uniform number is the upper 53 bits", "[tensor][random]") {
    Random random(9);
    Xoshiro256pp expected = seeded(9);
    double sum = 0;
    double squares = 0;
    double smallest = 1;
    double largest = 0;
    bool same = true;
    const int count = 100000;
    for (int i = 0; i < count; ++i) {
        const double u = random.uniform();
        same = same && u == as_uniform(expected.next());
        smallest = std::min(smallest, u);
        largest = std::max(largest, u);
        sum += u;
        squares += u * u;
    }
    CHECK(same);
    CHECK(smallest >= 0);
    CHECK(smallest < 1e-3);
    CHECK(largest < 1);
    CHECK(largest > 0.999);
    CHECK(sum / count == Approx(0.5).margin(0.005));
    CHECK(squares / count == Approx(1.0 / 3).margin(0.005));
}

TEST_CASE("a normal number is the Box-Muller transform of two uniform ones", "[tensor][random]") {
    Random random(17);
    Xoshiro256pp words = seeded(17);
    const double two_pi = 2 * std::acos(-1.0);
    double worst = 0;
    double moments[5] = {};
    const int count = 50000;
    for (int i = 0; i < count; ++i) {
        const double u = 1 - as_uniform(words.next());
        const double v = as_uniform(words.next());
        const double expected = std::sqrt(-2 * std::log(u)) * std::cos(two_pi * v);
        const double z = random.normal();
        worst = std::max(worst, std::fabs(z - expected));
        for (int k = 1; k <= 4; ++k) moments[k] += std::pow(z, k) / count;
    }
    CHECK(worst < 1e-14);
    CHECK(moments[1] == Approx(0).margin(0.02));
    CHECK(moments[2] == Approx(1).margin(0.03));
    CHECK(moments[3] == Approx(0).margin(0.06));
    CHECK(moments[4] == Approx(3).margin(0.2));
}

TEST_CASE("below gives every number equally often", "[tensor][random]") {
    Random random(2);
    std::map<std::int64_t, int> counts;
    for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
    REQUIRE(counts.size() == 7);
    CHECK(counts.begin()->first == 0);
    CHECK(counts.rbegin()->first == 6);
    for (const auto& [number, count] : counts) CHECK(std::abs(count - 10000) < 400);
    CHECK(random.below(1) == 0);
}

// Taken modulo n = 3·2^61, the 2^64 values give each remainder below 2^62 three times and the
// others twice: 3/4 of the draws would be below 2^62 where 2/3 are right.
TEST_CASE("below has no bias toward small numbers", "[tensor][random]") {
    Random random(6);
    const std::int64_t n = std::int64_t{3} << 61;
    int small = 0;
    const int count = 30000;
    for (int i = 0; i < count; ++i) {
        if (random.below(n) < std::int64_t{1} << 62) ++small;
    }
    CHECK(static_cast<double>(small) / count == Approx(2.0 / 3).margin(0.015));
}

TEST_CASE("a permutation holds each number once, and every order is equally likely",
          "[tensor][random]") {
    Random random(8);
    std::vector<std::int64_t> order = random.permutation(100);
    CHECK_FALSE(std::is_sorted(order.begin(), order.end()));
    std::sort(order.begin(), order.end());
    bool complete = order.size() == 100;
    for (std::int64_t i = 0; i < 100 && complete; ++i) {
        complete = order[static_cast<std::size_t>(i)] == i;
    }
    CHECK(complete);
    CHECK(random.permutation(0).empty());
    CHECK(random.permutation(1) == std::vector<std::int64_t>{0});

    int counts[27] = {};
    for (int i = 0; i < 6000; ++i) {
        const std::vector<std::int64_t> p = random.permutation(3);
        ++counts[9 * p[0] + 3 * p[1] + p[2]];
    }
    for (int code : {5, 7, 11, 15, 19, 21}) {  // 012, 021, 102, 120, 201, 210 in base 3
        INFO("order " << code);
        CHECK(std::abs(counts[code] - 1000) < 150);
    }
}

TEST_CASE("draws from an empty range are rejected", "[tensor][random]") {
    Random random(1);
    CHECK(message_of<std::invalid_argument>([&] { random.below(0); }) ==
          "Random::below: n is 0; it must be 1 or more");
    CHECK(message_of<std::invalid_argument>([&] { random.below(-5); }) ==
          "Random::below: n is -5; it must be 1 or more");
    CHECK(message_of<std::invalid_argument>([&] { random.permutation(-1); }) ==
          "Random::permutation: n is -1; it must be 0 or more");
    CHECK(message_of<OutOfMemory>([&] { random.permutation(std::int64_t{1} << 58); }) ==
          "Random::permutation: shape [288230376151711744] needs 288230376151711744 entries of 8 "
          "bytes, and there is not enough memory");
}
