// What a lesson printed, taken apart: whatever heed prints of a tensor is found as one, and nothing
// else is.
#include "tests/catch.h"

#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/printed.h"

using namespace tutorial;
using heed::Mask;
using Kind = PrintedPart::Kind;
using Rows = std::vector<std::vector<std::string>>;

TEST_CASE("a printed tensor has its name, its shape and its numbers as they were printed",
          "[tutorials][printed]") {
    const std::vector<PrintedPart> parts =
        parts_of_printed("Some text:\nx =\n[[ 1.5000, -2.0000],\n [   -inf,     nan]]  [2, 2]\ny "
                         "=\n[3, 4]  [2]\nend");
    REQUIRE(parts.size() == 4);
    CHECK((parts[0].kind == Kind::text && parts[0].text == "Some text:"));
    CHECK((parts[1].kind == Kind::tensor && parts[1].name == "x" && parts[1].shape == "[2, 2]"));
    REQUIRE(parts[1].matrices.size() == 1);
    CHECK(parts[1].matrices[0].rows == Rows{{"1.5000", "-2.0000"}, {"-inf", "nan"}});
    CHECK((parts[2].name == "y" && parts[2].matrices[0].rows == Rows{{"3", "4"}}));
    CHECK((parts[3].kind == Kind::text && parts[3].text == "end"));
}

TEST_CASE("the line right above a tensor names it, one further up does not",
          "[tutorials][printed]") {
    const std::vector<PrintedPart> parts =
        parts_of_printed("a text\nafter training:\n[1, 2]  [2]\nthe last\n\n[3, 4]  [2]");
    REQUIRE(parts.size() == 4);
    CHECK(parts[0].text == "a text");
    CHECK((parts[1].name == "after training:" && parts[1].shape == "[2]"));
    CHECK((parts[2].kind == Kind::text && parts[2].text == "the last"));
    CHECK((parts[3].kind == Kind::tensor && parts[3].name.empty()));
}

TEST_CASE("a tensor of more axes is one matrix for each index of the first",
          "[tutorials][printed]") {
    const std::string text =
        to_string(heed::tensor::reshape(heed::tensor::arange(0, 24), {2, 1, 3, 4}));
    const std::vector<PrintedPart> parts = parts_of_printed(text);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].shape == "[2, 1, 3, 4]");
    REQUIRE(parts[0].matrices.size() == 2);
    CHECK(parts[0].matrices[1].place == "[1, 0, :, :]");
    CHECK(parts[0].matrices[1].rows[2] == std::vector<std::string>{"20.", "21.", "22.", "23."});
}

TEST_CASE("rows that are wrapped are rows", "[tutorials][printed]") {
    const std::string text = to_string(heed::tensor::arange(0, 60) * 1.25);
    REQUIRE(text.find('\n') != std::string::npos);
    const std::vector<PrintedPart> parts = parts_of_printed(text);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].matrices[0].rows[0].size() == 60);
}

TEST_CASE("a tensor of which only the edges were printed has what was printed",
          "[tutorials][printed]") {
    const std::string matrix = to_string(heed::tensor::zeros({40, 40}));
    const std::vector<PrintedPart> edges = parts_of_printed(matrix);
    REQUIRE((edges.size() == 1 && edges[0].kind == Kind::tensor));
    REQUIRE(edges[0].matrices[0].rows.size() == 7);
    CHECK(edges[0].matrices[0].rows[3] == std::vector<std::string>{"..."});
    CHECK(edges[0].matrices[0].rows[0][3] == "...");
    const std::string cube = to_string(heed::tensor::zeros({40, 40, 2}));
    const std::vector<PrintedPart> parts = parts_of_printed(cube);
    REQUIRE(parts.size() == 1);
    CHECK((parts[0].kind == Kind::text && parts[0].text == cube));
}

TEST_CASE("a printed mask is a grid for each index of its leading axes", "[tutorials][printed]") {
    const std::vector<PrintedPart> one = parts_of_printed("mask =\n" + to_string(Mask::causal(2)));
    REQUIRE(one.size() == 1);
    CHECK((one[0].kind == Kind::mask && one[0].name == "mask" && one[0].shape == "[2, 2]"));
    CHECK(one[0].matrices[0].rows == Rows{{"x", "·"}, {"x", "x"}});
    const Mask padding = Mask::padding({1, 2}, 2) & Mask::causal(2);
    const std::vector<PrintedPart> several = parts_of_printed(to_string(padding));
    REQUIRE(several.size() == 1);
    REQUIRE(several[0].matrices.size() == 2);
    CHECK(several[0].matrices[1].place.rfind("[1, ", 0) == 0);
}

TEST_CASE("vectors in lines below each other are the rows of one table", "[tutorials][printed]") {
    const std::vector<PrintedPart> parts = parts_of_printed(
        "z       [ 2., 1.]  [2]\nexp(z)  [7.3891, 2.7183]  [2]\n\nw = [[1.]]  [1, 1]");
    REQUIRE(parts.size() == 2);
    REQUIRE((parts[0].kind == Kind::rows && parts[0].rows.size() == 2));
    CHECK((parts[0].rows[1].name == "exp(z)" && parts[0].rows[1].shape == "[2]"));
    CHECK(parts[0].rows[0].entries == std::vector<std::string>{"2.", "1."});
    CHECK(parts[1].rows[0].name == "w =");
}

TEST_CASE("text that only looks like a tensor stays text", "[tutorials][printed]") {
    for (const std::string text :
         {"[CLS], layer 0, head 0          0.51", "[0, 0, :, :]", "[1, 2", "[1, 2] [2]",
          "x [9, 100], a row for each word", "x x of the words",
          "query bat [0.8, 0.6]  [2]: nothing", "  row of two blanks", "[a, b]  [2]", "]", "x"}) {
        const std::vector<PrintedPart> parts = parts_of_printed(text);
        CAPTURE(text);
        REQUIRE(parts.size() == 1);
        CHECK(parts[0].kind == Kind::text);
        CHECK(parts[0].text == text);
    }
    CHECK(parts_of_printed("").empty());
}
