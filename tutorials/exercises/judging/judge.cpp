#include "tutorials/exercises/judging/judge.h"

#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/not_done.h"
#include "tutorials/exercises/judging/resemblance.h"

#include "tensor/views.h"

#include <algorithm>
#include <exception>
#include <optional>

namespace exercise {

using heed::Tensor;

namespace {
Stages copies(const Stages& stages) {
    Stages copied;
    for (const Stage& one : stages) {
        copied.push_back({one.name, heed::tensor::clone(one.value)});
    }
    return copied;
}

// One pass through all checks, up to the first finding.
class Judging {
  public:
    Judging(const Exercise& exercise, const std::function<void(const std::string&)>& at)
        : exercise_(exercise), at_(at) {
        verdict_.number = exercise.number;
        verdict_.title = exercise.title;
        verdict_.checks = exercise.checks();
        verdict_.hints = exercise.hints;
    }

    Verdict verdict() {
        try {
            find();
        } catch (const NotDone& hole) {
            verdict_.outcome = Outcome::not_done;
            verdict_.seen = hole.what();
            use_hints_of([&](const Hole& one) { return one.function == hole.function(); });
        }
        return verdict_;
    }

  private:
    // All answers of the reference come first, so that nothing the learner's code does reaches
    // them.
    void find() {
        for (const Case& one : exercise_.cases) right_.push_back(one.walk({}));
        std::optional<NotDone> hole = run_until_a_hole();
        std::string seen = in_cases(&Judging::changed);
        if (seen.empty()) seen = in_cases(&Judging::threw);
        if (seen.empty()) seen = in_cases(&Judging::shape);
        if (seen.empty()) seen = in_cases(&Judging::finite);
        if (seen.empty()) {
            if (given_.size() == exercise_.cases.size()) seen = in_laws(hole);
            const bool law_says_it = exercise_.secret && !seen.empty();
            const std::string differs = law_says_it ? "" : in_cases(&Judging::equal);
            if (!differs.empty() && !law_says_all_) seen += (seen.empty() ? "" : " ") + differs;
        }
        if (!seen.empty()) {
            say_wrong(seen);
        } else if (hole) {
            throw *hole;
        } else if (verdict_.checks_run != verdict_.checks || verdict_.checks == 0) {
            verdict_.outcome = Outcome::broken;
            verdict_.seen = "only " + std::to_string(verdict_.checks_run) + " of " +
                            std::to_string(verdict_.checks) + " checks ran";
        }
    }

    // What was done before the first open hole is judged, so that one function of several can be
    // finished first.
    std::optional<NotDone> run_until_a_hole() {
        try {
            for (std::size_t i = 0; i < exercise_.cases.size(); ++i) {
                if (!right_before(hole_of(i))) return {};
                given_.push_back(run(exercise_.cases[i]));
            }
        } catch (const NotDone& hole) {
            return hole;
        }
        return {};
    }

    // Whether all that earlier holes compute is right so far.
    bool right_before(std::size_t hole) const {
        for (std::size_t i = 0; i < given_.size(); ++i) {
            if (hole_of(i) >= hole) continue;
            if (!given_[i].error.empty() || !given_[i].changed.empty()) return false;
            for (const Stage& yours : given_[i].stages) {
                const bool earlier = hole_of(yours).value_or(0) < hole;
                if (earlier && !same(yours.value, stage(right_[i], yours.name))) return false;
            }
        }
        return true;
    }

    std::optional<std::size_t> hole_of(const Stage& stage) const {
        for (std::size_t n = 0; n < exercise_.holes.size(); ++n) {
            const std::vector<std::string>& its = exercise_.holes[n].stages;
            if (std::find(its.begin(), its.end(), stage.name) != its.end()) return n;
        }
        return {};
    }

    // The first hole that computes a stage of this case.
    std::size_t hole_of(std::size_t i) const {
        std::optional<std::size_t> first;
        for (const Stage& stage : right_[i]) {
            const std::optional<std::size_t> hole = hole_of(stage);
            if (hole && (!first || *hole < *first)) first = hole;
        }
        return first.value_or(0);
    }

    Given run(const Case& one) {
        at_("on " + one.name);
        const Stages before = copies(one.inputs);
        Given given;
        try {
            given.stages = copies(one.learner());
        } catch (const NotDone&) {
            put_back(one.inputs, before);
            throw;
        } catch (const std::exception& error) {
            given.error = error.what();
        }
        given.changed = put_back(one.inputs, before);
        return given;
    }

    // Undoes what the learner's code wrote to its inputs; returns the first that it changed.
    static std::string put_back(const Stages& inputs, const Stages& before) {
        std::string changed;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (identical(inputs[i].value, before[i].value)) continue;
            if (changed.empty()) changed = inputs[i].name;
            Tensor input = inputs[i].value;
            heed::tensor::overwrite(input, before[i].value);
        }
        return changed;
    }

    using Check = std::string (Judging::*)(std::size_t);

