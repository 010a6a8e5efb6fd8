// Every wrong answer of answers/ is refused, and called only by a mistake it makes; every right one
// is accepted. The score of each exercise is printed.
#include "tests/catch.h"
#include "tests/tutorials/exercises/answers/all.h"
#include "tutorials/exercises/judging/judge.h"
#include "tutorials/exercises/judging/report.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <set>
#include <sstream>

using namespace exercise;

namespace {
struct Tally {
    std::size_t wrong = 0, refused = 0, named = 0, misnamed = 0, right = 0, accepted = 0;
};

bool may_be_called(const Answer& answer, const std::vector<std::string>& ids) {
    return std::all_of(ids.begin(), ids.end(), [&](const std::string& id) {
        return std::find(answer.names.begin(), answer.names.end(), id) != answer.names.end();
    });
}

void try_wrong(const Answer& answer, Tally& tally) {
    const Verdict verdict = judge(answer.exercise());
    const bool refused = verdict.outcome == Outcome::wrong;
    const bool called_rightly = may_be_called(answer, verdict.ids);
    ++tally.wrong;
    tally.refused += refused;
    tally.named += !verdict.ids.empty() && called_rightly;
    tally.misnamed += !called_rightly;
    INFO(verdict.number << ", wrong: " << answer.what << "\nseen: " << verdict.seen
                        << "\nsaid: " << verdict.resembles);
    CHECK(refused);
    CHECK(called_rightly);
}

void try_right(const Answer& answer, Tally& tally) {
    const Verdict verdict = judge(answer.exercise());
    ++tally.right;
    tally.accepted += verdict.outcome == Outcome::passed;
    INFO(verdict.number << ", right: " << answer.what << "\nseen: " << verdict.seen);
    CHECK(verdict.outcome == Outcome::passed);
}

Tally tally_of(const Answers& answers) {
    Tally tally;
    for (const Answer& answer : answers.wrong) try_wrong(answer, tally);
    for (const Answer& answer : answers.right) try_right(answer, tally);
    return tally;
}

void print(const std::string& number, const Tally& t) {
    std::cout << number << ": of " << std::setw(2) << t.wrong << " wrong answers "
              << t.wrong - t.refused << " accepted, " << std::setw(2) << t.named << " named, "
              << std::setw(2) << t.refused - t.named - t.misnamed << " localised, " << t.misnamed
              << " misnamed; " << t.accepted << " of " << t.right << " right ones accepted\n";
}

}  // namespace

TEST_CASE("answers written before their judge: none wrong passes, none is called what it is not",
          "[tutorials][exercises][answers]") {
    Tally all;
    for (const Answers& answers : all_answers()) {
        const Tally one = tally_of(answers);
        print(answers.number, one);
        all = {all.wrong + one.wrong,       all.refused + one.refused, all.named + one.named,
               all.misnamed + one.misnamed, all.right + one.right,     all.accepted + one.accepted};
    }
    print(" all", all);
    CHECK(all.wrong > 0);
}

TEST_CASE("every exercise has at least eight such wrong answers and two right ones",
          "[tutorials][exercises][answers]") {
    std::set<std::string> numbers;
    for (const Answers& answers : all_answers()) {
        INFO(answers.number);
        CHECK(numbers.insert(answers.number).second);
        CHECK(answers.wrong.size() >= 8);
        CHECK(answers.right.size() >= 2);
    }
}

// Run by name, to see what is said: heed_exercise_tests [.verdicts]
TEST_CASE("the verdict on each answer and on each mistake", "[.verdicts]") {
    const auto say = [](const std::string& what, const Exercise& exercise) {
        std::ostringstream verdict;
        write(verdict, judge(exercise));
        std::cout << exercise.number << " " << what << "\n" << verdict.str() << "\n";
    };
    for (const Answers& answers : all_answers()) {
        for (const Answer& one : answers.wrong) say("wrong: " + one.what, one.exercise());
        for (const Answer& one : answers.right) say("right: " + one.what, one.exercise());
        for (const Mistake& mistake : answers.slipping({}).mistakes) {
            say("mistake: " + mistake.id, answers.slipping({mistake.id}));
        }
    }
}
