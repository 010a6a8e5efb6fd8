// The steps of the judge: what it reports of an answer that is not a known mistake.
#include "tests/catch.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/inputs.h"
#include "tutorials/exercises/judging/judge.h"
#include "tutorials/exercises/judging/not_done.h"
#include "tutorials/exercises/judging/report.h"

#include "heed/tensor/ops.h"

#include <sstream>

using namespace exercise;
using heed::Tensor;
namespace tensor = heed::tensor;

namespace {

const Tensor x = random({3, 5}, 1);

Stages walk(const Slips& slip) {
    Tensor y = x * 2;
    if (slip("forgot.double")) y = x;
    if (slip("added.one")) y = y + 1;
    Tensor z = y * y;
    if (slip("no.square")) z = y;
    return {{"y", y}, {"z", z}};
}

Exercise exercise_with(const std::function<Stages()>& learner) {
    Exercise exercise;
    exercise.number = "00.0";
    exercise.title = "A test";
    exercise.cases = {{"some numbers", walk, learner}};
    exercise.mistakes = {{"forgot.double", "nothing was doubled", {"a?", "b"}},
                         {"added.one", "one was added", {}},
                         {"no.square", "nothing was squared", {}}};
    exercise.hints = {"1?", "2", "3", "4"};
    exercise.factors = {{"1/√3", 0.57735026918962573}};
    exercise.cause_of_nan = "0/0";
    return exercise;
}

Verdict verdict_of(const std::function<Stages()>& learner) { return judge(exercise_with(learner)); }

Verdict verdict_of_z(const Tensor& z) {
    return verdict_of([=] { return Stages{{"z", z}}; });
}

}  // namespace

TEST_CASE("a right answer passes, and all checks ran", "[tutorials][exercises]") {
    const Verdict verdict = verdict_of([] { return walk({}); });
    CHECK(verdict.outcome == Outcome::passed);
    CHECK(verdict.checks == 3);
    CHECK(verdict.checks_run == 3);
}

TEST_CASE("a hole reports its number and its line", "[tutorials][exercises]") {
    const Verdict verdict = verdict_of([]() -> Stages { not_done("00.0"); });
    CHECK(verdict.outcome == Outcome::not_done);
    CHECK_THAT(verdict.seen, Contains("not done yet: 00.0, at judge_test.cpp:"));
}

TEST_CASE("a wrong shape is described in words", "[tutorials][exercises]") {
    const Verdict verdict = verdict_of_z(tensor::transpose(walk({})[1].value));
    CHECK(verdict.outcome == Outcome::wrong);
    CHECK(verdict.seen == "On some numbers: z has shape [5, 3], expected [3, 5]: transposed?");
    CHECK(verdict.resembles == "z is the right one with its last two axes exchanged.");
}

TEST_CASE("a stage that was never set is reported", "[tutorials][exercises]") {
    CHECK(verdict_of_z(Tensor()).seen == "On some numbers: z has shape [0]: it is not set yet");
}

TEST_CASE("NaN and infinity are counted, with the usual cause", "[tutorials][exercises]") {
    const Verdict verdict = verdict_of_z(tensor::full({3, 5}, heed::infinity) * 0.0);
    CHECK(verdict.seen == "On some numbers: z has 15 NaN of 15 numbers; usually 0/0");
}

TEST_CASE("one mistake, and two at once, are identified by name", "[tutorials][exercises]") {
    CHECK(verdict_of([] { return walk({"no.square"}); }).ids ==
          std::vector<std::string>{"no.square"});
    const Verdict two = verdict_of([] { return walk({"added.one", "no.square"}); });
    CHECK(two.ids == std::vector<std::string>{"added.one", "no.square"});
    CHECK(two.resembles == "This is what I would see if two things came together: one was added, "
                           "and nothing was squared.");
}

TEST_CASE("hints are those of the mistake, then those of the exercise", "[tutorials][exercises]") {
    const Verdict verdict = verdict_of([] { return walk({"forgot.double"}); });
    CHECK(verdict.hints == std::vector<std::string>{"a?", "b", "3", "4"});
}

TEST_CASE("the first wrong stage is reported", "[tutorials][exercises]") {
    const Tensor odd = random({3, 5}, 9);
    const Verdict verdict = verdict_of([=] { return Stages{walk({})[0], {"z", odd}}; });
    CHECK_THAT(verdict.seen, Contains("y is right, z differs, most at ["));
    CHECK(verdict.resembles.empty());
    CHECK(verdict.hints.front() == "1?");
}

TEST_CASE("factors, offsets and reversed axes are recognised", "[tutorials][exercises]") {
    const Tensor z = walk({})[1].value;
    CHECK(verdict_of_z(z * 0.57735026918962573).resembles ==
          "z is the right one times exactly 1/√3, every entry of it.");
    CHECK(verdict_of_z(z * 3.0).resembles == "z is the right one times 3, every entry of it.");
    CHECK(verdict_of_z(z + 0.25).resembles == "z is the right one and 0.25 more, in every entry.");
    std::vector<Tensor> rows;
    for (std::int64_t i = 2; i >= 0; --i) rows.push_back(tensor::slice(z, 0, i, i + 1));
    CHECK(verdict_of_z(tensor::concatenate(rows, 0)).resembles ==
          "z is the right one with its rows in the opposite order.");
}

TEST_CASE("an error in the learner's code is reported, and a missing answer",
          "[tutorials][exercises]") {
    const Verdict error = verdict_of([]() -> Stages { throw std::runtime_error("oh"); });
    CHECK(error.outcome == Outcome::wrong);
    CHECK(error.seen == "On some numbers: your code ended in an error:\n  oh");
    CHECK(verdict_of([] { return Stages(); }).seen == "On some numbers: there is no answer");
}

TEST_CASE("a broken law is reported, and may identify its mistake", "[tutorials][exercises]") {
    Exercise exercise = exercise_with([] { return walk({}); });
    exercise.laws = {{"two is two",
                      [] { return std::string("It is three."); },
                      {{"law.two", "two were three", {}}}}};
    const Verdict verdict = judge(exercise);
    CHECK(verdict.seen == "A law is broken: two is two. It is three.");
    CHECK(verdict.ids == std::vector<std::string>{"law.two"});
    CHECK(verdict.resembles == "This is what I would see if two were three.");

    exercise.laws[0].finding = []() -> std::string { throw std::runtime_error("oh"); };
    const Verdict error = judge(exercise);
    CHECK(error.seen ==
          "A law is broken: two is two. Asked for it, your code ended in an error: oh");
    CHECK(error.ids.empty());
}

TEST_CASE("an exercise without checks is broken, not passed", "[tutorials][exercises]") {
    Exercise nothing;
    CHECK(judge(nothing).outcome == Outcome::broken);
}

TEST_CASE("a report is read back as it was written, and a truncated one is unfinished",
          "[tutorials][exercises]") {
    Verdict verdict = verdict_of([] { return walk({"added.one", "no.square"}); });
    verdict.seen = "one\ntwo";
    std::stringstream report;
    report << entry("at", "on some numbers");
    write(report, verdict);
    const std::string whole = report.str();
    const Report read = read_report(report);
    CHECK(read.finished);
    CHECK(read.at == "on some numbers");
    CHECK(read.verdict.seen == "one two");
    CHECK(read.verdict.ids == verdict.ids);
    CHECK(read.verdict.hints == verdict.hints);
    std::istringstream half(whole.substr(0, 30));
    CHECK_FALSE(read_report(half).finished);
}
