#include "tutorials/support/plot.h"

#include "autograd/inspect/svg.h"
#include "tensor/errors.h"
#include "tensor/math.h"
#include "tutorials/support/labels.h"
#include "tutorials/support/ticks.h"

#include <algorithm>
#include <cmath>

using namespace heed;

namespace tutorial {
namespace {

const double plot_width = 440, plot_height = 220;
const std::size_t most_series = 6;

bool drawable(double number, const Axis& axis) {
    return std::fabs(number) <= 1e300 && (!axis.logarithmic || number > 1e-300);
}

// An axis, and where on the picture its numbers are.
struct Scale {
    Ticks ticks;
    bool logarithmic;
    double begin, end;  // places of ticks.least and ticks.most

    double operator()(double number) const {
        double share = 0;
        if (logarithmic) {
            const double least = math::log(ticks.least);
            share = (math::log(number) - least) / (math::log(ticks.most) - least);
        } else {
            share = (number - ticks.least) / (ticks.most - ticks.least);
        }
        return begin + share * (end - begin);
    }
};

void check_series(const Series& series, const Plot& plot, const CallSite& site) {
    const auto check_length = [&](const char* what, const std::vector<double>& numbers) {
        if (numbers.size() == series.x.size()) return;
        fail_argument("plot_svg", site, "the series ", series.name, " has ", series.x.size(),
                      " x and ", numbers.size(), " ", what, "; it must have as many");
    };
    check_length("y", series.y);
    if (!series.least.empty() || !series.most.empty()) {
        check_length("least", series.least);
        check_length("most", series.most);
    }
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (drawable(series.x[i], plot.x)) continue;
        fail_argument("plot_svg", site, "x number ", i, " of the series ", series.name, " is ",
                      series.x[i], "; it must be finite",
                      plot.x.logarithmic ? " and, on this axis, positive" : "");
    }
}

void check_axis(const char* which, const Axis& axis, const CallSite& site) {
    if (!axis.names.empty() && axis.names.size() != axis.ticks.size()) {
        fail_argument("plot_svg", site, "the ", which, " axis has ", axis.names.size(),
                      " names for ", axis.ticks.size(), " ticks; it must have as many");
    }
}

// What the axis reaches to: the numbers that can be drawn.
struct Reach {
    double least = 1e301, most = -1e301;

    void take(const std::vector<double>& numbers, const Axis& axis) {
        for (const double number : numbers) {
            if (!drawable(number, axis)) continue;
            least = std::min(least, number);
            most = std::max(most, number);
        }
    }
};

// Round numbers, or the ticks that were asked for. With `exactly`, the axis ends where the numbers
// do, and not with a tick.
Ticks ticks_of(const Axis& axis, Reach reach, bool exactly, const CallSite& site) {
    reach.take(axis.covers, axis);
    reach.take(axis.ticks, axis);
    Ticks ticks = axis.logarithmic ? log_ticks(reach.least, reach.most, site)
                                   : linear_ticks(reach.least, reach.most, site);
    if (!axis.ticks.empty()) {
        ticks.at = axis.ticks;
        ticks.labels = axis.names;
        if (axis.names.empty()) {
            for (const double tick : axis.ticks) ticks.labels.push_back(short_number(tick));
        }
    }
    if (!exactly || !(reach.least < reach.most)) return ticks;
    Ticks inside{reach.least, reach.most, {}, {}};
    for (std::size_t i = 0; i < ticks.at.size(); ++i) {
        if (ticks.at[i] < reach.least || ticks.at[i] > reach.most) continue;
        inside.at.push_back(ticks.at[i]);
        inside.labels.push_back(ticks.labels[i]);
    }
    return inside;
}

std::string point(double x, double y) { return svg_number(x) + " " + svg_number(y); }

// The marks of the series: a circle, a square, triangles up and down, a rhombus, a bar.
void draw_mark(SvgPicture& picture, std::size_t which, double x, double y) {
    const std::string color = "h-f" + std::to_string(which);
    const auto shape = [&](const std::string& d) { picture.path("M" + d + "Z", color); };
    switch (which) {
    case 0:
        picture.circle(x, y, 3, color);
        break;
    case 1:
        picture.rect(x - 2.75, y - 2.75, 5.5, 5.5, color);
        break;
    case 2:
        shape(point(x, y - 4) + "L" + point(x + 3.75, y + 2.75) + "L" + point(x - 3.75, y + 2.75));
        break;
    case 3:
        shape(point(x, y - 4) + "L" + point(x + 4, y) + "L" + point(x, y + 4) + "L" +
              point(x - 4, y));
        break;
    case 4:
        shape(point(x, y + 4) + "L" + point(x + 3.75, y - 2.75) + "L" + point(x - 3.75, y - 2.75));
        break;
    default:
        picture.rect(x - 1.5, y - 4, 3, 8, color);
    }
}

// Draws the parts between gaps; `close` makes the band of each.
void draw_parts(const Series& series, const Axis& axis, const Scale& x, const Scale& y,
                bool as_band, const std::string& classes, SvgPicture& picture) {
    std::string there, back;
    std::size_t points = 0;
    const auto finish = [&] {
        if (as_band && points > 1) picture.path(there + back + "Z", classes);
        if (!as_band && points > 1) picture.path(there, classes);
        there = back = "";
        points = 0;
    };
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        const double upper = as_band ? series.most[i] : series.y[i];
        const double lower = as_band ? series.least[i] : series.y[i];
        if (!drawable(upper, axis) || !drawable(lower, axis)) {
            finish();
            continue;
        }
        there += (points == 0 ? "M" : "L") + point(x(series.x[i]), y(upper));
        if (as_band) back = "L" + point(x(series.x[i]), y(lower)) + back;
        ++points;
    }
    finish();
}

