// Error messages of optimizers and clipping, word for word; and clipping itself.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>
#include <limits>

using namespace heed;

namespace {
Variable leaf() { return Variable(tensor::of({1, 2}), requires_grad); }

template <class Optimizer, class Options>
std::string refused(const Options& options) {
    return message_of<std::invalid_argument>([&] { Optimizer({leaf()}, options); });
}

std::vector<NamedParameter> three_four_twelve() {
    Variable a(tensor::of({{0, 0}}), requires_grad);
    Variable b(tensor::of({0}), requires_grad);
    Variable without = leaf();
    a.set_grad(tensor::of({{3, -4}}));
    b.set_grad(tensor::of({12}));
    return {NamedParameter("a", a), NamedParameter("without", without), NamedParameter("b", b)};
}

}  // namespace

TEST_CASE("hyper-parameters outside their range are refused", "[nn][optimizers]") {
    const std::string sign = "; it must be finite and not negative";
    CHECK(refused<SGD>(SgdOptions{.lr = -1}) == "SGD: lr is -1" + sign);
    CHECK(refused<SGD>(SgdOptions{.lr = infinity}) == "SGD: lr is inf" + sign);
    CHECK(refused<SGD>(SgdOptions{.momentum = -0.5}) == "SGD: momentum is -0.5" + sign);
    CHECK(refused<SGD>(SgdOptions{.weight_decay = -2}) == "SGD: weight_decay is -2" + sign);
    CHECK(refused<SGD>(SgdOptions{.dampening = infinity}) ==
          "SGD: dampening is inf; it must be finite");
    const std::string nesterov = "; it needs a momentum above 0 and no dampening";
    CHECK(refused<SGD>(SgdOptions{.nesterov = true}) ==
          "SGD: nesterov is set with momentum 0 and dampening 0" + nesterov);
    CHECK(refused<SGD>(SgdOptions{.momentum = 0.9, .dampening = 0.1, .nesterov = true}) ==
          "SGD: nesterov is set with momentum 0.9 and dampening 0.1" + nesterov);

    CHECK(refused<Adam>(AdamOptions{.lr = __builtin_nan("")}) == "Adam: lr is nan" + sign);
    CHECK(refused<Adam>(AdamOptions{.eps = -1}) == "Adam: eps is -1" + sign);
    CHECK(refused<Adam>(AdamOptions{.eps = infinity}) == "Adam: eps is inf" + sign);
    CHECK(refused<AdamW>(AdamWOptions{.eps = __builtin_nan("")}) == "AdamW: eps is nan" + sign);
    CHECK(refused<Adam>(AdamOptions{.weight_decay = -1}) == "Adam: weight_decay is -1" + sign);
    const std::string beta = "; it must be at least 0 and below 1";
    CHECK(refused<Adam>(AdamOptions{.beta1 = 1}) == "Adam: beta1 is 1" + beta);
    CHECK(refused<AdamW>(AdamWOptions{.beta2 = -0.1}) == "AdamW: beta2 is -0.1" + beta);
    CHECK(refused<AdamW>(AdamWOptions{.beta2 = 1.5}) == "AdamW: beta2 is 1.5" + beta);

    SGD optimizer({leaf()});
    CHECK(message_of<std::invalid_argument>([&] { optimizer.set_lr(-2); }) ==
          "SGD: lr is -2" + sign);
    CHECK(optimizer.lr() == 1e-3);
}

