#include "tutorials/exercises/judging/judge.h"

#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/not_done.h"
#include "tutorials/exercises/judging/resemblance.h"

#include "heed/tensor/views.h"

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
        const std::optional<NotDone> hole = run_until_a_hole();
        std::string seen = in_cases(&Judging::changed);
        if (seen.empty()) seen = in_cases(&Judging::threw);
        if (seen.empty()) seen = in_cases(&Judging::shape);
        if (seen.empty()) seen = in_cases(&Judging::finite);
        if (seen.empty()) {
            if (given_.size() == exercise_.cases.size()) seen = in_laws();
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
        std::size_t hole_of_last = 0;
        try {
            for (const Case& one : exercise_.cases) {
                if (one.hole > hole_of_last && !right_so_far()) return {};
                hole_of_last = one.hole;
                given_.push_back(run(one));
            }
        } catch (const NotDone& hole) {
            return hole;
        }
        return {};
    }

    bool right_so_far() const {
        for (std::size_t i = 0; i < given_.size(); ++i) {
            if (!given_[i].error.empty() || !given_[i].changed.empty()) return false;
            if (!same(given_[i].stages, right_[i])) return false;
        }
        return true;
    }

    // The first hole that computes a stage of this case.
    std::size_t hole_of(std::size_t i) const {
        for (std::size_t n = 0; n < exercise_.holes.size(); ++n) {
            const std::vector<std::string>& its = exercise_.holes[n].stages;
            if (std::any_of(right_[i].begin(), right_[i].end(), [&](const Stage& stage) {
                    return std::find(its.begin(), its.end(), stage.name) != its.end();
                })) {
                return n;
            }
        }
        return 0;
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
                wrong_hole_ = exercise_.cases[i].hole;
                return "On " + exercise_.cases[i].name + ": " + finding;
            }
            if (check != &Judging::threw) ++verdict_.checks_run;
        }
        return "";
    }

    std::string in_laws() {
        for (const Law& law : exercise_.laws) {
            at_(law.name.empty() ? "checking what must hold of it" : "checking that " + law.name);
            std::string finding;
            try {
                finding = law.finding();
            } catch (const NotDone&) {
                throw;
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
            return yours.name + " has shape " + finding;
        }
        return "";
    }

    std::string finite(std::size_t i) {
        for (const Stage& yours : given_[i].stages) {
            std::string finding = not_finite(yours.value, stage(right_[i], yours.name));
            if (finding.empty()) continue;
            first_wrong_ = yours.name;
            if (!exercise_.cause_of_nan.empty()) finding += "; usually " + exercise_.cause_of_nan;
            return yours.name + " " + finding;
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
            const std::string before = n > 0 ? stages[n - 1].name + " is right, " : "";
            return before + yours.name + " " + difference(yours.value, expected);
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
