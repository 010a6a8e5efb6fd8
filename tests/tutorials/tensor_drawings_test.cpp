// Drawings of tensors and masks for the pages of lessons.
#include "tutorials/support/tensor_drawings.h"

#include "tensor/ops.h"
#include "tests/autograd/inspect/pictures.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/mask_drawing.h"

#include <string>
#include <vector>

using namespace heed;
using namespace tutorial;

namespace {

// The class of the cell that stands under this number, in the order in which cells are drawn: a
// filling, a border, the number.
std::vector<std::string> fillings_of(const std::string& svg, const std::string& number) {
    std::vector<std::string> found;
    const std::string words = "class=\"h-cell\">" + number + "</text>";
    for (std::size_t at = svg.find(words); at != std::string::npos; at = svg.find(words, at + 1)) {
        const std::size_t border = svg.rfind("class=\"h-box\"", at);
        const std::size_t before = svg.rfind("class=\"", border - 1) + 7;
        found.push_back(svg.substr(before, svg.find('"', before) - before));
    }
    return found;
}

NamedTensor named(const std::string& name, const Tensor& x) { return {name, x}; }

}  // namespace

TEST_CASE("the order in which a view reads its memory is drawn", "[tutorials][drawings]") {
    const Tensor x = tensor::of({{10, 11, 12}, {20, 21, 22}});
    const std::string svg = strides_svg("T", {named("x", x), named("xT", tensor::transpose(x))});
    CHECK_THAT(svg, Contains(">x [2, 3], strides [3, 1]</text>"));
    CHECK_THAT(svg, Contains(">xT [3, 2], strides [1, 3]</text>"));
    CHECK_THAT(svg, Contains("x [2, 3] has strides [3, 1]; row by row it reads the numbers "
                             "0, 1, 2, 3, 4, 5 of the memory. xT [3, 2] has strides [1, 3]; row by "
                             "row it reads the numbers 0, 3, 1, 4, 2, 5 of the memory."));
    // Forward: 5 in x, and 0 → 3, 1 → 4, 2 → 5; back: 3 → 1, 4 → 2.
    CHECK(count_of(svg, "class=\"h-o0\"") == 8);
    CHECK(count_of(svg, "class=\"h-o1\"") == 2);
    // 11 is in row 0 of x, and in row 1 of its transpose; each in the grid and in the memory.
    CHECK(fillings_of(svg, "11") ==
          std::vector<std::string>{"h-f0 h-pale", "h-f0 h-pale", "h-f1 h-pale", "h-f1 h-pale"});
    CHECK(collisions_in(svg) == "");
}

TEST_CASE("a slice is drawn in the memory that it is a part of", "[tutorials][drawings]") {
    const Tensor x = tensor::of({{1, 2, 3}, {4, 5, 6}});
    const std::string svg = strides_svg("T", {named("columns", tensor::slice(x, 1, 1, 3))});
    CHECK_THAT(svg, Contains("it reads the numbers 1, 2, 4, 5 of the memory."));
    CHECK(count_of(svg, "class=\"h-cell\"") == 4 + 6);
}

TEST_CASE("what broadcasting repeats is pale", "[tutorials][drawings]") {
    const Tensor a = tensor::view(tensor::of({100, 200, 300, 400, 500, 600}), {2, 1, 3});
    const Tensor b = tensor::of({{1}, {2}, {3}, {4}});
    const std::string svg = broadcast_svg("T", named("a", a), named("b", b));
    CHECK_THAT(svg, Contains(">a [2, 1, 3]</text>"));
    CHECK_THAT(svg, Contains(">a + b [2, 4, 3]</text>"));
    CHECK(count_of(svg, "class=\"h-cell\"") == 3 * 24);
    CHECK(count_of(svg, "class=\"h-f0 h-tint\"") == 6);
    CHECK(count_of(svg, "class=\"h-f0 h-faded\"") == 18);
    CHECK(count_of(svg, "class=\"h-f1 h-tint\"") == 4);
    CHECK(count_of(svg, "class=\"h-f1 h-faded\"") == 20);
    CHECK_THAT(svg, Contains(">604</text>"));  // 600 + 4
    CHECK(fillings_of(svg, "100") ==
          std::vector<std::string>{"h-f0 h-tint", "h-f0 h-faded", "h-f0 h-faded", "h-f0 h-faded"});
    CHECK(collisions_in(svg) == "");
}

