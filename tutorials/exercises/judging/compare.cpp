#include "tutorials/exercises/judging/compare.h"

#include "tutorials/exercises/judging/judge.h"

#include "tensor/errors.h"
#include "tensor/shape.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <stdexcept>

namespace exercise {

using heed::Scalar;
using heed::Shape;
using heed::Tensor;

namespace {
// The difference in units of the tolerance: 0 for equal infinities and for two NaN.
double distance(double yours, double expected) {
    if (std::isnan(yours) && std::isnan(expected)) return 0;
    if (yours == expected) return 0;
    const double apart = std::fabs(yours - expected) / (1 + std::fabs(expected)) / tolerance;
    return std::isfinite(apart) ? apart : HUGE_VAL;
}

std::string decimals(double x, int count) {
    return std::isnan(x) ? "nan" : heed::text(std::fixed, std::setprecision(count), x);
}

std::string digits(double x, int count) {
    return std::isnan(x) ? "nan" : heed::text(std::setprecision(count), x);
}

bool is_whole(double x) { return std::fabs(x) < 1e15 && x == std::floor(x); }

// Whole numbers as such; else four decimals, or as many digits as it takes to tell the two apart.
std::string yours_and_expected(double yours, double expected) {
    if (is_whole(yours) && is_whole(expected) && yours != expected) {
        return "yours " + decimals(yours, 0) + ", expected " + decimals(expected, 0);
    }
    const bool large = std::fabs(yours) >= 1e6 || std::fabs(expected) >= 1e6;
    for (const int count : {4, 6, 9, 17}) {
        if (large && count == 4) continue;
        const auto written = [&](double x) {
            return count == 4 ? decimals(x, 4) : digits(x, count);
        };
        const std::string a = written(yours), b = written(expected);
        if (a != b) return "yours " + a + ", expected " + b;
    }
    return "yours " + decimals(yours, 4) + ", expected the same";
}

std::string index_text(std::size_t entry, const Shape& shape) {
    return heed::unravelled(static_cast<std::int64_t>(entry), shape).text();
}

bool reversed(const Shape& a, const Shape& b) {
    if (a.rank() != b.rank() || a.rank() < 2) return false;
    for (int axis = 0; axis < a.rank() - 2; ++axis) {
        if (a[axis] != b[axis]) return false;
    }
    return a.dim(-1) == b.dim(-2) && a.dim(-2) == b.dim(-1);
}

template <class Test>
std::vector<std::size_t> entries_where(const Tensor& yours, const Tensor& expected, Test test) {
    const std::vector<Scalar> a = yours.to_vector(), b = expected.to_vector();
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (test(a[i], b[i])) found.push_back(i);
    }
    return found;
}

std::vector<std::size_t> entries_that_differ(const Tensor& yours, const Tensor& expected) {
    return entries_where(yours, expected, [](double a, double b) { return distance(a, b) > 1; });
}

// "7 of 15 entries"
std::string count_of(const std::vector<std::size_t>& entries, const Tensor& x) {
    return std::to_string(entries.size()) + " of " + std::to_string(x.numel()) + " entries";
}

std::string both_at(std::size_t entry, const Tensor& yours, const Tensor& expected) {
    return yours_and_expected(yours.to_vector()[entry], expected.to_vector()[entry]);
}

// "at [1, 2]: yours 0.3000, expected 0.5000"
std::string entry_text(std::size_t entry, const Tensor& yours, const Tensor& expected) {
    return "at " + index_text(entry, yours.shape()) + ": " + both_at(entry, yours, expected);
}

bool all_zero(const Tensor& x) {
    const std::vector<Scalar> entries = x.to_vector();
    return std::all_of(entries.begin(), entries.end(), [](Scalar entry) { return entry == 0; });
}

}  // namespace

bool same(const Tensor& yours, const Tensor& expected) {
    if (!(yours.shape() == expected.shape())) return false;
    const std::vector<Scalar> a = yours.to_vector();
    const std::vector<Scalar> b = expected.to_vector();
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (distance(a[i], b[i]) > 1) return false;
    }
    return true;
}

