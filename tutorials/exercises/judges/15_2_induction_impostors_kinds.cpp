#include "tutorials/exercises/judges/15_2_induction_impostors_kinds.h"

#include "tensor/errors.h"

#include <algorithm>

using namespace heed;

namespace exercise::induction {

namespace {

constexpr std::int64_t nothing = -1;  // what an impostor says that has nothing to say

std::int64_t size(const TokenText& text) { return static_cast<std::int64_t>(text.size()); }

std::int64_t at(const TokenText& text, std::int64_t place) {
    const bool is_inside = place >= 0 && place < size(text);
    return is_inside ? text[static_cast<std::size_t>(place)] : nothing;
}

}  // namespace

TokenText earlier_places(const TokenText& text) {
    TokenText places;
    for (std::int64_t j = 0; j + 1 < size(text); ++j) {
        if (at(text, j) == text.back()) places.push_back(j);
    }
    return places;
}

std::int64_t head(const TokenText& text) { return at(text, earlier_places(text).back() + 1); }

namespace {

// What followed `token` in a text, in order.
TokenText followers(const TokenText& text, std::int64_t token) {
    TokenText all;
    for (std::int64_t j = 0; j + 1 < size(text); ++j) {
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
    const auto count = [&](const TokenText& text) {
        const TokenText more = followers(text, last);
        seen.insert(seen.end(), more.begin(), more.end());
    };
    for (std::size_t other = 0; other < all.size(); ++other) {
        if (other != which) count(all[other]);
    }
    count(all[which]);
    return most_frequent(seen);
}

std::int64_t in_this_text(const TokenText& text) {
    return most_frequent(followers(text, text.back()));
}
std::int64_t after_the_first(const TokenText& text) {
    return at(text, earlier_places(text).front() + 1);
}
std::int64_t two_after(const TokenText& text) {
    std::int64_t place = size(text) - 1;
    while (place >= 2 && at(text, place - 2) != text.back()) --place;
    return place >= 2 ? at(text, place) : nothing;
}
std::int64_t one_before(const TokenText& text) { return at(text, earlier_places(text).back() - 1); }
std::int64_t after_two_alike(const TokenText& text) {
    const std::int64_t before_last = at(text, size(text) - 2);
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
                           return at(texts[which], size(texts[which]) - 1 - k);
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

std::vector<Kind> kinds_of_places() {
    return {
        {{"catch.same-distance",
          "the right token stood just as far from the end in each of your texts",
          {"How many places before the end does it stand in each text?",
           "Let the distances differ."}},
         copiers_from_the_end()},
        {{"catch.same-place",
          "the right token stood at the same place, from the beginning, in each of your texts",
          {"At which place does it stand in each text?", "Let the places differ."}},
         copiers_from_the_beginning()},
        {{"catch.first-is-last",
          "what followed the first place of the last token was the right answer in each text",
          {"How often does the last token stand in your texts?",
           "What followed it the first time, and what the last time?"}},
         {{"says what followed the first place of the token", in_a_text(after_the_first)}}},
        {{"catch.two-after",
          "the token 2 places after was the right answer as well, in each text",
          {"What stands behind the right token?",
           "Two tokens after the last earlier place: are they different?"}},
         {{"says what stood 2 places after the token, not 1", in_a_text(two_after)}}},
        {{"catch.one-before",
          "the token 1 place before was the right answer as well, in each text",
          {"What stands around the last earlier place?", "Compare its two neighbours."}},
         {{"says what stood 1 place before the token", in_a_text(one_before)}}},
    };
}

std::vector<Kind> kinds_of_counts() {
    return {
        {{"catch.most-often-here",
          "the right token was also what followed most often, in each text",
          {"How often was the last token followed by each other one?",
           "A token can be followed twice by one, and then once by another."}},
         {{"says what most often followed the token in the text", in_a_text(in_this_text)}}},
        {{"catch.most-often-anywhere",
          "the right token was also what followed most often in all your texts together",
          {"What do your texts teach together about what follows?",
           "Count, in all texts, what follows the last token of the first."}},
         {{"says what most often followed the token in all your texts", in_all_texts}}},
        {{"catch.two-alike",
          "in no text had the last two tokens stood before with a token behind them that is not "
          "the right one",
          {"When does it matter that a head matches one token and not two?",
           "\"a b c\" early, \"d b e\" later, and \"a b\" at the end: what should follow?"}},
         {{"asks for the last two tokens", in_a_text(after_two_alike)}}},
        {{"catch.most-frequent",
          "the right token was the most frequent one of each text",
          {"Which token stands most often in your texts?", "Count the tokens of each text."}},
         {{"says the most frequent token of the text", in_a_text(most_frequent)}}},
        {{"catch.counts-on",
          "each text counted on: the right token was the last one and 1",
          {"What do 3 and then 4 suggest?", "Let tokens follow each other in no order."}},
         {{"says the next number", in_a_text(count_on)}}},
    };
}

}  // namespace

std::vector<Kind> kinds() {
    std::vector<Kind> all = kinds_of_places();
    for (const Kind& kind : kinds_of_counts()) all.push_back(kind);
    return all;
}

}  // namespace exercise::induction
