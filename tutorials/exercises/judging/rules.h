// The rules of an exercise: what an answer is asked, what must hold of it, which mistakes are
// known, and a reference that can make them. A judge makes of these the Exercise for one answer.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/not_done.h"
#include "tutorials/exercises/judging/program.h"

#include <functional>
#include <string>
#include <vector>

namespace exercise {

// What an answer is asked on one input: see Case.
template <class Answer>
struct Asked {
    std::string name;
    std::function<Stages(const Answer&)> stages;
    Stages inputs = {};
};

// See Law.
template <class Answer>
struct LawOf {
    std::string name;
    std::function<std::string(const Answer&)> finding;
};

// `Answer` is what a learner writes: a function, or a struct of several.
template <class Answer>
struct Rules {
    std::string number;  // "05.1"
    std::string title;   // "The stable softmax"
    // A right answer, except that it makes these mistakes. Without one, the walks that `more` adds
    // stand for it.
    std::function<Answer(const Slips&)> reference = {};
    std::vector<Asked<Answer>> cases = {};
    std::vector<LawOf<Answer>> laws = {};
    std::vector<Mistake> mistakes = {};
    std::vector<std::string> hints = {};
    std::vector<Hole> holes = {};
    std::vector<Factor> factors = {};
    std::string cause_of_nan = "";
    bool secret = false;
    // Adds what does not fit above, such as cases and laws that share what they found.
    std::function<void(Exercise&, const Answer&)> more = {};
};

template <class Answer>
Exercise exercise_of(const Rules<Answer>& rules, const Answer& answer) {
    Exercise exercise = {rules.number,       rules.title, {},          {},
                         rules.mistakes,     rules.hints, rules.holes, rules.factors,
                         rules.cause_of_nan, rules.secret};
    for (const Asked<Answer>& one : rules.cases) {
        exercise.cases.push_back(
            {one.name,
             [stages = one.stages, reference = rules.reference](const Slips& slip) {
                 return stages(reference(slip));
             },
             [stages = one.stages, answer] { return stages(answer); }, one.inputs});
    }
    for (const LawOf<Answer>& law : rules.laws) {
        exercise.laws.push_back(
            {law.name, [finding = law.finding, answer] { return finding(answer); }});
    }
    if (rules.more) rules.more(exercise, answer);
    return exercise;
}

// Judges the answers to one exercise. It is a constant that only knows where its rules are, so that
// tables are built when the exercise runs, and not before main.
template <class Answer>
class Judge {
  public:
    constexpr explicit Judge(Rules<Answer> (*rules)()) : rules_(rules) {}

    Exercise operator()(const Answer& answer) const { return exercise_of(rules_(), answer); }

    // The exercise with the reference as the learner's code, making these mistakes.
    Exercise slipping(const Slips& slip) const {
        const Rules<Answer> rules = rules_();
        if (rules.reference) return exercise_of(rules, rules.reference(slip));
        Exercise exercise = exercise_of(rules, Answer());
        for (Case& one : exercise.cases) {
            one.learner = [walk = one.walk, slip] { return walk(slip); };
        }
        return exercise;
    }

  private:
    Rules<Answer> (*rules_)();
};

}  // namespace exercise