double apart(const Tensor& yours, const Tensor& expected) {
    const std::vector<Scalar> a = yours.to_vector();
    const std::vector<Scalar> b = expected.to_vector();
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (distance(a[i], b[i]) > 0) squares += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return std::sqrt(squares);
}

bool same(const Stages& yours, const Stages& expected) {
    return std::all_of(yours.begin(), yours.end(), [&](const Stage& one) {
        return same(one.value, stage(expected, one.name));
    });
}

const Tensor& stage(const Stages& stages, const std::string& name) {
    for (const Stage& one : stages) {
        if (one.name == name) return one.value;
    }
    throw std::logic_error("the walk of this exercise has no stage \"" + name + "\"");
}

std::string wrong_shape(const Tensor& yours, const Tensor& expected) {
    if (yours.shape() == expected.shape()) return "";
    std::string said = yours.shape().text() + ", expected " + expected.shape().text();
    if (yours.shape() == Tensor().shape()) said += ": nothing in it yet?";
    if (reversed(yours.shape(), expected.shape())) said += ": transposed?";
    return said;
}

std::string not_finite(const std::string& what, const Tensor& yours, const Tensor& expected) {
    const std::vector<std::size_t> odd = entries_where(yours, expected, [](double a, double b) {
        return !std::isfinite(a) && distance(a, b) > 0;
    });
    if (odd.empty()) return "";
    if (yours.numel() == 1) {
        return "the value of " + what + " is not finite: " + both_at(0, yours, expected);
    }
    const std::string verb = odd.size() == 1 ? " is" : " are";
    return "in " + what + ", " + count_of(odd, yours) + verb + " NaN or infinite, first " +
           entry_text(odd[0], yours, expected);
}

std::string worst_entry(const Tensor& yours, const Tensor& expected) {
    const std::vector<Scalar> a = yours.to_vector(), b = expected.to_vector();
    std::size_t worst = 0;
    for (std::size_t i = 1; i < a.size(); ++i) {
        if (distance(a[i], b[i]) > distance(a[worst], b[worst])) worst = i;
    }
    return entry_text(worst, yours, expected);
}

std::string difference(const std::string& what, const Tensor& yours, const Tensor& expected) {
    const std::vector<std::size_t> wrong = entries_that_differ(yours, expected);
    if (wrong.empty()) return "";
    if (yours.numel() == 1) {
        return "the value of " + what + " differs: " + both_at(0, yours, expected);
    }
    const std::string first = entry_text(wrong[0], yours, expected);
    if (all_zero(yours)) return "in " + what + ", all entries are 0; first wrong " + first;
    const std::string verb = wrong.size() == 1 ? " differs" : " differ";
    return "in " + what + ", " + count_of(wrong, yours) + verb + ", first " + first;
}

std::string difference(const Tensor& yours, const Tensor& expected) {
    const std::vector<std::size_t> wrong = entries_that_differ(yours, expected);
    if (wrong.empty()) return "";
    if (yours.numel() == 1) return "differs: " + both_at(0, yours, expected);
    const std::string first = entry_text(wrong[0], yours, expected);
    if (all_zero(yours)) return "is zero everywhere; first wrong " + first;
    return "differs in " + count_of(wrong, yours) + ", first " + first;
}

std::string first_change(const Tensor& before, const Tensor& after) {
    if (after.shape() != before.shape()) {
        return "the shape " + before.shape().text() + " became " + after.shape().text();
    }
    constexpr double rounding = 1e-9;
    const std::vector<Scalar> a = before.to_vector(), b = after.to_vector();
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (distance(b[i], a[i]) * tolerance <= rounding) continue;
        return "at " + index_text(i, before.shape()) + ": " + digits(a[i], 5) + " before, " +
               digits(b[i], 5) + " after";
    }
    return "";
}

bool identical(const Tensor& a, const Tensor& b) {
    const std::vector<Scalar> x = a.to_vector(), y = b.to_vector();
    return a.shape() == b.shape() &&
           std::equal(x.begin(), x.end(), y.begin(), [](Scalar p, Scalar q) {
               return p == q || (std::isnan(p) && std::isnan(q));
           });
}

}  // namespace exercise
