// The graph as a drawing.
#include "autograd/inspect/graph_layout.h"
#include "autograd/inspect/graph_svg.h"
#include "nn/heed.h"

#include "tests/autograd/inspect/pictures.h"
#include "tests/catch.h"

#include <cmath>
#include <string>
#include <vector>

using namespace heed;

namespace {

Variable leaf(const Shape& shape, const char* name) {
    Variable x(tensor::ones(shape), requires_grad);
    x.set_name(name);
    return x;
}

// Every arrow from the lower side of a box to the upper side of one below; no boxes overlap.
void require_readable(const GraphLayout& layout) {
    const double height = GraphLayout::box_height;
    for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
        const LaidOutBox& a = layout.boxes[i];
        REQUIRE(a.x >= -1e-6);
        REQUIRE(a.x + a.width <= layout.width + 1e-6);
        REQUIRE(a.y + height <= layout.height + 1e-6);
        for (std::size_t j = 0; j < i; ++j) {
            const LaidOutBox& b = layout.boxes[j];
            const bool apart = a.x + a.width <= b.x || b.x + b.width <= a.x ||
                               a.y + height <= b.y || b.y + height <= a.y;
            REQUIRE(apart);
        }
    }
    for (const LaidOutArrow& arrow : layout.arrows) {
        const LaidOutBox& from = layout.boxes[static_cast<std::size_t>(arrow.from)];
        const LaidOutBox& to = layout.boxes[static_cast<std::size_t>(arrow.to)];
        REQUIRE(from.y + height < to.y);
        REQUIRE(arrow.places.size() >= 2);
        REQUIRE(arrow.places.front().y == from.y + height);
        REQUIRE(arrow.places.back().y == to.y);
        REQUIRE(std::fabs(arrow.places.front().x - (from.x + from.width / 2)) <= from.width / 2);
        REQUIRE(std::fabs(arrow.places.back().x - (to.x + to.width / 2)) <= to.width / 2);
        for (std::size_t i = 1; i < arrow.places.size(); ++i) {
            REQUIRE(arrow.places[i].y > arrow.places[i - 1].y);
        }
    }
}

std::vector<double> widths(std::size_t count) { return std::vector<double>(count, 40); }

}  // namespace

TEST_CASE("a box stands just above the highest of those that use it", "[autograd][graph_svg]") {
    // 0 → 1 → 3, 0 → 3, 2 → 3
    const GraphLayout layout = graph_layout(widths(4), {{0, 1}, {1, 3}, {0, 3}, {2, 3}});
    require_readable(layout);
    const double row = GraphLayout::row_height;
    CHECK(layout.boxes[0].y == 0);
    CHECK(layout.boxes[1].y == row);
    CHECK(layout.boxes[2].y == row);
    CHECK(layout.boxes[3].y == 2 * row);
    CHECK(layout.arrows[2].places.size() == 3);  // it crosses a layer
}

TEST_CASE("neighbours are put in an order without crossings, if there is one",
          "[autograd][graph_svg]") {
    // 0 and 1 on top, 2 and 3 below: 0 → 3, 1 → 2 would cross in the order given.
    const GraphLayout layout = graph_layout(widths(5), {{0, 3}, {1, 2}, {2, 4}, {3, 4}});
    require_readable(layout);
    CHECK((layout.boxes[0].x < layout.boxes[1].x) == (layout.boxes[3].x < layout.boxes[2].x));
}

TEST_CASE("random graphs are readable, too, and laid out alike each time",
          "[autograd][graph_svg]") {
    Random random(7);
    for (int graph = 0; graph < 40; ++graph) {
        const std::int64_t count = 2 + random.below(30);
        std::vector<double> of_boxes;
        std::vector<ArrowOf> arrows;
        for (std::int64_t to = 0; to < count; ++to) {
            of_boxes.push_back(static_cast<double>(20 + random.below(120)));
            for (std::int64_t n = random.below(3); n > 0 && to > 0; --n) {
                arrows.push_back({random.below(to), to});
            }
        }
        const GraphLayout layout = graph_layout(of_boxes, arrows);
        require_readable(layout);
        const GraphLayout again = graph_layout(of_boxes, arrows);
        for (std::size_t i = 0; i < of_boxes.size(); ++i) {
            REQUIRE(layout.boxes[i].x == again.boxes[i].x);
        }
    }
}

TEST_CASE("of a circle one arrow points up, and the others down", "[autograd][graph_svg]") {
    const GraphLayout layout = graph_layout(widths(3), {{0, 1}, {1, 2}, {2, 1}});
    CHECK(layout.boxes[0].y < layout.boxes[1].y);
    CHECK(layout.boxes[1].y < layout.boxes[2].y);
    CHECK(layout.arrows[2].places.front().y > layout.arrows[2].places.back().y);
}

TEST_CASE("nothing and a single box can be laid out", "[autograd][graph_svg]") {
    CHECK(graph_layout({}, {}).height == 0);
    const GraphLayout one = graph_layout({50}, {});
    CHECK(one.width == 50);
    CHECK(one.height == GraphLayout::box_height);
}

