// Draws the graph of a variable as SVG, with a layout of its own: no other program is needed, and
// the picture is the same on every machine.
#pragma once

#include "../variable.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Inputs are above, the result is lowest. Operations recorded in a Scope, such as those of a layer,
// are one box with a double border; leaves are round. Beyond `most` boxes, the others are left out,
// and a line in the picture says how many. Pointing at a box shows where it was recorded. A freed
// graph can still be drawn.
std::string graph_svg(const Variable& output, std::int64_t most = 500);

// The same picture, and one for the inside of each box with a double border, level by level: what a
// page folds. What comes from outside is a dashed box at the top, what goes out one at the bottom.
struct GraphDrawing {
    std::string name;   // of the scope; "" for the whole graph
    std::string place;  // where it was called
    std::int64_t operations = 0;
    std::string svg;
    std::vector<GraphDrawing> inside;
};

GraphDrawing graph_drawing(const Variable& output, std::int64_t most = 500);

}}  // namespace heed
