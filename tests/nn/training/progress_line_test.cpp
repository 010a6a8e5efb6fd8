// The text of the progress line, and what is written to a terminal and what is not; the average it
// shows, and the end of a training whose loss is no number.
#include "nn/training/progress_line.h"

#include "nn/training/exponential_average.h"
#include "nn/training/finite_loss.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <iostream>
#include <sstream>
#include <unistd.h>

using namespace heed;

TEST_CASE("a progress line has step, loss, tokens per second and time left", "[nn][training]") {
    const TrainingProgress progress = {
        .step = 120, .steps = 5000, .loss = 2.34564, .tokens = 15360, .seconds = 30};
    CHECK(progress_text(progress) == "step  120/5000  loss 2.3456  512 tokens/s  20:20 left");
    CHECK(
        progress_text({.step = 7, .steps = 7, .loss = -0.5, .tokens = 1000000, .seconds = 0.25}) ==
        "step 7/7  loss -0.5000  4000000 tokens/s  0:00 left");
    CHECK(progress_text({.step = 1, .steps = 1000, .loss = 11, .seconds = 3.7}) ==
          "step    1/1000  loss 11.0000  1:01:36 left");
    CHECK(progress_text({.step = 50, .steps = 100, .loss = 1, .seconds = 9.4}) ==
          "step  50/100  loss 1.0000  0:09 left");
    CHECK(progress_text({.step = 1, .steps = 2, .seconds = 3599.6}) ==
          "step 1/2  loss 0.0000  1:00:00 left");
}

TEST_CASE("a progress line leaves out what cannot be known", "[nn][training]") {
    CHECK(progress_text({.step = 0, .steps = 10, .loss = 1, .tokens = 5, .seconds = 0}) ==
          "step  0/10  loss 1.0000");
    CHECK(progress_text({.step = 0, .steps = 10, .loss = 1, .tokens = 5, .seconds = 2}) ==
          "step  0/10  loss 1.0000  2 tokens/s");  // 2.5, rounded to even
    CHECK(progress_text({.step = 1, .steps = 1000000000, .loss = 1, .seconds = 60}) ==
          "step          1/1000000000  loss 1.0000");  // 1900 years
    CHECK(progress_text({.step = 12, .steps = 10, .loss = 1, .seconds = 60}) ==
          "step 12/10  loss 1.0000");
    CHECK(progress_text({.step = 1, .steps = 10, .loss = __builtin_nan("")}) ==
          "step  1/10  loss nan");
}

TEST_CASE("a progress line is overwritten in place, and cleared", "[nn][training]") {
    std::ostringstream out;
    {
        ProgressLine line(3, out);
        CHECK(out.str().empty());
        line.show(1, 12345.5, 64);  // the first step shows at once
        const std::string first = out.str();
        CHECK(first.substr(0, 23) == "\rstep 1/3  loss 12345.5");
        line.show(3, 0.25, 64);  // and so does the last
        const std::string second = out.str().substr(first.size());
        CHECK(second.substr(0, 23) == "\rstep 3/3  loss 0.2500 ");
        CHECK(second.size() >= first.size());  // what is shorter covers what stood there
        CHECK(out.str().find('\n') == std::string::npos);
        line.clear();
        const std::string cleared = out.str().substr(first.size() + second.size());
        CHECK(cleared.find_first_not_of("\r ") == std::string::npos);
        CHECK(cleared.front() == '\r');
        CHECK(cleared.back() == '\r');
        CHECK(cleared.size() > 30);
        const std::size_t length = out.str().size();
        line.clear();  // there is nothing left to clear
        CHECK(out.str().size() == length);
        line.show(3, 0.25, 64);
    }
    CHECK(out.str().back() == '\r');  // as is at the end of its life
}

TEST_CASE("steps in quick succession are not all shown", "[nn][training]") {
    std::ostringstream out;
    ProgressLine line(100000, out);
    for (std::int64_t step = 1; step < 100000; ++step) line.show(step, 1);
    std::size_t shown = 0;
    for (const char letter : out.str()) shown += letter == '\r' ? 1 : 0;
    CHECK(shown >= 1);
    CHECK(shown < 20000);
}

TEST_CASE("a progress line counts tokens from step to step", "[nn][training]") {
    std::ostringstream out;
    ProgressLine line(2, out);
    line.show(1, 1);
    CHECK(out.str().find("tokens") == std::string::npos);
    line.show(2, 1, 64);
    CHECK(out.str().find(" tokens/s") != std::string::npos);
}

TEST_CASE("something is written exactly where standard error is a terminal", "[nn][training]") {
    std::ostringstream captured;
    std::streambuf* const before = std::cerr.rdbuf(captured.rdbuf());
    {
        ProgressLine line(2);
        line.show(1, 1, 64);
        line.show(2, 1, 64);
        line.clear();
    }
    std::cerr.rdbuf(before);
    CHECK(captured.str().empty() == (isatty(STDERR_FILENO) != 1));
}

TEST_CASE("a progress line of no steps is refused", "[nn][training]") {
    CHECK(message_of<std::invalid_argument>([] { ProgressLine line(0); }) ==
          "ProgressLine: steps is 0; it must be at least 1");
    std::ostringstream out;
    CHECK(message_of<std::invalid_argument>([&] { ProgressLine line(-2, out); }) ==
          "ProgressLine: steps is -2; it must be at least 1");
}

TEST_CASE("the exponential average is corrected as Adam's", "[nn][training]") {
    ExponentialAverage average(0.75);
    average.add(8);  // m = 2, over 1 - 0.75
    CHECK(average.value() == 8);
    average.add(4);  // m = 2.5, over 1 - 0.5625
    CHECK(average.value() == Approx(2.5 / 0.4375));
    average.add(-1);  // m = 1.625, over 1 - 0.421875
    CHECK(average.value() == Approx(1.625 / 0.578125));
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
          "ExponentialAverage: no number was added yet; there is no average");
    average.add(2);
    CHECK(message_of<std::invalid_argument>([&] { average.add(__builtin_nan("")); }) ==
          "ExponentialAverage: the number to add is nan, and so all later averages would be; add "
          "finite ones only");
    CHECK(message_of<std::invalid_argument>([&] { average.add(-infinity); }) ==
          "ExponentialAverage: the number to add is -inf, and so all later averages would be; add "
          "finite ones only");
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
