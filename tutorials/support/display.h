// How text looks in a terminal: what cannot be seen made visible, and how many columns it takes.
// Tokens come from anywhere, and a table must stay straight whatever they hold.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace tutorial {

using Words = std::vector<std::string>;

// UTF-8 text with nothing hidden in it: control characters become their pictures (␀ ␊ ␡), other
// characters that show nothing or turn the writing around their number (<U+202E>), bytes that are
// not UTF-8 their value (<0xFF>), spaces at either end ␠; the empty text becomes "".
std::string visible(const std::string& text);

// The columns that text takes: 2 for East Asian wide characters and emoji, 0 for marks that sit on
// the character before them and for what a terminal shows nothing of, else 1.
std::size_t display_width(const std::string& text);

enum class Align { left, right };

// visible(text), cut with … or filled with spaces to exactly `width` columns.
std::string fit(const std::string& text, std::size_t width, Align align = Align::left);

// Between quotes, so that one sees where a word ends: "coke," "but"
std::string quoted(const Words& words);

// Broken into lines of at most 80 columns; `first` stands before the first of them, as much space
// before the others.
void print_wrapped(std::ostream& out, const std::string& first, const std::string& prose);

}  // namespace tutorial
