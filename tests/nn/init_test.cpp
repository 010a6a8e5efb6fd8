// Initial values: bounds, variances and errors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

namespace {
Parameter weight() { return Parameter(tensor::zeros({200, 300})); }

double variance(const Parameter& parameter) { return tensor::var(parameter.value()).item(); }

double largest(const Parameter& parameter) {
    return tensor::max(tensor::abs(parameter.value())).item();
}

}  // namespace

TEST_CASE("initial values have the published variances", "[nn][init]") {
    Random random(1);
    Parameter W = weight();
    const Variable handle = W;
    init::xavier_uniform(W, random);
    CHECK(variance(W) == Approx(2.0 / 500).epsilon(0.02));
    CHECK(largest(W) == Approx(std::sqrt(6.0 / 500)).epsilon(0.001));
    init::xavier_normal(W, random, 3);
    CHECK(variance(W) == Approx(9 * 2.0 / 500).epsilon(0.02));
    init::kaiming_uniform(W, random);
    CHECK(variance(W) == Approx(2.0 / 300).epsilon(0.02));
    CHECK(largest(W) == Approx(std::sqrt(6.0 / 300)).epsilon(0.001));
    init::kaiming_normal(W, random, 1);
    CHECK(variance(W) == Approx(1.0 / 300).epsilon(0.02));
    init::normal(W, random, 1, 0.02);
    CHECK(variance(W) == Approx(0.0004).epsilon(0.02));
    CHECK(tensor::mean(W.value()).item() == Approx(1).epsilon(0.001));
    init::truncated_normal(W, random, 0, 0.5);
    CHECK(largest(W) <= 1);
    CHECK(largest(W) > 0.99);
    CHECK(variance(W) == Approx(0.25 * 0.7737).epsilon(0.02));
    init::uniform(W, random, 2, 3);
    CHECK(tensor::min(W.value()).item() >= 2);
    CHECK(tensor::max(W.value()).item() < 3);
    init::ones(W);
    CHECK(tensor::same_bits(W.value(), tensor::ones({200, 300})));
    init::constant(W, -2);
    CHECK(tensor::same_bits(handle.value(), tensor::full({200, 300}, -2)));
    init::zeros(W);
    CHECK(largest(W) == 0);
}

TEST_CASE("a convolution's fans count the entries of its further axes", "[nn][init]") {
    Random random(2);
    Parameter W(tensor::zeros({64, 16, 5, 5}));
    init::kaiming_normal(W, random, 1);
    CHECK(variance(W) == Approx(1.0 / 400).epsilon(0.03));
}

TEST_CASE("values that cannot be drawn are refused", "[nn][init]") {
    Random random(3);
    Parameter W = weight(), b(tensor::zeros({3})), unset;
    CHECK(message_of<std::invalid_argument>([&] { init::xavier_uniform(b, random); }) ==
          "init::xavier_uniform: the parameter has shape [3]; a fan is defined for a weight [out, "
          "in, ...] with at least two axes");
    CHECK(message_of<std::invalid_argument>([&] { init::zeros(unset); }) ==
          "init::constant: the parameter was never set, so it has no shape to fill");
    CHECK(message_of<std::invalid_argument>([&] { init::truncated_normal(W, random, 0, -1); }) ==
          "init::truncated_normal: the mean is 0 and the standard deviation -1; both must be "
          "finite, and the deviation not negative");
    CHECK_THAT(message_of<std::invalid_argument>([&] { init::uniform(W, random, 1, 0); }),
               Contains("uniform"));
    CHECK_THAT(message_of<std::invalid_argument>([&] { init::normal(W, random, 0, -1); }),
               Contains("normal"));
}

TEST_CASE("values that a Scalar cannot hold are refused, and nothing is changed", "[nn][init]") {
    Random random(4);
    Parameter W = weight();
    const Tensor before = tensor::clone(W.value());
    const double large = sizeof(Scalar) == 4 ? 1e300 : 1.7e308, nan = __builtin_nan("");
    const auto refused = [&](const auto& fill) {
        return message_of<std::invalid_argument>([&] { fill(); });
    };
    const std::string rule =
        "; all must be finite, and no larger than " + text(std::numeric_limits<Scalar>::max());
    CHECK(refused([&] { init::constant(W, infinity); }) == "init::constant: a value is inf" + rule);
    CHECK(refused([&] { init::constant(W, nan); }) == "init::constant: a value is nan" + rule);
    for (const std::string& message :
         {refused([&] { init::normal(W, random, large, large); }),
          refused([&] { init::xavier_normal(W, random, large * 10); }),
          refused([&] { init::xavier_uniform(W, random, nan); }),
          refused([&] { init::kaiming_uniform(W, random, infinity); })}) {
        CHECK_THAT(message, Contains("must be"));
    }
    if (sizeof(Scalar) == 4) {
        const std::string above = ": a value is inf" + rule;
        CHECK(refused([&] { init::constant(W, large); }) == "init::constant" + above);
        CHECK(refused([&] { init::uniform(W, random, large, large); }) == "init::uniform" + above);
        CHECK(refused([&] { init::truncated_normal(W, random, large); }) ==
              "init::truncated_normal" + above);
        CHECK_THAT(refused([&] { init::kaiming_normal(W, random, large); }),
                   Contains("init::kaiming_normal: a value is "));
    }
    CHECK(tensor::same_bits(W.value(), before));
}
