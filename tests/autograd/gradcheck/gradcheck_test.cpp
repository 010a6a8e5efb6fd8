// gradcheck on correct derivatives, and its errors.
#include "nn/heed.h"

#include "tests/autograd/gradcheck/planted.h"
#include "tests/catch.h"

#include <limits>
#include <string>
#include <vector>

using namespace heed;

namespace {
using In = std::vector<Variable>;

Tensor random(const Shape& shape, std::uint64_t seed) {
    Random numbers(seed);
    return tensor::normal(shape, numbers);
}

// Right in both orders, with this many derivatives compared.
void must_be_right(const char* id, const CheckedFunction& f, const std::vector<Tensor>& inputs,
                   std::int64_t checked) {
    INFO(id);
    const GradcheckResult result = gradcheck(f, inputs, {.order = 2, .seed = 7});
    INFO(result.text());
    CHECK(result.ok());
    CHECK(result.checked == checked);
    CHECK(result.worst < 1e-8);
    CHECK_THAT(result.text(), Contains("gradcheck: right; " + std::to_string(checked)));
}

}  // namespace

TEST_CASE("right derivatives pass in both orders, every entry compared", "[autograd][gradcheck]") {
    const Tensor X = random({4, 3}, 1);
    const Tensor W = random({3, 5}, 2);
    const Tensor b = random({5}, 3);
    // First order: 12 + 15 + 5. Second order: these and the 20 of the upstream gradient.
    must_be_right(
        "a layer", [](const In& in) { return tanh(matmul(in[0], in[1]) + in[2]); }, {X, W, b},
        2 * (12 + 15 + 5) + 20);
    must_be_right(
        "softmax", [](const In& in) { return softmax(in[0], 1); }, {X}, 2 * 12 + 12);
    must_be_right(
        "used three times", [](const In& in) { return in[0] * exp(in[0]) + in[0]; }, {X},
        2 * 12 + 12);
    must_be_right(
        "linear, so the second derivative is 0", [](const In& in) { return in[0] * 3.0; }, {X},
        2 * 12 + 12);
}

TEST_CASE("functions whose result hardly depends on the inputs pass", "[autograd][gradcheck]") {
    const Tensor X = random({4, 3}, 1);
    const Tensor Y = random({2}, 2);
    must_be_right(
        "an input that does not matter", [](const In& in) { return exp(in[0]); }, {X, Y},
        2 * (12 + 2) + 12);
    must_be_right(
        "a constant",
        [](const In&) {
            return Variable(tensor::ones({2, 3}));
        },
        {X}, 12 + 12 + 6);
    must_be_right(
        "the input itself", [](const In& in) { return in[0]; }, {X}, 12 + 12 + 12);
    must_be_right(
        "entries that are -inf whatever the input",
        [](const In& in) {
            const Variable minus(tensor::full({1, 3}, -std::numeric_limits<double>::infinity()));
            return concatenate({in[0], minus}, 0);
        },
        {X}, 12 + 12 + 15);
}

TEST_CASE("outputs and inputs of every rank and size are checked", "[autograd][gradcheck]") {
    must_be_right(
        "rank 0", [](const In& in) { return in[0] * in[0]; }, {tensor::of(1.5)}, 1 + 1 + 1);
    must_be_right(
        "to rank 0", [](const In& in) { return sum(in[0] * in[0]); }, {random({2, 3}, 1)},
        6 + 6 + 1);
    must_be_right(
        "one input without entries",
        [](const In& in) {
            return concatenate({in[0], in[1]}, 0);
        },
        {random({0, 3}, 1), random({2, 3}, 1)}, 6 + 6 + 6);
    must_be_right(
        "length 1", [](const In& in) { return in[0] * in[1]; },
        {random({1, 3}, 1), random({4, 1}, 2)}, 7 + 7 + 12);
}

TEST_CASE("inputs keep their strides, and are not written to", "[autograd][gradcheck]") {
    const Tensor base = random({3, 4}, 1);
    const Tensor window = random({6, 8}, 2);
    const Tensor row = random({1, 3}, 3);
    const std::vector<Tensor> inputs = {tensor::transpose(base),
                                        tensor::slice(tensor::slice(window, 0, 1, 5), 1, 1, 7, 2),
                                        tensor::expand(row, {4, 3})};
    std::vector<std::string> seen;
    const CheckedFunction f = [&seen](const In& in) {
        for (const Variable& x : in) seen.push_back(x.value().strides().text());
        return in[0] * in[1] * in[2] + sin(in[2]);
    };
    const std::vector<Scalar> before = window.to_vector();
    must_be_right("strided", f, inputs, 36 + 36 + 12);
    CHECK(seen[0] == "[1, 4]");
    CHECK(seen[1] == "[8, 2]");
    CHECK(seen[2] == "[0, 1]");
    CHECK(window.to_vector() == before);
    CHECK(base.version() == random({3, 4}, 1).version());

    // An expanded input has a derivative for each entry, although the entries share memory.
    const Tensor G = random({4, 3}, 4);
    const Tensor twice = tensor::multiply(tensor::multiply(G, inputs[2]), tensor::of(2));
    const CheckedFunction square = [](const In& in) { return in[0] * in[0]; };
    CHECK(check_gradients(square, {inputs[2]}, G, {twice}).ok());
}

