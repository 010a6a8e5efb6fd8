#include "tutorials/exercises/judging/resemblance.h"

#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/judge.h"

#include "tensor/errors.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

#include <algorithm>
#include <cmath>
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

// Errors are alike if the same operation refused the same thing, whatever the line.
std::string first_line(const std::string& error) { return error.substr(0, error.find('\n')); }

// Between constants, every difference is an offset and every quotient a factor.
bool is_constant(const Tensor& x) {
    const std::vector<heed::Scalar> entries = x.to_vector();
    return std::all_of(entries.begin(), entries.end(), [&](double entry) {
        return std::fabs(entry - entries[0]) <= 1e-9 * std::fabs(entries[0]);
    });
}

bool alike(const Given& yours, const Given& walk) {
    if (!yours.error.empty() || !walk.error.empty()) {
        return first_line(yours.error) == first_line(walk.error);
    }
    return same(yours.stages, walk.stages);
}

// Diagnosis of one answer, whose numbers are compared with what a mistake would give in every case.
class Diagnosis {
  public:
    Diagnosis(const Exercise& exercise, const std::vector<Given>& given,
              const std::vector<Stages>& right)
        : exercise_(exercise), given_(given), right_(right) {}

    Resemblance one_mistake() const {
        for (const Mistake& mistake : exercise_.mistakes) {
            if (!fits({mistake.id})) continue;
            return {
                {mistake.id}, "This is what I would see if " + mistake.says + ".", mistake.hints};
        }
        return {};
    }

    Resemblance two_mistakes() const {
        const std::vector<Mistake>& all = exercise_.mistakes;
        const std::vector<Alone> alone = each_alone();
        for (std::size_t i = 0; i < alone.size(); ++i) {
            for (std::size_t j = i + 1; j < alone.size(); ++j) {
                if (!may_fit_together(alone[i], alone[j]) || !fits({all[i].id, all[j].id}))
                    continue;
                return {{all[i].id, all[j].id},
                        "This is what I would see if two things came together: " + all[i].says +
                            ", and " + all[j].says + ".",
                        all[i].hints};
            }
        }
        return {};
    }

    Resemblance transformed() const;

  private:
    using Transform = std::function<Tensor(const Tensor&)>;
    struct FirstOff {
        Tensor yours, expected;
        std::string name;
    };
    // What a mistake alone does to the learner's first wrong stage, or whether it ends in an error.
    struct Alone {
        bool changes_it, explains_it;
    };

    // Does this match the answer in every case? In at least one case it must also differ from the
    // right answer, or the mistake would not show.
    bool fits(const Slips& slips) const {
        bool shows = false;
        for (std::size_t i = 0; i < given_.size(); ++i) {
            const Given walk = walked(exercise_.cases[i], slips);
            if (!alike(given_[i], walk)) return false;
            shows = shows || !alike(given_[i], {right_[i]});
        }
        return shows;
    }

    // In the first case that is wrong; empty if there is none.
    std::vector<Alone> each_alone() const {
        std::size_t i = 0;
        while (i < given_.size() && given_[i].error.empty() && first_off(i).name.empty()) ++i;
        if (i == given_.size()) return {};
        const FirstOff off = first_off(i);
        std::vector<Alone> all;
        for (const Mistake& mistake : exercise_.mistakes) {
            const Given walk = walked(exercise_.cases[i], {mistake.id});
            all.push_back(effect_of(walk, off));
        }
        return all;
    }

    static Alone effect_of(const Given& walk, const FirstOff& off) {
        if (!walk.error.empty() || off.name.empty())
            return {!walk.error.empty(), !walk.error.empty()};
        for (const Stage& its : walk.stages) {
            if (its.name != off.name) continue;
            return {!same(its.value, off.expected), same(its.value, off.yours)};
        }
        return {true, false};  // it ends before
    }

    // Two mistakes, of which only one changes the first wrong stage, make of it what that one does.
    static bool may_fit_together(const Alone& a, const Alone& b) {
        return a.explains_it || b.explains_it || (a.changes_it && b.changes_it);
    }

