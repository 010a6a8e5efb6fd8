// BytePairs: the merges of byte pair encoding. From single letters, the pair of neighbours that
// stands first in the list of merges becomes one token, then the next, until no pair is in it.
// (Sennrich, Haddow and Birch, Neural machine translation of rare words with subword units, 2016)
#pragma once

#include "../../tensor/scalar.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct Merge {
    std::int64_t left, right, both;  // ids
};

class BytePairs {
  public:
    // In the order in which they apply. Of two with the same pair the first counts.
    explicit BytePairs(const std::vector<Merge>& merges);

    // The ids of letters -> the ids of tokens, in place. Of equal pairs the leftmost is merged
    // first. n letters take n·log n steps.
    void merge(std::vector<std::int64_t>& ids) const;

    const std::vector<Merge>& merges() const { return merges_; }

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    // The rank of the pair's merge, or none.
    std::size_t find(std::int64_t left, std::int64_t right) const;
    std::size_t slot(std::int64_t left, std::int64_t right) const;

    std::vector<Merge> merges_;
    std::vector<std::size_t> ranks_;  // a hash table with open addressing
    int shift_ = 0;
};

}}  // namespace heed
