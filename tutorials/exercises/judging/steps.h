// Steps: what an answer is asked in order. After a wrong step the next is not asked, so a later
// hole may stay open while an earlier one is judged.
#pragma once

#include "tutorials/exercises/judging/compare.h"

#include <functional>
#include <vector>

namespace exercise {

template <class Answer, class Input>
using Steps = std::vector<std::function<Stages(const Answer&, const Input&)>>;

// For on_each: the stages of all steps up to the first that is not as those of a right answer.
template <class Answer, class Input>
std::function<Stages(const Answer&, const Input&)> in_order(const Steps<Answer, Input>& steps,
                                                            const Answer& right) {
    return [=](const Answer& answer, const Input& in) {
        Stages given;
        for (const auto& step : steps) {
            const Stages more = step(answer, in);
            given = joined(given, more);
            if (!same(more, step(right, in))) break;
        }
        return given;
    };
}

}  // namespace exercise
