// Plots of lines as SVG text, for the page of a lesson:
//     draw(plot_svg({.title = "Loss while it learns",
//                    .x = {.label = "step"},
//                    .y = {.label = "loss, in nats"},
//                    .series = {{"training", counted(losses), losses}},
//                    .references = {{"entropy", 0.693}}}));
#pragma once

#include "tensor/call_site.h"
#include "tutorials/support/several.h"

#include <string>
#include <vector>

namespace tutorial {

struct Axis {
    std::string label;  // with its unit
    bool logarithmic = false;
    // Reaches at least to these.
    std::vector<double> covers = {};
    // Ticks at these places in place of round numbers, with these labels or their numbers.
    std::vector<double> ticks = {};
    std::vector<std::string> names = {};
};

struct Series {
    std::string name;
    std::vector<double> x, y;
    // The range over several seeds, or the like: a band around the line, a bar at points. Or
    // nothing.
    std::vector<double> least = {}, most = {};
    bool line = true;  // else points alone; on an axis with names those of several series stand
                       // beside each other
};

// A horizontal line with a name, such as the least loss that is possible.
struct Reference {
    std::string name;
    double y;
};

struct Plot {
    std::string title;
    Axis x = {}, y = {};
    std::vector<Series> series = {};
    std::vector<Reference> references = {};
    std::string description = "";  // a sentence before the one that plot_svg() makes of the numbers
};

// Series differ in colour, dash and mark; each is named at its right end. A y that cannot be drawn
// (not finite, beyond 1e300, or on a logarithmic axis not positive) is left out: the line has a gap
// there, and a line of text under the plot says how many there are. Errors (std::invalid_argument):
// no series; more than six; none with a point; x, y, least or most of unequal lengths; an x that
// cannot be drawn; names without as many ticks.
std::string plot_svg(const Plot& plot, heed::CallSite site = heed::CallSite::here());

// 0, 1, 2, ..., a number for each entry of y.
std::vector<double> counted(const std::vector<double>& y);

// The median of each, with the range as a band.
Series series_of(const std::string& name, const std::vector<double>& x,
                 const std::vector<Several>& y, heed::CallSite site = heed::CallSite::here());

}  // namespace tutorial
