// Where the boxes of a drawn graph stand: layers by longest path, so that every arrow points down,
// and within a layer an order with few crossings. The same numbers on every machine.
#pragma once

#include "../../tensor/scalar.h"

#include <cstdint>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct LaidOutArrow {
    std::int64_t from, to;  // boxes; `from` is above `to`
    // Where it passes: the middle of the lower side of `from`, a place in each layer that it
    // crosses, the middle of the upper side of `to`. Several arrows at one side are spread along
    // it.
    struct Place {
        double x, y;
    };
    std::vector<Place> places;
};

struct LaidOutBox {
    double width;
    double x = 0, y = 0;  // of its upper left corner
};

struct GraphLayout {
    std::vector<LaidOutBox> boxes;
    std::vector<LaidOutArrow> arrows;
    double width = 0, height = 0;

    static constexpr double box_height = 38, row_height = 70, gap = 18;
};

struct ArrowOf {
    std::int64_t from, to;
};

// Boxes of these widths, and arrows between them, in an order that matters only where two drawings
// would be as good. An arrow that would close a circle is laid out upwards: a folded scope may be
// both before and after another operation.
GraphLayout graph_layout(const std::vector<double>& widths, const std::vector<ArrowOf>& arrows);

}}  // namespace heed
