// The graph as it is shown: the operations of a scope that is not opened are one entry; and which
// boxes, words and arrows one picture of it has.
#pragma once

#include "../node.h"
#include "graph_layout.h"

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct OutlineInput {
    std::int64_t entry = -1;  // -1: a constant
    Shape shape;
};

struct OutlineEntry {
    const Node* node = nullptr;          // the first one visited
    const ScopeFrame* closed = nullptr;  // the scope it represents, or null
    const ScopeFrame* around = nullptr;  // the innermost opened scope it is in, or null
    std::int64_t operations = 0;
    std::int64_t uses = 0;
    std::vector<OutlineInput> inputs;
};

// "Linear", "y = matmul", "W"
std::string label_of(const OutlineEntry& entry);
std::string count_of_operations(const OutlineEntry& entry);  // "3 operations"
// The line that called it.
std::string place_of(const OutlineEntry& entry);

class Outline {
  public:
    // Depth first, inputs in order; entry 0 is the root's.
    Outline(const Node& root, int open_scopes);

    std::int64_t size() const { return static_cast<std::int64_t>(entries_.size()); }
    const OutlineEntry& operator[](std::int64_t i) const {
        return entries_[static_cast<std::size_t>(i)];
    }

  private:
    std::int64_t entry_of(const Node& node);
    void connect(std::int64_t from, const Edge& edge);

    int open_scopes_;
    std::vector<OutlineEntry> entries_;
    // Only looked up, never iterated, so the order does not depend on addresses.
    std::unordered_map<const void*, std::int64_t> entry_of_;
    std::set<std::pair<std::int64_t, std::int64_t>> inputs_of_closed_;  // entry and input
};

struct GraphBox {
    enum class Look { operation, scope, leaf, constant, outside };

    std::string name, below, tooltip;
    Look look;
};

// What one picture shows.
struct GraphContents {
    std::vector<GraphBox> boxes;
    std::vector<ArrowOf> arrows;
    std::int64_t left_out = 0;
};

// The outline with this many levels opened, and which entries use each of its entries.
struct GraphLevel {
    Outline outline;
    std::vector<std::vector<std::int64_t>> users;

    GraphLevel(const Node& root, int open_scopes);
};

// The inside of a scope of this level, or, with null, the whole; beyond `most` boxes the others are
// left out.
GraphContents graph_contents(const GraphLevel& level, const ScopeFrame* scope, std::int64_t most);

}}  // namespace heed
