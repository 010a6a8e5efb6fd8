// What --predict asks, which answers it accepts, and how it responds.
#include "tests/catch.h"

#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/reader.h"

#include <cmath>
#include <iostream>
#include <sstream>

using namespace tutorial;
using heed::Shape;

namespace {
struct Predicting {
    std::istringstream in;
    std::ostringstream out;

    explicit Predicting(const std::string& lines) : in(lines) {
        talk_to_reader(in, out);
        ask_for_predictions();
    }
    ~Predicting() {
        no_predictions();
        talk_to_reader(std::cin, std::cout);
    }
    std::string said() {
        print_score();
        return out.str();
    }
};

std::string of_shape(const std::string& answer, const Shape& shape) {
    Predicting predicting(answer);
    predict_shape("Which shape?", shape, "So it is.");
    return predicting.said();
}

std::string of_number(const std::string& answer, double value, double tolerance) {
    Predicting predicting(answer);
    predict_number("How much?", value, tolerance, "So it is.");
    return predicting.said();
}

std::string of_choice(const std::string& answer) {
    Predicting predicting(answer);
    predict_choice("Up or down?", {"up", "Down"}, "Down", "So it is.");
    return predicting.said();
}

std::string of_largest(const std::string& answer, const heed::Tensor& x) {
    Predicting predicting(answer);
    predict_largest("Which word?", {"the", "cat", "sat"}, x, "So it is.");
    return predicting.said();
}

const std::string right = "  Right: ", wrong = "  No, the answer is ";

}  // namespace

TEST_CASE("without --predict nothing is asked", "[tutorials][predict]") {
    std::istringstream in("2\n");
    std::ostringstream out;
    talk_to_reader(in, out);
    predict_shape("Which shape?", {2}, "");
    predict_number("How much?", 2, 0, "");
    predict_choice("Which?", {"a"}, "b", "");
    predict_largest("Which?", {"a"}, heed::tensor::of({1, 2}), "");
    CHECK(out.str().empty());
    CHECK(line_from_reader() == "2");
    talk_to_reader(std::cin, std::cout);
}

TEST_CASE("a question is printed, and the answer judged and explained", "[tutorials][predict]") {
    CHECK(of_shape("2, 3\n", {2, 3}) == "? Which shape?\n"
                                        "  (a shape, such as 2, 3; Enter alone: tell me)\n"
                                        "  Right: [2, 3]. So it is.\n\n"
                                        "\nyou predicted 1 of 1\n");
    CHECK(of_number("1\n", 2, 0) == "? How much?\n"
                                    "  (a number; Enter alone: tell me)\n"
                                    "  No, the answer is 2. So it is.\n\n"
                                    "\nyou predicted 0 of 1\n");
    CHECK(of_choice("\n") == "? Up or down?\n"
                             "  (up or Down; Enter alone: tell me)\n"
                             "  The answer is Down. So it is.\n\n"
                             "\nyou predicted 0 of 1\n");
}

TEST_CASE("a shape may be written in several ways", "[tutorials][predict]") {
    for (const std::string answer : {"[2, 3]", "2,3", "2 3", " [2,3] ", "2x3", "2 × 3", "2×3"}) {
        INFO(answer);
        CHECK_THAT(of_shape(answer + "\n", {2, 3}), Contains(right));
    }
    for (const std::string answer : {"3, 2", "2", "6", "2, 3, 1", "[]", "23"}) {
        INFO(answer);
        CHECK_THAT(of_shape(answer + "\n", {2, 3}), Contains(wrong));
    }
    CHECK_THAT(of_shape("[]\n", {}), Contains(right));
    CHECK_THAT(of_shape("0\n", {0}), Contains(right));
}

TEST_CASE("an answer that is not a shape is asked for again", "[tutorials][predict]") {
    for (const std::string answer :
         {"two", "2, -3", "2.5", "[2", "2]", "9999999999999999999999", "2, 3 please", "×2y"}) {
        INFO(answer);
        CHECK_THAT(of_shape(answer + "\n2, 3\n", {2, 3}),
                   Contains("  \"" + answer + "\" is not a shape: give the length of each axis") &&
                       Contains(right));
    }
}

