// The steps of the judge: what it reports of an answer that is not a known mistake.
#include "tests/catch.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"
#include "tutorials/exercises/judging/judge.h"
#include "tutorials/exercises/judging/not_done.h"
#include "tutorials/exercises/judging/report.h"

#include "autograd/ops/arithmetic.h"
#include "tensor/ops.h"

#include <sstream>

using namespace exercise;
using heed::requires_grad;
using heed::Scalar;
using heed::Tensor;
using heed::Variable;
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
    CHECK(verdict.checks == 4);
    CHECK(verdict.checks_run == 4);
}

TEST_CASE("a hole reports its number and its line", "[tutorials][exercises]") {
    const Verdict verdict = verdict_of([]() -> Stages { not_done("00.0"); });
    CHECK(verdict.outcome == Outcome::not_done);
    CHECK_THAT(verdict.seen, Contains("not done yet: 00.0, at judge_test.cpp:"));
}

TEST_CASE("a wrong shape is described in words", "[tutorials][exercises]") {
    const Verdict verdict = verdict_of_z(tensor::transpose(walk({})[1].value));
    CHECK(verdict.outcome == Outcome::wrong);
    CHECK(verdict.seen ==
          "On some numbers: the shape of z is [5, 3], expected [3, 5]: transposed?");
    CHECK(verdict.resembles == "With the last two axes exchanged, z would be right.");
}

TEST_CASE("a stage that was never set is reported", "[tutorials][exercises]") {
    CHECK(verdict_of_z(Tensor()).seen ==
          "On some numbers: the shape of z is [0], expected [3, 5]: nothing in it yet?");
}

TEST_CASE("NaN and infinity are counted, with the usual cause", "[tutorials][exercises]") {
    const Verdict verdict = verdict_of_z(tensor::full({3, 5}, heed::infinity) * 0.0);
    CHECK_THAT(verdict.seen,
               Contains("On some numbers: in z, 15 of 15 entries are NaN or infinite, first "
                        "at [0, 0]: yours nan, expected "));
    CHECK_THAT(verdict.seen, Contains("; usually 0/0"));
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
    CHECK_THAT(
        verdict.seen,
        Contains("all is right up to y; in z, 15 of 15 entries differ, first at [0, 0]: yours "));
    CHECK(verdict.resembles.empty());
    CHECK(verdict.hints.front() == "1?");
}

TEST_CASE("factors, offsets and reversed axes are recognised", "[tutorials][exercises]") {
    const Tensor z = walk({})[1].value;
    CHECK(verdict_of_z(z * 0.57735026918962573).resembles ==
          "Every entry of z is the right one times exactly 1/√3.");
    CHECK(verdict_of_z(z * 3.0).resembles == "Every entry of z is the right one times 3.");
    CHECK(verdict_of_z(z + 0.25).resembles == "Every entry of z is 0.25 more than the right one.");
    std::vector<Tensor> rows;
    for (std::int64_t i = 2; i >= 0; --i) rows.push_back(tensor::slice(z, 0, i, i + 1));
    CHECK(verdict_of_z(tensor::concatenate(rows, 0)).resembles ==
          "With the rows in the opposite order, z would be right.");
    std::vector<Scalar> entries = z.to_vector();
    entries[7] += 0.001;
    const Tensor one_entry = tensor::from_vector(entries, {3, 5});
    CHECK(verdict_of_z(one_entry).outcome == Outcome::wrong);
    CHECK(verdict_of_z(one_entry).resembles.empty());
}

TEST_CASE("between constants no factor and no offset is told", "[tutorials][exercises]") {
    const Tensor twos = tensor::full({2, 3}, 2);
    Exercise exercise = exercise_with([] { return walk({}); });
    for (const double yours : {0.0, 3.0}) {
        exercise.cases = {{"equal variances",
                           [=](const Slips&) {
                               return Stages{{"z", twos}};
                           },
                           [=] {
                               return Stages{{"z", tensor::full({2, 3}, yours)}};
                           }}};
        const Verdict verdict = judge(exercise);
        CHECK(verdict.outcome == Outcome::wrong);
        CHECK(verdict.resembles.empty());
    }
}

