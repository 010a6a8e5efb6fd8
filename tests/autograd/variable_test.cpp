// Variables: leaves, constants, what each of them allows, and how they print.
#include "nn/heed.h"

#include "autograd/node.h"
#include "tests/autograd/gradients.h"
#include "tests/autograd/inspect/what_is_said.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <sstream>
#include <string>

using namespace heed;

namespace {
std::string printed(const Variable& x) {
    std::ostringstream out;
    out << x;
    return out.str();
}

std::string line_text(int line) { return "variable_test.cpp:" + std::to_string(line); }

}  // namespace

TEST_CASE("constants, leaves and results know what they are", "[autograd][variable]") {
    const Variable constant(tensor::of({1, 2}));
    const Variable leaf(tensor::of({1, 2}), requires_grad);
    const Variable result = leaf * constant;
    CHECK_FALSE(constant.requires_grad());
    CHECK(leaf.requires_grad());
    CHECK(result.requires_grad());
    CHECK(constant.is_leaf());
    CHECK(leaf.is_leaf());
    CHECK_FALSE(result.is_leaf());
    CHECK_FALSE((constant * constant).requires_grad());
    CHECK((constant * constant).node() == nullptr);
    CHECK(Variable().shape() == Shape{0});
    const Variable same = leaf;  // a copy is the same variable
    sum(same * 2.0).backward();
    CHECK(leaf.grad().to_vector() == std::vector<Scalar>{2, 2});
}

TEST_CASE("a result stays a result when its graph is freed", "[autograd][variable]") {
    const Variable leaf(tensor::of({1, 2}), requires_grad);
    Variable result = leaf * 2.0;
    sum(result).backward();
    CHECK_FALSE(result.is_leaf());
    CHECK_THAT(printed(result), Contains("  from multiply at "));
    CHECK_THROWS_WITH(result.set_requires_grad(false), Contains("this value was made by multiply"));
}

TEST_CASE("a frozen leaf gets no gradient until it is unfrozen", "[autograd][variable]") {
    Variable w(tensor::of(2), requires_grad);
    const Variable x(tensor::of(3), requires_grad);
    w.set_requires_grad(false);
    CHECK_FALSE(w.requires_grad());
    const Variable frozen = w * x;
    frozen.backward();
    CHECK_FALSE(w.has_grad());
    CHECK(x.grad().item() == 2);
    CHECK_FALSE((w * 2.0).requires_grad());
    w.set_requires_grad(true);
    (w * x).backward();
    CHECK(w.grad().item() == 3);

    // Frozen after recording: the graph is there, but this leaf gets no gradient.
    const Variable y = w * x;
    w.set_requires_grad(false);
    y.backward();
    CHECK(w.grad().item() == 3);
    CHECK(x.grad().item() == 6);
}

TEST_CASE("a leaf frozen and thawed between forward and backward gets its gradient",
          "[autograd][variable]") {
    Variable w(tensor::of(2), requires_grad);
    const Variable x(tensor::of(3), requires_grad);
    const Variable y = w * x * w;
    w.set_requires_grad(false);
    w.set_requires_grad(true);
    y.backward();
    CHECK(w.grad().item() == 12);
    CHECK(x.grad().item() == 4);

    // Frozen while it is used: thawing later brings no gradient, since nothing was recorded.
    w.zero_grad();
    w.set_requires_grad(false);
    const Variable unrecorded = w * x;
    w.set_requires_grad(true);
    unrecorded.backward();
    CHECK_FALSE(w.has_grad());
    CHECK(x.grad().item() == 4 + 2);
}

TEST_CASE("grad by a frozen leaf is an error that says so", "[autograd][variable][errors]") {
    Variable w(tensor::of({2, 5}), requires_grad);
    const Variable x(tensor::of({3, 4}), requires_grad);
    const Variable y = sum(w * x);
    w.set_requires_grad(false);
    CHECK(message_of<std::runtime_error>([&] {
              grad(y, {x, w});
          }) ==
          "grad: input 1 of shape [2] is frozen; call set_requires_grad(true) on it before the "
          "computation");
    CHECK(message_of<std::runtime_error>([&] { grad(y, {Variable(tensor::of(1))}); }) ==
          "grad: input 0 of shape [] does not require grad, so nothing was recorded for it; make "
          "it with Variable(value, requires_grad)");
    w.set_requires_grad(true);
    CHECK(grad(y, w).value().to_vector() == std::vector<Scalar>{3, 4});
}

