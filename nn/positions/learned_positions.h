// LearnedPositions: a table with a row for each position, added to the vectors.
#pragma once

#include "../../tensor/random.h"
#include "positions.h"

namespace heed { inline namespace HEED_PRECISION {

// x_t + P[t] (Gehring et al. 2017, section 3.1; notes 000, 002 and 004). The rows are drawn from
// the standard normal distribution, as in Embedding.
struct LearnedPositions : Positions {
    // Error: a size below 1 (std::invalid_argument).
    LearnedPositions(std::int64_t limit, std::int64_t d, Random& random,
                     CallSite site = CallSite::here());

    // Errors: x is not [..., T, d] (ShapeError); a position past the limit (std::out_of_range).
    Variable added_to(const Variable& x, std::int64_t first = 0,
                      CallSite site = CallSite::here()) const override;
    void members(MemberVisitor& visit) override { visit("weight", weight); }
    std::string details() const override;

    std::int64_t limit() const { return weight.dim(0); }

    Parameter weight;  // P [limit, d]
};

}}  // namespace heed