void draw_series(const Series& series, std::size_t which, const Plot& plot, const Scale& x,
                 const Scale& y, SvgPicture& picture) {
    const std::string number = std::to_string(which);
    // Points of one category stand beside each other, their ranges as bars.
    const bool beside = !series.line && !plot.x.names.empty();
    const double middle = static_cast<double>(plot.series.size() - 1) / 2;
    const double aside = beside ? 8 * (static_cast<double>(which) - middle) : 0;
    if (!series.line && !series.least.empty()) {
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            if (!drawable(series.least[i], plot.y) || !drawable(series.most[i], plot.y)) continue;
            const double at = x(series.x[i]) + aside;
            picture.line(at, y(series.least[i]), at, y(series.most[i]), "h-bar h-s" + number);
        }
    } else if (!series.least.empty()) {
        draw_parts(series, plot.y, x, y, true, "h-f" + number + " h-pale", picture);
    }
    if (series.line) draw_parts(series, plot.y, x, y, false, "h-s" + number, picture);
    // A long line has a mark now and then, each series at other places.
    const std::size_t stride = series.line ? series.x.size() / 24 * 2 + 1 : 1;
    const std::size_t first = stride > 1 ? which * stride / most_series : 0;
    for (std::size_t i = first; i < series.x.size(); i += stride) {
        if (!drawable(series.y[i], plot.y)) continue;
        draw_mark(picture, which, x(series.x[i]) + aside, y(series.y[i]));
    }
}

void draw_axes(const Plot& plot, const Scale& x, const Scale& y, SvgPicture& picture) {
    picture.line(x.begin, y.begin, x.end, y.begin, "h-axis");
    picture.line(x.begin, y.begin, x.begin, y.end, "h-axis");
    double free_from = -1e9;  // a tick whose label would run into the one before has none
    for (std::size_t i = 0; i < x.ticks.at.size(); ++i) {
        const double at = x(x.ticks.at[i]);
        picture.line(at, y.begin, at, y.begin + 4, "h-axis");
        const double half = svg_text_width(x.ticks.labels[i], 11) / 2;
        if (at - half < free_from) continue;
        picture.text(at, y.begin + 16, x.ticks.labels[i], "h-small h-mid");
        free_from = at + half + 6;
    }
    for (std::size_t i = 0; i < y.ticks.at.size(); ++i) {
        const double at = y(y.ticks.at[i]);
        picture.line(x.begin - 4, at, x.begin, at, "h-axis");
        if (i > 0) picture.line(x.begin, at, x.end, at, "h-hair");
        picture.text(x.begin - 7, at + 4, y.ticks.labels[i], "h-small h-end");
    }
    picture.text((x.begin + x.end) / 2, y.begin + 33, plot.x.label, "h-small h-mid");
    picture.text(2, y.end - 12, plot.y.label, "h-small");
}

// The last point of a line that is drawn; its index, or the size if there is none.
std::size_t last_drawn(const Series& series, const Axis& axis) {
    for (std::size_t i = series.y.size(); i-- > 0;) {
        if (drawable(series.y[i], axis)) return i;
    }
    return series.y.size();
}

// "loss: from 0.69 (at 0) to 0.1 (at 67), the least 0.09, the most 0.7."
std::string in_words(const Series& series, const Plot& plot) {
    const std::size_t last = last_drawn(series, plot.y);
    if (last == series.y.size()) return " " + series.name + ": no point.";
    std::size_t first = 0;
    while (!drawable(series.y[first], plot.y)) ++first;
    Reach reach;
    reach.take(series.y, plot.y);
    const auto place = [&](std::size_t i) {
        const std::vector<double>& ticks = plot.x.ticks;
        const std::ptrdiff_t tick =
            std::find(ticks.begin(), ticks.end(), series.x[i]) - ticks.begin();
        const std::size_t number = static_cast<std::size_t>(tick);
        return number < plot.x.names.size() ? plot.x.names[number] : short_number(series.x[i]);
    };
    return " " + series.name + ": from " + short_number(series.y[first]) + " at " + place(first) +
           " to " + short_number(series.y[last]) + " at " + place(last) + ", least " +
           short_number(reach.least) + ", most " + short_number(reach.most) + ".";
}

