// The kernel tables: each gives the same bits as the plain one, and the plain one gives those of
// the definitions.
#include "tensor/kernels/kernels.h"

#include "tensor/kernels/math.h"
#include "tensor/random.h"
#include "tests/catch.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using namespace heed;
using kernels::Table;
using Numbers = std::vector<Scalar>;

namespace {
#define HEED_ONE_MORE(name) +1
constexpr int unary_count = HEED_UNARY_FUNCTIONS(HEED_ONE_MORE);
constexpr int binary_count = HEED_BINARY_FUNCTIONS(HEED_ONE_MORE);
#undef HEED_ONE_MORE
constexpr Scalar inf = std::numeric_limits<Scalar>::infinity();
constexpr Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();

const Table& plain() { return *kernels::available().tables[0]; }

// Numbers of many magnitudes, including special values if requested.
Numbers draw(std::int64_t n, Random& random, bool specials = false) {
    const Scalar special[] = {0, Scalar(-0.0), inf, -inf, nan, Scalar(1e-40), 1, 2, -1};
    Numbers numbers;
    for (std::int64_t i = 0; i < n; ++i) {
        const double size = std::exp(3 * random.normal());
        const double sign = random.uniform() < 0.5 ? -1 : 1;
        const bool is_special = specials && random.below(5) == 0;
        numbers.push_back(is_special ? special[random.below(9)] : Scalar(sign * size));
    }
    return numbers;
}

// All NaNs count as equal.
bool same(Scalar a, Scalar b) {
    if (a != a || b != b) return a != a && b != b;
    return std::memcmp(&a, &b, sizeof a) == 0;
}

bool same(const Numbers& a, const Numbers& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!same(a[i], b[i])) return false;
    }
    return a.size() == b.size();
}

// A result buffer with one extra number at the end, which no kernel may write.
Numbers room(std::int64_t n) { return Numbers(static_cast<std::size_t>(n) + 1, Scalar(77)); }

std::string unary_differences(const Table& table) {
    Random random(1);
    std::string wrong;
    for (int f = 0; f < unary_count; ++f) {
        for (std::int64_t n : {0, 1, 7, 16, 33, 1009}) {
            for (std::int64_t stride : {0, 1, 3}) {
                const Numbers x = draw(n * 3 + 1, random, true);
                Numbers expected = room(n), got = room(n);
                plain().unary(static_cast<kernels::Unary>(f), n, x.data(), stride, expected.data());
                table.unary(static_cast<kernels::Unary>(f), n, x.data(), stride, got.data());
                if (!same(expected, got)) wrong += "unary " + std::to_string(f) + "; ";
            }
        }
    }
    return wrong;
}

std::string binary_differences(const Table& table) {
    Random random(2);
    std::string wrong;
    for (int f = 0; f < binary_count; ++f) {
        for (std::int64_t n : {0, 1, 19, 257}) {
            for (int strides = 0; strides < 9; ++strides) {
                const Numbers a = draw(n * 2 + 1, random, true), b = draw(n * 2 + 1, random, true);
                Numbers expected = room(n), got = room(n);
                plain().binary(static_cast<kernels::Binary>(f), n, a.data(), strides % 3, b.data(),
                               strides / 3, expected.data());
                table.binary(static_cast<kernels::Binary>(f), n, a.data(), strides % 3, b.data(),
                             strides / 3, got.data());
                if (!same(expected, got)) wrong += "binary " + std::to_string(f) + "; ";
            }
        }
    }
    return wrong;
}

