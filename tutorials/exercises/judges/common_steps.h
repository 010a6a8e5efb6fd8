// Steps: what an exercise asks, one thing after the other. After a wrong answer the next is not
// asked: so a later hole may stay open while an earlier one is judged.
#pragma once

#include "tutorials/exercises/judging/compare.h"

#include "tensor/factories.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise {

using Step = std::function<Stages()>;

// `right` is the walk without a slip.
inline Stages one_by_one(const Stages& right, const std::vector<Step>& steps) {
    Stages given;
    for (const Step& step : steps) {
        const Stages more = step();
        given.insert(given.end(), more.begin(), more.end());
        if (!same(more, right)) break;
    }
    return given;
}

// Whole numbers as a stage: [n].
inline heed::Tensor numbers(const std::vector<std::int64_t>& list) {
    const std::vector<heed::Scalar> entries(list.begin(), list.end());
    return heed::tensor::from_vector(entries, {static_cast<std::int64_t>(list.size())});
}

}  // namespace exercise
