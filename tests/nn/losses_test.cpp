// Losses by hand, and against common mistakes.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>

using namespace heed;

namespace {
const double ln3 = 1.0986122886681098;
const double loss_of_123 = 0.4076059644443804;  // -log(e³/(e + e² + e³))

Tensor some_logits(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random, 0, 2);
}

// The mean negative log probability in double, from unshifted logits.
double reference(const Tensor& logits, const std::vector<std::int64_t>& targets) {
    double total = 0;
    for (std::int64_t n = 0; n < logits.dim(0); ++n) {
        double sum = 0;
        for (std::int64_t c = 0; c < logits.dim(1); ++c) {
            sum += std::exp(static_cast<double>(logits(n, c)));
        }
        total +=
            std::log(sum) - static_cast<double>(logits(n, targets[static_cast<std::size_t>(n)]));
    }
    return total / static_cast<double>(logits.dim(0));
}

}  // namespace

TEST_CASE("cross entropy of three classes by hand", "[nn][losses]") {
    const Variable logits(tensor::of({{1, 2, 3}, {1, 1, 1}}));
    const IndexTensor targets({2, 0});
    CHECK(cross_entropy(logits, targets).shape() == Shape{});
    CHECK(cross_entropy(logits, targets).item() == Approx((loss_of_123 + ln3) / 2));
    CHECK(cross_entropy(logits, targets, {.reduction = Reduction::sum}).item() ==
          Approx(loss_of_123 + ln3));
    const Tensor each = cross_entropy(logits, targets, {.reduction = Reduction::none}).value();
    CHECK(each.shape() == Shape{2});
    CHECK(each(0) == Approx(loss_of_123));
    CHECK(each(1) == Approx(ln3));
    const Variable one(tensor::of({1, 2, 3}));
    CHECK(cross_entropy(one, IndexTensor({2}, Shape{})).item() == Approx(loss_of_123));
}

TEST_CASE("cross entropy takes logits and applies the softmax itself", "[nn][losses]") {
    const Tensor logits = some_logits({5, 7}, 1);
    const std::vector<std::int64_t> targets = {3, 0, 6, 2, 2};
    const double loss = cross_entropy(Variable(logits), IndexTensor(targets)).item();
    CHECK(loss == Approx(reference(logits, targets)).epsilon(1e-5));
    // Common misunderstandings give values far away.
    const Variable P = softmax(Variable(logits), -1);
    const double twice = cross_entropy(P, IndexTensor(targets)).item();
    const double shifted = reference(logits, {0, 6, 2, 2, 3});
    for (double other : {twice, shifted, loss * 5, loss / 7, loss * 5 / 7, loss * 1.4427, -loss}) {
        CHECK(std::fabs(loss - other) > 0.01);
    }
    // Adding a constant to the scores of a position changes nothing.
    const double moved = cross_entropy(Variable(logits + 10.0), IndexTensor(targets)).item();
    CHECK(moved == Approx(loss).epsilon(1e-4));
}

TEST_CASE("the gradient of cross entropy is softmax minus one-hot, over N", "[nn][losses]") {
    const Variable logits(some_logits({5, 3}, 2), requires_grad);
    const IndexTensor targets({2, 0, 1, 1, 0});
    Tensor expected = tensor::softmax(logits.value(), -1);
    for (std::int64_t n = 0; n < 5; ++n) {
        Tensor entry = tensor::select(tensor::select(expected, 0, n), 0, targets(n));
        tensor::overwrite(entry, entry - 1.0);
    }
    cross_entropy(logits, targets).backward();
    CHECK(tensor::all_close(logits.grad(), expected / 5.0, 1e-5, 1e-6));
    logits.node();
    const Variable again(logits.value(), requires_grad);
    cross_entropy(again, targets, {.reduction = Reduction::sum}).backward();
    CHECK(tensor::all_close(again.grad(), expected, 1e-5, 1e-6));
}