TEST_CASE("a number is right within its tolerance", "[tutorials][predict]") {
    for (const std::string answer : {"0.25", "0.3", "0.2", "+0.25", "25e-2", ".25"}) {
        INFO(answer);
        CHECK_THAT(of_number(answer + "\n", 0.25, 0.05), Contains(right));
    }
    CHECK_THAT(of_number("0.31\n", 0.25, 0.05), Contains(wrong) && Contains("right to 0.05"));
    CHECK_THAT(of_number("0.19\n", 0.25, 0.05), Contains(wrong));
    CHECK_THAT(of_number("-0.25\n", 0.25, 0.05), Contains(wrong));
    CHECK_THAT(of_number("3\n", 3, 0), Contains(right));
    CHECK_THAT(of_number("3.01\n", 3, 0), Contains(wrong) && Contains("the answer is 3. So"));
    CHECK_THAT(of_number("-inf\n", -INFINITY, 0), Contains(right));
    CHECK_THAT(of_number("inf\n", -INFINITY, 0),
               Contains(wrong) && Contains("the answer is -inf. So"));
    CHECK_THAT(of_number("\n", 100, 0), Contains("The answer is 100. So"));
}

TEST_CASE("an answer that is not a number is asked for again", "[tutorials][predict]") {
    for (const std::string answer : {"three", "1,5", "1 2", "1e", "+-1", "0.5x", "1e999"}) {
        INFO(answer);
        CHECK_THAT(of_number(answer + "\n3\n", 3, 0),
                   Contains("  \"" + answer + "\" is not a number: give one such as 3") &&
                       Contains(right));
    }
    CHECK_THAT(of_number("\x1b[A\n3\n", 3, 0), Contains("\"␛[A\" is not a number"));
}

TEST_CASE("a choice may be in upper or lower case, and another word is asked for again",
          "[tutorials][predict]") {
    CHECK_THAT(of_choice("DOWN\n"), Contains(right));
    CHECK_THAT(of_choice("Up\n"), Contains(wrong));
    CHECK_THAT(of_choice("left\ndown\n"),
               Contains("  \"left\" is none of these: up, Down\n") && Contains(right));
    CHECK_THROWS_WITH(
        [] {
            Predicting predicting("");
            predict_choice("Which?", {"a", "b"}, "c", "");
        }(),
        Contains("predict_choice: \"c\" is none of the choices: a, b") &&
            Contains("predict_test.cpp"));
}

TEST_CASE("the largest entry is accepted, or any of several", "[tutorials][predict]") {
    CHECK_THAT(of_largest("cat\n", heed::tensor::of({-1, 5, 2})), Contains(right));
    CHECK_THAT(of_largest("sat\n", heed::tensor::of({-1, 5, 2})),
               Contains(wrong) && Contains("the answer is cat."));
    CHECK_THAT(of_largest("the\n", heed::tensor::of({2, -1, 2})), Contains(right));
    CHECK_THAT(of_largest("sat\n", heed::tensor::of({2, -1, 2})), Contains(right));
    CHECK_THAT(of_largest("cat\n", heed::tensor::of({2, -1, 2})),
               Contains(wrong) && Contains("the answer is the or sat."));
    CHECK_THROWS_WITH(of_largest("cat\n", heed::tensor::of({2, 1})),
                      Contains("predict_largest: 3 names for a tensor of shape [2]") &&
                          Contains("predict_test.cpp"));
    CHECK_THROWS_AS(of_largest("cat\n", heed::tensor::of({{2, 1, 3}})), heed::ShapeError);
}

TEST_CASE("a name that occurs twice is right if one of its entries is", "[tutorials][predict]") {
    for (const std::string answer : {"the", "The"}) {
        Predicting predicting(answer + "\n");
        predict_largest("Which?", {"the", "cat", "the"}, heed::tensor::of({0, 1, 2}), "");
        CHECK_THAT(predicting.said(), Contains(right));
    }
}

TEST_CASE("answers are counted, and questions at the end of the input are not",
          "[tutorials][predict]") {
    Predicting predicting("3\nx\n3\n\n4\n");
    for (int i = 0; i < 7; ++i) predict_number("How much?", 3, 0, "");
    CHECK_THAT(predicting.said(), Contains("\nyou predicted 2 of 4\n"));
    int questions = 0;
    const std::string said = predicting.out.str();
    for (std::size_t at = said.find("? "); at != std::string::npos; at = said.find("? ", at + 1)) {
        ++questions;
    }
    CHECK(questions == 5);
}

TEST_CASE("without answers nothing is counted", "[tutorials][predict]") {
    Predicting nobody("");
    predict_number("How much?", 3, 0, "");
    CHECK_THAT(nobody.said(), !Contains("you predicted"));
}

TEST_CASE("q at a question quits, and earlier answers count", "[tutorials][predict]") {
    Predicting predicting("3\nq\n");
    predict_number("How much?", 3, 0, "");
    CHECK_THROWS_AS(predict_shape("Which?", {3}, ""), Quit);
    CHECK_THAT(predicting.said(), Contains("\nyou predicted 1 of 1\n"));
}
