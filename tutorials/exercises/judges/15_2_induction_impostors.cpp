#include "tutorials/exercises/judges/lesson_15.h"
#include "tutorials/exercises/judging/kit.h"

#include "tensor/errors.h"

using namespace heed;

namespace exercise {
namespace {
constexpr std::int64_t longest = 10;  // the tokens of a text

// An impostor says one token for each text; some do for every k or place.
using Says = std::function<std::int64_t(const TokenTexts& all, std::size_t which)>;

struct Impostor {
    std::string does;  // "copies the last token"
    Says says;
};

// Impostors of one kind: all must be caught.
struct Kind {
    Mistake mistake;  // made if only these pass
    std::vector<Impostor> impostors;
    TokenTexts that_only_these_pass;
};

constexpr std::int64_t nothing = -1;  // what an impostor says that has nothing to say

std::int64_t at(const TokenText& text, std::int64_t place) {
    const bool is_inside = place >= 0 && place < std::ssize(text);
    return is_inside ? text[static_cast<std::size_t>(place)] : nothing;
}

// The earlier places of the token that ends the text.
TokenText earlier_places(const TokenText& text) {
    TokenText places;
    for (std::int64_t j = 0; j + 1 < std::ssize(text); ++j) {
        if (at(text, j) == text.back()) places.push_back(j);
    }
    return places;
}

// What the induction head says.
std::int64_t head(const TokenText& text) { return at(text, earlier_places(text).back() + 1); }

// What followed `token` in a text, in order.
TokenText followers(const TokenText& text, std::int64_t token) {
    TokenText all;
    for (std::int64_t j = 0; j + 1 < std::ssize(text); ++j) {
        if (at(text, j) == token) all.push_back(at(text, j + 1));
    }
    return all;
}

// Of several as frequent, the one seen last.
std::int64_t most_frequent(const TokenText& tokens) {
    std::int64_t best = nothing, count = 0;
    for (auto token = tokens.rbegin(); token != tokens.rend(); ++token) {
        const std::int64_t its = std::count(tokens.begin(), tokens.end(), *token);
        if (its > count) best = *token;
        count = std::max(count, its);
    }
    return best;
}

Says in_a_text(std::int64_t (*says)(const TokenText&)) {
    return [=](const TokenTexts& all, std::size_t which) { return says(all[which]); };
}

std::int64_t in_all_texts(const TokenTexts& all, std::size_t which) {
    const std::int64_t last = all[which].back();
    TokenText seen;
    for (std::size_t other = 0; other < all.size(); ++other) {
        if (other != which) seen = joined(seen, followers(all[other], last));
    }
    return most_frequent(joined(seen, followers(all[which], last)));
}

std::int64_t in_this_text(const TokenText& text) {
    return most_frequent(followers(text, text.back()));
}
std::int64_t after_the_first(const TokenText& text) {
    return at(text, earlier_places(text).front() + 1);
}
std::int64_t two_after(const TokenText& text) {
    std::int64_t place = std::ssize(text) - 1;
    while (place >= 2 && at(text, place - 2) != text.back()) --place;
    return place >= 2 ? at(text, place) : nothing;
}
std::int64_t one_before(const TokenText& text) { return at(text, earlier_places(text).back() - 1); }
std::int64_t after_two_alike(const TokenText& text) {
    const std::int64_t before_last = at(text, std::ssize(text) - 2);
    const TokenText places = earlier_places(text);
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
        if (*place > 0 && at(text, *place - 1) == before_last) return at(text, *place + 1);
    }
    return head(text);
}
std::int64_t count_on(const TokenText& text) { return text.back() + 1; }

std::vector<Impostor> copiers_from_the_end() {
    std::vector<Impostor> all;
    for (std::int64_t k = 0; k < longest; ++k) {
        const std::string place = k == 0   ? "last token"
                                  : k == 1 ? "token 1 place before the last"
                                           : text("token ", k, " places before the last");
        all.push_back({"copies the " + place, [=](const TokenTexts& texts, std::size_t which) {
                           return at(texts[which], std::ssize(texts[which]) - 1 - k);
                       }});
    }
    return all;
}

std::vector<Impostor> copiers_from_the_beginning() {
    std::vector<Impostor> all;
    for (std::int64_t place = 0; place < longest; ++place) {
        all.push_back(
            {text("copies the token at place ", place),
             [=](const TokenTexts& texts, std::size_t which) { return at(texts[which], place); }});
    }
    return all;
}

// In an order that is always the same.
std::vector<Kind> kinds() {
    return {
        {{"catch.same-distance",
          "the right token stood just as far from the end in each of your texts",
          "How many places before the end does it stand in each text?",
          "Let the distances differ."},
         copiers_from_the_end(),
         {{0, 2, 2, 2, 0, 2}, {1, 0, 2, 2}}},
        {{"catch.same-place",
          "the right token stood at the same place, from the beginning, in each of your texts",
          "At which place does it stand in each text?", "Let the places differ."},
         copiers_from_the_beginning(),
         {{0, 0, 0, 2, 1, 0}, {1, 0, 0, 1, 0}}},
        {{"catch.first-is-last",
          "what followed the first place of the last token was the right answer in each text",
          "How often does the last token stand in your texts?",
          "What followed it the first time, and what the last time?"},
         {{"says what followed the first place of the token", in_a_text(after_the_first)}},
         {{2, 1, 0, 1, 1, 1, 1, 0, 1}, {2, 2, 0, 1, 2, 0}}},
        {{"catch.two-after", "the token 2 places after was the right answer as well, in each text",
          "What stands behind the right token?",
          "Two tokens after the last earlier place: are they different?"},
         {{"says what stood 2 places after the token, not 1", in_a_text(two_after)}},
         {{3, 1, 1, 3}, {3, 0, 0, 0, 1, 1, 2, 3, 0}}},
        {{"catch.one-before", "the token 1 place before was the right answer as well, in each text",
          "What stands around the last earlier place?", "Compare its two neighbours."},
         {{"says what stood 1 place before the token", in_a_text(one_before)}},
         {{0, 3, 0, 3, 0}, {1, 2, 1, 2, 0, 1, 0, 2, 1}}},
        {{"catch.most-often-here",
          "the right token was also what followed most often, in each text",
          "How often was the last token followed by each other one?",
          "A token can be followed twice by one, and then once by another."},
         {{"says what most often followed the token in the text", in_a_text(in_this_text)}},
         {{1, 3, 3, 1, 3}, {1, 2, 3, 1}}},
        {{"catch.most-often-anywhere",
          "the right token was also what followed most often in all your texts together",
          "What do your texts teach together about what follows?",
          "Count, in all texts, what follows the last token of the first."},
         {{"says what most often followed the token in all your texts", in_all_texts}},
         {{2, 0, 0, 0, 2, 0}, {1, 0, 2, 1}}},
        {{"catch.two-alike",
          "in no text had the last two tokens stood before with a token behind them that is not "
          "the right one",
          "When does it matter that a head matches one token and not two?",
          "\"a b c\" early, \"d b e\" later, and \"a b\" at the end: what should follow?"},
         {{"asks for the last two tokens", in_a_text(after_two_alike)}},
         {{1, 1, 1, 2, 1}, {0, 2, 1, 0}}},
        {{"catch.most-frequent", "the right token was the most frequent one of each text",
          "Which token stands most often in your texts?", "Count the tokens of each text."},
         {{"says the most frequent token of the text", in_a_text(most_frequent)}},
         {{2, 1, 0, 2, 1, 0, 1, 1}, {1, 1, 1, 1, 0, 2, 2, 1, 0, 2}, {1, 0, 0, 2, 2}}},
        {{"catch.counts-on", "each text counted on: the right token was the last one and 1",
          "What do 3 and then 4 suggest?", "Let tokens follow each other in no order."},
         {{"says the next number", in_a_text(count_on)}},
         {{1, 1, 2, 1}, {0, 1, 1, 1, 2, 0, 1}}},
    };
}

// The first of this kind that says what the head says, on each text; nullptr if there is none.
const Impostor* passing(const Kind& kind, const TokenTexts& texts) {
    for (const Impostor& one : kind.impostors) {
        std::size_t which = 0;
        while (which < texts.size() && one.says(texts, which) == head(texts[which])) ++which;
        if (which == texts.size()) return &one;
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
struct KnownTexts {
    TokenTexts texts;
    std::string against_the_rules;
};

// 1 for each kind that is caught, 0 for each that passes.
Stages claim(const std::function<bool(const Kind&)>& passes) {
    std::vector<std::int64_t> caught;
    for (const Kind& kind : kinds()) caught.push_back(!passes(kind));
    return {{"the claim that all are caught", numbers(caught)}};
}

std::string still_pass(const KnownTexts& learners) {
    if (!learners.against_the_rules.empty()) return "";
    std::string names;
    std::size_t caught = 0;
    for (const Kind& kind : kinds()) {
        const Impostor* one = passing(kind, learners.texts);
        if (!one) ++caught;
        if (one) names += (names.empty() ? "" : "; ") + ("one " + one->does);
    }
    if (names.empty()) return "";
    return text("You caught ", caught, " of ", kinds().size(), " kinds. These still pass: ", names,
                ".");
}

TokenTexts texts_with(const Slips& slip) {
    for (const Kind& kind : kinds()) {
        if (slip(kind.mistake.id)) return kind.that_only_these_pass;
    }
    return {{3, 1, 1, 1, 3, 1}, {0, 3, 4, 0}};
}

// The laws tell more of the texts that the case asked for.
void confront(Exercise& exercise, const InductionTexts& texts) {
    const auto learners = std::make_shared<KnownTexts>();
    const auto if_only_these_pass = [](const Slips& slip) {
        return claim([&](const Kind& kind) { return slip(kind.mistake.id); });
    };
    exercise.cases = {{"your texts", if_only_these_pass, [=] {
                           const TokenTexts its = texts();
                           *learners = {its, unusable(its)};
                           return claim([&](const Kind& kind) {
                               return learners->against_the_rules.empty() && passing(kind, its);
                           });
                       }}};
    exercise.laws = {{"", [=] { return learners->against_the_rules; }},
                     {"", [=] { return still_pass(*learners); }}};
    for (const Kind& kind : kinds()) exercise.mistakes.push_back(kind.mistake);
}

Rules<InductionTexts> rules() {
    return {
        .number = "15.2",
        .title = "Catch the impostors of induction",
        .reference = [](const Slips& slip) { return [=] { return texts_with(slip); }; },
        .hints =
            {"What would this impostor say on each of your texts, and what does the head say?",
             "Take the first that still passes: what has to change in one text so that it is "
             "wrong?",
             "Two texts with the right token at different places, and at different distances from "
             "the end, catch the copiers; those that count need a token with several followers",
             "In one text let the last token, x, have three followers: b, b, and then c; and let "
             "the token before the last x stand before a b, too: \"... y x b ... x c ... y x\""},
        .secret = true,  // the law says it better than a list of zeros and ones
        .more = confront,
    };
}

}  // namespace

const Judge<InductionTexts> judge_15_2(rules);

}  // namespace exercise
