#include "rotary_positions.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../running.h"

namespace heed { inline namespace HEED_PRECISION {

namespace {
void check_rotary(std::int64_t d, const RotaryOptions& options, const CallSite& site) {
    const std::int64_t rotated = options.d_rotated;
    if (rotated < 2 || rotated > d || rotated % 2 != 0) {
        fail_argument("RotaryPositions", site, rotated, " of ", d,
                      " features would be rotated; the number must be even and at least 2, since "
                      "they are rotated in pairs");
    }
    if (!(options.base > 0 && options.base < infinity)) {
        fail_argument("RotaryPositions", site, "base is ", options.base,
                      "; it must be positive and finite");
    }
    if (options.limit < 0) {
        fail_argument("RotaryPositions", site, "the limit is ", options.limit,
                      "; it must be at least 1, or 0 for none");
    }
    check_enum("RotaryPositions", "pairs", options.pairs, RotatedPairs::halves, site);
}

// The first and the second feature of each pair, [..., T, n] each.
struct Pairs {
    Variable first, second;
};

Pairs pairs_of(const Variable& x, const RotaryOptions& options) {
    const std::int64_t n = options.d_rotated;
    if (options.pairs == RotatedPairs::halves) {
        return {slice(x, -1, 0, n / 2), slice(x, -1, n / 2, n)};
    }
    return {slice(x, -1, 0, n, 2), slice(x, -1, 1, n, 2)};
}

Variable joined(const Pairs& pairs, const RotaryOptions& options) {
    if (options.pairs == RotatedPairs::halves) return concatenate({pairs.first, pairs.second}, -1);
    const Variable side_by_side = stack({pairs.first, pairs.second}, -1);  // [..., T, n/2, 2]
    return flatten(side_by_side, -2, -1);
}

}  // namespace

RotaryPositions::RotaryPositions(std::int64_t features, const RotaryOptions& given, CallSite site)
    : d(features), options(given) {
    if (options.d_rotated == 0) options.d_rotated = d;
    check_rotary(d, options, site);
}

Variable RotaryPositions::turned(const Variable& x, std::int64_t first, CallSite site) const {
    check_rotary(d, options, site);
    check_placed("RotaryPositions", x, d, first, site);
    const std::int64_t T = x.dim(-2), n = options.d_rotated;
    if (options.limit > 0) check_limit("RotaryPositions", first, T, options.limit, site);
    const Running layer(*this, "RotaryPositions", {&x}, site);
    const std::vector<double> frequencies = tensor::geometric_frequencies(n / 2, options.base);
    const tensor::Sinusoids angle = tensor::sinusoids(first, T, frequencies, site);
    const Variable sin(angle.sin), cos(angle.cos);  // [T, n/2]

    const Pairs a = pairs_of(x, options);  // [..., T, n/2] each
    const Pairs b = {a.first * cos - a.second * sin, a.second * cos + a.first * sin};
    const Variable rotated = joined(b, options);  // [..., T, n]
    if (n == d) return layer.gives(rotated);
    const Variable rest = slice(x, -1, n, d);                       // [..., T, d - n]
    const Variable whole = concatenate({rotated, rest}, -1, site);  // [..., T, d]
    return layer.gives(whole);
}

std::string RotaryPositions::details() const {
    std::string described = text("d=", d, ", base=", options.base);
    if (options.d_rotated != d) described += text(", d_rotated=", options.d_rotated);
    if (options.pairs == RotatedPairs::neighbours) described += ", neighbours";
    if (options.limit > 0) described += text(", limit=", options.limit);
    return described;
}

}}  // namespace heed
