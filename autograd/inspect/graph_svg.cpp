#include "graph_svg.h"

#include "../../tensor/errors.h"
#include "graph_layout.h"
#include "graph_outline.h"
#include "svg.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

namespace heed { inline namespace HEED_PRECISION {
namespace {

const std::int64_t most_leaves = 9;  // of one scope that are drawn one by one

enum class Look { operation, scope, leaf, constant, outside };

struct Box {
    std::string name, below, tooltip;
    Look look;
};

// What one picture shows.
struct Contents {
    std::vector<Box> boxes;
    std::vector<ArrowOf> arrows;
    std::int64_t left_out = 0;
};

std::string operations_in(std::int64_t count) {
    return text(count, count == 1 ? " operation" : " operations");
}

Box box_of(const OutlineEntry& entry) {
    const Node& node = *entry.node;
    const std::string shape = node.shape.text();
    if (entry.closed) {
        return {label_of(entry), shape + " · " + operations_in(entry.operations),
                label_of(entry) + " at " + place_of(entry), Look::scope};
    }
    if (node.is_leaf) {
        const std::string kind = node.requires_grad ? "requires grad" : "frozen";
        return {label_of(entry), shape, label_of(entry) + " " + shape + ", " + kind, Look::leaf};
    }
    return {label_of(entry), shape, label_of(entry) + " " + shape + " at " + place_of(entry),
            Look::operation};
}

// The outline with this many levels opened, and which of its entries are in which scope.
struct Level {
    Outline outline;
    std::unordered_map<const ScopeFrame*, std::vector<std::int64_t>> members;  // never iterated
    std::vector<std::vector<std::int64_t>> users;

    Level(const Node& root, int open_scopes)
        : outline(root, open_scopes), users(static_cast<std::size_t>(outline.size())) {
        for (std::int64_t i = 0; i < outline.size(); ++i) {
            members[outline[i].around].push_back(i);
            for (const OutlineInput& input : outline[i].inputs) {
                if (input.entry >= 0) users[static_cast<std::size_t>(input.entry)].push_back(i);
            }
        }
    }
};

class Collector {
  public:
    Collector(const Level& level, const ScopeFrame* scope, std::int64_t most)
        : level_(level), scope_(scope), most_(most) {}

    Contents collected();

  private:
    bool is_inside(std::int64_t entry) const {
        return scope_ == nullptr || level_.outline[entry].around == scope_;
    }
    void add_input(const OutlineInput& input, std::int64_t user);
    void add_ways_out(const std::vector<std::int64_t>& entries);
    void join_leaves();
    std::int64_t add(const Box& box) {
        contents_.boxes.push_back(box);
        return static_cast<std::int64_t>(contents_.boxes.size()) - 1;
    }

