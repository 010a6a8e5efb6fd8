#include "tutorials/exercises/judging/judge.h"

#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/not_done.h"
#include "tutorials/exercises/judging/resemblance.h"

#include <exception>
#include <optional>

namespace exercise {

namespace {

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
        }
        return verdict_;
    }

  private:
    void find() {
        for (const Case& one : exercise_.cases) given_.push_back(run(one));
        std::string seen = in_cases(&Judging::threw);
        if (seen.empty()) seen = in_cases(&Judging::shape);
        if (seen.empty()) seen = in_cases(&Judging::finite);
        if (seen.empty()) {
            seen = in_laws();
            const std::string differs = in_cases(&Judging::equal);
            if (!differs.empty()) seen += (seen.empty() ? "" : " ") + differs;
        }
        if (!seen.empty()) {
            say_wrong(seen);
        } else if (verdict_.checks_run != verdict_.checks || verdict_.checks == 0) {
            verdict_.outcome = Outcome::broken;
            verdict_.seen = "only " + std::to_string(verdict_.checks_run) + " of " +
                            std::to_string(verdict_.checks) + " checks ran";
        }
    }

    Given run(const Case& one) {
        at_("on " + one.name);
        try {
            return {one.learner()};
        } catch (const NotDone&) {
            throw;
        } catch (const std::exception& error) {
            return {{}, error.what()};
        }
    }

    using Check = std::string (Judging::*)(const Case&, const Given&);

    std::string in_cases(Check check) {
        for (std::size_t i = 0; i < given_.size(); ++i) {
            const std::string finding = (this->*check)(exercise_.cases[i], given_[i]);
            if (!finding.empty()) return "On " + exercise_.cases[i].name + ": " + finding;
            if (check != &Judging::threw) ++verdict_.checks_run;
        }
        return "";
    }

    std::string in_laws() {
        for (const Law& law : exercise_.laws) {
            at_(law.name.empty() ? "asking what holds of it" : "asking whether " + law.name);
            std::string finding;
            bool ended_in_error = false;
            try {
                finding = law.finding();
            } catch (const NotDone&) {
                throw;
            } catch (const std::exception& error) {
                finding = std::string("Asked for it, your code ended in an error: ") + error.what();
                ended_in_error = true;
            }
            if (!finding.empty()) {
                if (!ended_in_error) broken_law_ = law;
                return law.name.empty() ? finding : "A law is broken: " + law.name + ". " + finding;
            }
            ++verdict_.checks_run;
        }
        return "";
    }

    std::string threw(const Case&, const Given& given) {
        return given.error.empty() ? "" : "your code ended in an error:\n  " + given.error;
    }

    std::string shape(const Case& one, const Given& given) {
        const Stages right = one.walk({});
        for (const Stage& yours : given.stages) {
            const std::string finding = wrong_shape(yours.value, stage(right, yours.name));
            if (!finding.empty()) return yours.name + " has shape " + finding;
        }
        return "";
    }

    std::string finite(const Case& one, const Given& given) {
        const Stages right = one.walk({});
        for (const Stage& yours : given.stages) {
            std::string finding = not_finite(yours.value, stage(right, yours.name));
            if (finding.empty()) continue;
            if (!exercise_.cause_of_nan.empty()) finding += "; usually " + exercise_.cause_of_nan;
            return yours.name + " has " + finding;
        }
        return "";
    }

    std::string equal(const Case& one, const Given& given) {
        if (given.stages.empty()) return "there is no answer";
        const Stages right = one.walk({});
        std::string before;
        for (const Stage& yours : given.stages) {
            const Tensor& expected = stage(right, yours.name);
            if (!same(yours.value, expected)) {
                return before + yours.name + " differs, most " + worst_entry(yours.value, expected);
            }
            before = yours.name + " is right, ";
        }
        return "";
    }

    void say_wrong(const std::string& seen) {
        Resemblance found = resemblance(exercise_, given_);
        if (found.says.empty() && !broken_law_.mistake.empty()) {
            const Mistake& mistake = broken_law_.mistake.front();
            found = {
                {mistake.id}, "This is what I would see if " + mistake.says + ".", mistake.hints};
        }
        verdict_.outcome = Outcome::wrong;
        verdict_.seen = seen;
        verdict_.resembles = found.says;
        verdict_.ids = found.ids;
        for (std::size_t step = 0; step < found.hints.size(); ++step) {
            if (step < verdict_.hints.size()) verdict_.hints[step] = found.hints[step];
        }
    }

    using Tensor = heed::Tensor;

    const Exercise& exercise_;
    const std::function<void(const std::string&)>& at_;
    Verdict verdict_;
    std::vector<Given> given_;
    Law broken_law_;
};

}  // namespace

Verdict judge(const Exercise& exercise, const std::function<void(const std::string&)>& at) {
    return Judging(exercise, at).verdict();
}

}  // namespace exercise
