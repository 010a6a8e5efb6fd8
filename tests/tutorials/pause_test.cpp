// What --stop shows at a named stop, and how it waits.
#include "tests/catch.h"

#include "autograd/ops.h"
#include "tensor/ops.h"
#include "tutorials/support/reader.h"
#include "tutorials/support/stop.h"

#include <iostream>
#include <sstream>
#include <type_traits>

using namespace heed;

namespace {
// Pauses at stops, with these lines as the reader's input; pauses no more at the end of its scope.
struct Pausing {
    std::istringstream in;
    std::ostringstream out;

    explicit Pausing(const std::string& lines) : in(lines) {
        tutorial::talk_to_reader(in, out);
        tutorial::pause_at_stops();
    }
    ~Pausing() {
        tutorial::no_pause_at_stops();
        tutorial::talk_to_reader(std::cin, std::cout);
    }
};

std::string line_here(int line = __builtin_LINE()) {
    return "pause_test.cpp:" + std::to_string(line);
}

std::string shown(const char* name, Locals locals) {
    Pausing pausing("\n");
    stop(name, locals);
    return pausing.out.str();
}

int times(const std::string& part, const std::string& text) {
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

const std::string asks = "=== Enter: go on, q: leave the lesson\n";

}  // namespace

// So a list of locals costs no more than its pointers.
static_assert(std::is_trivially_copyable_v<Local> && std::is_trivially_destructible_v<Local>);

TEST_CASE("a stop does nothing unless it was asked to pause", "[tutorials][pause]") {
    CHECK(at_stop == nullptr);
    std::istringstream in("a line\n");
    std::ostringstream out;
    tutorial::talk_to_reader(in, out);
    stop("01.1 a stop", {{"x", tensor::of({1, 2})}});
    CHECK(out.str().empty());
    CHECK(tutorial::line_from_reader() == "a line");
    tutorial::talk_to_reader(std::cin, std::cout);
}

TEST_CASE("a pause shows the stop, its line and the locals with shape and numbers",
          "[tutorials][pause]") {
    const Tensor x = tensor::of({{1.5, 2}, {-3, 4}});
    Pausing pausing("\n");
    stop("01.1 two numbers", {{"x", x}});
    const std::string line = line_here(__builtin_LINE() - 1);
    CHECK(pausing.out.str() == "=== stop \"01.1 two numbers\", " + line +
                                   "\nx: Tensor [2, 2]\n"
                                   "[[ 1.5000,  2.0000],\n"
                                   " [-3.0000,  4.0000]]\n" +
                                   asks + "\n");
}

TEST_CASE("a pause shows which operation made a variable, and its gradient", "[tutorials][pause]") {
    Variable x(tensor::of({1, 2}), requires_grad);
    const Variable y = x * x;
    const std::string made = "made by multiply at " + line_here(__builtin_LINE() - 1);
    CHECK_THAT(shown("02.1 y", {{"x", x}, {"y", y}}),
               Contains("x: Variable [2], a leaf, requires grad\n[1., 2.]\ny: Variable [2], " +
                        made + "\n[1., 4.]\n===") &&
                   !Contains("gradient"));
    sum(y).backward();
    CHECK_THAT(shown("02.1 x", {{"x", x}}), Contains("\n[1., 2.]\nits gradient\n[2., 4.]\n==="));
    x.set_requires_grad(false);
    CHECK_THAT(shown("02.1 x", {{"x", x}}), Contains("x: Variable [2], a leaf, frozen\n"));
    CHECK_THAT(shown("02.1 c", {{"c", y.detach()}}),
               Contains("c: Variable [2], nothing recorded\n"));
}

TEST_CASE("a pause shows strides of views, and truncates large tensors", "[tutorials][pause]") {
    const Tensor x = tensor::view(tensor::arange(6), {2, 3});
    CHECK_THAT(shown("01.2 x", {{"xT", tensor::transpose(x)}}),
               Contains("xT: Tensor [3, 2], strides [1, 3]\n[[0., 3.],\n [1., 4.],\n [2., 5.]]\n"));
    const std::string large = shown("01.2 large", {{"x", tensor::arange(121)}});
    CHECK_THAT(large, Contains("x: Tensor [121]\n") && Contains("...") && Contains("120.") &&
                          !Contains("60."));
    CHECK_THAT(shown("01.2 small", {{"x", tensor::arange(120)}}), Contains("60."));
}

TEST_CASE("a pause shows masks, truth values and indices as well", "[tutorials][pause]") {
    const std::string text = shown("08.1 mask", {{"mask", Mask::causal(2)},
                                                 {"blocked", Mask::causal(2).blocked()},
                                                 {"ids", IndexTensor({7, 8})}});
    CHECK_THAT(text, Contains("\nmask: Mask [2, 2]\nx ·\nx x\n"));
    CHECK_THAT(text, Contains("\nblocked: BoolTensor [2, 2]\n[[false,  true],\n"));
    CHECK_THAT(text, Contains("\nids: IndexTensor [2]\n[7, 8]\n"));
}

TEST_CASE("Enter or any other word continues, and after the end of the input nothing waits",
          "[tutorials][pause]") {
    Pausing pausing("\nyes\n");
    for (int i = 0; i < 5; ++i) stop("01.1 again");
    CHECK(times("=== stop \"01.1 again\"", pausing.out.str()) == 5);
    CHECK(times(asks, pausing.out.str()) == 3);
    CHECK(tutorial::reader_is_gone());
}

TEST_CASE("q at a pause quits", "[tutorials][pause]") {
    Pausing pausing("\n  q \n\n");
    stop("01.1 first");
    CHECK_THROWS_AS(stop("01.2 second"), tutorial::Quit);
    CHECK(!tutorial::reader_is_gone());
}
