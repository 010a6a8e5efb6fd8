// The graph behind a variable, written out: as an indented text to read in a terminal or a
// debugger, or for Graphviz (dot -Tsvg). A freed graph still prints.
#pragma once

#include "heed/autograd/variable.h"

#include <cstdint>
#include <string>

namespace heed {
inline namespace HEED_PRECISION {

struct GraphOptions {
    // Operations recorded in a Scope are shown as one. Opened are the outermost so many levels.
    int open_scopes = 0;
    std::int64_t max_depth = 100;    // what lies deeper is left out, with a line that says so
    std::int64_t max_entries = 500;  // and what comes after so many
};

// Depth first from the variable, inputs in order, indented by two blanks a step. What is used more
// than once has a number, is written out where it comes first, and is only named from then on:
//     multiply [4, 3] at main.cpp:14
//       #1 Linear [4, 3] at main.cpp:12 (2 operations)
//         constant [4, 2]
//         W [2, 3] (requires grad)
//         b [3] (frozen)
//       #1 Linear [4, 3], above
std::string graph_text(const Variable& output, const GraphOptions& options = {});

// The same for Graphviz: arrows run from inputs to results, opened scopes are frames.
std::string graph_dot(const Variable& output, const GraphOptions& options = {});

}  // namespace HEED_PRECISION
}  // namespace heed
