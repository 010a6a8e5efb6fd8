// The digits of numbers: two ways to the same texts, one for standard libraries that lack the
// other.
#include "tensor/digits.h"
#include "tensor/random.h"
#include "tests/catch.h"

#include <clocale>
#include <cstring>
#include <iostream>
#include <limits>

using namespace heed;

namespace {
constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<double> some_numbers() {
    std::vector<double> numbers = {0,      -0.0,    0.5,    1.5,       2.5,     0.125,    1e-5,
                                   -1e-5,  99999.5, 1e22,   1e23,      -1.75,   infinite, -infinite,
                                   4e-324, 1e308,   1e-308, 0.1 + 0.2, 9.99995, 0.00005};
    Random random(1);
    for (int i = 0; i < 5000; ++i) {
        const std::uint64_t bits = random.next();
        double number;
        std::memcpy(&number, &bits, sizeof number);
        if (number == number) numbers.push_back(number);
        numbers.push_back(random.normal());
    }
    return numbers;
}

std::string first_difference() {
    for (const double number : some_numbers()) {
        for (const Notation notation : {Notation::fixed, Notation::scientific}) {
            for (const int decimals : {0, 1, 4, 17, 100}) {
                const std::string one = written_digits(number, notation, decimals);
                const std::string other = digits_by_snprintf(number, notation, decimals);
                if (one != other) return one + " and " + other;
            }
        }
    }
    return "";
}

// During a test, C writes numbers with a comma, if the machine has the locale.
struct Continent {
    Continent() {
        if (std::setlocale(LC_NUMERIC, "de_DE.UTF-8")) return;
        std::cout
            << "skipped in part: needs de_DE.UTF-8 (localedef -i de_DE -f UTF-8 de_DE.UTF-8)\n";
    }
    ~Continent() { std::setlocale(LC_NUMERIC, "C"); }
};

}  // namespace

TEST_CASE("digits are rounded to even and have a point", "[tensor][print]") {
    CHECK(digits_by_snprintf(2.5, Notation::fixed, 0) == "2");
    CHECK(digits_by_snprintf(-0.125, Notation::fixed, 2) == "-0.12");
    CHECK(digits_by_snprintf(1234.5, Notation::scientific, 3) == "1.234e+03");
    CHECK(digits_by_snprintf(5e-6, Notation::scientific, 0) == "5e-06");
    CHECK(digits_by_snprintf(-infinite, Notation::fixed, 4) == "-inf");
}

TEST_CASE("snprintf gives the digits that std::to_chars gives", "[tensor][print]") {
    CHECK(first_difference() == "");
    const Continent comma;
    CHECK(first_difference() == "");
}
