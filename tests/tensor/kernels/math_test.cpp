// Our own exp, log, tanh and the rest, for one number: their errors against libm in long double,
// and the special cases. Both overloads are tested in one program.
#include "tensor/kernels/math.h"

#include "tensor/errors.h"
#include "tensor/random.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace heed;
namespace math = heed::kernels::math;

namespace {
using Exact = long double;

template <class Real>
constexpr Real inf = std::numeric_limits<Real>::infinity();
template <class Real>
constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();

// |got - want| in units in the last place of a Real near `want`
template <class Real>
Exact ulps(Real got, Exact want) {
    if (std::isnan(want)) return std::isnan(got) ? 0 : inf<Exact>;
    if (std::isnan(got)) return inf<Exact>;
    const Real nearest = static_cast<Real>(want);
    if (got == nearest) return 0;
    if (std::isinf(nearest)) return std::fabs(got) == std::numeric_limits<Real>::max() ? 1 : 1e9L;
    int exponent = 0;
    std::frexp(std::fabs(nearest), &exponent);
    exponent = std::max(exponent, std::numeric_limits<Real>::min_exponent);
    const Exact unit = std::ldexp(Exact(1), exponent - std::numeric_limits<Real>::digits);
    return std::fabs(static_cast<Exact>(got) - want) / unit;
}

template <class Real>
Real from_bits(Random& random) {
    using Word = typename math::Format<Real>::Word;
    return __builtin_bit_cast(Real, static_cast<Word>(random.next()));
}

// Evenly spaced numbers between low and high, and numbers of every magnitude between them
// (denormals too) from random bits.
template <class Real>
std::vector<Real> samples(double low, double high) {
    Random random(7);
    std::vector<Real> numbers;
    for (int i = 0; i < 30000; ++i) {
        numbers.push_back(static_cast<Real>(low + (high - low) * random.uniform()));
        const Real any = from_bits<Real>(random);
        if (any >= low && any <= high) numbers.push_back(any);
    }
    for (Real edge : {static_cast<Real>(low), static_cast<Real>(high)}) numbers.push_back(edge);
    return numbers;
}

template <class Real>
Exact worst(Real (*f)(Real), Exact (*exact)(Exact), double low, double high) {
    Exact worst = 0;
    for (Real x : samples<Real>(low, high)) {
        const Exact error = ulps(f(x), exact(x));
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

Exact exact_sigmoid(Exact x) { return x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x)); }
Exact exact_silu(Exact x) { return x * exact_sigmoid(x); }
Exact exact_gelu(Exact x) { return x * erfcl(-x / sqrtl(2)) / 2; }
Exact exact_gelu_slope(Exact x) {
    const Exact density = expl(-x * x / 2) / sqrtl(2 * 3.14159265358979323846264338L);
    return erfcl(-x / sqrtl(2)) / 2 + x * density;
}
Exact exact_u2(Exact x) {
    return 2 * sqrtl(2 / 3.14159265358979323846264338L) * (x + 0.044715L * x * x * x);
}
Exact exact_gelu_tanh(Exact x) { return x * exact_sigmoid(exact_u2(x)); }

template <class Real>
void check_accuracy() {
    const double most = std::numeric_limits<Real>::max();
    const double range = sizeof(Real) == 4 ? 110 : 750;
    CHECK(worst<Real>(math::exp, expl, -range, range) <= 1.0);
    CHECK(worst<Real>(math::exp, expl, -1, 1) <= 1.0);
    CHECK(worst<Real>(math::log, logl, 0, 4) <= 0.9);
    CHECK(worst<Real>(math::log, logl, 0, most) <= 0.9);
    CHECK(worst<Real>(math::tanh, tanhl, -1, 1) <= 2.7);
    CHECK(worst<Real>(math::tanh, tanhl, -30, 30) <= 2.7);
    CHECK(worst<Real>(math::sigmoid, exact_sigmoid, -20, 40) <= 2.5);
    CHECK(worst<Real>(math::sigmoid, exact_sigmoid, -range, 0) <= 2.5);
    const double normal = sizeof(Real) == 4 ? -87 : -708;  // below, the sigmoid is subnormal
    CHECK(worst<Real>(math::silu, exact_silu, -20, 40) <= 3.5);
    CHECK(worst<Real>(math::silu, exact_silu, normal, 0) <= 3.5);
    CHECK(worst<Real>(math::erf, erfl, -1, 1) <= 2.2);
    CHECK(worst<Real>(math::erf, erfl, -8, 8) <= 2.2);
    CHECK(worst<Real>(math::gelu, exact_gelu, -3, 10) <= 7.0);
    CHECK(worst<Real>(math::gelu, exact_gelu, -45, -3) <= 7.0);
    CHECK(worst<Real>(math::sin, sinl, -10, 10) <= 0.9);
    CHECK(worst<Real>(math::cos, cosl, -10, 10) <= 0.9);
    CHECK(worst<Real>(math::sin, sinl, -2e6, 2e6) <= 0.9);
    CHECK(worst<Real>(math::cos, cosl, -most / 2, most / 2) <= 0.9);
}

// The slope crosses 0 at -0.75; near there only an error small compared with 1 can be required.
template <class Real>
Exact worst_gelu_slope(double low, double high, Exact least_unit) {
    Exact worst = 0;
    for (Real x : samples<Real>(low, high)) {
        const Exact want = exact_gelu_slope(x);
        const Exact unit = std::max(std::fabs(want), least_unit);
        const Exact error = std::fabs(math::gelu_slope(x) - want) / unit;
        if (!(error <= worst)) worst = error;
    }
    return worst / std::numeric_limits<Real>::epsilon();
}

template <class Real>
void check_gelu_slope() {
    CHECK(worst_gelu_slope<Real>(-2, 40, 1) <= 2);
    CHECK(worst_gelu_slope<Real>(-13, -1, 0) <= 12);
}

template <class Real>
void check_gelu_tanh() {
    bool within = true;
    for (Real x : samples<Real>(-15, 15)) {
        const Exact bound = 3 * (1 + std::fabs(exact_u2(x)));
        within = within && ulps(math::gelu_tanh(x), exact_gelu_tanh(x)) <= bound;
    }
    CHECK(within);
}

template <class Real>
Exact worst_power() {
    Random random(11);
    const double highest = sizeof(Real) == 4 ? 88 : 709;
    const double lowest = sizeof(Real) == 4 ? -103 : -744;
    Exact worst = 0;
    for (int i = 0; i < 60000; ++i) {
        const Real any = from_bits<Real>(random);
        const Real x = i % 2 == 0 ? any : static_cast<Real>(10 * random.uniform());
        if (std::isnan(x)) continue;
        const double exponent = lowest + (highest - lowest) * random.uniform();
        const double log_size = static_cast<double>(logl(std::fabs(static_cast<Exact>(x))));
        Real y = static_cast<Real>(exponent / log_size);
        if (i % 3 == 0) y = std::round(y);
        const Exact error = ulps(math::pow(x, y), powl(x, y));
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

template <class Real>
bool same(Real a, Real b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b && std::signbit(a) == std::signbit(b);
}

template <class Real>
struct Special {
    const char* text;
    Real got, want;
};

template <class Real>
void check_specials() {
    const Real least = std::numeric_limits<Real>::denorm_min();
    const Real most = std::numeric_limits<Real>::max();
    const Special<Real> table[] = {
        {"exp 0", math::exp(Real(0)), 1},
        {"exp -0", math::exp(Real(-0.0)), 1},
        {"exp inf", math::exp(inf<Real>), inf<Real>},
        {"exp -inf", math::exp(-inf<Real>), 0},
        {"exp huge", math::exp(most), inf<Real>},
        {"exp -huge", math::exp(-most), 0},
        {"exp nan", math::exp(nan<Real>), nan<Real>},
        {"log 0", math::log(Real(0)), -inf<Real>},
        {"log -0", math::log(Real(-0.0)), -inf<Real>},
        {"log 1", math::log(Real(1)), 0},
        {"log -1", math::log(Real(-1)), nan<Real>},
        {"log -inf", math::log(-inf<Real>), nan<Real>},
        {"log inf", math::log(inf<Real>), inf<Real>},
        {"log nan", math::log(nan<Real>), nan<Real>},
        {"tanh -0", math::tanh(Real(-0.0)), Real(-0.0)},
        {"tanh least", math::tanh(least), least},
        {"tanh -inf", math::tanh(-inf<Real>), -1},
        {"tanh huge", math::tanh(most), 1},
        {"tanh nan", math::tanh(nan<Real>), nan<Real>},
        {"erf -0", math::erf(Real(-0.0)), Real(-0.0)},
        {"erf inf", math::erf(inf<Real>), 1},
        {"erf -huge", math::erf(-most), -1},
        {"erf nan", math::erf(nan<Real>), nan<Real>},
        {"sigmoid 0", math::sigmoid(Real(0)), Real(0.5)},
        {"sigmoid -inf", math::sigmoid(-inf<Real>), 0},
        {"sigmoid inf", math::sigmoid(inf<Real>), 1},
        {"sigmoid nan", math::sigmoid(nan<Real>), nan<Real>},
        {"silu -0", math::silu(Real(-0.0)), Real(-0.0)},
        {"silu inf", math::silu(inf<Real>), inf<Real>},
        {"silu -inf", math::silu(-inf<Real>), Real(-0.0)},
        {"silu huge", math::silu(most), most},
        {"silu -huge", math::silu(-most), Real(-0.0)},
        {"silu nan", math::silu(nan<Real>), nan<Real>},
        {"gelu -0", math::gelu(Real(-0.0)), Real(-0.0)},
        {"gelu inf", math::gelu(inf<Real>), inf<Real>},
        {"gelu -inf", math::gelu(-inf<Real>), Real(-0.0)},
        {"gelu -huge", math::gelu(-most), Real(-0.0)},
        {"gelu nan", math::gelu(nan<Real>), nan<Real>},
        {"gelu_slope -0", math::gelu_slope(Real(-0.0)), Real(0.5)},
        {"gelu_slope inf", math::gelu_slope(inf<Real>), 1},
        {"gelu_slope -inf", math::gelu_slope(-inf<Real>), Real(-0.0)},
        {"gelu_slope -huge", math::gelu_slope(-most), Real(-0.0)},
        {"gelu_slope nan", math::gelu_slope(nan<Real>), nan<Real>},
        {"gelu_tanh inf", math::gelu_tanh(inf<Real>), inf<Real>},
        {"gelu_tanh -inf", math::gelu_tanh(-inf<Real>), Real(-0.0)},
        {"gelu_tanh huge", math::gelu_tanh(most), most},
        {"gelu_tanh nan", math::gelu_tanh(nan<Real>), nan<Real>},
        {"sin -0", math::sin(Real(-0.0)), Real(-0.0)},
        {"sin least", math::sin(least), least},
        {"sin inf", math::sin(inf<Real>), nan<Real>},
        {"cos 0", math::cos(Real(0)), 1},
        {"cos -inf", math::cos(-inf<Real>), nan<Real>},
        {"cos nan", math::cos(nan<Real>), nan<Real>},
    };
    for (const Special<Real>& special : table) {
        INFO(special.text << " gives " << special.got);
        CHECK(same(special.got, special.want));
    }
}

template <class Real>
std::string wrong_powers() {
    const Real most = std::numeric_limits<Real>::max();
    const Real least = std::numeric_limits<Real>::denorm_min();
    const Real numbers[] = {0,
                            1,
                            2,
                            3,
                            4,
                            Real(0.5),
                            Real(1.5),
                            Real(1 / 3.0),
                            Real(1e-30),
                            most,
                            least,
                            Real(16777217),
                            Real(0.9999999),
                            inf<Real>,
                            nan<Real>};
    std::string wrong;
    for (Real x_size : numbers) {
        for (Real y_size : numbers) {
            for (int signs = 0; signs < 4; ++signs) {
                const Real x = signs & 1 ? -x_size : x_size;
                const Real y = signs & 2 ? -y_size : y_size;
                const Real got = math::pow(x, y);
                const Real want = static_cast<Real>(powl(x, y));
                const bool close = std::signbit(got) == std::signbit(want) && want != 0 &&
                                   std::isfinite(want) && ulps(got, powl(x, y)) <= 1;
                if (same(got, want) || close) continue;
                wrong += std::to_string(x) + "^" + std::to_string(y) + "; ";
            }
        }
    }
    return wrong;
}

// Integer powers that a Real can represent must be exact; x² must always equal x·x.
template <class Real>
void check_exact_powers() {
    int wrong = 0;
    for (int base = -40; base <= 40; ++base) {
        Exact power = 1;
        for (int exponent = 0; exponent <= 12; ++exponent) {
            const bool held = static_cast<Real>(power) == power;
            if (held && math::pow(Real(base), Real(exponent)) != power) ++wrong;
            power *= base;
        }
    }
    CHECK(wrong == 0);

    Random random(3);
    int not_squares = 0;
    for (int i = 0; i < 20000; ++i) {
        const Real x = from_bits<Real>(random);
        if (!same(math::pow(x, Real(2)), x * x)) ++not_squares;
        if (!same(math::pow(x, Real(1)), x)) ++not_squares;
    }
    CHECK(not_squares == 0);
}

}  // namespace

TEST_CASE("the functions are within their stated distance of the true value", "[tensor][math]") {
    SECTION("float") { check_accuracy<float>(); }
    SECTION("double") { check_accuracy<double>(); }
}

TEST_CASE("the slope of gelu is accurate, also where it is nearly 0 on the left",
          "[tensor][math]") {
    check_gelu_slope<float>();
    check_gelu_slope<double>();
}

TEST_CASE("gelu in its tanh form loses accuracy only as its argument grows", "[tensor][math]") {
    check_gelu_tanh<float>();
    check_gelu_tanh<double>();
}

TEST_CASE("functions handle zeros, infinities and NaN", "[tensor][math]") {
    SECTION("float") { check_specials<float>(); }
    SECTION("double") { check_specials<double>(); }
}

TEST_CASE("exp reaches denormal numbers", "[tensor][math]") {
    CHECK(math::exp(-100.0f) == static_cast<float>(expl(-100.0L)));
    CHECK(math::exp(-740.0) == static_cast<double>(expl(-740.0L)));
    CHECK(math::exp(-100.0f) > 0.0f);
}

TEST_CASE("sin and cos are right for the hardest angles", "[tensor][math]") {
    // The double nearest to a multiple of π/2, and huge angles.
    CHECK(math::cos(0x1.6ac5b262ca1ffp+849) == static_cast<double>(cosl(0x1.6ac5b262ca1ffp+849L)));
    CHECK(math::sin(1e22) == Approx(-0.8522008497671888).epsilon(1e-15));
    CHECK(math::sin(3.4028234663852886e38f) == Approx(-0.5218765).epsilon(1e-6));
    CHECK(math::sin(3.141592653589793) == Approx(1.2246467991473532e-16).epsilon(1e-14));
}

TEST_CASE("a power is within one unit for bases of every size", "[tensor][math]") {
    CHECK(worst_power<float>() <= 0.51);
    CHECK(worst_power<double>() <= 1.0);
}

TEST_CASE("powers follow the rules of C for signs, zeros, infinities and NaN", "[tensor][math]") {
    CHECK(wrong_powers<float>() == "");
    CHECK(wrong_powers<double>() == "");
}

TEST_CASE("integer powers and squares are exact", "[tensor][math]") {
    check_exact_powers<float>();
    check_exact_powers<double>();
}

TEST_CASE("a fused multiply-add through double has the processor's bits", "[tensor][math][bits]") {
    Random random(7);
    std::string wrong;
    const auto expect_fused = [&](float a, float b, float c) {
        const float fused = std::fma(a, b, c), found = math::fma_in_double(a, b, c);
        const bool is_same = std::isnan(fused) ? std::isnan(found)
                                               : __builtin_bit_cast(std::uint32_t, fused) ==
                                                     __builtin_bit_cast(std::uint32_t, found);
        if (!is_same && wrong.empty()) wrong = text(a, " · ", b, " + ", c, " gives ", found);
    };
    const float special[] = {0,
                             -0.0f,
                             1,
                             -1,
                             0x1p-149f,
                             0x1p-126f,
                             0.001f,
                             0x1.8p-140f,
                             std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity(),
                             std::nanf(""),
                             3.4e38f};
    for (const float a : special) {
        for (const float b : special) {
            for (const float c : special) expect_fused(a, b, c);
        }
    }
    const float ulp = 0x1p-23f;
    for (int i = 0; i < 500'000; ++i) {
        const float a = from_bits<float>(random), b = from_bits<float>(random);
        expect_fused(a, b, from_bits<float>(random));
        expect_fused(a, b, -(a * b));  // all but the rounding of a·b cancels
        const float x = 1 + static_cast<float>(random.next() % (1u << 23)) * ulp;
        const float tiny = std::ldexp(1.0f, -24 - static_cast<int>(random.next() % 80));
        expect_fused(x, 1 + ulp / 2 + ulp, tiny);  // halfway between two floats, and the
        expect_fused(1 + ulp, 1 + ulp, x * tiny);  // least beside it
        expect_fused(x, 0x1p-24f, 1 + ulp);
        expect_fused((1 - ulp) * 0x1p-24f, 1 + ulp, x);  // the least below halfway
        expect_fused(x, 0x1p-140f, tiny * 0x1p-60f);     // denormal
    }
    CHECK(wrong == "");
}

TEST_CASE("a fused multiply-add of doubles in parts has the processor's bits",
          "[tensor][math][bits]") {
    Random random(8);
    std::string wrong;
    const auto expect_fused = [&](double a, double b, double c) {
        if (!math::is_moderate(a) || !math::is_moderate(b) || !math::is_moderate(c)) return;
        const double fused = std::fma(a, b, c), found = math::fma_in_parts(a, b, c);
        const bool is_same =
            __builtin_bit_cast(std::uint64_t, fused) == __builtin_bit_cast(std::uint64_t, found);
        if (!is_same && wrong.empty()) wrong = text(a, " · ", b, " + ", c, " gives ", found);
    };
    // From 1 to 2 with a few bits, so that many sums lie in the middle between two doubles.
    const auto few_bits = [&random] {
        const std::uint64_t cut = random.next() % 52;
        return __builtin_bit_cast(double, 0x3ff0000000000000 | random.next() >> 12 >> cut << cut);
    };
    const auto sign = [&random] { return random.next() % 2 == 0 ? 1.0 : -1.0; };
    for (int i = 0; i < 500'000; ++i) {
        const double a = sign() * few_bits(), b = few_bits(), c = sign() * few_bits();
        expect_fused(a, b, std::ldexp(c, static_cast<int>(random.next() % 220) - 110));
        expect_fused(a, b, -(a * b));  // all but the rounding of a·b cancels
        expect_fused(a, std::ldexp(b, -53), c);
        expect_fused(a, std::ldexp(b, -54 - static_cast<int>(random.next() % 60)), c);
        expect_fused(std::ldexp(a, static_cast<int>(random.next() % 500) - 250), b, c);
    }
    CHECK(wrong == "");
}
