// Error messages and the types of errors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

namespace {
// A locale with a decimal comma and points between thousands.
struct Continental : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

}  // namespace

TEST_CASE("a message has the operation, the problem, the line and the scopes", "[tensor][errors]") {
    const CallSite site{"/home/reader/lesson.cpp", 57, "views"};
    CHECK(error_text("matmul", "no", site) == "matmul: no\n  at lesson.cpp:57, in views");
    const Scope scope("Linear", CallSite{"lesson.cpp", 20, "main"});
    CHECK(error_text("matmul", "no", site) ==
          "matmul: no\n  at lesson.cpp:57, in views\n  in Linear, called at lesson.cpp:20");
}

TEST_CASE("each kind of error has its own type", "[tensor][errors]") {
    const CallSite here = CallSite::here();
    CHECK(message_of<ShapeError>([&] { fail_shape("a", here, "b"); }) == "a: b");
    CHECK(message_of<std::invalid_argument>([&] { fail_argument("c", here, "d"); }) == "c: d");
    CHECK(message_of<std::out_of_range>([&] { fail_range("e", here, "f"); }) == "e: f");
    CHECK(message_of<std::runtime_error>([&] { fail_runtime("g", here, "h"); }) == "g: h");
    CHECK_THROWS_AS(fail_shape("a", here, "b"), std::invalid_argument);
}

TEST_CASE("text joins parts of any type", "[tensor][errors]") {
    CHECK(text("axis ", 3, " of ", Shape{2, 5}, ' ', 0.5) == "axis 3 of [2, 5] 0.5");
}

TEST_CASE("text is the same in every locale", "[tensor][errors]") {
    const std::locale before = std::locale::global(std::locale(std::locale(), new Continental));
    const std::string written = text(1234567, " ", 0.5);
    std::locale::global(before);
    CHECK(written == "1234567 0.5");
}

TEST_CASE("message_of detects a wrong error", "[tensor][errors]") {
    const CallSite here = CallSite::here();
    const CallSite elsewhere{"elsewhere.cpp", 1, "f"};
    CHECK(message_of<ShapeError>([] {}) == "nothing was thrown");
    CHECK_THAT(message_of<std::invalid_argument>([&] { fail_shape("a", here, "b"); }),
               Contains("another type of error: a: b"));
    CHECK_THAT(message_of<ShapeError>([&] { fail_shape("a", elsewhere, "b"); }),
               Contains("another file: a: b"));
}
