// Random: the library's own random numbers, the same with every compiler and standard library.
// xoshiro256++ (Blackman and Vigna 2018), seeded by splitmix64.
#pragma once

#include "call_site.h"

#include <array>
#include <cstdint>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

class Random {
  public:
    explicit Random(std::uint64_t seed);

    std::uint64_t next();  // 64 random bits
    double uniform();      // in [0, 1): the upper 53 bits of next(), times 2^-53
    double normal();       // mean 0, variance 1 (Box and Muller 1958); uses two uniforms
    // An integer in [0, n), each equally likely. Error: n < 1 (std::invalid_argument).
    std::int64_t below(std::int64_t n, CallSite site = CallSite::here());
    // 0, 1, ..., n-1 in random order (Fisher and Yates). Error: n < 0 (std::invalid_argument).
    std::vector<std::int64_t> permutation(std::int64_t n, CallSite site = CallSite::here());

    // Everything that later draws depend on: to resume, save it and set it. Error: all four words
    // are 0, which would give only zeros (std::invalid_argument).
    using State = std::array<std::uint64_t, 4>;
    const State& state() const { return state_; }
    void set_state(const State& state, CallSite site = CallSite::here());

  private:
    State state_;
};

}}  // namespace heed