    // Does `transform` of the right answer give the learner's, in every case, where `name` is the
    // first stage that is wrong? And is it more than one number that it gives?
    bool transforms(const std::string& name, const Transform& transform) const {
        bool varies = false;
        for (std::size_t i = 0; i < given_.size(); ++i) {
            if (!given_[i].error.empty()) return false;
            const FirstOff off = first_off(i);
            if (off.name.empty()) continue;
            if (off.name != name) return false;
            const Tensor transformed = transform(off.expected);
            if (!same(off.yours, transformed)) return false;
            // Where little is wrong, many a transform is within the tolerance.
            if (apart(off.yours, transformed) > 0.1 * apart(off.yours, off.expected)) return false;
            varies = varies || !is_constant(off.expected);
        }
        return varies;
    }

    FirstOff first_off(std::size_t i) const {
        for (const Stage& yours : given_[i].stages) {
            const Tensor& expected = stage(right_[i], yours.name);
            if (!same(yours.value, expected)) return {yours.value, expected, yours.name};
        }
        return {};
    }

    FirstOff first_off() const {
        for (std::size_t i = 0; i < given_.size(); ++i) {
            const FirstOff off = first_off(i);
            if (!off.name.empty()) return off;
        }
        return {};
    }

    const Exercise& exercise_;
    const std::vector<Given>& given_;
    const std::vector<Stages>& right_;
};

// The constant factor between the expected answer and yours, or NaN; from the sums of squares.
double common_factor(const Tensor& yours, const Tensor& expected) {
    if (!(yours.shape() == expected.shape()) || yours.numel() < 2) return std::nan("");
    if (same(yours, yours * 0)) return std::nan("");  // nothing is near 0 by a factor
    const double across = tensor::sum(yours * expected).item();
    const double along = tensor::sum(expected * expected).item();
    return along > 0 ? across / along : std::nan("");
}

// The constant difference of all entries, or NaN.
double common_offset(const Tensor& yours, const Tensor& expected) {
    if (!(yours.shape() == expected.shape()) || yours.numel() < 2) return std::nan("");
    return tensor::mean(yours - expected).item();
}

std::string factor_text(const Exercise& exercise, double factor) {
    for (const Factor& known : exercise.factors) {
        if (std::fabs(factor - known.value) < 1e-6 * std::fabs(known.value)) {
            return "exactly " + known.name;
        }
    }
    return heed::text(factor);
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

Resemblance Diagnosis::transformed() const {
    const FirstOff off = first_off();
    const std::string& what = off.name;
    if (what.empty()) return {};
    if (transforms(what, last_two_swapped)) {
        return {{}, "With the last two axes exchanged, " + what + " would be right.", {}};
    }
    const double factor = common_factor(off.yours, off.expected);
    if (std::isfinite(factor) && factor != 0 &&
        transforms(what, [&](const Tensor& x) { return x * factor; })) {
        return {{},
                "Every entry of " + what + " is the right one times " +
                    factor_text(exercise_, factor) + ".",
                {}};
    }
    const double offset = common_offset(off.yours, off.expected);
    if (std::isfinite(offset) && transforms(what, [&](const Tensor& x) { return x + offset; })) {
        return {{},
                "Every entry of " + what + " is " + factor_text(exercise_, std::fabs(offset)) +
                    (offset < 0 ? " less" : " more") + " than the right one.",
                {}};
    }
    for (int axis = -2; axis < 0; ++axis) {
        const std::string way = axis == -2 ? "rows" : "columns";
        if (transforms(what, [axis](const Tensor& x) { return in_opposite_order(x, axis); })) {
            return {
                {}, "With the " + way + " in the opposite order, " + what + " would be right.", {}};
        }
    }
    return {};
}

}  // namespace

Resemblance resemblance(const Exercise& exercise, const std::vector<Given>& given,
                        const std::vector<Stages>& right) {
    const Diagnosis diagnosis(exercise, given, right);
    Resemblance found = diagnosis.one_mistake();
    if (found.says.empty()) found = diagnosis.two_mistakes();
    if (found.says.empty() && !exercise.secret) found = diagnosis.transformed();
    return found;
}

}  // namespace exercise