    std::string in_cases(Check check) {
        for (std::size_t i = 0; i < given_.size(); ++i) {
            const std::string finding = (this->*check)(i);
            if (!finding.empty()) {
                wrong_hole_ = hole_of(i);
                return "On " + exercise_.cases[i].name + ": " + finding;
            }
            if (check != &Judging::threw) ++verdict_.checks_run;
        }
        return "";
    }

    // A law that meets an open hole is left alone: a case reports what is wrong before that.
    std::string in_laws(std::optional<NotDone>& hole) {
        for (const Law& law : exercise_.laws) {
            at_(law.name.empty() ? "checking what must hold of it" : "checking that " + law.name);
            std::string finding;
            try {
                finding = law.finding();
            } catch (const NotDone& open) {
                hole = open;
                continue;
            } catch (const std::exception& error) {
                finding = std::string("Your code threw while this was checked: ") + error.what();
            }
            if (!finding.empty()) {
                law_says_all_ = law.name.empty();
                return law.name.empty() ? finding : "A law is broken: " + law.name + ". " + finding;
            }
            ++verdict_.checks_run;
        }
        return "";
    }

    std::string changed(std::size_t i) {
        const std::string& input = given_[i].changed;
        return input.empty() ? ""
                             : "your code changed " + input +
                                   ", which it was given: its numbers have changed. Write "
                                   "to a copy: tensor::clone";
    }

    std::string threw(std::size_t i) {
        return given_[i].error.empty() ? "" : "your code threw:\n  " + given_[i].error;
    }

    std::string shape(std::size_t i) {
        for (const Stage& yours : given_[i].stages) {
            const std::string finding = wrong_shape(yours.value, stage(right_[i], yours.name));
            if (finding.empty()) continue;
            first_wrong_ = yours.name;
            if (exercise_.secret) return yours.name + " does not have the right number of entries";
            return "the shape of " + yours.name + " is " + finding;
        }
        return "";
    }

    std::string finite(std::size_t i) {
        for (const Stage& yours : given_[i].stages) {
            const Tensor& expected = stage(right_[i], yours.name);
            std::string finding = not_finite(yours.name, yours.value, expected);
            if (finding.empty()) continue;
            first_wrong_ = yours.name;
            if (exercise_.secret) return yours.name + " is not a finite number";
            if (!exercise_.cause_of_nan.empty()) finding += "; usually " + exercise_.cause_of_nan;
            return finding;
        }
        return "";
    }

    std::string equal(std::size_t i) {
        const Stages& stages = given_[i].stages;
        if (stages.empty()) return "there is no answer";
        for (std::size_t n = 0; n < stages.size(); ++n) {
            const Stage& yours = stages[n];
            const Tensor& expected = stage(right_[i], yours.name);
            if (same(yours.value, expected)) continue;
            first_wrong_ = yours.name;
            if (exercise_.secret) return not_right(yours.name, n);
            const std::string before =
                n > 0 ? "all is right up to " + stages[n - 1].name + "; " : "";
            return before + difference(yours.name, yours.value, expected);
        }
        return "";
    }

    // "the shape of A·B is wrong; the 4 before it are right"
    static std::string not_right(const std::string& name, std::size_t before) {
        const std::string right = before == 1 ? "; the one before it is right"
                                  : before > 1
                                      ? "; the " + std::to_string(before) + " before it are right"
                                      : "";
        return name + " is wrong" + right;
    }

    void say_wrong(const std::string& seen) {
        const Resemblance found = resemblance(exercise_, given_, right_);
        verdict_.outcome = Outcome::wrong;
        verdict_.seen = seen;
        verdict_.resembles = found.says;
        verdict_.ids = found.ids;
        if (wrong_hole_ && *wrong_hole_ < exercise_.holes.size()) {
            verdict_.hints = exercise_.holes[*wrong_hole_].hints;
        }
        use_hints_of([&](const Hole& one) {
            return std::find(one.stages.begin(), one.stages.end(), first_wrong_) !=
                   one.stages.end();
        });
        for (std::size_t step = 0; step < found.hints.size(); ++step) {
            if (step < verdict_.hints.size()) verdict_.hints[step] = found.hints[step];
        }
    }

    void use_hints_of(const std::function<bool(const Hole&)>& wanted) {
        const auto hole = std::find_if(exercise_.holes.begin(), exercise_.holes.end(), wanted);
        if (hole != exercise_.holes.end()) verdict_.hints = hole->hints;
    }

    const Exercise& exercise_;
    const std::function<void(const std::string&)>& at_;
    Verdict verdict_;
    std::vector<Stages> right_;
    std::vector<Given> given_;
    std::string first_wrong_;    // stage
    bool law_says_all_ = false;  // a broken law without a name
    std::optional<std::size_t> wrong_hole_;
};

}  // namespace

Verdict judge(const Exercise& exercise, const std::function<void(const std::string&)>& at) {
    return Judging(exercise, at).verdict();
}

}  // namespace exercise
