// What Unicode says of a character: its class, its lower case, and the parts it is composed of.
// From the Unicode Character Database (unicode_tables.inc), so that no locale has a say.
#pragma once

#include "../../tensor/scalar.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

enum class CharacterClass : unsigned char {
    other,        // symbols, spacing and enclosing marks
    letter,       // L
    number,       // N
    mark,         // Mn: marks without a width of their own, such as accents
    punctuation,  // P
    space,        // White_Space, which has the control characters \t to \r and U+0085
    control,      // C without white space: control, format, private, unassigned, no character
};

CharacterClass class_of(std::uint32_t code);

// The lower case of one character, whatever stands beside it, as one: a Σ becomes σ, İ i.
std::uint32_t lower_case(std::uint32_t code);
// Appends the lower case, where that of İ is two: i and a dot.
void append_lower_case(std::uint32_t code, std::vector<std::uint32_t>& to);

// Canonical decomposition (NFD): é becomes e and an accent, a Hangul syllable its letters; the
// marks after a letter get Unicode's order.
std::vector<std::uint32_t> decomposed(const std::vector<std::uint32_t>& codes);

// Canonical composition (NFC), of what decomposed() gives.
std::vector<std::uint32_t> composed(const std::vector<std::uint32_t>& codes);

// The codes of a UTF-8 text. A byte that belongs to no character becomes not_a_character + byte,
// of which append_utf8() makes that byte again: nothing is lost.
inline constexpr std::uint32_t not_a_character = 0x110000;
std::vector<std::uint32_t> codes_of(std::string_view text);
void append_utf8(std::uint32_t code, std::string& to);
bool is_utf8(std::string_view text);

struct CodeRange {
    std::uint32_t first, last;
};
template <std::size_t N>
bool is_in(const CodeRange (&ranges)[N], std::uint32_t code) {
    for (const CodeRange& range : ranges) {
        if (range.first <= code && code <= range.last) return true;
    }
    return false;
}

}}  // namespace heed