TEST_CASE("the same tensor may be given twice", "[autograd][gradcheck]") {
    const Tensor X = random({3, 3}, 1);
    must_be_right(
        "aliased", [](const In& in) { return matmul(in[0], transpose(in[1])); }, {X, X},
        18 + 18 + 9);
}

TEST_CASE("a function that is not deterministic is reported", "[autograd][gradcheck]") {
    Random outside(1);
    const CheckedFunction dropout = [&outside](const In& in) {
        return in[0] * Variable(tensor::uniform(in[0].shape(), outside));
    };
    const GradcheckResult result = gradcheck(dropout, {random({2, 3}, 1)});
    CHECK_FALSE(result.ok());
    CHECK(result.checked == 0);
    CHECK_THAT(result.text(), Contains("two calls with the same inputs gave different results"));
}

TEST_CASE("a function that writes to its inputs is reported", "[autograd][gradcheck]") {
    const Tensor X = random({2, 3}, 1);
    const CheckedFunction writes = [](const In& in) {
        Tensor x = in[1].value();
        x.writable_data()[0] = 0;
        return in[0] * 2.0;
    };
    const GradcheckResult result = gradcheck(writes, {X, X}, {.names = {"W", "x"}});
    CHECK_FALSE(result.ok());
    CHECK_THAT(result.text(), Contains("the function writes to input 1 (x)"));
    CHECK(X.version() == random({2, 3}, 1).version());
}

TEST_CASE("a function that reads between the entries of its inputs is not right",
          "[autograd][gradcheck]") {
    const Tensor every_other = tensor::slice(random({6}, 1), 0, 0, 6, 2);
    const CheckedFunction beside = [](const In& in) {
        const Tensor x = in[0].value();
        const Tensor not_its_own = tensor::of(static_cast<double>(x.data()[1]));
        return planted(tensor::add(x, not_its_own), in, [](int, const Variable& G) { return G; });
    };
    const GradcheckResult result = gradcheck(beside, {every_other});
    CHECK_FALSE(result.ok());
    CHECK_THAT(result.text(), Contains("the function itself gives NaN"));
}

TEST_CASE("where nothing is compared, nothing is called right", "[autograd][gradcheck]") {
    const CheckedFunction one = [](const In&) { return Variable(tensor::of(1)); };
    const CheckedFunction square = [](const In& in) { return in[0] * in[0]; };
    const CheckedFunction total = [](const In& in) { return sum(in[0]); };
    const CheckedFunction nothing = [](const In& in) { return slice(in[0], 0, 0, 0); };
    const Tensor empty = random({0, 3}, 1);
    const Tensor X = random({2, 3}, 2);
    for (const int order : {1, 2}) {
        const GradcheckOptions options{.order = order};
        CHECK(gradcheck(one, {}, options).text() ==
              "gradcheck: nothing was compared: there are no inputs; give those whose derivatives "
              "are to be checked");
        for (const CheckedFunction& f : {square, total}) {
            const GradcheckResult result = gradcheck(f, {empty}, options);
            CHECK_FALSE(result.ok());
            CHECK(result.failures.empty());
            CHECK(result.text() == "gradcheck: nothing was compared: the inputs have no entries; "
                                   "input 0 has shape [0, 3]; take larger ones");
        }
        CHECK(gradcheck(nothing, {X}, options).text() ==
              "gradcheck: nothing was compared: the function's result has shape [0, 3], which has "
              "no entries; take inputs for which it has some");
    }
    CHECK_THROWS_WITH(require_gradcheck(square, {empty}), Contains("nothing was compared"));
    CHECK_FALSE(check_gradients(square, {empty}, empty, {empty}).ok());
}

TEST_CASE("NaN and infinity in a gradient are found at any entry", "[autograd][gradcheck]") {
    const Tensor X = random({4}, 1);
    const double inf = std::numeric_limits<double>::infinity();
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), inf, -inf}) {
        for (std::int64_t at = 0; at < 4; ++at) {
            const CheckedFunction f = [bad, at](const In& in) {
                return planted(in[0].value(), in, [bad, at](int, const Variable& G) {
                    Tensor numbers = tensor::clone(G.value());
                    numbers.writable_data()[at] = static_cast<Scalar>(bad);
                    return Variable(numbers);
                });
            };
            const GradcheckResult result = gradcheck(f, {X});
            REQUIRE(result.failures.size() == 1);
            const GradcheckFailure& failure = result.failures[0];
            CHECK(failure.index[0] == at);
            CHECK(result.worst == inf);
            CHECK((failure.received == bad || bad != bad));
            CHECK((bad == bad || failure.received != failure.received));
            CHECK(failure.fault == GradientFault::not_finite);
        }
    }
}