TEST_CASE("large scores neither overflow nor vanish", "[nn][losses]") {
    const Variable logits(tensor::of({{1000, -1000}, {-1e5, 1e5}}), requires_grad);
    const Variable each =
        cross_entropy(logits, IndexTensor({1, 1}), {.reduction = Reduction::none});
    CHECK(tensor::same_bits(each.value() + 0.0, tensor::of({2000, 0})));
    sum(each).backward();
    CHECK(tensor::same_bits(logits.grad() + 0.0, tensor::of({{1, -1}, {0, 0}})));
}

TEST_CASE("positions may have any number of axes", "[nn][losses]") {
    const Tensor logits = some_logits({2, 3, 4}, 3);
    const IndexTensor targets({{1, 0, 3}, {2, 2, 1}});
    const Variable flat(tensor::reshape(logits, {6, 4}));
    const IndexTensor flat_targets = targets.reshape(6);
    CHECK(cross_entropy(Variable(logits), targets).item() ==
          cross_entropy(flat, flat_targets).item());
    const Tensor each =
        cross_entropy(Variable(logits), targets, {.reduction = Reduction::none}).value();
    CHECK(each.shape() == Shape{2, 3});
    const Tensor flat_each =
        cross_entropy(flat, flat_targets, {.reduction = Reduction::none}).value();
    CHECK(tensor::same_bits(tensor::flatten(each), flat_each));
    const Tensor turned = tensor::transpose(tensor::contiguous(tensor::transpose(logits)));
    CHECK(cross_entropy(Variable(turned), targets).item() ==
          cross_entropy(Variable(logits), targets).item());
}

TEST_CASE("ignored targets add nothing to the loss or the gradient", "[nn][losses]") {
    const Tensor logits = some_logits({4, 3}, 4);
    const Variable all(logits, requires_grad);
    const Variable kept(tensor::index_select(logits, 0, IndexTensor({0, 2})), requires_grad);
    const Variable loss = cross_entropy(all, IndexTensor({1, -100, 2, -100}));
    const Variable expected = cross_entropy(kept, IndexTensor({1, 2}));
    CHECK(loss.item() == expected.item());
    loss.backward();
    expected.backward();
    for (std::int64_t n : {0, 1, 2, 3}) {
        const Tensor row = tensor::select(all.grad(), 0, n);
        const Tensor right =
            n % 2 == 0 ? tensor::select(kept.grad(), 0, n / 2) : tensor::zeros({3});
        CHECK(tensor::same_bits(row, right));
    }
    const Tensor each =
        cross_entropy(all, IndexTensor({1, -100, 2, -100}), {.reduction = Reduction::none}).value();
    CHECK(each(1) == 0);
    CHECK(each(3) == 0);
    CHECK(each(0) + each(2) == Approx(2 * loss.item()));
}

TEST_CASE("the ignored index can be chosen, be a class, and belong to rows of NaN",
          "[nn][losses]") {
    Tensor logits = some_logits({2, 3}, 5);
    Tensor row = tensor::select(logits, 0, 1);
    tensor::overwrite(row, tensor::full({3}, __builtin_nan("")));
    const Variable x(logits, requires_grad);
    const Variable loss = cross_entropy(x, IndexTensor({2, 0}), {.ignore_index = 0});
    loss.backward();
    CHECK(std::isfinite(loss.item()));
    CHECK(tensor::same_bits(tensor::select(x.grad(), 0, 1), tensor::zeros({3})));
    const Variable none =
        cross_entropy(x, IndexTensor({0, 0}), {.ignore_index = 0, .reduction = Reduction::sum});
    CHECK(none.item() == 0);
}

