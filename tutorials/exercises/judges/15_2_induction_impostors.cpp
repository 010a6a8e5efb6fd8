#include "tutorials/exercises/judges/15_2_induction_impostors.h"

#include "tutorials/exercises/judges/15_2_induction_impostors_kinds.h"

#include "tensor/errors.h"
#include "tensor/factories.h"

#include <memory>

using namespace heed;
using namespace exercise::induction;

namespace exercise {

namespace {

// The first of this kind that says what the head says, on each text; nullptr if there is none.
const Impostor* passing(const Kind& kind, const TokenTexts& texts) {
    for (const Impostor& one : kind.impostors) {
        bool caught = false;
        for (std::size_t which = 0; which < texts.size(); ++which) {
            caught = caught || one.says(texts, which) != head(texts[which]);
        }
        if (!caught) return &one;
    }
    return nullptr;
}

std::string unusable(const TokenTexts& texts) {
    if (texts.empty() || texts.size() > 3) {
        return text("There are ", texts.size(), " texts; 1 to 3 are allowed.");
    }
    for (std::size_t which = 0; which < texts.size(); ++which) {
        const TokenText& its = texts[which];
        if (its.size() < 2 || its.size() > static_cast<std::size_t>(longest)) {
            return text("Text ", which, " has length ", its.size(), "; 2 to 10 is allowed.");
        }
        for (const std::int64_t token : its) {
            if (token >= 0 && token <= 9) continue;
            return text("A token of text ", which, " is ", token, "; 0 to 9 are allowed.");
        }
        if (earlier_places(its).empty()) {
            return text("The last token of text ", which, ", ", its.back(),
                        ", did not stand in it before.");
        }
    }
    return "";
}

// The learner's texts, once they are known.
struct Confrontation {
    TokenTexts texts;
    std::string against_the_rules;
};

// 1 for each kind that is caught, 0 for each that passes.
Stages claim(const std::function<bool(const Kind&)>& passes) {
    std::vector<Scalar> caught;
    for (const Kind& kind : kinds()) caught.push_back(passes(kind) ? 0 : 1);
    const auto count = static_cast<std::int64_t>(caught.size());
    return {{"the claim that all are caught", tensor::from_vector(caught, {count})}};
}

Stages of_the_learner(const Confrontation& confrontation) {
    return claim([&](const Kind& kind) {
        return confrontation.against_the_rules.empty() && passing(kind, confrontation.texts);
    });
}

Stages if_only_these_pass(const Slips& slip) {
    return claim([&](const Kind& kind) { return slip(kind.mistake.id); });
}

std::string still_pass(const Confrontation& confrontation) {
    if (!confrontation.against_the_rules.empty()) return "";
    std::string names;
    std::size_t caught = 0;
    for (const Kind& kind : kinds()) {
        const Impostor* one = passing(kind, confrontation.texts);
        if (!one) ++caught;
        if (one) names += (names.empty() ? "" : "; ") + ("one " + one->does);
    }
    if (names.empty()) return "";
    return text("You caught ", caught, " of ", kinds().size(), " kinds. These still pass: ", names,
                ".");
}

}  // namespace

Exercise induction_impostors(const std::function<TokenTexts()>& texts) {
    Exercise exercise;
    exercise.number = "15.2";
    exercise.title = "Catch the impostors of induction";
    const auto learners = std::make_shared<Confrontation>();
    exercise.cases = {{"your texts", if_only_these_pass, [=] {
                           *learners = {texts(), ""};
                           learners->against_the_rules = unusable(learners->texts);
                           return of_the_learner(*learners);
                       }}};
    exercise.laws = {{"", [=] { return learners->against_the_rules; }},
                     {"", [=] { return still_pass(*learners); }}};
    for (const Kind& kind : kinds()) exercise.mistakes.push_back(kind.mistake);
    exercise.secret = true;  // the law says it better than a list of zeros and ones
    exercise.hints = {
        "What would this impostor say on each of your texts, and what does the head say?",
        "Take the first that still passes: what has to change in one text so that it is wrong?",
        "Two texts with the right token at different places, and at different distances from the "
        "end, catch the copiers; those that count need a token with several followers",
        "In one text let the last token, x, have three followers: b, b, and then c; and let the "
        "token before the last x stand before a b, too: \"... y x b ... x c ... y x\""};
    return exercise;
}

namespace {

// Texts on which just the impostors of one kind pass.
TokenTexts slipping(const Slips& slip) {
    const std::vector<std::pair<std::string, TokenTexts>> texts = {
        {"catch.same-distance", {{0, 2, 2, 2, 0, 2}, {1, 0, 2, 2}}},
        {"catch.same-place", {{0, 0, 0, 2, 1, 0}, {1, 0, 0, 1, 0}}},
        {"catch.first-is-last", {{2, 1, 0, 1, 1, 1, 1, 0, 1}, {2, 2, 0, 1, 2, 0}}},
        {"catch.two-after", {{3, 1, 1, 3}, {3, 0, 0, 0, 1, 1, 2, 3, 0}}},
        {"catch.one-before", {{0, 3, 0, 3, 0}, {1, 2, 1, 2, 0, 1, 0, 2, 1}}},
        {"catch.most-often-here", {{1, 3, 3, 1, 3}, {1, 2, 3, 1}}},
        {"catch.most-often-anywhere", {{2, 0, 0, 0, 2, 0}, {1, 0, 2, 1}}},
        {"catch.two-alike", {{1, 1, 1, 2, 1}, {0, 2, 1, 0}}},
        {"catch.most-frequent",
         {{2, 1, 0, 2, 1, 0, 1, 1}, {1, 1, 1, 1, 0, 2, 2, 1, 0, 2}, {1, 0, 0, 2, 2}}},
        {"catch.counts-on", {{1, 1, 2, 1}, {0, 1, 1, 1, 2, 0, 1}}}};
    for (const auto& [id, its] : texts) {
        if (slip(id)) return its;
    }
    return {{3, 1, 1, 1, 3, 1}, {0, 3, 4, 0}};
}

}  // namespace

Trials induction_impostors_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return induction_impostors([=] { return slipping(slip); });
    };
    trials.right["three texts, one of two tokens"] = [] {
        return induction_impostors([] {
            return TokenTexts{{9, 9}, {7, 1, 4, 7, 1, 7, 0, 4, 7}, {8, 3, 5, 8}};
        });
    };
    trials.right["two texts, one with the last token twice"] = [] {
        return induction_impostors([] {
            return TokenTexts{{1, 0, 2, 0, 2, 0, 3, 4, 1, 0}, {6, 0, 0, 5, 0}};
        });
    };
    return trials;
}

}  // namespace exercise
