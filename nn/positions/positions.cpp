#include "positions.h"

#include "../../autograd/ops.h"
#include "../argument_checks.h"
#include "../init.h"
#include "../running.h"
#include "learned_positions.h"
#include "sinusoidal_positions.h"

namespace heed { inline namespace HEED_PRECISION {

Variable Positions::added_to(const Variable& x, std::int64_t, CallSite) const { return x; }

Variable Positions::turned(const Variable& x, std::int64_t, CallSite) const { return x; }

std::optional<Variable> Positions::bias(std::int64_t, std::int64_t, std::int64_t, CallSite) const {
    return std::nullopt;
}

void check_placed(const char* name, const Variable& x, std::int64_t d, std::int64_t first,
                  const CallSite& site) {
    if (x.rank() < 2 || x.dim(-1) != d) {
        fail_shape(name, site, "x has shape ", x.shape(), "; it must be [..., T, ", d, "]");
    }
    check_first(name, first, x.dim(-2), site);
}

void check_first(const char* name, std::int64_t first, std::int64_t T, const CallSite& site) {
    if (first < 0) {
        fail_range(name, site, "the first position is ", first, "; it must be at least 0");
    }
    std::int64_t end = 0;
    if (!__builtin_add_overflow(first, T, &end)) return;
    fail_range(name, site, "the first position is ", first, " and there are ", T,
               "; the last does not fit in 64 bits");
}

void check_limit(const char* name, std::int64_t first, std::int64_t T, std::int64_t limit,
                 const CallSite& site) {
    if (T == 0 || T <= limit - first) return;
    fail_range(name, site, "position ", first + T - 1,
               " is past the limit: ", numbered(limit, "positions"),
               "; shorten the text, or make the layer with a larger limit");
}

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

namespace {
// 10000^(-2i/d), one for each sine; the last sine of an odd d has no cosine.
std::vector<double> frequencies(std::int64_t d) {
    std::vector<double> all = tensor::geometric_frequencies(d, 10000);
    std::vector<double> every_other;
    for (std::size_t i = 0; i < all.size(); i += 2) every_other.push_back(all[i]);
    return every_other;
}

}  // namespace

SinusoidalPositions::SinusoidalPositions(std::int64_t features, CallSite site) : d(features) {
    check_sizes("SinusoidalPositions", {{"d", d}}, site);
}

Tensor SinusoidalPositions::table(std::int64_t T, std::int64_t first, CallSite site) const {
    check_sizes("SinusoidalPositions", {{"d", d}}, site);
    check_first("SinusoidalPositions", first, T, site);
    const tensor::Sinusoids waves = tensor::sinusoids(first, T, frequencies(d), site);
    const Tensor pairs = tensor::stack({waves.sin, waves.cos}, -1, site);  // [T, ⌈d/2⌉, 2]
    const Tensor rows = tensor::flatten(pairs, 1, 2, site);
    return tensor::contiguous(tensor::slice(rows, 1, 0, d, 1, site), site);  // [T, d]
}

Variable SinusoidalPositions::added_to(const Variable& x, std::int64_t first, CallSite site) const {
    check_sizes("SinusoidalPositions", {{"d", d}}, site);
    check_placed("SinusoidalPositions", x, d, first, site);
    const Running layer(*this, "SinusoidalPositions", {&x}, site);
    const Variable PE(table(x.dim(-2), first, site));  // [T, d]
    const Variable placed = x + PE;                    // [..., T, d]
    return layer.gives(placed);
}

std::string SinusoidalPositions::details() const { return text("d=", d); }

}}  // namespace heed