TEST_CASE("a mask is a grid, one with a batch several", "[tutorials][drawings]") {
    const Mask causal = Mask::causal(3), padding = Mask::padding({3, 1}, 3);
    const std::string svg =
        masks_svg("T", {{"causal", causal}, {"padding", padding}, {"both", causal & padding}});
    CHECK_THAT(svg, Contains(">padding [2, 1, 1, 3]</text>"));
    CHECK_THAT(svg,
               Contains("causal [3, 3] allows 6 of 9. padding [2, 1, 1, 3] allows 4 of 6. both "
                        "[2, 1, 3, 3] allows 9 of 18."));
    CHECK(count_of(svg, "class=\"h-f0 h-strong\"") == 6 + 4 + 9);
    CHECK(count_of(svg, "class=\"h-hair\"") == 9 + 6 + 18);
    CHECK(collisions_in(svg) == "");
}

TEST_CASE("the cells of a mask are those it allows", "[tutorials][drawings]") {
    const std::string svg = masks_svg("T", {{"m", Mask::causal(1, 2) & Mask::padding({1}, 2)}});
    const std::vector<std::string> cells = elements_of(svg, "rect");
    REQUIRE(cells.size() == 3);  // two borders, and the filling of key 0
    CHECK_THAT(cells[0], Contains("h-strong"));
    CHECK(attribute_of(cells[0], "x") == attribute_of(cells[1], "x"));
    CHECK(attribute_of(cells[0], "x") + attribute_of(cells[0], "width") ==
          attribute_of(cells[2], "x"));
}

TEST_CASE("numbers keep the colour of their head", "[tutorials][drawings]") {
    const Variable x = numbered(3, 4);
    const Tensor cut = tensor::view(x.value(), {3, 2, 2});
    const Tensor right = tensor::transpose(cut, 0, 1), wrong = tensor::view(x.value(), {2, 3, 2});
    const std::string svg =
        head_split_svg("T", {named("x", x.value()), named("view", cut), named("heads", right)},
                       named("wrong", wrong), 2);
    const std::string blue = "h-f0 h-tint", orange = "h-f1 h-tint";
    for (const char* of_0 : {"0", "1", "100", "101", "200", "201"}) {
        CHECK(fillings_of(svg, of_0) == std::vector<std::string>(4, blue));
    }
    for (const char* of_1 : {"2", "3", "102", "103", "202", "203"}) {
        CHECK(fillings_of(svg, of_1) == std::vector<std::string>(4, orange));
    }
    CHECK(count_of(svg, ">→</text>") == 2);
    CHECK(collisions_in(svg) == "");
}

TEST_CASE("drawings of tensors refuse what they cannot draw", "[tutorials][drawings]") {
    using Argument = std::invalid_argument;
    const Tensor x = tensor::ones({2, 3}), line = tensor::ones({3}), other = tensor::ones({2, 3});
    CHECK(message_of<Argument>([] { strides_svg("T", {}); }) ==
          "strides_svg: there is no tensor to draw");
    CHECK(message_of<ShapeError>([&] {
              strides_svg("T", {{"line", line}});
          }) == "strides_svg: line [3] has rank 1; it must be 2");
    CHECK(message_of<ShapeError>([&] {
              strides_svg("T", {{"x", x}, {"other", other}});
          }) == "strides_svg: other and x do not look at the same memory");
    const Tensor deep = tensor::ones({2, 2, 2, 3});
    CHECK(message_of<ShapeError>([&] {
              broadcast_svg("T", {"x", x}, {"deep", deep});
          }) == "broadcast_svg: x + deep [2, 2, 2, 3] has rank 4; it must be 0 to 3");
    CHECK_THAT(message_of<ShapeError>([&] {
                   broadcast_svg("T", {"x", x}, {"two", tensor::ones({2})});
               }),
               Contains("[2, 3]"));
    CHECK(message_of<Argument>([] { masks_svg("T", {}); }) ==
          "masks_svg: there is no mask to draw");
    CHECK(message_of<Argument>([] {
              masks_svg("T", {{"m", Mask::padding(std::vector<std::int64_t>(9, 1), 2)}});
          }) == "masks_svg: m [9, 1, 1, 2] has 9 grids; 8 can be drawn");
    CHECK(message_of<Argument>([&] {
              head_split_svg("T", {}, {"x", x}, 1);
          }) == "head_split_svg: there is no step to draw");
    CHECK(message_of<ShapeError>([&] {
              head_split_svg("T", {{"line", line}}, {"x", x}, 1);
          }) == "head_split_svg: line [3] has rank 1; it must be 2");
    CHECK(message_of<ShapeError>([&] {
              head_split_svg("T", {{"x", x}}, {"line", line}, 3);
          }) == "head_split_svg: line [3] has rank 1; it must be 2 to 3");
    CHECK(message_of<Argument>([&] {
              head_split_svg("T", {{"x", x}}, {"x", x}, 2);
          }) == "head_split_svg: x [2, 3] has 3 columns, which 2 heads do not share evenly");
    CHECK(message_of<Argument>([&] {
              head_split_svg("T", {{"x", x}}, {"zeros", tensor::zeros({2, 3})}, 3);
          }) == "head_split_svg: zeros has the number 0, and x has not");
}
