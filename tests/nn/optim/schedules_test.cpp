// Learning-rate schedules, with numbers worked out by hand; and their errors, word for word.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <limits>

using namespace heed;

namespace {
template <class Schedule>
std::string refused(const Schedule& schedule, std::int64_t step = 1) {
    return message_of<std::invalid_argument>([&] { schedule(step); });
}

constexpr std::int64_t last_of_all = std::numeric_limits<std::int64_t>::max();

}  // namespace

TEST_CASE("warmup rises linearly from the first step to the whole rate", "[nn][schedules]") {
    const WarmupConstant constant{.lr = 0.5, .warmup = 4};
    const WarmupCosine cosine{.lr = 0.5, .warmup = 4, .steps = 8};
    const WarmupLinear linear{.lr = 0.5, .floor = 0.25, .warmup = 4, .steps = 8};
    const double expected[] = {0.125, 0.25, 0.375, 0.5};
    for (std::int64_t step = 1; step <= 4; ++step) {
        CHECK(constant(step) == expected[step - 1]);
        CHECK(cosine(step) == expected[step - 1]);
        CHECK(linear(step) == expected[step - 1]);
    }
    CHECK(constant(5) == 0.5);
    CHECK(constant(last_of_all) == 0.5);
    CHECK(WarmupConstant{.lr = 0.5}(1) == 0.5);  // no warmup
    CHECK(WarmupConstant{.lr = 0.5, .warmup = 1}(1) == 0.5);
}

TEST_CASE("the cosine falls to its floor at the last step, and stays there", "[nn][schedules]") {
    const WarmupCosine schedule{.lr = 1, .floor = 0.2, .warmup = 10, .steps = 22};
    CHECK(schedule(10) == 1);
    CHECK(schedule(11) == Approx(0.2 + 0.8 * (1 + 0.9659258262890683) / 2));  // cos 15°
    CHECK(schedule(14) == Approx(0.2 + 0.8 * 0.75));                          // cos 60° = ½
    CHECK(schedule(16) == Approx(0.6));                                       // cos 90° = 0
    CHECK(schedule(18) == Approx(0.2 + 0.8 * 0.25));
    CHECK(schedule(22) == 0.2);
    CHECK(schedule(23) == 0.2);
    CHECK(schedule(last_of_all) == 0.2);
    const WarmupCosine to_zero{.lr = 3e-4, .steps = 2};
    CHECK(to_zero(1) == Approx(1.5e-4));
    CHECK(to_zero(2) == 0);
}

TEST_CASE("the line falls to its floor at the last step, and stays there", "[nn][schedules]") {
    const WarmupLinear schedule{.lr = 1, .floor = 0.2, .warmup = 10, .steps = 18};
    CHECK(schedule(10) == 1);
    CHECK(schedule(11) == Approx(0.9));
    CHECK(schedule(14) == Approx(0.6));
    CHECK(schedule(17) == Approx(0.3));
    CHECK(schedule(18) == 0.2);
    CHECK(schedule(last_of_all) == 0.2);
    CHECK(WarmupLinear{.lr = 0.5, .steps = 4}(1) == 0.375);
    CHECK(WarmupLinear{.lr = 0.5, .steps = 4}(4) == 0);
    const WarmupLinear level{.lr = 0.5, .floor = 0.5, .warmup = 3, .steps = 4};  // falls by nothing
    CHECK(level(3) == 0.5);
    CHECK(level(4) == 0.5);
}

TEST_CASE("the stair falls by its factor, first after `every` steps from the end of the warmup",
          "[nn][schedules]") {
    const WarmupStair schedule{.lr = 8, .factor = 0.5, .every = 3, .warmup = 2};
    const double expected[] = {4, 8, 8, 8, 8, 4, 4, 4, 2};
    for (std::int64_t step = 1; step <= 9; ++step) CHECK(schedule(step) == expected[step - 1]);
    CHECK(schedule(last_of_all) == 0);
    const WarmupStair every_step{.lr = 1, .every = 1};  // 0.1 each time, as StepLR(opt, 1)
    CHECK(every_step(1) == 1);
    CHECK(every_step(3) == Approx(0.01));
    CHECK(WarmupStair{.lr = 0.5, .factor = 1, .every = 1}(100) == 0.5);
}

TEST_CASE("the inverse root is that of Vaswani et al., section 5.3", "[nn][schedules]") {
    const WarmupInverseRoot schedule{.d_model = 256, .warmup = 400};
    CHECK(schedule(1) == Approx(1.0 / 16 / 8000));  // 400^-1.5 = 1/8000
    CHECK(schedule(100) == Approx(1.0 / 16 * 100 / 8000));
    CHECK(schedule(400) == Approx(1.0 / 16 / 20));
    CHECK(schedule(399) < schedule(400));
    CHECK(schedule(401) < schedule(400));
    CHECK(schedule(1600) == Approx(1.0 / 16 / 40));
    CHECK(schedule(1000000) == Approx(1.0 / 16 / 1000));
    CHECK(WarmupInverseRoot{.d_model = 256, .warmup = 400, .factor = 3}(400) ==
          Approx(3.0 / 16 / 20));
    CHECK(WarmupInverseRoot{.d_model = 512}(4000) == Approx(6.987712429686844e-4));  // the paper's
}

