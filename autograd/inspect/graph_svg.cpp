#include "graph_svg.h"

#include "../../tensor/errors.h"
#include "graph_outline.h"
#include "svg.h"

#include <algorithm>
#include <memory>

namespace heed { inline namespace HEED_PRECISION {
namespace {

double width_of(const GraphBox& box) {
    return std::max(svg_text_width(box.name), svg_text_width(box.below, 11)) + 18;
}

void draw_box(SvgPicture& picture, const GraphBox& box, const LaidOutBox& at) {
    const double height = GraphLayout::box_height;
    picture.begin(box.tooltip);
    const bool round = box.look == GraphBox::Look::leaf,
               dashed = box.look == GraphBox::Look::outside;
    const char* const fill = round                                   ? "h-f2 h-pale"
                             : box.look == GraphBox::Look::scope     ? "h-f0 h-pale"
                             : box.look == GraphBox::Look::operation ? "h-f0 h-faded"
                                                                     : "";
    const double corner = round ? height / 2 : 3;
    if (*fill) picture.rect(at.x, at.y, at.width, height, fill, corner);
    if (box.look != GraphBox::Look::constant) {
        picture.rect(at.x, at.y, at.width, height, dashed ? "h-ghost" : "h-box", corner);
    }
    if (box.look == GraphBox::Look::scope) {
        picture.rect(at.x + 2.5, at.y + 2.5, at.width - 5, height - 5, "h-box", 2);
    }
    picture.text(at.x + at.width / 2, at.y + 16, box.name, "h-mid");
    picture.text(at.x + at.width / 2, at.y + 30, box.below, "h-small h-mid");
    picture.end();
}

void draw_arrow(SvgPicture& picture, const std::vector<LaidOutArrow::Place>& places, double left,
                double top) {
    if (places.size() < 2) return;
    const auto point = [&](double x, double y) {
        return svg_number(x + left) + " " + svg_number(y + top);
    };
    std::string path = "M" + point(places[0].x, places[0].y);
    for (std::size_t i = 1; i < places.size(); ++i) {
        const LaidOutArrow::Place &a = places[i - 1], &b = places[i];
        const bool ends = i + 1 == places.size();
        const double end = ends ? b.y + (b.y > a.y ? -4 : 4) : b.y;
        const double middle = (a.y + end) / 2;
        path += "C" + point(a.x, middle) + " " + point(b.x, middle) + " " + point(b.x, end);
    }
    picture.path(path, "h-axis");
    const LaidOutArrow::Place& tip = places.back();
    const double back = tip.y > places[places.size() - 2].y ? -7 : 7;
    picture.path("M" + point(tip.x - 3, tip.y + back) + "L" + point(tip.x + 3, tip.y + back) + "L" +
                     point(tip.x, tip.y) + "Z",
                 "h-tip");
}

std::string drawn(const GraphContents& contents, const std::string& title) {
    std::vector<double> widths;
    std::string leaves;
    for (const GraphBox& box : contents.boxes) {
        widths.push_back(width_of(box));
        if (box.look != GraphBox::Look::leaf) continue;
        leaves += (leaves.empty() ? " Leaves: " : ", ") + box.name + " " + box.below;
    }
    const GraphLayout layout = graph_layout(widths, contents.arrows);
    const std::string words =
        text(contents.boxes.size(), " boxes with ", contents.arrows.size(),
             " arrows, from inputs down to the result ", contents.boxes[0].name, " ",
             contents.boxes[0].below, ".", leaves, leaves.empty() ? "" : ".");
    const double more = contents.left_out > 0 ? 20 : 0;
    SvgPicture picture(std::max(layout.width + 12, more > 0 ? 200.0 : 0.0),
                       layout.height + 12 + more, title, words);
    for (const LaidOutArrow& arrow : layout.arrows) draw_arrow(picture, arrow.places, 6, 6);
    for (std::size_t i = 0; i < contents.boxes.size(); ++i) {
        LaidOutBox at = layout.boxes[i];
        at.x += 6;
        at.y += 6;
        draw_box(picture, contents.boxes[i], at);
    }
    if (more > 0) {
        picture.text(6, layout.height + 26, text("... (", contents.left_out, " more)"), "h-small");
    }
    return picture.str();
}

// The levels of one graph, each made when it is first needed.
class Drawer {
  public:
    Drawer(const Node& root, std::int64_t most) : root_(root), most_(most) {}

    GraphDrawing drawing_of(const ScopeFrame* scope, std::size_t depth, bool with_inside);

  private:
    const GraphLevel& level(std::size_t depth) {
        while (levels_.size() <= depth) {
            levels_.push_back(
                std::make_unique<GraphLevel>(root_, static_cast<int>(levels_.size())));
        }
        return *levels_[depth];
    }

    const Node& root_;
    std::int64_t most_;
    std::vector<std::unique_ptr<GraphLevel>> levels_;
};

GraphDrawing Drawer::drawing_of(const ScopeFrame* scope, std::size_t depth, bool with_inside) {
    GraphDrawing drawing;
    if (scope) drawing.name = scope->name;
    if (scope) drawing.place = scope->site.text();
    const GraphContents contents = graph_contents(level(depth), scope, most_);
    drawing.svg = drawn(contents, scope ? "Inside " + scope->name : "The graph");
    const Outline& outline = level(depth).outline;
    for (std::int64_t i = 0; i < outline.size(); ++i) {
        const OutlineEntry& entry = outline[i];
        if (entry.around != scope) continue;
        drawing.operations += entry.operations;
        if (!entry.closed || !with_inside) continue;
        drawing.inside.push_back(drawing_of(entry.closed, depth + 1, true));
    }
    return drawing;
}

GraphDrawing drawing_of(const Variable& output, std::int64_t most, bool with_inside) {
    if (output.node()) return Drawer(*output.node(), most).drawing_of(nullptr, 0, with_inside);
    const std::string shape = output.shape().text();
    GraphDrawing drawing;
    drawing.svg = drawn(
        {{{"constant", shape, "constant " + shape, GraphBox::Look::constant}}, {}, 0}, "The graph");
    return drawing;
}

}  // namespace

std::string graph_svg(const Variable& output, std::int64_t most) {
    return drawing_of(output, most, false).svg;
}

GraphDrawing graph_drawing(const Variable& output, std::int64_t most) {
    return drawing_of(output, most, true);
}

}}  // namespace heed
