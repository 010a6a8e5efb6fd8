// Lesson 14: what the models say, and why the one without X says it badly (14.5).
#include "tutorials/14_language_model/parts.h"

#include "nn/heed.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/several.h"
#include "tutorials/support/terminal.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::median_and_range;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;
using tutorial::Several;
using tutorial::several;

namespace {

struct Spoken {
    Several right;  // of 100 texts
    Several never;  // per cent of the probability, on words that never follow
};

Spoken print_spoken(const Kind& kind, const Texts& fresh, Random& random) {
    std::vector<double> rights, never;
    std::vector<std::string> shown;
    for (const LanguageModel& model : kind.models) {
        int right = 0;
        for (const std::vector<std::int64_t>& text : texts_by(model, 100, random)) {
            right += is_sentence(text);
            if (shown.size() < 2) shown.push_back(words_of(text));
        }
        rights.push_back(right);
        never.push_back(100 * never_following(model, fresh));
    }
    const Spoken spoken = {several(rights), several(never)};
    print_row(std::cout, kind.name,
              {median_and_range(spoken.right, 0), median_and_range(spoken.never, 1)}, 20, 16);
    for (const std::string& text : shown) std::cout << "    " << text << "\n";
    return spoken;
}

}  // namespace

void it_speaks(const Trained& trained, Random& random) {
    section("14.5 It speaks, and one head forgets its own word");
    say("Each of the five runs writes 100 texts; two of the first run's are shown. How many of 100 "
        "are sentences of the grammar? And how many per cent of its probability does a model give, "
        "in the 200 texts, to words that never follow the word that stands there, such as \"the\" "
        "after \"the\"? Medians and ranges:");
    tutorial::predict_choice("Which gives more to words that never follow the one before?",
                             {"one head", "X + one head"}, "one head",
                             "It returns an average of values, in which its own word is one of "
                             "many.");
    print_row(std::cout, "", {"right of 100", "never follow, %"}, 20, 16);
    const Spoken untrained = print_spoken(trained.untrained, trained.fresh, random);
    const Spoken pairs = print_spoken(trained.pairs, trained.fresh, random);
    const Spoken head = print_spoken(trained.head, trained.fresh, random);
    const Spoken head_and_X = print_spoken(trained.head_and_X, trained.fresh, random);
    const Spoken gpt = print_spoken(trained.gpt, trained.fresh, random);
    std::cout << "\n";
    check(untrained.right.most < 5, "a new model says no sentences");
    check(pairs.right.most < 30 && pairs.never.most < head.never.most,
          "pairs of words seldom make a sentence, but they know the word before better than the "
          "worst single head does");
    check(head.never.median > 2 * head_and_X.never.median &&
              head.never.most > 3 * head_and_X.never.most,
          "with X + the part that never follows falls to less than half, and that of the worst run "
          "to less than a third");
    check(head_and_X.right.median > head.right.median, "and more texts are right");
    check(gpt.right.median > 90, "the GPT nearly always says a sentence");
    say("One head returns $Σ_j a_ij·v_j$, an average of what it looked at. The word it stands on "
        "is one of these, and which one it was is lost in the sum: it may find the subject and "
        "forget that it has just said \"the\". X + head(X) keeps the word and adds what was found "
        "to it. That is why a block has a residual connection, even where depth does not ask for "
        "one.");
}