TEST_CASE("only a leaf can be frozen", "[autograd][variable]") {
    const Variable x(tensor::of({1, 2}), requires_grad);
    const int line = __LINE__ + 1;
    Variable y = x * 2.0;
    const int call = __LINE__ + 1;
    const std::string said = what_is_said([&] { y.set_requires_grad(false); });
    CHECK_THAT(said, Contains("this value was made by multiply at " + line_text(line)));
    CHECK_THAT(said, Contains("use detach() for a constant copy"));
    CHECK_THAT(said, Contains("\n  at " + line_text(call)));
    CHECK_THROWS_WITH(Variable(tensor::of(1)).set_requires_grad(true),
                      Contains("is a constant; make it with Variable(value, requires_grad)"));
}

TEST_CASE("a variable that was moved from is an empty constant", "[autograd][variable]") {
    Variable x(tensor::of({1, 2}), requires_grad);
    const Variable taken = std::move(x);
    CHECK(taken.requires_grad());
    CHECK_FALSE(x.requires_grad());
    CHECK(x.shape() == Shape{0});
    CHECK(sum(x).item() == 0);
    CHECK_THROWS_AS(x(0), std::out_of_range);
    CHECK_THROWS_AS(x + taken, ShapeError);
}

TEST_CASE("detach gives the same values without a graph", "[autograd][variable]") {
    const Variable x(tensor::of({1, 2}), requires_grad);
    const Variable y = x * 2.0;
    const Variable d = y.detach();
    CHECK(d.value().shares_storage_with(y.value()));
    CHECK_FALSE(d.requires_grad());
    sum(y * d).backward();  // 4x², but one of the two is a constant
    CHECK(x.grad().to_vector() == std::vector<Scalar>{4, 8});
}

TEST_CASE("grad says why there is none", "[autograd][variable]") {
    const Variable x(tensor::of({1, 2}), requires_grad);
    const int call = __LINE__ + 1;
    const std::string said = what_is_said([&] { (void)x.grad(); });
    CHECK_THAT(said,
               Contains("this value of shape [2] has no gradient: backward() was not called"));
    CHECK_THAT(said, Contains("\n  at " + line_text(call)));
    CHECK_THROWS_AS(Variable(tensor::of(1)).grad(), std::runtime_error);
}

TEST_CASE("set_grad takes only the right shape", "[autograd][variable]") {
    Variable x(tensor::of({1, 2}), requires_grad);
    x.set_grad(tensor::of({5, 6}));
    sum(x).backward();
    CHECK(x.grad().to_vector() == std::vector<Scalar>{6, 7});
    CHECK_THROWS_WITH(x.set_grad(tensor::of({1, 2, 3})),
                      Contains("the gradient has shape [3] and the value [2]"));
    CHECK_THROWS_AS(x.set_grad(tensor::of({1, 2, 3})), ShapeError);
    CHECK_THROWS_WITH(x.set_grad(tensor::of({{1, 2}})),  // as many entries are not enough
                      Contains("the gradient has shape [1, 2] and the value [2]"));
    CHECK(x.grad().to_vector() == std::vector<Scalar>{6, 7});
    Variable constant(tensor::of(1));
    CHECK_THROWS_AS(constant.set_grad(tensor::of(1)), std::runtime_error);
    CHECK_THROWS_AS(constant.retain_grad(), std::runtime_error);
    CHECK_THROWS_AS(constant.set_name("c"), std::runtime_error);
    constant.zero_grad();
    CHECK_FALSE(constant.has_grad());
}

TEST_CASE("a variable prints its values and where they come from", "[autograd][variable]") {
    Variable x(tensor::of({1, 2}), requires_grad);
    CHECK_THAT(printed(x), Contains("  requires grad"));
    const int line = __LINE__ + 1;
    const Variable y = exp(x);
    CHECK_THAT(printed(y), Contains("  from exp at " + line_text(line)));
    x.set_requires_grad(false);
    CHECK_THAT(printed(x), Contains("  frozen"));
    std::ostringstream numbers;
    numbers << x.value();
    CHECK(printed(x.detach()) == numbers.str());
}

TEST_CASE("a wrong index names the line that asked", "[autograd][variable]") {
    const Variable x = leaf({{1, 2}, {3, 4}});
    const int line = __LINE__ + 1;
    CHECK_THROWS_WITH(x(2, 0), Contains("variable_test.cpp:" + std::to_string(line)));
    CHECK_THROWS_WITH(x(0), Contains("variable_test.cpp:" + std::to_string(line + 1)));
    CHECK(x(1, -1) == 4);
    CHECK(sum(x)() == 10);
}
