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

    // What merge() works with; kept from word to word, it saves allocations.
    struct Workspace {
        std::vector<std::int64_t> letters;  // the ids of a word's letters, which merge() takes
        // A letter, or what it has become, and the neighbours that are left.
        struct Symbol {
            std::int64_t id;
            std::size_t before, after;
        };
        std::vector<Symbol> symbols;
        std::vector<std::pair<std::size_t, std::size_t>> heap;  // rank and place of a pair
    };

    // Appends the ids of the tokens that the letters become. Of equal pairs the leftmost is merged
    // first. n letters take n·log n steps.
    void merge(Workspace& work, std::vector<std::int64_t>& ids) const;

    const std::vector<Merge>& merges() const { return merges_; }

  private:
    struct Slot {
        std::uint64_t pair;
        std::size_t rank;
    };
    // Where the pair is in the table, or could be put.
    std::size_t slot(std::uint64_t pair) const;

    std::vector<Merge> merges_;
    std::vector<Slot> slots_;  // a hash table with open addressing, at most half full
    int shift_ = 0;
};

}}  // namespace heed
