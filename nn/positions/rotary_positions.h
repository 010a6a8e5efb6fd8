// RotaryPositions: queries and keys are rotated by an angle that grows with their position, so that
// a product q·k depends on how far they are apart, and not on where they are.
#pragma once

#include "positions.h"

#include <iosfwd>

namespace heed { inline namespace HEED_PRECISION {

// Which two features are rotated together? Published weights fit one of these.
enum class RotatedPairs {
    neighbours,  // 2i and 2i + 1 (Su et al. 2021, "RoFormer", equation 34; GPT-J)
    halves       // i and i + d/2 (GPT-NeoX, Llama)
};

// Slower rotation, for texts longer than those of the training data. Without an original limit, the
// angles of all pairs are divided by `factor` (Chen et al. 2023, "Extending context window by
// positional interpolation"). With an original limit, only those pairs are slowed that make fewer
// than `few_turns` full turns within it; pairs that make more than `many_turns` keep their angles,
// and between the two the frequency is interpolated by the number of turns (Llama 3.1).
struct RotaryScaling {
    double factor = 1;
    std::int64_t original_limit = 0;  // 0: none
    double few_turns = 1, many_turns = 4;

    bool operator==(const RotaryScaling&) const = default;
};
std::ostream& operator<<(std::ostream& out, const RotaryScaling& scaling);

struct RotaryOptions {
    double base = 10000;  // pair i of n rotates by base^(-i/n) radians a position
    RotatedPairs pairs = RotatedPairs::halves;
    std::int64_t d_rotated = 0;  // how many of the first features are rotated; 0 means all
    std::int64_t limit = 0;      // positions 0 to limit - 1; 0 means without limit
    RotaryScaling scaling = {};
};

struct RotaryPositions : Positions {
    // d: the features of one head's queries and keys. Errors (std::invalid_argument): the number of
    // features to be rotated is not even, or not between 2 and d; a base or a factor that is not
    // positive and finite; a negative limit; few_turns that is negative or not less than
    // many_turns.
    explicit RotaryPositions(std::int64_t d, const RotaryOptions& options = {},
                             CallSite site = CallSite::here());

    // Errors: x is not [..., T, d] (ShapeError); a position past the limit (std::out_of_range).
    Variable turned(const Variable& x, std::int64_t first = 0,
                    CallSite site = CallSite::here()) const override;
    std::string details() const override;

    std::int64_t d;
    RotaryOptions options;  // with d_rotated as it is
};

}}  // namespace heed
