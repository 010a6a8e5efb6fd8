#include "sinusoidal_positions.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../argument_checks.h"
#include "../running.h"

namespace heed { inline namespace HEED_PRECISION {

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
