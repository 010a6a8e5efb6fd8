#include "learned_positions.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../argument_checks.h"
#include "../init.h"
#include "../running.h"

namespace heed { inline namespace HEED_PRECISION {

LearnedPositions::LearnedPositions(std::int64_t limit, std::int64_t d, Random& random,
                                   CallSite site) {
    check_sizes("LearnedPositions", {{"limit", limit}, {"d", d}}, site);
    weight = Parameter::unfilled(Shape({limit, d}, site), "weight", site);
    init::normal(weight, random, 0, 1, site);
}

Variable LearnedPositions::added_to(const Variable& x, std::int64_t first, CallSite site) const {
    check_parameter("LearnedPositions", "weight", weight, 2, site);
    check_placed("LearnedPositions", x, weight.dim(1), first, site);
    const std::int64_t T = x.dim(-2);
    check_limit("LearnedPositions", first, T, limit(), site);
    const Running layer(*this, "LearnedPositions", {&x}, site);
    const Variable rows = slice(weight, 0, first, first + T);  // [T, d]
    const Variable placed = x + rows;                          // [..., T, d]
    return layer.gives(placed);
}

std::string LearnedPositions::details() const {
    return text("limit=", limit(), ", d=", weight.dim(1));
}

}}  // namespace heed
