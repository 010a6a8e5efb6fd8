#include "tutorials/support/maps.h"

#include "autograd/inspect/svg.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tutorials/support/ticks.h"

#include <algorithm>
#include <cmath>

using namespace heed;

namespace tutorial {
namespace {

void check_matrix(const char* what, const Tensor& x, std::int64_t least, const CallSite& site) {
    if (x.rank() == 2 && x.dim(0) >= least && x.dim(1) >= least) return;
    fail_shape(what, site, "the entries have shape ", x.shape(), "; it must be a matrix with ",
               least, " rows and columns, or more");
}

struct GridPoint {
    double x, y, lead;
};

std::string point(const GridPoint& place) {
    return svg_number(place.x) + " " + svg_number(place.y);
}

// Where between two places the lead is 0.
GridPoint border_between(const GridPoint& a, const GridPoint& b) {
    const double share = a.lead / (a.lead - b.lead);
    return {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), 0};
}

// The parts of polygons between places where the lead is above 0 and where it is not, and the
// border between the two, as paths.
struct Paths {
    std::string above, below, border;

    void add(const std::vector<GridPoint>& corners) {
        add_part(corners, 1, above);
        add_part(corners, -1, below);
        std::vector<GridPoint> ends;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const GridPoint &a = corners[i], &b = corners[(i + 1) % corners.size()];
            if ((a.lead > 0) != (b.lead > 0)) ends.push_back(border_between(a, b));
        }
        if (ends.size() == 2) border += "M" + point(ends[0]) + "L" + point(ends[1]);
    }

  private:
    static void add_part(const std::vector<GridPoint>& corners, int sign, std::string& path) {
        std::string part;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const GridPoint &a = corners[i], &b = corners[(i + 1) % corners.size()];
            const bool inside = (a.lead > 0) == (sign > 0);
            if (inside) part += (part.empty() ? "M" : "L") + point(a);
            if ((a.lead > 0) != (b.lead > 0)) {
                part += (part.empty() ? "M" : "L") + point(border_between(a, b));
            }
        }
        if (!part.empty()) path += part + "Z";
    }
};

// Rows of squares between the places of a grid; squares of one class in a row are joined.
Paths paths_of(const std::vector<std::vector<GridPoint>>& grid) {
    Paths paths;
    const std::size_t columns = grid[0].size();
    for (std::size_t i = 0; i + 1 < grid.size(); ++i) {
        for (std::size_t begin = 0; begin + 1 < columns;) {
            std::size_t end = begin + 1;
            const auto same_class = [&](std::size_t column) {
                const bool above = grid[i][begin].lead > 0;
                return (grid[i][column].lead > 0) == above &&
                       (grid[i + 1][column].lead > 0) == above;
            };
            if (same_class(begin)) {
                while (end + 1 < columns && same_class(end) && same_class(end + 1)) ++end;
            }
            const GridPoint &a = grid[i][begin], &b = grid[i][end];
            const GridPoint &c = grid[i + 1][end], &d = grid[i + 1][begin];
            if (same_class(begin) && same_class(end)) {
                paths.add({a, b, c, d});
            } else {  // in a triangle the border is one line, in a square it might be two
                paths.add({a, b, c});
                paths.add({a, c, d});
            }
            begin = end;
        }
    }
    return paths;
}

void draw_point(SvgPicture& picture, double x, double y, const ClassPoint& point) {
    const std::string color = std::to_string(point.which);
    if (point.held_out) {
        picture.circle(x, y, 3, "h-o" + color);
    } else {
        picture.circle(x, y, 2.5, "h-f" + color);
    }
}

}  // namespace

std::string map_svg(const std::string& title, const Tensor& entries, const std::string& row_label,
                    const std::string& column_label, CallSite site) {
    check_matrix("map_svg", entries, 1, site);
    const double cell = 15, left = 34, top = 56;
    const std::int64_t rows = entries.dim(0), columns = entries.dim(1);
    const double width = cell * static_cast<double>(columns);
    const double height = cell * static_cast<double>(rows);
    const std::string words =
        text("A map of ", rows, " rows (", row_label, ") and ", columns, " columns (", column_label,
             "): entries from ", short_number(tensor::min(entries).item()), " to ",
             short_number(tensor::max(entries).item()), ", blue above 0, orange below.");
    SvgPicture picture(std::max(left + width + 70, svg_text_width(title, 13) + 4),
                       top + height + 42, title, words);
    picture.text(2, 16, title, "h-title");
    picture.text(2, top - 12, row_label, "h-small");
    for (std::int64_t i = 0; i < rows; ++i) {
        const double y = top + cell * static_cast<double>(i);
        if (i % 5 == 0) picture.text(left - 6, y + 11.5, std::to_string(i), "h-small h-end");
        for (std::int64_t j = 0; j < columns; ++j) {
            const double entry = static_cast<double>(entries(i, j));
            picture.shade(left + cell * static_cast<double>(j), y, cell, cell,
                          entry < 0 ? "h-f1" : "h-f0", std::min(1.0, std::fabs(entry)));
        }
    }
    for (std::int64_t j = 0; j < columns; j += 5) {
        picture.text(left + cell * (static_cast<double>(j) + 0.5), top + height + 14,
                     std::to_string(j), "h-small h-mid");
    }
    picture.rect(left, top, width, height, "h-box");
    picture.text(left + width / 2, top + height + 31, column_label, "h-small h-mid");
    const double key = left + width + 18;
    for (int step = 0; step < 9; ++step) {
        const double entry = 1 - step / 4.0;
        picture.shade(key, top + 12 * step, 14, 12, entry < 0 ? "h-f1" : "h-f0", std::fabs(entry));
    }
    picture.rect(key, top, 14, 108, "h-box");
    picture.text(key + 20, top + 10, "1", "h-small");
    picture.text(key + 20, top + 58, "0", "h-small");
    picture.text(key + 20, top + 106, "-1", "h-small");
    return picture.str();
}