std::string description_of(const Plot& plot) {
    std::string words = plot.description.empty() ? "" : plot.description + " ";
    words += plot.y.label + " over " + plot.x.label + ".";
    for (const Series& series : plot.series) words += in_words(series, plot);
    for (const Reference& reference : plot.references) {
        words += " A line at " + short_number(reference.y) + ": " + reference.name + ".";
    }
    return words;
}

// "2 values left out: not finite"; "" if all are drawn.
std::string left_out(const Plot& plot) {
    std::int64_t count = 0;
    for (const Series& series : plot.series) {
        for (const double y : series.y) count += !drawable(y, plot.y);
    }
    if (count == 0) return "";
    return text(count, count == 1 ? " value" : " values", " left out: not finite",
                plot.y.logarithmic ? ", or not above 0" : "");
}

// The names at the right end of lines and references.
Labels names_of(const Plot& plot, const Scale& x, const Scale& y) {
    Labels labels;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const Series& series = plot.series[i];
        const std::size_t last = last_drawn(series, plot.y);
        if (last == series.y.size()) continue;
        const bool leads = series.line && x(series.x[last]) > x.end - 1;
        labels.add(series.name, y(series.y[last]), "h-f" + std::to_string(i), static_cast<int>(i),
                   leads);
    }
    for (const Reference& reference : plot.references) {
        if (!drawable(reference.y, plot.y)) continue;
        labels.add(reference.name, y(reference.y), "h-small", -1, true);
    }
    labels.spread(y.end, y.begin);
    return labels;
}

struct Reaches {
    Reach x, y;
};

Reaches checked(const Plot& plot, const CallSite& site) {
    if (plot.series.empty()) fail_argument("plot_svg", site, "there is no series to draw");
    if (plot.series.size() > most_series) {
        fail_argument("plot_svg", site, "there are ", plot.series.size(),
                      " series; more than six cannot be told apart");
    }
    Reaches reach;
    for (const Series& series : plot.series) {
        check_series(series, plot, site);
        reach.x.take(series.x, plot.x);
        for (const std::vector<double>* y : {&series.y, &series.least, &series.most}) {
            reach.y.take(*y, plot.y);
        }
    }
    check_axis("x", plot.x, site);
    check_axis("y", plot.y, site);
    if (reach.y.least > reach.y.most) {
        fail_argument("plot_svg", site, "no series has a point that can be drawn");
    }
    for (const Reference& reference : plot.references) reach.y.take({reference.y}, plot.y);
    return reach;
}

}  // namespace

std::string plot_svg(const Plot& plot, CallSite site) {
    const Reaches reach = checked(plot, site);
    const Ticks x_ticks = ticks_of(plot.x, reach.x, true, site);
    const Ticks y_ticks = ticks_of(plot.y, reach.y, false, site);
    double left = 12;
    for (const std::string& label : y_ticks.labels) {
        left = std::max(left, 12 + svg_text_width(label, 11));
    }
    const Scale x{x_ticks, plot.x.logarithmic, left, left + plot_width};
    const Scale y{y_ticks, plot.y.logarithmic, 52 + plot_height, 52};
    const Labels names = names_of(plot, x, y);
    const std::string missing = left_out(plot);
    const double height = y.begin + 42 + (missing.empty() ? 0 : 16);
    SvgPicture picture(std::max(x.end + 16 + names.width(), svg_text_width(plot.title, 13) + 4),
                       height, plot.title, description_of(plot));
    picture.text(2, 16, plot.title, "h-title");
    draw_axes(plot, x, y, picture);
    for (const Reference& reference : plot.references) {
        if (!drawable(reference.y, plot.y)) continue;
        picture.line(x.begin, y(reference.y), x.end, y(reference.y), "h-ref");
    }
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        draw_series(plot.series[i], i, plot, x, y, picture);
    }
    names.draw(x.end, picture, [&](int mark, double at_x, double at_y) {
        draw_mark(picture, static_cast<std::size_t>(mark), at_x, at_y);
    });
    if (!missing.empty()) picture.text(2, height - 6, missing, "h-small");
    return picture.str();
}

std::vector<double> counted(const std::vector<double>& y) {
    std::vector<double> numbers(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) numbers[i] = static_cast<double>(i);
    return numbers;
}

Series series_of(const std::string& name, const std::vector<double>& x,
                 const std::vector<Several>& y, CallSite site) {
    if (x.size() != y.size()) {
        fail_argument("series_of", site, "the series ", name, " has ", x.size(), " x and ",
                      y.size(), " y; it must have as many");
    }
    Series series{name, x, {}};
    for (const Several& several : y) {
        series.y.push_back(several.median);
        series.least.push_back(several.least);
        series.most.push_back(several.most);
    }
    return series;
}

}  // namespace tutorial
