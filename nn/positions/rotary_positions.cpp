#include "rotary_positions.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../running.h"

#include <algorithm>
#include <ostream>

namespace heed { inline namespace HEED_PRECISION {

namespace {
constexpr double two_pi = 6.283185307179586;

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
    const auto& [factor, original_limit, few_turns, many_turns] = options.scaling;
    const bool is_order = 0 <= few_turns && few_turns < many_turns && many_turns < infinity;
    if (!(factor > 0 && factor < infinity) || original_limit < 0 || !is_order) {
        fail_argument("RotaryPositions", site, "scaling is ", options.scaling,
                      "; the factor must be positive and finite, original_limit at least 0, and "
                      "few_turns at least 0 and less than many_turns");
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

// The angle by which each pair rotates from one position to the next.
std::vector<double> frequencies_of(const RotaryOptions& options) {
    const auto& [factor, original_limit, few_turns, many_turns] = options.scaling;
    std::vector<double> frequencies =
        tensor::geometric_frequencies(options.d_rotated / 2, options.base);
    for (double& frequency : frequencies) {
        const double turns = static_cast<double>(original_limit) * frequency / two_pi;
        const double kept = std::clamp((turns - few_turns) / (many_turns - few_turns), 0.0, 1.0);
        frequency = original_limit == 0 ? frequency / factor
                                        : kept * frequency + (1 - kept) * frequency / factor;
    }
    return frequencies;
}

Variable joined(const Pairs& pairs, const RotaryOptions& options) {
    if (options.pairs == RotatedPairs::halves) return concatenate({pairs.first, pairs.second}, -1);
    const Variable side_by_side = stack({pairs.first, pairs.second}, -1);  // [..., T, n/2, 2]
    return flatten(side_by_side, -2, -1);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const RotaryScaling& scaling) {
    return out << "{.factor = " << scaling.factor
               << ", .original_limit = " << scaling.original_limit
               << ", .few_turns = " << scaling.few_turns << ", .many_turns = " << scaling.many_turns
               << "}";
}

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
    const tensor::Sinusoids angle = tensor::sinusoids(first, T, frequencies_of(options), site);
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
    if (options.scaling != RotaryScaling()) described += text(", scaling=", options.scaling);
    return described;
}

}}  // namespace heed
