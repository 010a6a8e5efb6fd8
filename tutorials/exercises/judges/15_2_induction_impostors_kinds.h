// The impostors of exercise 15.2.
#pragma once

#include "tutorials/exercises/judges/15_2_induction_impostors.h"

#include <cstddef>
#include <string>

namespace exercise::induction {

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
};

// In an order that is always the same.
std::vector<Kind> kinds();

// The earlier places of the token that ends the text.
TokenText earlier_places(const TokenText& text);
// What the induction head says.
std::int64_t head(const TokenText& text);

}  // namespace exercise::induction