    const Level& level_;
    const ScopeFrame* scope_;
    std::int64_t most_;
    Contents contents_;
    std::unordered_map<std::int64_t, std::int64_t> box_of_entry_;  // never iterated
};

Contents Collector::collected() {
    std::vector<std::int64_t> entries;
    if (scope_) {
        entries = level_.members.at(scope_);
    } else {
        for (std::int64_t i = 0; i < level_.outline.size(); ++i) entries.push_back(i);
    }
    const std::size_t most = static_cast<std::size_t>(std::max<std::int64_t>(most_, 1));
    if (entries.size() > most) {
        contents_.left_out = static_cast<std::int64_t>(entries.size() - most);
        entries.resize(most);
    }
    for (const std::int64_t entry : entries) {
        box_of_entry_[entry] = add(box_of(level_.outline[entry]));
    }
    for (const std::int64_t entry : entries) {
        for (const OutlineInput& input : level_.outline[entry].inputs) {
            add_input(input, box_of_entry_.at(entry));
        }
    }
    if (scope_) add_ways_out(entries);
    join_leaves();
    return contents_;
}

// Leaves that one scope alone uses are one box if there are many, such as a model's parameters.
void Collector::join_leaves() {
    const std::size_t count = contents_.boxes.size();
    std::vector<std::int64_t> user(count, -1), leaves_of(count, 0);
    for (const ArrowOf& arrow : contents_.arrows) {
        std::int64_t& of_from = user[static_cast<std::size_t>(arrow.from)];
        of_from = of_from == -1 || of_from == arrow.to ? arrow.to : -2;
    }
    const auto leaves_beside = [&](std::size_t box) -> std::int64_t {
        if (contents_.boxes[box].look != Look::leaf || user[box] < 0) return 0;
        const std::size_t of = static_cast<std::size_t>(user[box]);
        return contents_.boxes[of].look == Look::scope ? leaves_of[of] : 0;
    };
    for (std::size_t box = 0; box < count; ++box) {
        if (contents_.boxes[box].look == Look::leaf && user[box] >= 0) {
            ++leaves_of[static_cast<std::size_t>(user[box])];
        }
    }
    Contents joined;
    joined.left_out = contents_.left_out;
    std::vector<std::int64_t> place(count, -1), joined_for(count, -1);
    for (std::size_t box = 0; box < count; ++box) {
        const std::int64_t beside = leaves_beside(box);
        std::int64_t* const joint =
            beside > most_leaves ? &joined_for[static_cast<std::size_t>(user[box])] : nullptr;
        if (joint && *joint >= 0) continue;
        place[box] = static_cast<std::int64_t>(joined.boxes.size());
        joined.boxes.push_back(contents_.boxes[box]);
        if (!joint) continue;
        *joint = place[box];
        joined.boxes.back() = {text(beside, " leaves"), "folded", "shown where they are used",
                               Look::leaf};
    }
    for (const ArrowOf& arrow : contents_.arrows) {
        const std::int64_t from = place[static_cast<std::size_t>(arrow.from)];
        if (from >= 0) joined.arrows.push_back({from, place[static_cast<std::size_t>(arrow.to)]});
    }
    contents_ = joined;
}

void Collector::add_input(const OutlineInput& input, std::int64_t user) {
    if (input.entry < 0) {
        if (input.shape.rank() == 0) return;
        const std::string shape = input.shape.text();
        const std::int64_t box = add({"constant", shape, "constant " + shape, Look::constant});
        contents_.arrows.push_back({box, user});
        return;
    }
    const auto known = box_of_entry_.find(input.entry);
    if (known != box_of_entry_.end()) {
        contents_.arrows.push_back({known->second, user});
        return;
    }
    if (is_inside(input.entry)) return;  // one of those left out
    Box outside = box_of(level_.outline[input.entry]);
    if (outside.look != Look::leaf) {
        outside.look = Look::outside;
        outside.below = input.shape.text();
    }
    const std::int64_t box = add(outside);
    box_of_entry_[input.entry] = box;
    contents_.arrows.push_back({box, user});
}

void Collector::add_ways_out(const std::vector<std::int64_t>& entries) {
    for (const std::int64_t entry : entries) {
        const std::vector<std::int64_t>& users = level_.users[static_cast<std::size_t>(entry)];
        const bool goes_out = std::any_of(users.begin(), users.end(),
                                          [&](std::int64_t user) { return !is_inside(user); });
        if (!goes_out) continue;
        const std::string shape = level_.outline[entry].node->shape.text();
        const std::int64_t box =
            add({"result", shape, text("what ", scope_->name, " gives"), Look::outside});
        contents_.arrows.push_back({box_of_entry_.at(entry), box});
    }
}

double width_of(const Box& box) {
    return std::max(svg_text_width(box.name), svg_text_width(box.below, 11)) + 18;
}

void draw_box(SvgPicture& picture, const Box& box, const LaidOutBox& at) {
    const double height = GraphLayout::box_height;
    picture.begin(box.tooltip);
    const bool round = box.look == Look::leaf, dashed = box.look == Look::outside;
    const char* const fill = round                         ? "h-f2 h-pale"
                             : box.look == Look::scope     ? "h-f0 h-pale"
                             : box.look == Look::operation ? "h-f0 h-faded"
                                                           : "";
    const double corner = round ? height / 2 : 3;
    if (*fill) picture.rect(at.x, at.y, at.width, height, fill, corner);
    if (box.look != Look::constant) {
        picture.rect(at.x, at.y, at.width, height, dashed ? "h-ghost" : "h-box", corner);
    }
    if (box.look == Look::scope) {
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

std::string drawn(const Contents& contents, const std::string& title) {
    std::vector<double> widths;
    std::string leaves;
    for (const Box& box : contents.boxes) {
        widths.push_back(width_of(box));
        if (box.look != Look::leaf) continue;
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
    const Level& level(std::size_t depth) {
        while (levels_.size() <= depth) {
            levels_.push_back(std::make_unique<Level>(root_, static_cast<int>(levels_.size())));
        }
        return *levels_[depth];
    }

    const Node& root_;
    std::int64_t most_;
    std::vector<std::unique_ptr<Level>> levels_;
};

GraphDrawing Drawer::drawing_of(const ScopeFrame* scope, std::size_t depth, bool with_inside) {
    GraphDrawing drawing;
    if (scope) drawing.name = scope->name;
    if (scope) drawing.place = scope->site.text();
    const Contents contents = Collector(level(depth), scope, most_).collected();
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
    drawing.svg =
        drawn({{{"constant", shape, "constant " + shape, Look::constant}}, {}, 0}, "The graph");
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