TEST_CASE("cross entropy says what is wrong", "[nn][losses]") {
    const Variable logits(tensor::zeros({2, 2, 3}));
    CHECK(message_of<ShapeError>([&] {
              cross_entropy(logits, IndexTensor({0, 1}));
          }) == "cross_entropy: logits have shape [2, 2, 3] and targets [2]; logits must have the "
                "shape of the targets and one more axis at the end, for the classes");
    CHECK_THROWS_AS(cross_entropy(Variable(tensor::of(1)), IndexTensor({0}, Shape{})), ShapeError);
    CHECK(
        message_of<std::out_of_range>([&] {
            cross_entropy(logits, IndexTensor({{0, 1}, {3, 0}}));
        }) ==
        "cross_entropy: target 3 at [1, 0] is out of range: there are 3 classes, numbered 0 to 2");
    CHECK(
        message_of<std::out_of_range>([&] {
            cross_entropy(logits, IndexTensor({{0, -1}, {2, 0}}));
        }) ==
        "cross_entropy: target -1 at [0, 1] is out of range: there are 3 classes, numbered 0 to 2");
    CHECK(message_of<std::invalid_argument>([&] {
              cross_entropy(logits, IndexTensor({{-1, -1}, {-1, -1}}), {.ignore_index = -1});
          }) == "cross_entropy: all 4 targets are ignored (ignore_index is -1), so there is no "
                "mean; skip this batch, or use Reduction::sum");
    CHECK_THROWS_AS(
        cross_entropy(Variable(tensor::zeros({0, 3})), IndexTensor(std::vector<std::int64_t>{})),
        std::invalid_argument);
}

TEST_CASE("mean squared error by hand, with its gradient", "[nn][losses]") {
    const Variable y(tensor::of({{1, 2, 3}, {4, 5, 6}}), requires_grad);
    const Variable t(tensor::of({{1, 0, 0}, {8, 5, 5}}));
    CHECK(mse_loss(y, t).item() == 5);
    CHECK(mse_loss(y, t, Reduction::sum).item() == 30);
    CHECK(tensor::same_bits(mse_loss(y, t, Reduction::none).value(),
                            tensor::of({{0, 4, 9}, {16, 0, 1}})));
    mse_loss(y, t).backward();
    const Tensor expected = tensor::of({{0, 2, 3}, {-4, 0, 1}}) / 3.0;
    CHECK(tensor::all_close(y.grad(), expected, 1e-6, 0));
}

TEST_CASE("mean squared error does not broadcast", "[nn][losses]") {
    const Variable column(tensor::zeros({4, 1}));
    const Variable row(tensor::zeros({4}));
    CHECK(message_of<ShapeError>([&] { mse_loss(column, row); }) ==
          "mse_loss: the prediction has shape [4, 1] and the target [4]; they must be equal, since "
          "broadcasting would compare every prediction with every target (reshape one of them)");
    CHECK_THROWS_AS(mse_loss(Variable(tensor::zeros({3, 4})), row), ShapeError);
    CHECK_THROWS_AS(mse_loss(row, Variable(tensor::zeros({3, 4}))), ShapeError);
    const Variable none(tensor::zeros({0, 2}));
    CHECK(message_of<std::invalid_argument>([&] { mse_loss(none, none); }) ==
          "mse_loss: shape [0, 2] has no entries, so there is no mean");
    CHECK(mse_loss(none, none, Reduction::sum).item() == 0);
}

TEST_CASE("label smoothing shares the target among all classes", "[nn][losses]") {
    Random random(51);
    const Variable logits(tensor::normal({3, 4}, random), requires_grad);
    const IndexTensor targets({2, -100, 0});
    const Tensor logs = tensor::log_softmax(logits.value(), -1);
    const double epsilon = 0.1;
    std::vector<double> expected;
    for (const std::int64_t row : {0, 2}) {
        double of_all = 0;
        for (std::int64_t c = 0; c < 4; ++c) of_all -= logs(row, c) / 4;
        expected.push_back(-(1 - epsilon) * logs(row, targets(row)) + epsilon * of_all);
    }
    CrossEntropyOptions options = {.label_smoothing = epsilon};
    CHECK(cross_entropy(logits, targets, options).value().item() ==
          Approx((expected[0] + expected[1]) / 2).epsilon(1e-5));
    options.reduction = Reduction::sum;
    CHECK(cross_entropy(logits, targets, options).value().item() ==
          Approx(expected[0] + expected[1]).epsilon(1e-5));
    options.reduction = Reduction::none;
    const Tensor each = cross_entropy(logits, targets, options).value();
    CHECK(each(0) == Approx(expected[0]).epsilon(1e-5));
    CHECK(each(1) == 0);
    CHECK(each(2) == Approx(expected[1]).epsilon(1e-5));

    options = {.label_smoothing = 1.5};
    CHECK(message_of<std::invalid_argument>([&] { cross_entropy(logits, targets, options); }) ==
          "cross_entropy: label_smoothing is 1.5; it must be between 0 and 1");
    options = {.label_smoothing = __builtin_nan("")};
    CHECK_THROWS_AS(cross_entropy(logits, targets, options), std::invalid_argument);
}

