// What one picture of a graph shows: which boxes, with which words, and which arrows between them.
#pragma once

#include "graph_layout.h"
#include "graph_outline.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

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

// The outline with this many levels opened, and which of its entries are in which scope.
struct GraphLevel {
    Outline outline;
    std::unordered_map<const ScopeFrame*, std::vector<std::int64_t>> members;  // never iterated
    std::vector<std::vector<std::int64_t>> users;

    GraphLevel(const Node& root, int open_scopes);
};

// The inside of a scope of this level, or, with null, the whole; beyond `most` boxes the others are
// left out.
GraphContents graph_contents(const GraphLevel& level, const ScopeFrame* scope, std::int64_t most);

}}  // namespace heed
