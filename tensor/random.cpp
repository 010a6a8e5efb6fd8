// The generator and the distributions. Logarithm and cosine, in double precision, are the library's
// own: libm's differ in the last bit between machines, and so would every weight drawn here.
#include "random.h"

#include "errors.h"
#include "kernels/math.h"
#include "room.h"

#include <utility>

namespace heed { inline namespace HEED_PRECISION {
namespace {
constexpr double two_pi = 6.283185307179586476925;
constexpr double two_to_minus_53 = 1.0 / 9007199254740992.0;

std::uint64_t rotated_left(std::uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

// splitmix64 (Steele, Lea and Flood 2014): a counter with a golden-ratio step, and a bit mixer.
std::uint64_t splitmix64(std::uint64_t& counter) {
    counter += 0x9e3779b97f4a7c15;
    std::uint64_t z = counter;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = splitmix64(seed);
}

std::uint64_t Random::next() {
    const std::uint64_t result = rotated_left(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotated_left(state_[3], 45);
    return result;
}

void Random::set_state(const State& state, CallSite site) {
    if (state == State{}) {
        fail_argument("Random", site,
                      "the state is all zeros, which would generate only zeros; set one that "
                      "state() returned");
    }
    state_ = state;
}

double Random::uniform() { return static_cast<double>(next() >> 11) * two_to_minus_53; }

// √(-2·ln u)·cos(2π·v) with u in (0, 1], so that the logarithm is finite.
double Random::normal() {
    const double u = 1.0 - uniform();
    const double v = uniform();
    const double radius = kernels::math::sqrt(-2.0 * kernels::math::log(u));
    return radius * kernels::math::cos(two_pi * v);
}

// next() modulo n would favour small results unless n divides 2^64. Rejecting the first 2^64 mod n
// values leaves a multiple of n.
std::int64_t Random::below(std::int64_t n, CallSite site) {
    check_at_least("Random::below", "n", n, 1, site);
    const std::uint64_t count = static_cast<std::uint64_t>(n);
    const std::uint64_t rejected = (0 - count) % count;
    std::uint64_t drawn = next();
    while (drawn < rejected) drawn = next();
    return static_cast<std::int64_t>(drawn % count);
}

std::vector<std::int64_t> Random::permutation(std::int64_t n, CallSite site) {
    check_at_least("Random::permutation", "n", n, 0, site);
    std::vector<std::int64_t> order =
        room_for<std::int64_t>("Random::permutation", Shape({n}, site), site);
    for (std::int64_t i = 0; i < n; ++i) order.push_back(i);
    for (std::int64_t i = n - 1; i > 0; --i) {
        const std::int64_t j = below(i + 1);
        std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
    }
    return order;
}

}}  // namespace heed