TEST_CASE("an error in the learner's code is reported, and a missing answer",
          "[tutorials][exercises]") {
    const Verdict error = verdict_of([]() -> Stages { throw std::runtime_error("oh"); });
    CHECK(error.outcome == Outcome::wrong);
    CHECK(error.seen == "On some numbers: your code threw:\n  oh");
    CHECK(verdict_of([] { return Stages(); }).seen == "On some numbers: there is no answer");
}

TEST_CASE("a broken law is reported, and names no mistake", "[tutorials][exercises]") {
    Exercise exercise = exercise_with([] { return walk({}); });
    exercise.laws = {{"two is two", [] { return std::string("It is three."); }}};
    const Verdict verdict = judge(exercise);
    CHECK(verdict.seen == "A law is broken: two is two. It is three.");
    CHECK(verdict.ids.empty());
    CHECK(verdict.resembles.empty());

    exercise.laws[0].finding = []() -> std::string { throw std::runtime_error("oh"); };
    CHECK(judge(exercise).seen ==
          "A law is broken: two is two. Your code threw while this was checked: oh");
}

TEST_CASE("an input that the learner's code changes is named, put back, and not blamed on anything",
          "[tutorials][exercises]") {
    Tensor given = random({3, 5}, 2);
    const std::vector<heed::Scalar> before = given.to_vector();
    Exercise exercise = exercise_with([] { return walk({}); });
    exercise.cases = {{"some numbers",
                       [=](const Slips&) {
                           return Stages{{"z", given * 2}};
                       },
                       [=]() mutable {
                           given.writable_data()[7] = 100;
                           return Stages{{"z", given * 2}};
                       },
                       {{"other", random({2}, 3)}, {"x", given}}}};
    const Verdict verdict = judge(exercise);
    CHECK(verdict.outcome == Outcome::wrong);
    CHECK(verdict.seen == "On some numbers: your code changed x, which it was given: its numbers "
                          "have changed. Write to a copy: tensor::clone");
    CHECK(verdict.ids.empty());
    CHECK(given.to_vector() == before);
}

TEST_CASE("the reference is computed before any of the learner's code runs",
          "[tutorials][exercises]") {
    Tensor shared = random({3, 5}, 2);
    Exercise exercise = exercise_with([] { return walk({}); });
    const auto reference = [=](const Slips&) { return Stages{{"z", shared * 2}}; };
    const auto spoil = [=]() mutable {
        const Stages right{{"z", shared * 2}};
        shared.writable_data()[0] = 100;
        return right;
    };
    exercise.cases = {{"first", reference, spoil}, {"second", reference, [=] {
                                                        return Stages{{"z", random({3, 5}, 2) * 2}};
                                                    }}};
    CHECK(judge(exercise).outcome == Outcome::passed);
}

TEST_CASE("errors resemble a mistake only if the same operation refuses the same thing",
          "[tutorials][exercises]") {
    const auto verdict_of_error = [](const std::string& thrown) {
        Exercise exercise = exercise_with([] { return walk({}); });
        exercise.mistakes = {{"too.long", "it was too long", {}}};
        exercise.cases = {{"some numbers",
                           [](const Slips& slip) -> Stages {
                               if (slip("too.long"))
                                   throw std::runtime_error("add: 7\n  at a.cpp:1");
                               return walk({});
                           },
                           [=]() -> Stages { throw std::runtime_error(thrown); }}};
        return judge(exercise);
    };
    CHECK(verdict_of_error("add: 7\n  at mine.cpp:9").ids == std::vector<std::string>{"too.long"});
    CHECK(verdict_of_error("add: 8\n  at a.cpp:1").ids.empty());
}

TEST_CASE("of a prediction neither the right answer nor the way to it is told",
          "[tutorials][exercises]") {
    Exercise exercise = exercise_with([] {
        return Stages{walk({})[0], {"z", walk({})[1].value * 2}};
    });
    exercise.secret = true;
    const Verdict verdict = judge(exercise);
    CHECK(verdict.seen == "On some numbers: z is wrong; the one before it is right");
    CHECK(verdict.resembles.empty());
    exercise.cases[0].learner = [] {
        return Stages{walk({})[0], {"z", walk({})[1].value * heed::infinity}};
    };
    CHECK(judge(exercise).seen == "On some numbers: z is not a finite number");
    exercise.cases[0].learner = [] { return Stages{walk({})[0], {"z", tensor::of({1, 2})}}; };
    CHECK(judge(exercise).seen == "On some numbers: z does not have the right number of entries");
}