TEST_CASE("rates whose product no weight can hold are refused", "[nn][optimizers]") {
    const double large = sizeof(Scalar) == 4 ? 1e30 : 1e300;
    const std::string most = text(std::numeric_limits<Scalar>::max());
    const std::vector<ParameterGroup> groups = {{.parameters = {leaf()}, .lr_factor = large}};
    SGD optimizer(groups, {.lr = 1});
    CHECK(message_of<std::invalid_argument>([&] { optimizer.set_lr(large); }) ==
          "SGD: lr is " + text(large) + " and lr_factor is " + text(large) + "; their product, " +
              text(large * large) + ", must be no more than " + most);
    CHECK(optimizer.lr() == 1);
    const auto of_decay = [&](const AdamWOptions& options) { return refused<AdamW>(options); };
    CHECK_THAT(of_decay({.lr = large, .weight_decay = large}),
               Contains("lr is " + text(large) + " and weight_decay is " + text(large)));
    if (sizeof(Scalar) > 4) return;
    const std::string above = " is 1e+300; it must be no more than " + most;
    CHECK(refused<SGD>(SgdOptions{.lr = 1e300}) == "SGD: lr" + above);
    CHECK(refused<SGD>(SgdOptions{.momentum = 1e300}) == "SGD: momentum" + above);
    CHECK(refused<SGD>(SgdOptions{.dampening = -1e300}) == "SGD: 1 - dampening, in size," + above);
    CHECK(refused<Adam>(AdamOptions{.eps = 1e300}) == "Adam: eps" + above);
    CHECK(refused<Adam>(AdamOptions{.weight_decay = 1e300}) == "Adam: weight_decay" + above);
}

TEST_CASE("a list of parameters that cannot be trained is refused", "[nn][optimizers]") {
    using List = std::vector<NamedParameter>;
    const auto message = [](const List& list) {
        return message_of<std::invalid_argument>([&] { Adam optimizer(list); });
    };
    CHECK(message({}) == "Adam: the list of parameters is empty; there is nothing to train");
    const Variable w = leaf();
    const Variable c(tensor::of({1, 2, 3}));
    CHECK(message({w, c}) == "Adam: parameter 1 of shape [3] is a constant; only a leaf can be "
                             "trained: Variable(value, requires_grad)");
    CHECK(message({NamedParameter("fc.bias", w + c(0))}) ==
          "Adam: parameter 0 ('fc.bias') of shape [2] is made by an operation; only a leaf can be "
          "trained: Variable(value, requires_grad)");
    CHECK(message({leaf(), NamedParameter("u", w), w}) ==
          "Adam: parameter 2 is parameter 1 ('u') again; it would be updated twice in each step");
}

TEST_CASE("gradients whose joint norm is too large are scaled down", "[nn][clip]") {
    const std::vector<NamedParameter> list = three_four_twelve();
    CHECK(clip_grad_norm(list, 6.5) == Approx(13));
    const double scale = 6.5 / (13 + 1e-6);
    const Tensor a = tensor::of({{3 * scale, -4 * scale}});
    CHECK(tensor::all_close(list[0].parameter.grad(), a, 1e-6, 0));
    CHECK(list[2].parameter.grad()(0) == Approx(12 * scale));
    CHECK_FALSE(list[1].parameter.has_grad());
    CHECK(clip_grad_norm(list, infinity) == Approx(6.5));
    CHECK(clip_grad_norm(list, 0) == Approx(6.5));
    CHECK(tensor::same_bits(list[2].parameter.grad(), tensor::of({0})));
}

TEST_CASE("gradients whose norm is small enough keep every bit", "[nn][clip]") {
    const std::vector<NamedParameter> list = three_four_twelve();
    CHECK(clip_grad_norm(list, 13) == 13);
    CHECK(clip_grad_norm(list, 100) == 13);
    CHECK(tensor::same_bits(list[0].parameter.grad(), tensor::of({{3, -4}})));
    CHECK(clip_grad_norm({}, 1) == 0);
    Variable still = leaf(), empty(tensor::zeros({0}), requires_grad);
    still.set_grad(tensor::of({0, 0}));
    empty.set_grad(tensor::zeros({0}));
    CHECK(clip_grad_norm({still, empty}, 1) == 0);
}

TEST_CASE("gradients in any layout are measured and scaled down", "[nn][clip]") {
    Variable wide(tensor::zeros({3, 2}), requires_grad);
    wide.set_grad(tensor::transpose(tensor::of({{1, 2, 4}, {0, 2, 12}})));
    CHECK(clip_grad_norm({wide}, 100) == 13);
    Variable sliced(tensor::zeros({2}), requires_grad);
    sliced.set_grad(tensor::slice(tensor::of({3, 100, 4, 100}), 0, 0, 4, 2));
    CHECK(clip_grad_norm({sliced}, 2.5) == 5);
    CHECK(tensor::all_close(sliced.grad(), tensor::of({1.5, 2}), 1e-6, 0));
}

