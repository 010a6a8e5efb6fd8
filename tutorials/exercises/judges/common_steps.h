// Steps: the questions of an exercise, in order. After a wrong answer the next is not asked, so a
// later hole may stay open while an earlier one is judged.
#pragma once

#include "tutorials/exercises/judging/cases.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/not_done.h"

#include "tensor/factories.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace exercise {

using Step = std::function<Stages()>;
using Steps = std::vector<Step>;

inline Stages all_of(const Steps& steps) {
    Stages given;
    for (const Step& step : steps) {
        const Stages more = step();
        given.insert(given.end(), more.begin(), more.end());
    }
    return given;
}

inline Stages until_one_is_wrong(const Steps& steps, const Stages& right) {
    Stages given;
    for (const Step& step : steps) {
        const Stages more = step();
        given.insert(given.end(), more.begin(), more.end());
        if (!same(more, right)) break;
    }
    return given;
}

inline Case in_order(const std::string& name, const std::function<Steps(const Slips&)>& walk,
                     const Steps& learner) {
    return {
        name,
        [=](const Slips& slip) { return until_one_is_wrong(walk(slip), all_of(walk({}))); },
        [=] { return until_one_is_wrong(learner, all_of(walk({}))); },
    };
}

// A law about several holes holds while one of them is open: a case then reports what is wrong.
inline Law once_done(const std::string& name, const std::function<std::string()>& finding) {
    return {name, [=]() -> std::string {
                try {
                    return finding();
                } catch (const NotDone&) {
                    return "";
                }
            }};
}

// The answer to a question of a predict exercise.
inline Stages answer(const std::string& question, std::int64_t number) {
    return {{question, numbers({number})}};
}

// All shapes have the same form, so that not even the number of axes is told.
inline Stages answer(const std::string& question, const heed::Shape& shape) {
    std::vector<std::int64_t> dims;
    for (int axis = 0; axis < shape.rank(); ++axis) dims.push_back(shape[axis]);
    dims.resize(static_cast<std::size_t>(heed::max_rank), -1);
    return {{question, numbers(dims)}};
}

}  // namespace exercise