TEST_CASE("a drawn graph has a box for each entry and an arrow for each input",
          "[autograd][graph_svg]") {
    const Variable x = leaf({2, 3}, "x <1>");
    const Variable y = x * x;
    const Variable z = matmul(y, Variable(tensor::ones({3, 4}))) + 1.0;
    const std::string svg = graph_svg(z);
    CHECK(count_of(svg, "<g>") == 5);  // x, multiply, matmul, its constant, add
    CHECK(count_of(svg, "class=\"h-tip\"") == 5);
    CHECK_THAT(svg, Contains(">x &lt;1&gt;</text>"));
    CHECK_THAT(svg, Contains("<title>multiply [2, 3] at graph_svg_test.cpp:"));
    CHECK_THAT(svg, Contains("<title>x &lt;1&gt; [2, 3], requires grad</title>"));
    CHECK_THAT(svg, Contains("<desc>5 boxes with 5 arrows, from inputs down to the result add "
                             "[2, 4]. Leaves: x &lt;1&gt; [2, 3].</desc>"));
    CHECK(collisions_in(svg) == "");
    sum(z).backward();
    CHECK(graph_svg(z) == svg);  // even after it is freed
}

TEST_CASE("leaves and constants can be drawn", "[autograd][graph_svg]") {
    CHECK(count_of(graph_svg(leaf({2}, "x")), "<g>") == 1);
    CHECK_THAT(graph_svg(Variable(tensor::ones({2, 3}))), Contains(">constant</text>"));
}

TEST_CASE("a layer is one box, and its inside a picture of its own", "[autograd][graph_svg]") {
    Random random(1);
    const Linear linear(2, 3, random);
    const Variable x = leaf({4, 2}, "x");
    const Variable y = tanh(tanh(linear(tanh(x))));
    const GraphDrawing drawing = graph_drawing(y);
    CHECK(drawing.svg == graph_svg(y));
    CHECK_THAT(drawing.svg, Contains(">Linear</text>"));
    CHECK(count_of(drawing.svg, ">tanh</text>") == 3);
    REQUIRE(drawing.inside.size() == 1);
    const GraphDrawing& inside = drawing.inside[0];
    CHECK(inside.name == "Linear");
    CHECK_THAT(inside.place, Contains("graph_svg_test.cpp:"));
    CHECK(inside.operations == drawing.operations - 3);
    CHECK(inside.inside.empty());
    CHECK_THAT(inside.svg, Contains(">weight</text>"));
    // What comes in and what goes out, dashed.
    CHECK(count_of(inside.svg, "class=\"h-ghost\"") == 2);
    CHECK(count_of(inside.svg, ">tanh</text>") == 1);
    CHECK(count_of(inside.svg, ">result</text>") == 1);
}

TEST_CASE("many leaves of one layer are one box, outside of it", "[autograd][graph_svg]") {
    Random random(1);
    const MultiHeadAttention attention(4, 2, random);                  // 8 parameters
    const Sequential two{Linear(4, 4, random), Linear(4, 4, random)};  // 4
    const Variable X = leaf({3, 4}, "X"), Z = leaf({3, 4}, "Z");
    const std::string few = graph_svg(attention(X));
    CHECK(count_of(few, ">weight</text>") == 4);
    const std::string many = graph_svg(attention(X, Z));
    CHECK(count_of(many, ">weight</text>") == 0);
    CHECK_THAT(many, Contains(">10 leaves</text>"));
    CHECK(count_of(many, "class=\"h-tip\"") == 1);
    CHECK(count_of(graph_svg(two(X)), ">weight</text>") == 2);
}

TEST_CASE("a graph of thousands of operations is cut with a line that says so, or folded",
          "[autograd][graph_svg]") {
    Variable y = leaf({}, "x");
    for (int i = 0; i < 3000; ++i) y = tanh(y);
    const std::string cut = graph_svg(y, 10);
    CHECK(count_of(cut, "<g>") == 10);
    CHECK_THAT(cut, Contains(">... (2991 more)</text>"));
    CHECK(count_of(cut, "class=\"h-tip\"") == 9);

    Random random(1);
    const Gpt gpt({.vocab_size = 9, .limit = 8, .d_model = 8, .num_layers = 12, .num_heads = 2},
                  random);
    const GraphDrawing drawing = graph_drawing(sum(gpt(IndexTensor({1, 2, 3}))));
    CHECK(drawing.operations > 250);
    CHECK(count_of(drawing.svg, "<g>") == 3);  // leaves, Gpt, sum
    REQUIRE(drawing.inside.size() == 1);
    CHECK(count_of(drawing.inside[0].svg, ">GptBlock</text>") == 12);
    CHECK(collisions_in(drawing.inside[0].svg) == "");
}

TEST_CASE("a drawing does not depend on the order of creation", "[autograd][graph_svg]") {
    const Variable x = leaf({2}, "x");
    const Variable y = leaf({2}, "y");
    std::string drawn[2];
    for (const int first : {0, 1}) {
        Variable parts[2];
        for (const int i : {first, 1 - first}) parts[i] = (i == 0 ? x : y) * 2.0;
        drawn[first] = graph_svg(parts[0] + parts[1]);
    }
    CHECK(drawn[0] == drawn[1]);
}