std::string row_differences(const Table& table) {
    Random random(3);
    std::string wrong;
    for (std::int64_t n = 0; n < 100; ++n) {
        for (int kind = 0; kind < 4; ++kind) {
            Numbers x = draw(n, random, kind == 1);
            for (Scalar& entry : x) {
                if (kind == 2) entry = -inf;
                if (kind == 3 && random.below(2) == 0) entry = -inf;
            }
            if (kind == 2 && n > 2 && n % 3 == 0) x[static_cast<std::size_t>(n / 2)] = nan;
            Numbers expected = room(n), got = room(n);
            plain().softmax(n, x.data(), expected.data());
            table.softmax(n, x.data(), got.data());
            if (!same(expected, got)) wrong += "softmax " + std::to_string(n) + "; ";
            plain().log_softmax(n, x.data(), expected.data());
            table.log_softmax(n, x.data(), got.data());
            if (!same(expected, got)) wrong += "log_softmax " + std::to_string(n) + "; ";
            if (!same(plain().sum(n, x.data()), table.sum(n, x.data()))) {
                wrong += "sum " + std::to_string(n) + "; ";
            }
        }
    }
    return wrong;
}

std::string message_of_named(const char* name) {
    try {
        kernels::named(name);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "nothing was thrown";
}

}  // namespace

TEST_CASE("every set of kernels gives the same bits as the plain loops", "[tensor][kernels]") {
    const kernels::Available found = kernels::available();
    REQUIRE(found.count >= 2);
    for (int i = 1; i < found.count; ++i) {
        INFO(found.tables[i]->name);
        CHECK(unary_differences(*found.tables[i]) == "");
        CHECK(binary_differences(*found.tables[i]) == "");
        CHECK(row_differences(*found.tables[i]) == "");
    }
}

TEST_CASE("the plain kernels apply the function their name says", "[tensor][kernels]") {
    using kernels::Binary;
    using kernels::Unary;
    const double x = 0.7;
    const double unary_values[] = {-0.7,
                                   0.7,
                                   1,
                                   std::sqrt(x),
                                   std::exp(x),
                                   std::log(x),
                                   std::sin(x),
                                   std::cos(x),
                                   std::tanh(x),
                                   std::erf(x),
                                   1 / (1 + std::exp(-x)),
                                   0.7,
                                   x / (1 + std::exp(-x)),
                                   x * (1 + std::erf(x / std::sqrt(2.0))) / 2,
                                   0.9766141011,  // Φ(0.7) + 0.7·φ(0.7)
                                   x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x))) /
                                       2};
    for (int f = 0; f < unary_count; ++f) {
        const Scalar entry = Scalar(x);
        Scalar y = 0;
        plain().unary(static_cast<Unary>(f), 1, &entry, 1, &y);
        INFO("unary " << f);
        CHECK(y == Approx(unary_values[f]).epsilon(1e-6));
    }
    const double binary_values[] = {5,           -1,          6,           2.0 / 3, 2,   3, 8,
                                    2.023891294, 2.023168333, 2.176208212, -16,     -12, 2};
    for (int f = 0; f < binary_count; ++f) {
        const Scalar a = 2, b = 3;
        Scalar y = 0;
        plain().binary(static_cast<Binary>(f), 1, &a, 1, &b, 1, &y);
        INFO("binary " << f);
        CHECK(y == Approx(binary_values[f]));
    }
}

TEST_CASE("a sum is sixteen lanes, then a tree", "[tensor][kernels]") {
    Random random(5);
    const Numbers x = draw(91, random);
    Scalar lane[16] = {};
    for (std::size_t i = 0; i < x.size(); ++i) lane[i % 16] += x[i];
    for (std::size_t half : {8, 4, 2, 1}) {
        for (std::size_t l = 0; l < half; ++l) lane[l] += lane[l + half];
    }
    CHECK(same(plain().sum(91, x.data()), lane[0]));

    Scalar chain = 0;
    for (Scalar entry : x) chain += entry;
    CHECK_FALSE(same(chain, lane[0]));  // so the order of summation shows in the result
}