TEST_CASE("classes may be on axis 1, as in PyTorch", "[nn][losses]") {
    Random random(52);
    const Variable logits(tensor::normal({2, 5, 3}, random));  // [B, C, T]
    const IndexTensor targets({{1, 0, 4}, {2, 2, 3}});
    const Variable moved = transpose(logits, 1, 2);  // [B, T, C]
    CHECK(tensor::same_bits(cross_entropy(logits, targets, {.class_axis = 1}).value(),
                            cross_entropy(moved, targets).value()));
    CHECK(tensor::same_bits(cross_entropy(moved, targets, {.class_axis = -1}).value(),
                            cross_entropy(moved, targets).value()));
    CHECK_THROWS_AS(cross_entropy(moved, targets, {.class_axis = 1}), ShapeError);
    CHECK(message_of<std::invalid_argument>([&] {
              cross_entropy(logits, targets, {.class_axis = 2});
          }) == "cross_entropy: class_axis is 2; it must be -1, the last axis, or 1");
}

TEST_CASE("logits whose classes could be on either axis are refused", "[nn][losses]") {
    const Variable logits(tensor::of({{{1, 2}, {3, 5}}}));  // [1, 2, 2]
    const IndexTensor targets({{0, 1}});
    CHECK(
        message_of<ShapeError>([&] { cross_entropy(logits, targets); }) ==
        "cross_entropy: logits have shape [1, 2, 2] and targets [1, 2]; the classes could be on "
        "axis 1, as in PyTorch, or on the last axis: set {.class_axis = 1} or {.class_axis = -1}");
    const double last = cross_entropy(logits, targets, {.class_axis = -1}).value().item();
    const double first = cross_entropy(logits, targets, {.class_axis = 1}).value().item();
    CHECK(last == Approx((std::log1p(std::exp(1)) + std::log1p(std::exp(-2))) / 2));
    CHECK(first == Approx((std::log1p(std::exp(2)) + std::log1p(std::exp(-3))) / 2));
}

TEST_CASE("class weights count rare classes more", "[nn][losses]") {
    const Variable logits(tensor::of({{1, 2, 3}, {1, 1, 1}}));
    const IndexTensor targets({2, 0});
    const Tensor weights = tensor::of({3, 1, 0.5});
    const double total = 0.5 * loss_of_123 + 3 * ln3;
    CHECK(cross_entropy(logits, targets, {.class_weights = weights}).item() == Approx(total / 3.5));
    CHECK(cross_entropy(logits, targets, {.reduction = Reduction::sum, .class_weights = weights})
              .item() == Approx(total));
    const Tensor each =
        cross_entropy(logits, targets, {.reduction = Reduction::none, .class_weights = weights})
            .value();
    CHECK(each(0) == Approx(0.5 * loss_of_123));
    CHECK(each(1) == Approx(3 * ln3));
    const Tensor ones = tensor::ones({3});
    CHECK(cross_entropy(logits, targets, {.class_weights = ones}).item() ==
          Approx(cross_entropy(logits, targets).item()));

    const auto refused = [&](const Tensor& weight) {
        return message_of<std::invalid_argument>(
            [&] { cross_entropy(logits, targets, {.class_weights = weight}); });
    };
    CHECK(message_of<ShapeError>(
              [&] { cross_entropy(logits, targets, {.class_weights = tensor::ones({2})}); }) ==
          "cross_entropy: class_weights have shape [2]; there are 3 classes, so it must be [3]");
    CHECK(refused(tensor::of({1, -1, 1})) ==
          "cross_entropy: the weight of class 1 is -1; it must be 0 or more, and finite");
    CHECK(refused(tensor::of({1, 1, infinity})) ==
          "cross_entropy: the weight of class 2 is inf; it must be 0 or more, and finite");
    CHECK(refused(tensor::of({0, 1, 0})) ==
          "cross_entropy: the weights of all targets are 0, so there is no mean");
}

