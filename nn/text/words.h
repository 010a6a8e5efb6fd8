// The words of a text: where one ends and the next begins, and their lower-case form.
// Texts are UTF-8. They are not normalised: é in one code point and e with an accent after it are
// two spellings.
#pragma once

#include "heed/tensor/call_site.h"

#include <string>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

// What becomes of "coke," and "¿Quién?" once the text is cut at its spaces.
enum class Punctuation {
    separate,  // a mark is a word of its own: "coke" ","
    drop,      // marks are left out, and separate what they stood between: "coke"
    keep,      // nothing is cut but at spaces: "coke,"
};

// Space is what Unicode calls white space (a no-break space is space too), and a byte order mark.
// A mark is every ASCII or Latin-1 character that is no letter, digit or underscore, and what lies
// in U+2010 to U+205E (dashes, quotes, …), U+20A0 to U+20CF (€), U+2190 to U+2BFF (arrows, signs)
// and U+1F000 to U+1FAFF (emoji). Everything else counts as a letter, in any script.
// With separate and drop these are part of a word: an apostrophe (' or ’), a soft hyphen or a
// zero-width joiner between two letters ("didn't"), a point or comma between two digits ("3.14").
//
// Lower case: the letters A to Z, and those of Latin-1 and Latin Extended-A (U+00C0 to U+017F)
// that have a lower-case form in one code point: É, Ñ, Ü, Ł, Œ, Ÿ; İ becomes i.
//
// Error: the text is not UTF-8 (std::invalid_argument, which calls it `name`).
std::vector<std::string> split_words(const std::string& text, bool lower_case,
                                     Punctuation punctuation, const std::string& name,
                                     const CallSite& site);
std::string to_lower_case(const std::string& text, const std::string& name, const CallSite& site);

// Does the text hold white space? Error: as above.
bool holds_space(const std::string& text, const std::string& name, const CallSite& site);

}  // namespace HEED_PRECISION
}  // namespace heed
