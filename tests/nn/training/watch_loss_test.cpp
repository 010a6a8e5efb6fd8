// The smoothed loss, and the end of a training whose loss is no number.
#include "nn/training/watch_loss.h"

#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

TEST_CASE("the exponential average is corrected as Adam's", "[nn][training]") {
    ExponentialAverage average(0.75);
    average.add(8);  // m = 2, over 1 - 0.75
    CHECK(average.value() == 8);
    average.add(4);  // m = 2.5, over 1 - 0.5625
    CHECK(average.value() == Approx(2.5 / 0.4375));
    average.add(-1);  // m = 1.625, over 1 - 0.421875
    CHECK(average.value() == Approx(1.625 / 0.578125));
    ExponentialAverage nothing;  // an average of 0 is one, too
    nothing.add(0);
    CHECK(nothing.value() == 0);
    ExponentialAverage constant;
    for (int i = 0; i < 500; ++i) constant.add(3.5);
    CHECK(constant.value() == Approx(3.5));
    ExponentialAverage last(0);
    last.add(1);
    last.add(7);
    CHECK(last.value() == 7);
}

TEST_CASE("an exponential average that makes no sense is refused", "[nn][training]") {
    const std::string beta = "; it must be at least 0 and below 1";
    CHECK(message_of<std::invalid_argument>([] { ExponentialAverage average(1); }) ==
          "ExponentialAverage: beta is 1" + beta);
    CHECK(message_of<std::invalid_argument>([] { ExponentialAverage average(-0.5); }) ==
          "ExponentialAverage: beta is -0.5" + beta);
    CHECK(message_of<std::invalid_argument>([] {
              ExponentialAverage average(__builtin_nan(""));
          }) == "ExponentialAverage: beta is nan" + beta);
    ExponentialAverage average;
    CHECK(message_of<std::runtime_error>([&] { average.value(); }) ==
          "ExponentialAverage: no number has been added yet, so there is no average");
    average.add(2);
    CHECK(message_of<std::invalid_argument>([&] { average.add(__builtin_nan("")); }) ==
          "ExponentialAverage: the number to add is nan, as would be all later averages; add only "
          "finite numbers");
    CHECK(message_of<std::invalid_argument>([&] { average.add(-infinity); }) ==
          "ExponentialAverage: the number to add is -inf, as would be all later averages; add only "
          "finite numbers");
    CHECK(average.value() == Approx(2));
}

TEST_CASE("a loss that is no number ends the training with what to try", "[nn][training]") {
    check_finite_loss(0, 1);
    check_finite_loss(-1e30, 1);
    const std::string rest =
        ", from which training does not recover; try a lower learning rate, a longer warmup, or "
        "clip_grad_norm before each step; DetectAnomaly finds the operation that made the first "
        "NaN or infinity";
    CHECK(message_of<std::runtime_error>([] { check_finite_loss(__builtin_nan(""), 37); }) ==
          "check_finite_loss: the loss of step 37 is nan" + rest);
    CHECK(message_of<std::runtime_error>([] { check_finite_loss(infinity, 1); }) ==
          "check_finite_loss: the loss of step 1 is inf" + rest);
    CHECK(message_of<std::runtime_error>([] { check_finite_loss(-infinity, 2); }) ==
          "check_finite_loss: the loss of step 2 is -inf" + rest);
}
