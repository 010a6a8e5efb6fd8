#include "tutorials/support/labels.h"

#include "autograd/inspect/svg.h"

#include <algorithm>
#include <cmath>

using namespace heed;

namespace tutorial {
namespace {

const double line_height = 15;

}  // namespace

void Labels::add(const std::string& text, double y, const std::string& classes, int mark,
                 bool leads) {
    labels_.push_back({text, classes, y, y, mark, leads});
}

void Labels::spread(double top, double bottom) {
    std::stable_sort(labels_.begin(), labels_.end(),
                     [](const Label& a, const Label& b) { return a.wanted < b.wanted; });
    std::vector<double> wanted;
    for (const Label& label : labels_) wanted.push_back(label.wanted);
    const std::vector<double> apart(wanted.size(), line_height);
    const std::vector<double> alike(wanted.size(), 1);
    const std::vector<double> places = spread_apart(wanted, apart, alike, top, bottom);
    for (std::size_t i = 0; i < labels_.size(); ++i) labels_[i].y = places[i];
}

double Labels::width() const {
    double width = 0;
    for (const Label& label : labels_) width = std::max(width, svg_text_width(label.text));
    return width + 14;
}

void Labels::draw(double x, SvgPicture& picture, const DrawMark& draw_mark) const {
    for (const Label& label : labels_) {
        if (label.leads && std::fabs(label.y - label.wanted) > 4) {
            picture.line(x + 3, label.wanted, x + 11, label.y, "h-hair");
        }
        if (label.mark >= 0) draw_mark(label.mark, x + 17, label.y);
        picture.text(x + (label.mark >= 0 ? 25 : 13), label.y + 4, label.text, label.classes);
    }
}

}  // namespace tutorial
