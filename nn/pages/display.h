// Text in a terminal: making invisible characters visible, and measuring width in columns. Tokens
// may hold anything, and tables must stay aligned.
#pragma once

#include "../../tensor/scalar.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace terminal {

using Words = std::vector<std::string>;

// UTF-8 text with everything visible: control characters become symbols (␀ ␊ ␡), other invisible or
// direction-changing characters their number (<U+202E>), bytes that are not UTF-8 their value
// (<0xFF>), leading and trailing spaces ␠; the empty text becomes "".
std::string visible(const std::string& text);

// Unicode's symbol for a control character (␛), or for the space (␠).
std::string control_symbol(std::uint32_t code);

// The width of text in columns: 2 for East Asian wide characters and emoji, 0 for combining marks
// and for characters a terminal does not show, otherwise 1.
std::size_t display_width(const std::string& text);

enum class Align { left, right };

// visible(text), truncated with … or padded with spaces to exactly `width` columns.
std::string fit(const std::string& text, std::size_t width, Align align = Align::left);

// In quotes, to show where each word ends: "coke," "but"
std::string in_quotes(const Words& words);

// Wraps between words to lines of at most `width` columns; `first` starts the first line, and the
// others are indented by its width, or start with `others`.
void print_wrapped(std::ostream& out, const std::string& first, const std::string& prose,
                   std::size_t width = 80);
void print_wrapped(std::ostream& out, const std::string& first, const std::string& others,
                   const std::string& prose, std::size_t width = 80);

}}}  // namespace heed::terminal
