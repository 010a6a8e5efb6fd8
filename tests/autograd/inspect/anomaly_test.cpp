// Anomaly detection names the first operation that produces NaN or infinity, and no other.
#include "nn/heed.h"

#include "tests/autograd/gradcheck/planted.h"
#include "tests/autograd/inspect/what_is_said.h"
#include "tests/catch.h"

#include <limits>
#include <string>

using namespace heed;

namespace {
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::string line_text(int line) { return "anomaly_test.cpp:" + std::to_string(line); }

Variable leaf(const NestedList& numbers) { return Variable(tensor::of(numbers), requires_grad); }

}  // namespace

TEST_CASE(
    "the first operation that gives NaN in the forward pass is named with its line and layers",
    "[autograd][anomaly]") {
    const DetectAnomaly detect;
    const Variable x = leaf({4, -1, 9});
    int line = 0;
    const int layer_line = __LINE__ + 2;
    const std::string said = what_is_said([&] {
        const Scope layer("Norm");
        line = __LINE__ + 1;
        const Variable root = sqrt(x);
        (void)(root * 2.0);
    });
    CHECK_THAT(said, Contains("sqrt: the first operation to produce NaN or infinity: 1 NaN of 3 "));
    CHECK_THAT(said, Contains("\n  at " + line_text(line)));
    CHECK_THAT(said, Contains("\n  in Norm, called at " + line_text(layer_line)));
    CHECK_THROWS_AS(sqrt(x), AnomalyError);
}

TEST_CASE("infinity in the forward pass is named too, for constants and variables",
          "[autograd][anomaly]") {
    const DetectAnomaly detect;
    const Variable x = leaf({0, 1});
    CHECK_THROWS_WITH(log(x), Contains("log: the first operation to produce NaN or infinity: 1 "
                                       "infinite of 2 entries, from inputs [2]"));
    CHECK_THROWS_WITH(1.0 / x, Contains("divide: the first operation"));
    CHECK_THROWS_WITH(exp(x.detach() * 1e5), Contains("exp: the first operation"));
}

TEST_CASE("an operation that only passes NaN or infinity on is not named", "[autograd][anomaly]") {
    const Variable bad = leaf({not_a_number, 1});
    const Variable infinite = leaf({infinity, 1});
    const DetectAnomaly detect;
    CHECK((bad * 2.0).requires_grad());
    CHECK((infinite * 2.0).requires_grad());
    // An infinity becomes a NaN: this is where NaN starts.
    CHECK_THROWS_WITH(infinite - infinite, Contains("subtract: the first operation"));
}

TEST_CASE("an intended infinity is not an anomaly", "[autograd][anomaly]") {
    const DetectAnomaly detect;
    const Variable scores = leaf({{1, 2}, {3, 4}});
    const BoolTensor blocked = Mask::causal(2, 2).blocked();
    const Variable masked = masked_fill(scores, blocked, -infinity);
    const Variable weights = softmax(masked, 1);
    sum(weights * weights).backward();
    CHECK(scores.grad().to_vector()[1] == 0);
}

TEST_CASE("the first derivative that gives NaN or infinity is named", "[autograd][anomaly]") {
    const Variable x = leaf({4, 0, 9});
    int line = 0;
    const int layer_line = __LINE__ + 2;
    const Variable y = [&] {
        const Scope layer("Norm");
        line = __LINE__ + 1;
        const Variable root = sqrt(x);  // 1/(2√0): infinite
        return root * 2.0;
    }();
    {
        const DetectAnomaly detect;
        const std::string said = what_is_said([&] { sum(y).backward({.retain_graph = true}); });
        CHECK_THAT(said, Contains("the derivative of sqrt: the first to produce NaN or infinity: 1 "
                                  "infinite of 3 entries of the gradient for input 0"));
        CHECK_THAT(said, Contains("\n  at " + line_text(line)));
        CHECK_THAT(said, Contains("\n  in Norm, called at " + line_text(layer_line)));
        CHECK_FALSE(x.has_grad());
        CHECK_THROWS_AS(sum(y).backward({.retain_graph = true}), AnomalyError);
        CHECK_THROWS_AS(grad(sum(y), x, {.create_graph = true}), AnomalyError);
    }
    sum(y).backward();  // detection is off
    CHECK(x.grad().to_vector()[1] == std::numeric_limits<Scalar>::infinity());
}

TEST_CASE("of two bad derivatives in a row the one nearer to the loss is named",
          "[autograd][anomaly]") {
    const Rule gives_nan = [](int, const Variable& G) {
        return G * Variable(tensor::of(not_a_number));
    };
    const Variable x = leaf({1, 2});
    const Variable inner = planted(x.value(), {x}, gives_nan);
    const Variable middle = inner * 3.0;
    const int line = __LINE__ + 1;
    const Variable outer = planted(middle.value(), {middle}, gives_nan);
    const Variable loss = sum(outer * 2.0);
    const DetectAnomaly detect;
    const std::string said = what_is_said([&] { loss.backward(); });
    CHECK_THAT(said, Contains("the derivative of planted: the first"));
    CHECK_THAT(said, Contains("2 NaN of 2 entries"));
    CHECK_THAT(said, Contains("\n  at " + line_text(line)));
}

TEST_CASE("anomaly detection ends with its block and can be turned off inside",
          "[autograd][anomaly]") {
    const Variable x = leaf({-1});
    CHECK_FALSE(anomaly_detection_enabled());
    {
        const DetectAnomaly detect;
        CHECK(anomaly_detection_enabled());
        {
            const DetectAnomaly off(false);
            CHECK(sqrt(x).requires_grad());
        }
        CHECK_THROWS_AS(sqrt(x), AnomalyError);
    }
    CHECK(sqrt(x).requires_grad());
}

TEST_CASE("finite computations pass anomaly detection with the same results",
          "[autograd][anomaly]") {
    const Variable x = leaf({0.5, -2, 3});
    const Variable plain = grad(sum(tanh(x) * x), x);
    const DetectAnomaly detect;
    const Variable checked = grad(sum(tanh(x) * x), x);
    CHECK(plain.value().to_vector() == checked.value().to_vector());
}
