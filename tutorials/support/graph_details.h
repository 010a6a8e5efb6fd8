// A drawn graph for the page of a lesson: below it, what is inside its layers, each to unfold.
#pragma once

#include "autograd/inspect/graph_svg.h"

#include <string>

namespace tutorial {

// HTML: the SVG, and a <details> for each layer in it, with those in that one inside. A layer whose
// inside looks like that of an earlier one, as of equal blocks, is named and not drawn again.
std::string graph_details(const heed::GraphDrawing& drawing);

}  // namespace tutorial