TEST_CASE("the 1e-6 in the denominator shows where gradients are small", "[nn][clip]") {
    Variable w(tensor::of({0}), requires_grad);
    w.set_grad(tensor::of({3e-6}));
    CHECK(clip_grad_norm({w}, 1e-6) == Approx(3e-6));
    CHECK(w.grad()(0) == Approx(0.75e-6).epsilon(1e-4));
}

TEST_CASE("squares of gradients do not overflow float", "[nn][clip]") {
    Variable w(tensor::of({0}), requires_grad);
    w.set_grad(tensor::of({1e30}));
    CHECK(clip_grad_norm({w}, 1) == Approx(1e30));
    CHECK(w.grad()(0) == Approx(1));
}

#ifdef HEED_DOUBLE
TEST_CASE("squares of gradients neither overflow nor vanish in double", "[nn][clip]") {
    for (const double unit : {1e200, 1e-200}) {
        std::vector<NamedParameter> list = three_four_twelve();
        for (NamedParameter& named : list) {
            if (named.parameter.has_grad()) named.parameter.set_grad(named.parameter.grad() * unit);
        }
        CHECK(clip_grad_norm(list, infinity) == Approx(13 * unit).epsilon(1e-15));
        CHECK(clip_grad_norm(list, 6.5 * unit) == Approx(13 * unit).epsilon(1e-15));
        const double kept = unit > 1 ? 0.5 : 6.5 * unit / 1e-6;  // of max_norm/(norm + 1e-6)
        CHECK(list[2].parameter.grad().item() == Approx(12 * unit * kept).epsilon(1e-15));
    }
    Variable large = leaf(), small = leaf();
    large.set_grad(tensor::of({3e200, 4e200}));
    small.set_grad(tensor::of({0, 0}));
    CHECK(clip_grad_norm({large, small}, infinity) == Approx(5e200).epsilon(1e-15));
    Variable w(tensor::of({0, 0}), requires_grad);
    w.set_grad(tensor::of({1.5e308, 1.5e308}));  // of length 2.1e308, which no double is
    CHECK(message_of<std::runtime_error>([&] {
              clip_grad_norm({leaf(), w}, 1);
          }) == "clip_grad_norm: the norm of the gradients stops being finite at parameter 1 of "
                "shape [2]; no gradient was changed. DetectAnomaly finds the operation that made "
                "the first NaN or infinity");
    std::vector<NamedParameter> list = three_four_twelve();
    list[0].parameter.set_grad(tensor::of({{1e200, 0}}));  // finite: b is the one to blame
    list[2].parameter.set_grad(tensor::of({__builtin_nan("")}));
    CHECK_THROWS_WITH(clip_grad_norm(list, 1), Contains("at parameter 2 ('b') of shape"));
}
#endif

TEST_CASE("a norm that is not finite is an error, and nothing is changed", "[nn][clip]") {
    std::vector<NamedParameter> list = three_four_twelve();
    for (double bad : {infinity, static_cast<double>(__builtin_nan(""))}) {
        list[2].parameter.set_grad(tensor::of({bad}));
        CHECK(message_of<std::runtime_error>([&] { clip_grad_norm(list, 1); }) ==
              "clip_grad_norm: the norm of the gradients stops being finite at parameter 2 ('b') "
              "of shape [1]; no gradient was changed. DetectAnomaly finds the operation that made "
              "the first NaN or infinity");
        CHECK(tensor::same_bits(list[0].parameter.grad(), tensor::of({{3, -4}})));
    }
    CHECK(message_of<std::invalid_argument>([&] { clip_grad_norm(list, -1); }) ==
          "clip_grad_norm: max_norm is -1; it must not be negative");
    CHECK_THROWS_AS(clip_grad_norm(list, __builtin_nan("")), std::invalid_argument);
}
