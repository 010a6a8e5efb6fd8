// Exercises that ask for predictions: a table of questions, each with its answer and the known
// wrong ones. After a wrong answer the next question is not asked, so that later ones may stay
// open.
#pragma once

#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/rules.h"

#include "tensor/shape.h"

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace exercise {

// What is answered, in the form in which it is compared.
struct Value {
    Value(std::integral auto number) : Value(static_cast<double>(number)) {}
    Value(double number);
    // Lists of any length have the same form, so that not even the number of axes is revealed.
    Value(const heed::Dims& list);
    Value(const heed::Shape& shape);
    Value(heed::Tensor numbers) : numbers(std::move(numbers)) {}

    heed::Tensor numbers;
};

// Where to find the learner's value: `&PixelPredictions::tokens`, or a function of all predictions.
template <class Answer>
class Learners {
  public:
    template <class Of>
    Learners(std::function<Of()> Answer::*member)
        : value_([member](const Answer& all) { return Value((all.*member)()); }) {}
    template <class Of>
    requires std::invocable<Of, const Answer&> Learners(const Of& value) : value_(value) {}

    Value operator()(const Answer& all) const { return value_(all); }

  private:
    std::function<Value(const Answer&)> value_;
};

// A known wrong answer, which is a mistake; described only where it is met first. A single hint is
// followed by the question's `look`.
struct Wrong : Mistake {
    template <class... Texts>
    Wrong(std::string id, Value value, const Texts&... says_and_hints)
        : Mistake(std::move(id), says_and_hints...), value(std::move(value)) {}
    Wrong(std::string id, Value value) : Mistake(std::move(id), ""), value(std::move(value)) {}

    Value value;
};

template <class Answer>
struct Question {
    struct Asking {
        std::string what;  // "the shape of the tokens"
        Learners<Answer> learners;
        Value truth;
        std::string look = "";  // the second hint of all its mistakes that have only one
    } asking;
    std::vector<Wrong> wrong = {};
    // If there are hints of its own: four, and the function that is the hole.
    std::string function = "";
    std::vector<std::string> hints = {};
};

// `rules` has the number, the title and the hints; this adds the rest.
template <class Answer>
Rules<Answer> predicting(Rules<Answer> rules, const std::vector<Question<Answer>>& questions) {
    for (const Question<Answer>& question : questions) {
        for (const Wrong& wrong : question.wrong) {
            if (wrong.says.empty()) continue;
            rules.mistakes.push_back(wrong);
            std::vector<std::string>& hints = rules.mistakes.back().hints;
            if (hints.size() == 1) hints.push_back(question.asking.look);
        }
        if (!question.hints.empty()) {
            rules.holes.push_back({question.function, {question.asking.what}, question.hints});
        }
    }
    rules.secret = true;
    rules.more = [questions](Exercise& exercise, const Answer& answer) {
        using Values = std::function<Value(const Question<Answer>&)>;
        const auto until_one_is_wrong = [questions](const Values& value_of) {
            Stages stages;
            for (const Question<Answer>& question : questions) {
                stages.push_back({question.asking.what, value_of(question).numbers});
                if (!same(stages.back().value, question.asking.truth.numbers)) break;
            }
            return stages;
        };
        const auto walk = [=](const Slips& slip) {
            return until_one_is_wrong([&](const Question<Answer>& question) {
                for (const Wrong& wrong : question.wrong) {
                    if (slip(wrong.id)) return wrong.value;
                }
                return question.asking.truth;
            });
        };
        const auto learner = [=] {
            return until_one_is_wrong(
                [&](const Question<Answer>& question) { return question.asking.learners(answer); });
        };
        exercise.cases.push_back({"your predictions", walk, learner});
    };
    return rules;
}

}  // namespace exercise