TEST_CASE("a long sum is that of its two parts, down to blocks of 256", "[tensor][kernels]") {
    Random random(6);
    const Numbers x = draw(256 * 5 + 100, random);
    const auto lanes_of = [&](std::size_t first, std::size_t end) {
        Numbers lane(16);
        for (std::size_t i = first; i < end; ++i) lane[i % 16] += x[i];
        return lane;
    };
    const auto added = [](Numbers a, const Numbers& b) {
        for (std::size_t l = 0; l < 16; ++l) a[l] += b[l];
        return a;
    };
    const auto sum_of = [](Numbers lane) {
        for (std::size_t half : {8, 4, 2, 1}) {
            for (std::size_t l = 0; l < half; ++l) lane[l] += lane[l + half];
        }
        return lane[0];
    };
    const Numbers block[] = {lanes_of(0, 256),    lanes_of(256, 512),   lanes_of(512, 768),
                             lanes_of(768, 1024), lanes_of(1024, 1280), lanes_of(1280, 1380)};
    CHECK(same(plain().sum(256, x.data()), sum_of(block[0])));
    CHECK(same(plain().sum(257, x.data()), sum_of(added(block[0], lanes_of(256, 257)))));
    CHECK(same(plain().sum(512, x.data()), sum_of(added(block[0], block[1]))));
    const Numbers two = added(block[0], block[1]);
    CHECK(same(plain().sum(768, x.data()), sum_of(added(two, block[2]))));
    const Numbers four = added(two, added(block[2], block[3]));
    CHECK(same(plain().sum(1024, x.data()), sum_of(four)));
    CHECK(same(plain().sum(1380, x.data()), sum_of(added(four, added(block[4], block[5])))));
}

TEST_CASE("kernels are chosen by name", "[tensor][kernels]") {
    const kernels::Available found = kernels::available();
    CHECK(std::string(found.tables[0]->name) == "plain");
    CHECK(std::string(found.tables[1]->name) == "portable");
    for (int i = 0; i < found.count; ++i) {
        CHECK(&kernels::named(found.tables[i]->name) == found.tables[i]);
    }
}

TEST_CASE("by default a debug build takes the plain kernels, other builds the best",
          "[tensor][kernels]") {
    const kernels::Available found = kernels::available();
#ifdef NDEBUG
    const Table& expected = *found.tables[found.count - 1];
#else
    const Table& expected = *found.tables[0];
#endif
    CHECK(&kernels::named(nullptr) == &expected);
    CHECK(&kernels::named("") == &expected);
}

TEST_CASE("an unknown kernel name is rejected", "[tensor][kernels]") {
    const std::string message = message_of_named("avx3");
    CHECK_THAT(message, Contains("HEED_KERNELS is \"avx3\", which is not the name of any kernels; "
                                 "it can be one of: plain, portable"));
    CHECK_THAT(message_of_named("Plain"), Contains("HEED_KERNELS is \"Plain\""));
    if (kernels::available().count == 2) {
        CHECK_THAT(message_of_named("avx512"), Contains("which this machine cannot run"));
    }
}

#if defined(__SSE2__)
TEST_CASE("a thread that rounds the smallest numbers to zero is rejected", "[tensor][kernels]") {
    const unsigned before = __builtin_ia32_stmxcsr();
    const unsigned flush_results = 0x8000, flush_operands = 0x0040;
    for (const unsigned mode : {flush_results, flush_operands, flush_results | flush_operands}) {
        std::string message = "nothing was thrown";
        __builtin_ia32_ldmxcsr(before | mode);
        try {
            kernels::refuse_flushing();
        } catch (const std::runtime_error& error) {
            message = error.what();
        }
        __builtin_ia32_ldmxcsr(before);
        CHECK(message ==
              "this thread rounds the smallest numbers to zero, which changes results; if the "
              "program is linked with -Ofast or -ffast-math, add -O3 -fno-fast-math after it, or "
              "call std::fesetenv(FE_DFL_ENV) first");
    }
    CHECK_NOTHROW(kernels::refuse_flushing());
}
#endif