TEST_CASE("a schedule sets the learning rate of an optimizer", "[nn][schedules]") {
    Variable w(tensor::of({1}), requires_grad);
    SGD optimizer({w}, {.lr = 7});
    const WarmupLinear schedule{.lr = 0.5, .warmup = 2, .steps = 4};
    for (std::int64_t step = 1; step <= 4; ++step) {
        optimizer.set_lr(schedule(step));
        w.set_grad(tensor::of({1}));
        optimizer.step();
    }
    CHECK(w(0) == 1 - (0.25 + 0.5 + 0.25 + 0));
}

TEST_CASE("a schedule that makes no sense is refused", "[nn][schedules]") {
    const double nan = __builtin_nan("");
    const std::string from_1 = "; steps count from 1";
    CHECK(refused(WarmupConstant{.lr = 1}, 0) == "WarmupConstant: the step is 0" + from_1);
    CHECK(refused(WarmupCosine{.lr = 1, .steps = 2}, -3) ==
          "WarmupCosine: the step is -3" + from_1);
    CHECK(refused(WarmupLinear{.lr = 1, .steps = 2}, 0) == "WarmupLinear: the step is 0" + from_1);
    CHECK(refused(WarmupInverseRoot{.d_model = 1}, 0) ==
          "WarmupInverseRoot: the step is 0" + from_1);

    const std::string positive = "; it must be above 0 and finite";
    CHECK(refused(WarmupConstant{}) == "WarmupConstant: lr is 0" + positive);
    CHECK(refused(WarmupCosine{.lr = -1, .steps = 2}) == "WarmupCosine: lr is -1" + positive);
    CHECK(refused(WarmupCosine{.lr = nan, .steps = 2}) == "WarmupCosine: lr is nan" + positive);
    CHECK(refused(WarmupLinear{.lr = infinity, .steps = 2}) ==
          "WarmupLinear: lr is inf" + positive);
    CHECK(refused(WarmupInverseRoot{}) == "WarmupInverseRoot: d_model is 0" + positive);
    CHECK(refused(WarmupInverseRoot{.d_model = 4, .factor = 0}) ==
          "WarmupInverseRoot: factor is 0" + positive);

    CHECK(refused(WarmupConstant{.lr = 1, .warmup = -1}) ==
          "WarmupConstant: warmup is -1 steps; it must be at least 0, which is none");
    CHECK(refused(WarmupInverseRoot{.d_model = 4, .warmup = 0}) ==
          "WarmupInverseRoot: warmup is 0 steps; it must be at least 1");

    CHECK(refused(WarmupStair{.every = 1}) == "WarmupStair: lr is 0" + positive);
    CHECK(refused(WarmupStair{.lr = 1, .every = 1}, 0) == "WarmupStair: the step is 0" + from_1);
    CHECK(refused(WarmupStair{.lr = 1, .every = 1, .warmup = -1}) ==
          "WarmupStair: warmup is -1 steps; it must be at least 0, which is none");
    for (const double factor : {0.0, 1.5, nan}) {
        CHECK(refused(WarmupStair{.lr = 1, .factor = factor, .every = 1}) ==
              text("WarmupStair: factor is ", factor,
                   "; it must be above 0 and at most 1, since the learning rate falls"));
    }
    CHECK(refused(WarmupStair{.lr = 1}) ==
          "WarmupStair: every is 0; the learning rate stays for at least 1 step");

    const std::string falls =
        "; floor must be between 0 and lr, since the learning rate falls from lr to floor";
    CHECK(refused(WarmupCosine{.lr = 0.1, .floor = 0.2, .steps = 2}) ==
          "WarmupCosine: floor is 0.2 and lr 0.1" + falls);
    CHECK(refused(WarmupLinear{.lr = 0.1, .floor = -0.2, .steps = 2}) ==
          "WarmupLinear: floor is -0.2 and lr 0.1" + falls);
    CHECK(refused(WarmupCosine{.lr = 0.1, .floor = nan, .steps = 2}) ==
          "WarmupCosine: floor is nan and lr 0.1" + falls);
    const std::string more =
        "; steps counts all steps, including the warmup, and must be greater than warmup";
    CHECK(refused(WarmupCosine{.lr = 1}) == "WarmupCosine: steps is 0 and warmup 0" + more);
    CHECK(refused(WarmupLinear{.lr = 1, .warmup = 10, .steps = 10}) ==
          "WarmupLinear: steps is 10 and warmup 10" + more);
}
