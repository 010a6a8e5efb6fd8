// Prints the graph of a variable: as indented text for a terminal or a debugger, or for Graphviz
// (dot -Tsvg). A freed graph can still be printed.
#pragma once

#include "../variable.h"

#include <cstdint>
#include <string>

namespace heed { inline namespace HEED_PRECISION {

struct GraphOptions {
    // Operations recorded in a Scope are shown as one; this many of the outermost levels are
    // opened.
    int open_scopes = 0;
    std::int64_t max_depth = 100;    // deeper entries are left out, with a line that says so
    std::int64_t max_entries = 500;  // and so are entries beyond this number
};

// Depth first from the variable, inputs in order, indented by two spaces per level. An entry that
// is used more than once gets a number, is written out the first time, and only named after that:
//     multiply [4, 3] at main.cpp:14
//       #1 Linear [4, 3] at main.cpp:12 (2 operations)
//         constant [4, 2]
//         W [2, 3] (requires grad)
//         b [3] (frozen)
//       #1 Linear [4, 3], above
std::string graph_text(const Variable& output, const GraphOptions& options = {});

// The same for Graphviz: arrows point from inputs to results, opened scopes are clusters.
std::string graph_dot(const Variable& output, const GraphOptions& options = {});

}}  // namespace heed
