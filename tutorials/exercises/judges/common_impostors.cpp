#include "tutorials/exercises/judges/common_impostors.h"

#include "tutorials/exercises/judging/inputs.h"

#include "tensor/factories.h"

#include <exception>
#include <memory>
#include <optional>

using namespace heed;

namespace exercise::impostors {
namespace {
// Which impostors pass: true for each that is not caught.
using Passing = std::vector<bool>;

class Screening {
  public:
    Screening(const Lineup& lineup, const std::function<Input()>& input)
        : lineup_(lineup), input_(input) {}

    // Runs the learner's function.
    Stages learners() {
        learners_ = input_();
        unusable_ = lineup_.unusable(*learners_);
        passing_ =
            unusable_.empty() ? passing(*learners_) : Passing(lineup_.impostors.size(), false);
        return stages(passing_);
    }

    // What these flaws would let pass if the learner's input has them; else nothing.
    Stages explained(const Slips& slips) const {
        Passing all(lineup_.impostors.size(), false);
        for (const Flaw& flaw : lineup_.flaws) {
            if (!slips(flaw.mistake.id)) continue;
            const Passing by_this = explained_by(flaw);
            for (std::size_t i = 0; i < all.size(); ++i) all[i] = all[i] || by_this[i];
        }
        return stages(all);
    }

    std::string unusable() const { return unusable_; }

    // "You caught 6 of 15. These still pass: one that ...; one that ...", or "" if all were caught.
    std::string still_pass() const {
        if (!unusable_.empty()) return "";
        std::string names;
        std::size_t caught = 0;
        for (std::size_t i = 0; i < passing_.size(); ++i) {
            if (!passing_[i]) ++caught;
            if (passing_[i]) names += (names.empty() ? "" : "; ") + lineup_.impostors[i].who;
        }
        if (names.empty()) return "";
        return "You caught " + std::to_string(caught) + " of " + std::to_string(passing_.size()) +
               (caught + 1 == passing_.size() ? ". This still passes: " : ". These still pass: ") +
               names + ".";
    }

  private:
    // An impostor is caught if its output differs, or if its shapes do not fit.
    Passing passing(const Input& input) const {
        const Tensor honest = lineup_.output(input, {});
        Passing all;
        for (const Impostor& one : lineup_.impostors) {
            try {
                all.push_back(!lineup_.differ(lineup_.output(input, {one.slip}), honest));
            } catch (const std::exception&) {
                all.push_back(false);
            }
        }
        return all;
    }

    // Beyond what the shapes let pass, unless the flaw is one of shape.
    Passing explained_by(const Flaw& flaw) const {
        if (!learners_ || !unusable_.empty() || !flaw.seen(*learners_)) {
            return Passing(lineup_.impostors.size(), false);
        }
        const Input ordinary = {random(learners_->Q.shape(), 1001),
                                random(learners_->K.shape(), 1002),
                                random(learners_->V.shape(), 1003)};
        if (flaw.seen(ordinary)) return passing(ordinary);
        const Passing by_shape = passing(ordinary);
        Passing by_flaw = passing(flaw.imposed(ordinary));
        for (std::size_t i = 0; i < by_flaw.size(); ++i) {
            by_flaw[i] = by_flaw[i] && !by_shape[i];
        }
        return by_flaw;
    }

    static Stages stages(const Passing& passing) {
        std::vector<Scalar> caught;
        for (const bool passes : passing) caught.push_back(passes ? 0 : 1);
        const auto count = static_cast<std::int64_t>(caught.size());
        return {{"the claim that all are caught", tensor::from_vector(caught, {count})}};
    }

    Lineup lineup_;
    std::function<Input()> input_;
    std::optional<Input> learners_;
    std::string unusable_;
    Passing passing_;
};

}  // namespace

void add_to(Exercise& exercise, const Lineup& lineup, const std::function<Input()>& input) {
    const auto screening = std::make_shared<Screening>(lineup, input);
    exercise.cases.push_back({"your input",
                              [=](const Slips& slips) { return screening->explained(slips); },
                              [=] { return screening->learners(); }});
    exercise.laws.push_back({"", [=] { return screening->unusable(); }});
    exercise.laws.push_back({"", [=] { return screening->still_pass(); }});
    for (const Flaw& flaw : lineup.flaws) exercise.mistakes.push_back(flaw.mistake);
    exercise.secret = true;  // the law says it better than a list of zeros and ones
}

Input flawed(Input input, const Lineup& lineup, const Slips& slip) {
    for (const Flaw& flaw : lineup.flaws) {
        if (slip(flaw.mistake.id)) input = flaw.imposed(input);
    }
    return input;
}

}  // namespace exercise::impostors
