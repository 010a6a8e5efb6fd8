// Tests of the judges: every known mistake must be rejected under its own name, the reference
// accepted, and all declared checks run.
#include "tests/catch.h"
#include "tests/tutorials/exercises/answers/all.h"
#include "tutorials/exercises/judging/judge.h"

#include <algorithm>
#include <exception>
#include <iostream>
#include <set>

using namespace exercise;

namespace {
struct Score {
    int wrong = 0, refused = 0, named = 0, misnamed = 0, right = 0, accepted = 0;
};

void try_mistakes(const Slipping& slipping, Score& score) {
    for (const Mistake& mistake : slipping({}).mistakes) {
        const std::string& id = mistake.id;
        const Verdict verdict = judge(slipping({id}));
        const bool named = verdict.ids == std::vector<std::string>{id};
        ++score.wrong;
        score.refused += verdict.outcome == Outcome::wrong;
        score.named += named;
        score.misnamed += !named && !verdict.ids.empty();
        INFO(verdict.number << ", mistake " << id << "\nseen: " << verdict.seen
                            << "\nsaid: " << verdict.resembles);
        CHECK(verdict.outcome == Outcome::wrong);
        CHECK(named);
    }
}

void try_the_reference(const Slipping& slipping, Score& score) {
    const Verdict verdict = judge(slipping({}));
    ++score.right;
    score.accepted += verdict.outcome == Outcome::passed;
    INFO(verdict.number << ", the reference\nseen: " << verdict.seen);
    CHECK(verdict.outcome == Outcome::passed);
    CHECK(verdict.checks > 0);
    CHECK(verdict.checks_run == verdict.checks);
}

}  // namespace

TEST_CASE("every known mistake is rejected under its own name, every reference accepted",
          "[tutorials][exercises]") {
    Score score;
    for (const Answers& answers : all_answers()) {
        try_mistakes(answers.slipping, score);
        try_the_reference(answers.slipping, score);
    }
    std::cout << "judges: " << score.refused << " of " << score.wrong << " wrong answers refused, "
              << score.named << " named rightly, " << score.misnamed << " wrongly; "
              << score.accepted << " of " << score.right << " references accepted\n";
    CHECK(score.wrong > 0);
}

// All errors look alike, so a mistake that only ends in errors would be blamed for all of them.
TEST_CASE("no mistake ends in an error on every input", "[tutorials][exercises]") {
    for (const Answers& answers : all_answers()) {
        const Exercise exercise = answers.slipping({});
        for (const Mistake& mistake : exercise.mistakes) {
            INFO(exercise.number << " " << mistake.id);
            const bool one_works =
                std::any_of(exercise.cases.begin(), exercise.cases.end(), [&](const Case& one) {
                    try {
                        one.walk({mistake.id});
                        return true;
                    } catch (const std::exception&) {
                        return false;
                    }
                });
            CHECK(one_works);
        }
    }
}

TEST_CASE("every exercise has four hints, and the early ones do not give it away",
          "[tutorials][exercises]") {
    std::set<std::string> numbers;
    for (const Answers& answers : all_answers()) {
        const Exercise exercise = answers.slipping({});
        INFO(exercise.number);
        CHECK(numbers.insert(exercise.number).second);
        CHECK(exercise.hints.size() == 4);
        for (const Mistake& mistake : exercise.mistakes) {
            INFO(mistake.id);
            CHECK(mistake.hints.size() <= 4);
            for (std::size_t step = 0; step + 1 < mistake.hints.size() && step < 3; ++step) {
                CHECK(mistake.hints[step] != exercise.hints.back());
            }
        }
    }
}
