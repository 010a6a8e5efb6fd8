// Splitting of a text into words, and lower-casing. Texts are UTF-8 and are not normalised: é as
// one code point and e with a combining accent are two spellings.
#pragma once

#include "../../tensor/call_site.h"

#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// What happens to "coke," and "¿Quién?" once the text is split at white space.
enum class Punctuation {
    separate,  // each mark is a word of its own: "coke" ","
    drop,      // marks are removed, and split the words they stood between: "coke"
    keep,      // split only at white space: "coke,"
};

// White space is what Unicode calls white space (a no-break space included), and a byte order mark.
// A mark is every ASCII or Latin-1 character that is not a letter, digit or underscore, and
// everything in U+2010 to U+205E (dashes, quotes, …), U+20A0 to U+20CF (€), U+2190 to U+2BFF
// (arrows, signs) and U+1F000 to U+1FAFF (emoji). Everything else counts as a letter, in any
// script.
// With separate and drop these are still part of a word: an apostrophe (' or ’), a soft hyphen or a
// zero-width (non-)joiner between two letters ("didn't"), a point or comma between two digits
// ("3.14").
//
// Lower case covers the letters A to Z, and those of Latin-1 and Latin Extended-A (U+00C0 to
// U+017F) that have a lower-case form in one code point: É, Ñ, Ü, Ł, Œ, Ÿ; İ becomes i.
//
// Error: the text is not UTF-8 (std::invalid_argument, which calls it `name`).
std::vector<std::string> split_words(const std::string& text, bool lower_case,
                                     Punctuation punctuation, const std::string& name,
                                     const CallSite& site);
std::string to_lower_case(const std::string& text, const std::string& name, const CallSite& site);

// Does the text contain white space? Error: as above.
bool holds_space(const std::string& text, const std::string& name, const CallSite& site);

}}  // namespace heed
