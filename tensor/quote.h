// A user's text in a message: a file name, an option, a word. Whatever it contains, the message
// remains text: an escape byte does not reach the terminal, and an invalid byte shows its value.
#pragma once

#include "scalar.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace heed { inline namespace HEED_PRECISION {

// Letters of any script stay as they are; control characters and bytes that are not UTF-8 become
// \x1b, other characters that are invisible or change the direction of writing \u202e. A long text
// is cut after about 200 bytes and ends in "…".
std::string printable(std::string_view text);
// The same in double quotes.
std::string in_quotes(std::string_view text);

// One character of a UTF-8 text.
struct CodePoint {
    std::uint32_t code = 0;  // the byte itself, if no character is encoded there
    std::size_t bytes = 1;
    bool is_valid = false;
};

// The character that begins at `at`, which must be inside the text. Not valid: a missing or
// misplaced byte, an overlong encoding, or a code that is not a Unicode character.
CodePoint code_point_at(std::string_view text, std::size_t at);

// Control characters, and others that a terminal obeys or does not show.
bool is_invisible(std::uint32_t code);

}}  // namespace heed
