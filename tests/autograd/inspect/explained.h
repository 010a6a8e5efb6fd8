// Whether an explanation is right, for the tests of explain().
#pragma once

#include "autograd/inspect/explain.h"

// The parts, added from the left, equal what is stored, to the last bit.
inline bool adds_up(const heed::Explanation& said, const heed::Variable& x,
                    const heed::Dims& index) {
    if (!said.exact || said.sum != said.value || said.value != x.grad().at(index)) return false;
    for (const heed::ExplainedPass& pass : said.passes) {
        heed::Scalar sum = 0;
        for (const heed::ExplainedPart& part : pass.contributions) {
            sum = &part == &pass.contributions.front() ? part.value : sum + part.value;
        }
        if (!pass.exact || sum != pass.sum) return false;
    }
    return true;
}
