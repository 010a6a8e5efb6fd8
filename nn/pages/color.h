// Terminal colours for pictures: whether to use them, how many, and how to paint a weight. --color
// takes precedence, then NO_COLOR, then FORCE_COLOR, then whether output is a terminal.
// Error of all functions: a value that the enum does not have (std::invalid_argument).
#pragma once

#include "../../tensor/call_site.h"

#include <iosfwd>
#include <string>

namespace heed { inline namespace HEED_PRECISION { namespace terminal {

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

// With `always`: as many as the terminal has, at least 256.
ColorLevel color_level(ColorChoice choice, const ColorEnvironment& environment, bool is_terminal,
                       CallSite site = CallSite::here());

// The same, for the real environment and standard output.
ColorLevel color_level(ColorChoice choice, CallSite site = CallSite::here());

// Sets the colours of all pictures, wherever they are printed.
void use_colors(ColorLevel level, CallSite site = CallSite::here());
// Those of a picture printed to `out`. If none were set: standard output has what
// color_level(ColorChoice::automatic) says, any other stream has none.
ColorLevel colors_of(const std::ostream& out);

struct Rgb {
    int red, green, blue;  // 0 to 255
};

// The colour of a weight, from white for 0 to dark blue for 1; values outside are clamped. With 256
// colours there are nine steps.
Rgb color_of(double weight, ColorLevel level, CallSite site = CallSite::here());
// Black or white, whichever is easier to read on `background`.
bool wants_white_text(Rgb background);

// `text` on the colour of `weight`, followed by a reset. For NaN or level none, `text` unchanged.
std::string painted(const std::string& text, double weight, ColorLevel level,
                    CallSite site = CallSite::here());

// `text` in black or white on this colour, followed by a reset. With 256 colours: on the nearest of
// their cube. For level none, `text` unchanged.
std::string on_color(const std::string& text, Rgb background, ColorLevel level,
                     CallSite site = CallSite::here());

}}}  // namespace heed::terminal