std::string decision_svg(const std::string& title, const Tensor& leads, const Area& area,
                         const std::vector<ClassPoint>& points,
                         const std::vector<std::string>& names, CallSite site) {
    check_matrix("decision_svg", leads, 2, site);
    if (names.size() != 2) {
        fail_argument("decision_svg", site, "there are ", names.size(),
                      " names; it must be one for each of the two classes");
    }
    const double scale = 460 / area.width, left = 40, top = 60;
    const double bottom = top + area.height * scale, right = left + area.width * scale;
    const auto across = [&](double x) { return left + (x - area.left) * scale; };
    const auto down = [&](double y) { return top + (area.top - y) * scale; };
    const std::int64_t rows = leads.dim(0), columns = leads.dim(1);
    std::vector<std::vector<GridPoint>> grid;
    for (std::int64_t i = 0; i < rows; ++i) {
        grid.emplace_back();
        for (std::int64_t j = 0; j < columns; ++j) {
            // The outermost ones reach to the edge.
            const double h = static_cast<double>(j), v = static_cast<double>(i);
            const double x = j == 0 ? 0 : j == columns - 1 ? 1 : (h + 0.5) / double(columns);
            const double y = i == 0 ? 0 : i == rows - 1 ? 1 : (v + 0.5) / double(rows);
            grid.back().push_back({left + x * (right - left), top + y * (bottom - top),
                                   static_cast<double>(leads(i, j))});
        }
    }
    const Paths paths = paths_of(grid);
    std::int64_t held_out = 0;
    for (const ClassPoint& one : points) held_out += one.held_out;
    const std::int64_t of_0 = (leads > 0).count();
    const std::string words =
        text("The plane in two parts: the answer is ", names[0], " on ",
             short_number(100 * static_cast<double>(of_0) / static_cast<double>(leads.numel())),
             " % of it, ", names[1], " on the rest. ",
             static_cast<std::int64_t>(points.size()) - held_out,
             " points of training, filled, and ", held_out, " held out, hollow.");
    SvgPicture picture(right + 16, bottom + 30, title, words);
    picture.text(2, 16, title, "h-title");
    if (!paths.above.empty()) picture.path(paths.above, "h-f0 h-pale");
    if (!paths.below.empty()) picture.path(paths.below, "h-f1 h-pale");
    if (!paths.border.empty()) picture.path(paths.border, "h-axis");
    for (const ClassPoint& one : points) {
        const double x = across(one.x), y = down(one.y);
        if (x >= left && x <= right && y >= top && y <= bottom) draw_point(picture, x, y, one);
    }
    picture.rect(left, top, right - left, bottom - top, "h-box");
    const Ticks x_ticks = linear_ticks(area.left, area.left + area.width, site);
    const Ticks y_ticks = linear_ticks(area.top - area.height, area.top, site);
    for (std::size_t i = 0; i < x_ticks.at.size(); ++i) {
        const double x = across(x_ticks.at[i]);
        if (x < left - 0.01 || x > right + 0.01) continue;
        picture.text(x, bottom + 16, x_ticks.labels[i], "h-small h-mid");
    }
    for (std::size_t i = 0; i < y_ticks.at.size(); ++i) {
        const double y = down(y_ticks.at[i]);
        if (y < top - 0.01 || y > bottom + 0.01) continue;
        picture.text(left - 6, y + 4, y_ticks.labels[i], "h-small h-end");
    }
    double x = left;
    for (int which = 0; which < 2; ++which) {
        const std::string& name = names[static_cast<std::size_t>(which)];
        draw_point(picture, x + 4, 40, {0, 0, which, false});
        picture.text(x + 12, 44, name, "h-small");
        x += svg_text_width(name, 11) + 24;
    }
    picture.text(x, 44, "filled: trained on, hollow: held out", "h-small");
    return picture.str();
}

}  // namespace tutorial