TEST_CASE("soft targets that are 0 and 1 are class ids", "[nn][losses]") {
    const Variable logits(some_logits({4, 3}, 60), requires_grad);
    const IndexTensor targets({2, 0, 1, 1});
    const Variable sure(tensor::one_hot(targets, 3));
    for (const double epsilon : {0.0, 0.2}) {
        for (const Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none}) {
            const CrossEntropyOptions options = {.reduction = reduction,
                                                 .label_smoothing = epsilon};
            CHECK(tensor::all_close(cross_entropy(logits, sure, options).value(),
                                    cross_entropy(logits, targets, options).value(), 1e-5, 1e-6));
        }
    }
    const Variable one(tensor::of({1, 2, 3})), half(tensor::of({0.5, 0, 0.5}));
    CHECK(cross_entropy(one, half).item() == Approx(loss_of_123 + 1));  // (2.4076 + 0.4076)/2
}

TEST_CASE("soft targets that are no probabilities are refused", "[nn][losses]") {
    const Variable logits(tensor::zeros({2, 3}));
    const std::string rule = "; they must be probabilities, with sum 1 over the classes, which are "
                             "on the last axis unless {.class_axis = 1} is set";
    const auto refused = [&](const Tensor& targets) {
        return message_of<std::invalid_argument>([&] { cross_entropy(logits, Variable(targets)); });
    };
    CHECK(refused(tensor::of({{1, 0, 0}, {1, 2, 0.5}})) ==
          "cross_entropy: the targets of position 1 sum to 3.5" + rule);
    CHECK(refused(tensor::of({{2, -1, 0}, {1, 0, 0}})) ==
          "cross_entropy: the targets of position 0 have a negative entry" + rule);
    CHECK(message_of<ShapeError>([&] { cross_entropy(logits, Variable(tensor::ones({3}))); }) ==
          "cross_entropy: logits have shape [2, 3] and targets [3]; probabilities must have "
          "the shape of the logits, with an axis of classes");
    CHECK_THROWS_AS(cross_entropy(Variable(tensor::of(1)), Variable(tensor::of(1))), ShapeError);
    const Variable none(tensor::zeros({0, 3}));
    CHECK(message_of<std::invalid_argument>([&] { cross_entropy(none, none); }) ==
          "cross_entropy: shape [0, 3] has no entries, so there is no mean");
    CHECK(cross_entropy(none, none, {.reduction = Reduction::sum}).item() == 0);
    CHECK_THROWS_AS(cross_entropy(logits, logits, {.label_smoothing = 2}), std::invalid_argument);
    CHECK_THROWS_AS(cross_entropy(logits, logits, {.class_axis = 2}), std::invalid_argument);
    CHECK_THROWS_AS(cross_entropy(logits, logits, {.class_weights = tensor::ones({2})}),
                    ShapeError);
}

TEST_CASE("negative log-likelihood is cross entropy after log_softmax", "[nn][losses]") {
    const Variable logits(some_logits({4, 3}, 61), requires_grad);
    const IndexTensor targets({2, 0, -100, 1});
    for (const Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none}) {
        const Tensor nll =
            nll_loss(log_softmax(logits, -1), targets, {.reduction = reduction}).value();
        const Tensor expected = cross_entropy(logits, targets, {.reduction = reduction}).value();
        CHECK(tensor::all_close(nll, expected, 1e-5, 1e-6));
        CHECK(nll.shape() == expected.shape());
    }
    const Variable by_class = log_softmax(Variable(some_logits({2, 5, 3}, 62)), 1);  // [B, C, T]
    const IndexTensor ids({{1, 0, 4}, {2, 2, 3}});
    CHECK(tensor::same_bits(nll_loss(by_class, ids, {.class_axis = 1}).value(),
                            nll_loss(transpose(by_class), ids).value()));
}

