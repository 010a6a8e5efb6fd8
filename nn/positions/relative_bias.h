// A number added to each score that depends on how far the key is from the query: learned, or fixed
// and falling with the distance.
#pragma once

#include "positions.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// One learned number for each head and distance j - i, of query i and key j (Raffel et al. 2020,
// "T5", section 2.1, but with a number for each distance). Distances beyond `farthest` share those
// of -farthest and farthest. Initialized to zeros, as if there were no positions.
struct RelativeBias : Positions {
    // Errors (std::invalid_argument): num_heads is below 1, farthest below 0 or too large.
    RelativeBias(std::int64_t num_heads, std::int64_t farthest, CallSite site = CallSite::here());

    std::optional<Variable> bias(std::int64_t T_q, std::int64_t T_k, std::int64_t first = 0,
                                 CallSite site = CallSite::here()) const override;
    void members(MemberVisitor& visit) override { visit("weight", weight); }
    std::string details() const override;

    std::int64_t farthest() const { return (weight.dim(1) - 1) / 2; }

    Parameter weight;  // [h, 2·farthest + 1]; distance 0 is in the middle
};

// -slope·|j - i|, with a slope for each head (Press et al. 2022, "ALiBi", section 3): a head with a
// large slope sees only nearby tokens. If h is a power of two, the slopes of the h heads are
// 2^(-8/h), 2^(-16/h), ... down to 2^-8; if not, those of the next lower power of two, then every
// other one of the next higher, as in the paper's published code: of 3 heads 2^-4, 2^-8 and 2^-2.
struct Alibi : Positions {
    // Error: num_heads is below 1 or above a million (std::invalid_argument).
    explicit Alibi(std::int64_t num_heads, CallSite site = CallSite::here());

    std::optional<Variable> bias(std::int64_t T_q, std::int64_t T_k, std::int64_t first = 0,
                                 CallSite site = CallSite::here()) const override;
    std::string details() const override;

    std::vector<double> slopes;  // of each head
};

}}  // namespace heed
