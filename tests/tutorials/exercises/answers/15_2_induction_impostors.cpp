// Answers to 15.2, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/15_2_induction_impostors.h"
#include "tests/tutorials/exercises/answers/answers.h"

using namespace exercise;

namespace exercise {
Answers answers_15_2();
}

namespace {

std::function<Exercise()> with(const TokenTexts& texts) {
    return [=] { return induction_impostors([=] { return texts; }); };
}

}  // namespace

Answers exercise::answers_15_2() {
    Answers answers;
    answers.number = "15.2";
    answers.wrong = {
        {"the example alone", with({{0, 1, 2, 3, 0}})},
        {"the example three times", with({{0, 1, 2, 3, 0}, {4, 5, 6, 7, 4}, {2, 3, 0, 1, 2}})},
        {"different distances, no repeated follower",
         with({{3, 7, 1, 3}, {5, 2, 9, 0, 5}, {1, 8, 6, 4, 0, 1}})},
        {"one long text",
         with({{0, 2, 1, 0, 2, 0, 4, 3, 1, 0}}),
         {"catch.same-distance", "catch.same-place"}},
        {"no text", with({})},
        {"four texts", with({{0, 2, 1, 0, 2, 0, 4, 3, 1, 0}, {5, 0, 7, 6, 0}, {1, 1}, {2, 2}})},
        {"a text of eleven tokens", with({{0, 2, 1, 0, 2, 0, 4, 3, 3, 1, 0}, {5, 0, 7, 6, 0}})},
        {"a text of one token", with({{0, 2, 1, 0, 2, 0, 4, 3, 1, 0}, {5}})},
        {"an empty text", with({{0, 2, 1, 0, 2, 0, 4, 3, 1, 0}, {}})},
        {"a token of 10", with({{0, 2, 1, 0, 2, 0, 10, 3, 1, 0}, {5, 0, 7, 6, 0}})},
        {"a negative token", with({{0, 2, 1, 0, 2, 0, -1, 3, 1, 0}, {5, 0, 7, 6, 0}})},
        {"a last token that is new", with({{0, 2, 1, 0, 2, 0, 4, 3, 1, 0}, {5, 0, 4, 6, 7}})},
        {"the right token always at place 6",
         with({{0, 2, 1, 0, 2, 0, 4, 3, 1, 0}, {7, 8, 9, 7, 8, 7, 3, 5, 7}}),
         {"catch.same-place"}},
        {"the right token always 3 before the last",
         with({{0, 2, 1, 0, 2, 0, 4, 3, 1, 0}, {5, 0, 7, 6, 6, 0}, {7, 3, 1, 9, 7}}),
         {"catch.same-distance"}},
        {"the last pair is new",
         with({{0, 2, 5, 0, 2, 0, 4, 3, 1, 0}, {5, 0, 7, 6, 0}}),
         {"catch.two-alike"}},
        {"followers differ, none twice",
         with({{1, 0, 2, 0, 4, 3, 1, 0}, {5, 0, 7, 6, 0}}),
         {"catch.most-often-here", "catch.most-often-anywhere"}},
        {"all the same", with({{1, 1, 1, 1}, {1, 1}, {1, 1, 1}})},
        {"only the answers differ", with({{0, 1, 0}, {0, 2, 0}, {0, 3, 0}})},
    };
    answers.right = {
        {"other numbers", with({{9, 2, 1, 9, 2, 9, 4, 3, 1, 9}, {5, 9, 0, 6, 9}})},
        {"a third text that is not needed",
         with({{0, 2, 1, 0, 2, 0, 4, 3, 1, 0}, {5, 0, 7, 6, 0}, {1, 1}})},
    };
    return answers;
}
