// Colours of pictures in the terminal: whether to use them, how many, and a weight painted.
// What --color says counts most, then NO_COLOR, then FORCE_COLOR, then whether there is a terminal.
#pragma once

#include <string>

namespace tutorial {

enum class ColorChoice { automatic, always, never };
enum class ColorLevel { none, palette, truecolor };  // palette: the 256 colours of xterm

// The environment variables that matter; empty if not set.
struct ColorEnvironment {
    std::string no_color;     // NO_COLOR: anything means no colour
    std::string force_color;  // FORCE_COLOR: 0 or false: none; 1 or 2: 256 colours; 3: truecolor;
                              // anything else: as many as the terminal has, at least 256
    std::string colorterm;    // COLORTERM: truecolor or 24bit
    std::string term;         // TERM: contains 256color, or is dumb
};

// `always` is as many as the terminal has, at least 256.
ColorLevel color_level(ColorChoice choice, const ColorEnvironment& environment, bool is_terminal);

// The same, asked of the real environment and of standard output.
ColorLevel color_level(ColorChoice choice);

// What pictures use; none until it is set, which tutorial::run does before the lesson.
void use_colors(ColorLevel level);
ColorLevel colors_in_use();

struct Rgb {
    int red, green, blue;  // 0 to 255
};

// The colour of a weight from 0, white, to 1, dark blue; what lies outside gets the nearest.
// With 256 colours, one of nine steps.
Rgb color_of(double weight, ColorLevel level);
// Black or white, whichever is easier to read on `background`.
bool wants_white_text(Rgb background);

// `text` on the colour of `weight`, and everything reset after it. NaN and level none: as it is.
std::string painted(const std::string& text, double weight, ColorLevel level);

}  // namespace tutorial
