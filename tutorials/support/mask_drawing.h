// Drawings of masks as SVG text, for the page of a lesson.
#pragma once

#include "tensor/mask.h"

#include <string>
#include <vector>

namespace tutorial {

// Masks beside each other, a row for each query, a column for each key: filled where it may attend.
// One with axes before these has a grid for each index, one below the other. Errors: no mask; more
// than 8 grids in one (std::invalid_argument).
struct NamedMask {
    std::string name;
    heed::Mask mask;
};
std::string masks_svg(const std::string& title, const std::vector<NamedMask>& masks,
                      heed::CallSite site = heed::CallSite::here());

}  // namespace tutorial
