// Answers to 18.2, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_18.h"

#include <stdexcept>

using namespace exercise;

namespace {
std::function<Exercise()> with(const Translations& texts) {
    return [=] { return judge_18_2([=] { return texts; }); };
}

// Sources and targets that catch all, and what may take a side's place.
const std::vector<std::vector<std::int64_t>> sources = {{3, 0, 5, 1}, {2, 4}},
                                             targets = {{1, 2}, {5, 0, 3}};

Translations two_calls() {
    static int calls = 0;
    if (++calls % 2 == 1) return {{{1, 2}}, {{1, 2}}};
    return {sources, targets};
}

Translations throws() { throw std::runtime_error("no idea"); }

std::vector<Answer> against_the_rules() {
    return {
        {"no texts", with({})},
        {"a source without words", with({{{3, 0, 5, 1}, {}}, targets})},
        {"a target without tokens", with({sources, {{1, 2}, {}}})},
        {"one target too few", with({{{3, 0, 5, 1}, {2, 4}, {6}}, targets})},
        {"five texts",
         with({{{3, 0, 5, 1}, {2, 4}, {1}, {2}, {3}}, {{1, 2}, {5, 0, 3}, {1}, {2}, {3}}})},
        {"a source of six words", with({{{3, 0, 5, 1, 7, 8}, {2, 4}}, targets})},
        {"padding written with -1", with({{{3, 0, 5, 1}, {2, 4, -1, -1}}, targets})},
        {"token 10", with({sources, {{1, 2}, {5, 0, 10}}})},
        {"throws", [] { return judge_18_2(throws); }},
    };
}

std::vector<Answer> not_enough() {
    return {
        {"one text", with({{{3, 0, 5, 1}}, {{5, 0}}}), {"catch.one-text"}},
        {"sources of 3 words",
         with({{{3, 0, 5}, {2, 4, 1}}, {{1, 2}, {5, 0, 3, 6}}}),
         {"catch.sources-equally-long"}},
        {"targets of 3 tokens",
         with({sources, {{1, 2, 6}, {5, 0, 3}}}),
         {"catch.targets-equally-long"}},
        {"texts padded by hand", with({{{3, 0, 5, 1}, {2, 4, 0, 0}}, {{1, 2, 0}, {5, 0, 3}}})},
        {"targets that are the sources", with({sources, sources}), {"catch.same-lengths"}},
        {"no 0 anywhere",
         with({{{3, 6, 5, 1}, {2, 4}}, {{1, 2}, {5, 6, 3}}}),
         {"catch.no-0-in-source", "catch.no-0-in-target"}},
        {"no target longer than its source",
         with({{{3, 0, 5, 1}, {2, 4, 6}}, targets}),
         {"catch.no-target-longer"}},
        {"the padded source has the word of the padding", with({{{3, 0, 5, 1}, {0, 0}}, targets})},
        {"the padded target has one token",
         with({sources, {{1}, {5, 0, 3}}}),
         {"catch.padded-targets-of-one"}},
        {"lengths that are the same backwards",
         with({{{2, 4}, {3, 0, 5, 1}, {6, 7}}, {{5, 0, 3}, {1, 2}, {4}}}),
         {"catch.same-backwards"}},
        {"only the first target has a future",
         with({sources, {{5, 0, 3}, {1}}}),
         {"catch.first-has-a-future", "catch.no-target-longer"}},
        {"only the first target has a future, and is longer than its source",
         with({{{2, 4}, {3, 0, 5, 1}}, {{5, 0, 3}, {1}}}),
         {"catch.first-has-a-future"}},
        {"the texts of the file as it is", with({{{1, 2}}, {{1, 2}}})},
        {"one long text", with({{{1, 2, 3, 4, 5}}, {{6, 7, 8}}})},
        {"one word in all sources", with({{{3, 3, 3, 3}, {3}, {3, 3}}, {{1, 2}, {4, 0, 6}, {7}}})},
        {"one token in all targets", with({{{1, 2, 0, 5}, {6}, {7, 8}}, {{3, 3}, {3, 3, 3}, {3}}})},
        {"the padding's word alone",
         with({{{0, 0, 0, 0}, {0}, {0, 0}}, {{0, 0}, {0, 0, 0}, {0}}}),
         {"catch.equal-tokens"}},
        {"sources of one word",
         with({{{1}, {2}, {0}}, {{1, 2, 0, 4, 5}, {6, 7}, {8}}}),
         {"catch.one-word-sources"}},
        {"targets of one token",
         with({{{1, 2, 0, 4, 5}, {6, 7}, {8}}, {{1}, {2}, {0}}}),
         {"catch.one-token-targets"}},
        {"the same translation twice, and a shorter one",
         with({{{1, 0, 3}, {1, 0, 3}, {4, 5}}, {{0, 7}, {0, 7}, {8, 9}}}),
         {"catch.targets-equally-long", "catch.no-target-longer"}},
        {"many lengths, and no 0",
         with({{{1, 2, 3, 4, 5}, {6}, {7, 8, 9}, {2, 5}},
               {{3, 1}, {4, 7, 2, 9, 8}, {5, 6, 1}, {9}}}),
         {"catch.no-0-in-source", "catch.no-0-in-target"}},
        {"each text one token many times",
         with({{{3, 3, 3, 3}, {0, 0}}, {{1, 1}, {5, 5, 5}}}),
         {"catch.equal-tokens"}},
        {"good texts in the second call only", [] { return judge_18_2(two_calls); }},
    };
}

}  // namespace

Answers answers_18_2() {
    Answers answers;
    answers.number = "18.2";
    answers.slipping = slipping(judge_18_2);
    answers.wrong = not_enough();
    for (const Answer& answer : against_the_rules()) answers.wrong.push_back(answer);
    answers.right = {
        {"four texts", with({{{1, 2, 3, 4, 0}, {5}, {6, 0, 7}, {8, 9}},
                             {{2, 3}, {0, 4, 5}, {6, 7, 8, 0}, {9, 1}}})},
        {"the shortest first",
         with({{{6}, {7, 0, 9}, {1, 2, 3, 4, 5}}, {{4, 7, 0, 9}, {5, 6}, {3, 1, 8}}})},
        {"0 at the ends", with({{{0, 2}, {4, 5, 1}}, {{7, 8, 0}, {9, 3}}})},
        {"three texts", with({{{7, 8}, {0, 2, 9, 4, 1}, {6}}, {{3, 0, 1, 2}, {8, 5}, {9, 4}}})},
        {"the padded source first", with({{{9, 0}, {1, 2, 3}}, {{4, 0, 5, 6}, {7, 8}}})},
    };
    return answers;
}