TEST_CASE("negative log-likelihood says what is wrong", "[nn][losses]") {
    const IndexTensor targets({2, 0});
    CHECK(message_of<std::invalid_argument>([&] {
              nll_loss(Variable(tensor::of({{1, 2, 3}, {1, 1, 1}})), targets);
          }) == "nll_loss: a log probability is above 0: take log_softmax first, or cross_entropy, "
                "which takes logits");
    const Variable logs(tensor::full({2, 3}, -1));
    CHECK(message_of<std::out_of_range>([&] {
              nll_loss(logs, IndexTensor({0, 3}));
          }) == "nll_loss: target 3 at [1] is out of range: there are 3 classes, numbered 0 to 2");
    CHECK(message_of<ShapeError>([&] { nll_loss(logs, IndexTensor({0})); }) ==
          "nll_loss: log probabilities have shape [2, 3] and targets [1]; log probabilities must "
          "have the shape of the targets and one more axis at the end, for the classes");
    CHECK(message_of<std::invalid_argument>([&] {
              nll_loss(logs, IndexTensor({-1, -1}), {.ignore_index = -1});
          }) == "nll_loss: all 2 targets are ignored (ignore_index is -1), so there is no mean; "
                "skip this batch, or use Reduction::sum");
    CHECK(nll_loss(logs, IndexTensor({-1, -1}), {.ignore_index = -1, .reduction = Reduction::sum})
              .item() == 0);
    CHECK_THROWS_AS(nll_loss(logs, targets, {.class_weights = tensor::ones({2})}), ShapeError);
    CHECK_THROWS_AS(nll_loss(logs, targets, {.class_axis = 7}), std::invalid_argument);
}

TEST_CASE("binary cross entropy by hand, also where a sigmoid would round", "[nn][losses]") {
    const Variable x(tensor::of({0, 2, -1000, 1000}), requires_grad);
    const Variable t(tensor::of({1, 0.25, 0, 0}));
    const Variable each = binary_cross_entropy_with_logits(x, t, Reduction::none);
    CHECK(each(0) == Approx(0.6931471805599453));                      // ln 2
    CHECK(each(1) == Approx(0.25 * 0.12692801 + 0.75 * 2.126928011));  // -ln σ(2), -ln σ(-2)
    CHECK(each(2) == 0);
    CHECK(each(3) == 1000);
    CHECK(binary_cross_entropy_with_logits(x, t).item() ==
          Approx((0.6931471805599453 + 1.6269280 + 1000) / 4));
    binary_cross_entropy_with_logits(x, t, Reduction::sum).backward();
    CHECK(tensor::all_close(x.grad(), tensor::of({-0.5, 0.880797078 - 0.25, 0, 1}), 1e-6, 1e-7));

    CHECK(message_of<ShapeError>([&] {
              binary_cross_entropy_with_logits(x, Variable(tensor::zeros({4, 1})));
          }) == "binary_cross_entropy_with_logits: the logit has shape [4] and the target [4, 1]; "
                "they must be equal, since broadcasting would compare every logit with every "
                "target (reshape one of them)");
    for (const double wrong : {-0.5, 1.5, __builtin_nan("")}) {
        CHECK(message_of<std::invalid_argument>([&] {
                  binary_cross_entropy_with_logits(x, Variable(tensor::of({0, 0, 1, wrong})));
              }) == "binary_cross_entropy_with_logits: a target is outside 0 to 1; it is the "
                    "probability of yes");
    }
    const Variable none(tensor::zeros({0}));
    CHECK(message_of<std::invalid_argument>([&] {
              binary_cross_entropy_with_logits(none, none);
          }) == "binary_cross_entropy_with_logits: shape [0] has no entries, so there is no mean");
}
