#include "tutorials/exercises/judging/compare.h"

#include "tutorials/exercises/judging/judge.h"

#include "heed/tensor/shape.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
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

std::string number_text(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4f", x);
    return std::isnan(x) ? "nan" : text;
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

struct Counted {
    std::int64_t nan = 0, infinite = 0;
};

Counted count_odd(const Tensor& x) {
    Counted counted;
    for (const Scalar entry : x.to_vector()) {
        counted.nan += std::isnan(entry);
        counted.infinite += std::isinf(entry);
    }
    return counted;
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
    if (yours.shape() == Tensor().shape()) return "[0]: it is not set yet";
    std::string said = yours.shape().text() + ", expected " + expected.shape().text();
    if (reversed(yours.shape(), expected.shape())) said += ": transposed?";
    return said;
}

std::string not_finite(const Tensor& yours, const Tensor& expected) {
    const Counted found = count_odd(yours);
    const Counted allowed = count_odd(expected);
    if (found.nan <= allowed.nan && found.infinite <= allowed.infinite) return "";
    std::string said;
    if (found.nan > 0) said += std::to_string(found.nan) + " NaN";
    if (found.infinite > 0) {
        said += (said.empty() ? "" : " and ") + std::to_string(found.infinite) + " infinite";
    }
    return said + " of " + std::to_string(yours.numel()) + " numbers";
}

std::string worst_entry(const Tensor& yours, const Tensor& expected) {
    const std::vector<Scalar> a = yours.to_vector();
    const std::vector<Scalar> b = expected.to_vector();
    std::size_t worst = 0;
    for (std::size_t i = 1; i < a.size(); ++i) {
        if (distance(a[i], b[i]) > distance(a[worst], b[worst])) worst = i;
    }
    return "at " + index_text(worst, yours.shape()) + ": yours " + number_text(a[worst]) +
           ", expected " + number_text(b[worst]);
}

}  // namespace exercise
