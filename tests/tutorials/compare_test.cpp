// The helpers with which lessons compare and print: one that says "same" too easily would make
// false claims hold.
#include "tests/catch.h"

#include "tensor/ops.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/terminal.h"
#include "tutorials/support/word_vectors.h"

#include <sstream>
#include <stdexcept>

using namespace heed;

TEST_CASE("same() compares bit by bit, of attention both weights and output",
          "[tutorials][compare]") {
    const Tensor x = tensor::of({{1, 2, 3}, {4, 5, 6}});
    const Tensor y = tensor::of({{1, 2, 3}, {4, 5, 6.000001}});
    CHECK(tutorial::same(x, tensor::clone(x)));
    CHECK_FALSE(tutorial::same(x, y));
    CHECK_FALSE(tutorial::same(x, tensor::transpose(x)));
    const Variable X(x), Y(y);
    CHECK_FALSE(tutorial::same(X, Y));
    CHECK(tutorial::same(Attention{X, Y}, Attention{X, Y}));
    CHECK_FALSE(tutorial::same(Attention{X, Y}, Attention{X, X}));
    CHECK_FALSE(tutorial::same(Attention{X, Y}, Attention{Y, Y}));
    CHECK(tutorial::rows_that_differ(x, x) == 0);
    CHECK(tutorial::rows_that_differ(x, y) == 1);
    CHECK(tutorial::rows_that_differ(x, -x) == 2);
    CHECK(tutorial::difference(X, Variable(tensor::of({{1, 2, 3}, {4, 5, 4}}))) == 2);
}

TEST_CASE("numbered entries encode their row and column", "[tutorials][compare]") {
    const Tensor expected = tensor::of({{0, 1, 2}, {100, 101, 102}});
    CHECK(tutorial::same(tutorial::numbered(2, 3).value(), expected));
    CHECK(tutorial::same(tutorial::row(expected, 1), tensor::of({100, 101, 102})));
}

TEST_CASE("a row is printed in its widths, without spaces at its end", "[tutorials][table]") {
    std::ostringstream out;
    tutorial::print_row(out, "√d", {"a", "", "bc"}, 4, 3);
    tutorial::print_row(out, "", {"a", ""}, 4, 3);
    CHECK(out.str() == "√d    a         bc\n      a\n");
}

TEST_CASE("quoted words and the first line of an error", "[tutorials][display]") {
    CHECK(tutorial::in_quotes({"coke,", "a\tb"}) == "\"coke,\" \"a␉b\"");
    CHECK(tutorial::in_quotes({}).empty());
    CHECK(tutorial::first_line(std::runtime_error("what\nwhere")) == "what");
    CHECK(tutorial::first_line(std::runtime_error("what")) == "what");
}

TEST_CASE("words without a vector are printed with invisible characters made visible",
          "[tutorials][sentence]") {
    std::ostringstream out;
    const tutorial::WordVectors vectors({"king"}, 1, {1});
    tutorial::print_unknown(out, tutorial::known_words({"king"}, vectors), "unknown: ");
    CHECK(out.str().empty());
    tutorial::print_unknown(out, tutorial::known_words({"a\tb", "king", "c"}, vectors), "no: ");
    CHECK(out.str() == "no: a␉b\nno: c\n\n");
    CHECK(tutorial::compiled_in_word_vectors().compiled_in);
    CHECK_FALSE(vectors.compiled_in);
}
