// Answers to 15.2, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_15.h"

using namespace exercise;

namespace {
std::function<Exercise()> with(const TokenTexts& texts) {
    return [=] { return judge_15_2([=] { return texts; }); };
}

}  // namespace

Answers answers_15_2() {
    Answers answers;
    answers.number = "15.2";
    answers.slipping = slipping(judge_15_2);
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
        {"only who copies 1 back passes",
         with({{0, 2, 2, 2, 0, 2}, {3, 2, 2}}),
         {"catch.same-distance"}},
        {"only who copies 2 back passes",
         with({{0, 0, 0}, {1, 2, 1, 1, 1, 0, 2, 1}}),
         {"catch.same-distance"}},
        {"only who copies 5 back passes",
         with({{1, 0, 0, 0, 1, 0}, {3, 2, 2, 0, 0, 0, 3}}),
         {"catch.same-distance"}},
        {"only who copies 7 back passes",
         with({{0, 2, 3, 1, 1, 2, 3, 3, 1}, {3, 1, 1, 3, 1, 0, 3, 3}}),
         {"catch.same-distance"}},
        {"only who copies place 0 passes",
         with({{1, 2, 0, 3, 3, 3, 1, 0, 3}, {1, 1}}),
         {"catch.same-place"}},
        {"only who copies place 3 passes",
         with({{1, 0, 0, 1, 0, 0, 1, 1}, {1, 2, 2, 0, 1, 2}}),
         {"catch.same-place"}},
        {"only who copies place 7 passes",
         with({{3, 2, 1, 3, 2, 2, 3, 1, 3}, {3, 0, 1, 0, 0, 0, 3, 3, 2, 0}}),
         {"catch.same-place"}},
        {"what followed most often in the text",
         with({{0, 1, 1, 2, 2, 0, 1}, {1, 1}}),
         {"catch.most-often-here"}},
        {"what followed most often in all texts",
         with({{1, 0, 3, 5, 1}, {0, 1, 1, 1, 0, 1}}),
         {"catch.most-often-anywhere"}},
        {"what followed the first place",
         with({{4, 1, 3, 4}, {1, 0, 1, 0, 0, 0, 0, 0, 1, 0}}),
         {"catch.first-is-last"}},
        {"two places after",
         with({{1, 9, 3, 3, 0, 6, 8, 7, 9}, {1, 0, 0, 0, 1, 1, 1, 0}}),
         {"catch.two-after"}},
        {"no last pair that stood before with another follower",
         with({{0, 0}, {0, 0, 0, 2, 1, 0}}),
         {"catch.two-alike"}},
        {"the most frequent token each time",
         with({{2, 2, 1, 0, 1, 2, 2, 0, 1}, {2, 7, 7}, {1, 0, 0, 0, 1, 1, 1, 1, 0}}),
         {"catch.most-frequent"}},
        {"counted on each time", with({{1, 0, 0, 0, 1, 0}, {2, 3, 1, 2}}), {"catch.counts-on"}},
        {"four texts, three of which would do",
         with({{1, 1}, {3, 2, 2}, {0, 0, 0, 2, 0, 0, 1, 2, 0}, {0, 1, 0}})},
        {"two texts that would do, and one of eleven",
         with({{5, 5}, {3, 8, 8, 8, 1, 3, 8}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0}})},
    };
    answers.right = {
        {"other numbers", with({{9, 2, 1, 9, 2, 9, 4, 3, 1, 9}, {5, 9, 0, 6, 9}})},
        {"a third text that is not needed",
         with({{0, 2, 1, 0, 2, 0, 4, 3, 1, 0}, {5, 0, 7, 6, 0}, {1, 1}})},
        {"a text of two tokens and one of seven", with({{5, 5}, {3, 8, 8, 8, 1, 3, 8}})},
        {"six tokens and four", with({{1, 0, 0, 0, 1, 0}, {3, 2, 0, 3}})},
        {"three tokens and seven", with({{0, 5, 0}, {1, 0, 0, 0, 3, 1, 0}})},
        {"three short texts", with({{1, 5, 4, 1}, {0, 2, 0}, {0, 1, 1, 1, 2, 0, 1}})},
        {"three texts, one of two tokens",
         with({{9, 9}, {7, 1, 4, 7, 1, 7, 0, 4, 7}, {8, 3, 5, 8}})},
        {"two texts, one with the last token twice",
         with({{1, 0, 2, 0, 2, 0, 3, 4, 1, 0}, {6, 0, 0, 5, 0}})},
    };
    return answers;
}
