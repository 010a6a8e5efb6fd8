// PieceTree: finds the longest token that a text begins with.
#pragma once

#include "../../tensor/scalar.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Tokens as paths from a root, a byte a step. The steps are in a hash table.
class PieceTree {
  public:
    static constexpr std::uint32_t root = 0;
    static constexpr std::uint32_t no_node = 0xFFFFFFFF;

    // Room for tokens of so many bytes together.
    explicit PieceTree(std::size_t bytes);

    void add(std::string_view token, std::int64_t id);
    // Where this path ends, or no_node.
    std::uint32_t node(std::string_view path) const;

    struct Found {
        std::int64_t id = -1;  // none
        std::size_t bytes = 0;
    };
    // The longest token that goes on from this node with what the text begins with.
    Found longest(std::uint32_t from, std::string_view text) const;

  private:
    struct Slot {
        std::uint64_t step = 0;  // a node and a byte
        std::uint32_t to = no_node;
    };
    std::size_t slot(std::uint32_t from, char byte) const;

    std::vector<Slot> slots_;
    std::vector<std::int64_t> ids_;  // of the tokens that end at each node
    int shift_ = 0;
};

}}  // namespace heed
