// How a lesson ends with --stop, with --predict, and when its reader quits.
#include "tests/catch.h"

#include "tensor/ops.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/reader.h"
#include "tutorials/support/stop.h"

#include <iostream>
#include <sstream>

using namespace tutorial;

namespace {
void short_lesson(const Options&) {
    section("01.1 A section");
    predict_number("How much?", 2, 0, "So it is.");
    heed::stop("01.1 a stop", {{"x", heed::tensor::of({1, 2})}});
    check(true, "a true claim");
}

void lesson_with_a_mistake(const Options& options) {
    check(false, "a false claim");
    short_lesson(options);
}

struct Run {
    int code;
    std::string out;
    std::string errors;
};

// Runs a lesson with these lines as the typed input.
Run run_with(void (*lesson)(const Options&), std::vector<std::string> arguments,
             const std::string& lines) {
    arguments.insert(arguments.begin(), "prog");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    std::istringstream in(lines);
    std::ostringstream out, errors;
    std::streambuf* const cout = std::cout.rdbuf(out.rdbuf());
    std::streambuf* const cerr = std::cerr.rdbuf(errors.rdbuf());
    talk_to_reader(in, std::cout);
    const int code = run({"prog", "subject"}, static_cast<int>(argv.size()), argv.data(), lesson);
    std::cout.rdbuf(cout);
    std::cerr.rdbuf(cerr);
    no_pause_at_stops();
    no_predictions();
    talk_to_reader(std::cin, std::cout);
    return {code, out.str(), errors.str()};
}

const std::string plain = "01.1 A section\n--------------\n  checked: a true claim\n";

}  // namespace

TEST_CASE("a lesson with --stop or --predict exits with the code of its claims",
          "[tutorials][lesson]") {
    const Run without = run_with(short_lesson, {}, "");
    CHECK(without.code == 0);
    CHECK_THAT(without.out, Contains(plain));
    const Run both = run_with(short_lesson, {"--stop", "--predict"}, "2\n\n");
    CHECK(both.code == 0);
    CHECK_THAT(both.out, Contains("? How much?") && Contains("Right: 2. So it is.") &&
                             Contains("=== stop \"01.1 a stop\"") &&
                             Contains("checked: a true claim\n\nyou predicted 1 of 1\n"));
    const Run left = run_with(short_lesson, {"--stop", "--predict"}, "\nq\n");
    CHECK(left.code == 0);
    CHECK_THAT(left.out, Contains("\nleft before the end\n\nyou predicted 0 of 1\n") &&
                             !Contains("a true claim"));
    CHECK(left.errors.empty());
    const Run shortest = run_with(short_lesson, {"--short"}, "");
    CHECK(shortest.code == 0);
    CHECK(shortest.out == without.out);
    CHECK(shortest.errors == "(--short leaves nothing out: this lesson has no long training)\n");

    // A false claim is remembered: from here on all lessons in this program end with 1.
    const Run wrong = run_with(lesson_with_a_mistake, {"--stop"}, "q\n");
    CHECK(wrong.code == 1);
    CHECK_THAT(wrong.out, Contains("FALSE: a false claim") && Contains("left before the end"));
    CHECK(wrong.errors == "1 claim found false\n");
    CHECK(run_with(short_lesson, {"--predict"}, "1\n").code == 1);
}

TEST_CASE("without their options stops and questions print and read nothing",
          "[tutorials][lesson]") {
    CHECK_THAT(run_with(short_lesson, {}, "q\n").out, Contains(plain) && !Contains("?") &&
                                                          !Contains("stop") &&
                                                          !Contains("you predicted"));
    CHECK_THAT(run_with(short_lesson, {"--stop"}, "").out, !Contains("How much"));
    CHECK_THAT(run_with(short_lesson, {"--predict"}, "").out, !Contains("=== stop"));
}

TEST_CASE("what the notes say stands in a box apart from the prose", "[tutorials]") {
    std::ostringstream out;
    std::streambuf* const cout = std::cout.rdbuf(out.rdbuf());
    section("01.1 A section");
    out.str("");
    check(true, "a claim");
    in_the_notes("note 000 writes this in another way than note 001 does, and both of them are "
                 "right (000-1).");
    check(true, "another");
    std::cout.rdbuf(cout);
    CHECK(out.str() ==
          "  checked: a claim\n\n"
          "  | In the notes: note 000 writes this in another way than note 001 does, and\n"
          "  | both of them are right (000-1).\n\n"
          "  checked: another\n");
}