TEST_CASE("no gradient is right where the difference is infinite", "[autograd][gradcheck]") {
    const CheckedFunction peak = [](const In& in) {  // infinite one step away, not two
        const double x = in[0].value().item();
        const bool infinite = x > 0 && x < 1e-3;
        return in[0] * (infinite ? std::numeric_limits<double>::infinity() : 1.0);
    };
    const GradcheckResult result = gradcheck(peak, {tensor::of(-5e-4)});
    REQUIRE_FALSE(result.ok());
    CHECK(__builtin_isinf(result.failures[0].expected));
    CHECK_THAT(result.text(), Contains("the function itself gives NaN or infinity"));
}

TEST_CASE("NaN near the inputs fails the check", "[autograd][gradcheck]") {
    const CheckedFunction f = [](const In& in) { return log(in[0]); };
    const GradcheckResult result = gradcheck(f, {tensor::of({1, -1})});
    REQUIRE(result.failures.size() == 1);
    CHECK(result.failures[0].fault == GradientFault::not_finite);
    CHECK_THAT(result.text(), Contains("the function itself gives NaN"));
}

TEST_CASE("require_gradcheck throws the report with the caller's line", "[autograd][gradcheck]") {
    const Tensor X = random({2, 3}, 1);
    const CheckedFunction wrong = [](const In& in) {
        return planted(in[0].value(), in, [](int, const Variable& G) { return -G; });
    };
    std::string message;
    const int line = __LINE__ + 2;
    try {
        require_gradcheck(wrong, {X});
    } catch (const GradcheckError& error) {
        message = error.what();
    }
    CHECK_THAT(message, Contains("it looks like: a sign: exactly -1 times"));
    CHECK_THAT(message, Contains("6 of 6 entries are wrong"));
    CHECK_THAT(message, Contains("\n  at gradcheck_test.cpp:" + std::to_string(line)));
    CHECK(require_gradcheck([](const In& in) { return -in[0]; }, {X}).ok());
}

TEST_CASE("wrong options are refused with a message", "[autograd][gradcheck]") {
    const Tensor X = random({2, 3}, 1);
    const CheckedFunction f = [](const In& in) { return in[0] * 2.0; };
    CHECK_THROWS_WITH(gradcheck(f, {X}, {.order = 3}), Contains("order is 3; it must be 1 or 2"));
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH(gradcheck(f, {X}, {.step = 0}),
                      Contains("step is 0; it must be positive and finite"));
    for (const double step : {-1e-3, inf, nan}) {
        CHECK_THROWS_WITH(gradcheck(f, {X}, {.step = step}),
                          Contains("must be positive and finite"));
    }
    for (const double tolerance : {-1.0, inf, nan}) {
        CHECK_THROWS_AS(gradcheck(f, {X}, {.absolute = tolerance}), std::invalid_argument);
        CHECK_THROWS_WITH(gradcheck(f, {X}, {.relative = tolerance}),
                          Contains("the tolerances are 1e-08 absolute and") &&
                              Contains("both must be 0 or more, and finite"));
    }
    CHECK_THROWS_WITH(gradcheck(CheckedFunction(), {X}),
                      Contains("gradcheck: the function to check is an empty std::function"));
    CHECK_THROWS_AS(require_gradcheck({}, {X}), std::invalid_argument);
    CHECK_THROWS_AS(check_gradients({}, {X}, X, {X}), std::invalid_argument);
    CHECK_THROWS_WITH(gradcheck(f, {X}, {.names = {"a", "b"}}),
                      Contains("2 names were given for 1 inputs"));
    CHECK_THROWS_AS(gradcheck(f, {X}, {.order = 0}), std::invalid_argument);
    CHECK_THROWS_WITH(check_gradients(f, {X}, random({3}, 1), {X}),
                      Contains("the upstream gradient has shape [3] and the output [2, 3]"));
    CHECK_THROWS_WITH(check_gradients(f, {X}, X, {random({3}, 1)}),
                      Contains("the gradient for input 0 has shape [3] and the input [2, 3]"));
    CHECK_THROWS_WITH(check_gradients(f, {X}, X, {}),
                      Contains("0 gradients were given for 1 inputs"));
}

TEST_CASE("the function of gradcheck may throw, and check a function itself",
          "[autograd][gradcheck]") {
    const Tensor X = random({2, 3}, 1);
    const CheckedFunction square = [](const In& in) { return in[0] * in[0]; };
    const std::int64_t calls = [&] {
        std::int64_t counted = 0;
        gradcheck([&](const In& in) { return ++counted, square(in); }, {X}, {.order = 2});
        return counted;
    }();
    for (const std::int64_t last : {std::int64_t(1), std::int64_t(3), calls / 2, calls}) {
        std::int64_t counted = 0;
        const CheckedFunction throwing = [&](const In& in) {
            if (++counted == last) throw std::runtime_error("no more");
            return square(in);
        };
        CHECK_THROWS_WITH(gradcheck(throwing, {X}, {.order = 2}), Contains("no more"));
        CHECK(gradcheck(square, {X}, {.order = 2}).ok());
    }
    const CheckedFunction checking = [&](const In& in) {
        CHECK(gradcheck(square, {in[0].value()}, {.order = 2}).ok());
        return square(in);
    };
    CHECK(gradcheck(checking, {X}).ok());
}