TEST_CASE("hints are those of the hole that is open or whose stage is wrong",
          "[tutorials][exercises]") {
    const auto open_hole = []() -> Stages { not_done("00.0"); };
    Exercise exercise = exercise_with(open_hole);
    exercise.holes = {{"square", {"z"}, {"z?", "z2", "z3", "z4"}},
                      {"operator()", {"y"}, {"y?", "y2", "y3", "y4"}}};
    CHECK(judge(exercise).hints.front() == "y?");
    exercise.cases[0].learner = [] { return Stages{walk({})[0], {"z", random({3, 5}, 9)}}; };
    CHECK(judge(exercise).hints.front() == "z?");
}

TEST_CASE("what was done before an open hole is judged already", "[tutorials][exercises]") {
    Exercise exercise = exercise_with([] { return walk({"no.square"}); });
    const auto open = []() -> Stages { not_done("00.0"); };
    exercise.cases.push_back({"more numbers", walk, open});
    const Verdict wrong = judge(exercise);
    CHECK(wrong.outcome == Outcome::wrong);
    CHECK(wrong.ids == std::vector<std::string>{"no.square"});
    exercise.cases[0].learner = [] { return walk({}); };
    CHECK(judge(exercise).outcome == Outcome::not_done);
}

TEST_CASE("the cases of a later hole wait for those of an earlier one", "[tutorials][exercises]") {
    int asked = 0;
    Exercise exercise = exercise_with([] { return walk({"no.square"}); });
    exercise.holes = {{"square", {"y", "z"}, {"a?", "a2", "a3", "a4"}},
                      {"cube", {"cube"}, {"b?", "b2", "b3", "b4"}}};
    exercise.cases.push_back({"the cube",
                              [](const auto&) {
                                  return Stages{{"cube", random({3, 5}, 9)}};
                              },
                              [&]() -> Stages {
                                  ++asked;
                                  throw std::runtime_error("oh");
                              }});
    CHECK(judge(exercise).ids == std::vector<std::string>{"no.square"});
    CHECK(asked == 0);
    exercise.cases[0].learner = [] { return walk({}); };
    const Verdict verdict = judge(exercise);
    CHECK(asked == 1);
    CHECK(verdict.seen == "On the cube: your code threw:\n  oh");
    CHECK(verdict.hints.front() == "b?");
}

TEST_CASE("whole numbers are told as such", "[tutorials][exercises]") {
    CHECK(difference(tensor::of({2, 0}), tensor::of({2, 3})) ==
          "differs in 1 of 2 entries, first at [1]: yours 0, expected 3");
    CHECK(difference(tensor::of({0.5}), tensor::of({3})) ==
          "differs: yours 0.5000, expected 3.0000");
    CHECK(difference("the weights", tensor::of({2, 0}), tensor::of({2, 3})) ==
          "in the weights, 1 of 2 entries differs, first at [1]: yours 0, expected 3");
    CHECK(difference("the loss", tensor::of({0.5}), tensor::of({3})) ==
          "the value of the loss differs: yours 0.5000, expected 3.0000");
    CHECK(not_finite("the loss", tensor::of({heed::infinity}), tensor::of({3})) ==
          "the value of the loss is not finite: yours inf, expected 3");
}

TEST_CASE("gradients are compared like any other stage", "[tutorials][exercises]") {
    const std::vector<Leaf> leaves = {{"a", Variable(random({2, 3}, 4), requires_grad)},
                                      {"b", Variable(random({3}, 5), requires_grad)}};
    const auto product = [=](bool detached) {
        const Variable& b = leaves[1].variable;
        const Variable y = leaves[0].variable * (detached ? b.detach() : b);
        return with_gradients({{"y", y.value()}}, y, leaves);
    };
    Exercise exercise = exercise_with([=] { return product(true); });
    exercise.mistakes = {{"b.detached", "b were a constant", {}}};
    exercise.cases = {{"a and b", [=](const Slips& slip) { return product(slip("b.detached")); },
                       [=] { return product(true); }, values_of(leaves)}};
    const Verdict verdict = judge(exercise);
    CHECK_THAT(verdict.seen,
               Contains("all is right up to the gradient of a; in the gradient of b, all "
                        "entries are 0; first wrong at [0]: yours 0.0000, expected "));
    CHECK(verdict.ids == std::vector<std::string>{"b.detached"});
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
