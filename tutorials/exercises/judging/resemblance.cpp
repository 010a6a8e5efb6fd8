#include "tutorials/exercises/judging/resemblance.h"

#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/judge.h"

#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/join.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/views.h"

#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>

namespace exercise {

using heed::Tensor;
namespace tensor = heed::tensor;

namespace {

// Runs the reference with these mistakes on one case; an error is a result too.
Given walked(const Case& one, const Slips& slips) {
    try {
        return {one.walk(slips)};
    } catch (const std::exception& error) {
        return {{}, error.what()};
    }
}

bool alike(const Given& yours, const Given& walk) {
    if (yours.error.empty() != walk.error.empty()) return false;
    return !yours.error.empty() || same(yours.stages, walk.stages);
}

// Does this match the answer in every case? In at least one case it must also differ from the right
// answer, or the mistake would not show.
bool fits(const Exercise& exercise, const std::vector<Given>& given, const Slips& slips) {
    bool shows = false;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Given walk = walked(exercise.cases[i], slips);
        if (!alike(given[i], walk)) return false;
        shows = shows || !alike(given[i], walked(exercise.cases[i], {}));
    }
    return shows;
}

Resemblance one_mistake(const Exercise& exercise, const std::vector<Given>& given) {
    for (const Mistake& mistake : exercise.mistakes) {
        if (!fits(exercise, given, {mistake.id})) continue;
        return {{mistake.id}, "This is what I would see if " + mistake.says + ".", mistake.hints};
    }
    return {};
}

Resemblance two_mistakes(const Exercise& exercise, const std::vector<Given>& given) {
    const std::vector<Mistake>& all = exercise.mistakes;
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = i + 1; j < all.size(); ++j) {
            if (!fits(exercise, given, {all[i].id, all[j].id})) continue;
            return {{all[i].id, all[j].id},
                    "This is what I would see if two things came together: " + all[i].says +
                        ", and " + all[j].says + ".",
                    all[i].hints};
        }
    }
    return {};
}

using Transform = std::function<Tensor(const Tensor&)>;

// Does `transform` of the right answer give the learner's, in every case, for the first stage that
// is wrong?
bool transforms(const Exercise& exercise, const std::vector<Given>& given,
                const Transform& transform) {
    bool shows = false;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Stages right = exercise.cases[i].walk({});
        for (const Stage& yours : given[i].stages) {
            const Tensor& expected = stage(right, yours.name);
            if (same(yours.value, expected)) continue;
            if (!same(yours.value, transform(expected))) return false;
            shows = true;
            break;
        }
        if (!given[i].error.empty()) return false;
    }
    return shows;
}

// The constant factor between the expected answer and yours, or NaN; from the sums of squares.
double common_factor(const Tensor& yours, const Tensor& expected) {
    if (!(yours.shape() == expected.shape()) || yours.numel() < 2) return std::nan("");
    const double across = tensor::sum(yours * expected).item();
    const double along = tensor::sum(expected * expected).item();
    return along > 0 ? across / along : std::nan("");
}

// The constant difference of all entries, or NaN.
double common_offset(const Tensor& yours, const Tensor& expected) {
    if (!(yours.shape() == expected.shape()) || yours.numel() < 2) return std::nan("");
    return tensor::mean(yours - expected).item();
}

struct FirstOff {
    Tensor yours, expected;
    std::string name;
};

FirstOff first_off(const Exercise& exercise, const std::vector<Given>& given) {
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Stages right = exercise.cases[i].walk({});
        for (const Stage& yours : given[i].stages) {
            const Tensor& expected = stage(right, yours.name);
            if (!same(yours.value, expected)) return {yours.value, expected, yours.name};
        }
    }
    return {};
}

std::string factor_text(const Exercise& exercise, double factor) {
    for (const Factor& known : exercise.factors) {
        if (std::fabs(factor - known.value) < 1e-6 * std::fabs(known.value)) {
            return "exactly " + known.name;
        }
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", factor);
    return text;
}

Tensor in_opposite_order(const Tensor& x, int axis) {
    if (x.rank() < -axis || x.numel() == 0) return x;
    std::vector<Tensor> slices;
    for (std::int64_t i = x.dim(axis) - 1; i >= 0; --i) {
        slices.push_back(tensor::slice(x, axis, i, i + 1));
    }
    return tensor::concatenate(slices, axis);
}

Tensor last_two_swapped(const Tensor& x) { return x.rank() < 2 ? x : tensor::transpose(x, -2, -1); }

Resemblance transformed(const Exercise& exercise, const std::vector<Given>& given) {
    const FirstOff off = first_off(exercise, given);
    if (off.name.empty()) return {};
    const std::string& what = off.name;
    if (transforms(exercise, given, last_two_swapped)) {
        return {{}, what + " is the right one with its last two axes exchanged.", {}};
    }
    const double factor = common_factor(off.yours, off.expected);
    if (std::isfinite(factor) && factor != 0 &&
        transforms(exercise, given, [&](const Tensor& x) { return x * factor; })) {
        return {{},
                what + " is the right one times " + factor_text(exercise, factor) +
                    ", every entry of it.",
                {}};
    }
    const double offset = common_offset(off.yours, off.expected);
    if (std::isfinite(offset) &&
        transforms(exercise, given, [&](const Tensor& x) { return x + offset; })) {
        return {{},
                what + " is the right one and " + factor_text(exercise, offset) +
                    " more, in every entry.",
                {}};
    }
    for (int axis = -2; axis < 0; ++axis) {
        const std::string way = axis == -2 ? "rows" : "columns";
        const Transform turned = [axis](const Tensor& x) { return in_opposite_order(x, axis); };
        if (transforms(exercise, given, turned)) {
            return {{}, what + " is the right one with its " + way + " in the opposite order.", {}};
        }
    }
    return {};
}

}  // namespace

Resemblance resemblance(const Exercise& exercise, const std::vector<Given>& given) {
    Resemblance found = one_mistake(exercise, given);
    if (found.says.empty()) found = two_mistakes(exercise, given);
    if (found.says.empty()) found = transformed(exercise, given);
    return found;
}

}  // namespace exercise
