#include "color.h"

#include "../../tensor/errors.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <unistd.h>

namespace heed { inline namespace HEED_PRECISION { namespace terminal {
namespace {
std::optional<ColorLevel> level_in_use;

void check_level(const char* operation, ColorLevel level, const CallSite& site) {
    check_enum(operation, "the level", level, ColorLevel::truecolor, site);
}

ColorLevel level_of_terminal(const ColorEnvironment& environment) {
    const std::string& colorterm = environment.colorterm;
    if (colorterm == "truecolor" || colorterm == "24bit") return ColorLevel::truecolor;
    if (environment.term.find("256color") != std::string::npos) return ColorLevel::palette;
    return ColorLevel::none;
}

ColorLevel forced(const ColorEnvironment& environment) {
    return std::max(ColorLevel::palette, level_of_terminal(environment));
}

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

int between(int from, int to, double part) {
    return static_cast<int>(std::floor(from + (to - from) * part + 0.5));
}

Rgb between(Rgb from, Rgb to, double part) {
    return {between(from.red, to.red, part), between(from.green, to.green, part),
            between(from.blue, to.blue, part)};
}

// Blues of the 256-colour palette, from light to dark.
constexpr int blues[] = {231, 189, 153, 111, 75, 33, 26, 25, 18};

// From number 16 on, the 256 colours are a 6×6×6 cube.
Rgb color_of_number(int number) {
    const int levels[] = {0, 95, 135, 175, 215, 255};
    const int place = number - 16;
    return {levels[place / 36], levels[place / 6 % 6], levels[place % 6]};
}

int blue_of(double part) { return blues[between(0, 8, part)]; }

std::string code_of(Rgb color) {
    return "2;" + std::to_string(color.red) + ";" + std::to_string(color.green) + ";" +
           std::to_string(color.blue);
}

// The level of the cube nearest to a channel: 0, 95, 135, 175, 215 or 255.
int cube_level(int channel) {
    if (channel < 48) return 0;
    return channel < 115 ? 1 : (channel - 35) / 40;
}

std::string code_of(Rgb color, ColorLevel level) {
    if (level == ColorLevel::truecolor) return code_of(color);
    return "5;" + std::to_string(16 + 36 * cube_level(color.red) + 6 * cube_level(color.green) +
                                 cube_level(color.blue));
}

// The sRGB transfer function, approximated without its exponent of 2.4.
double linear(int channel) {
    const double c = channel / 255.0;
    return c * c * (0.7 + 0.3 * c);
}

}  // namespace

ColorLevel color_level(ColorChoice choice, const ColorEnvironment& environment, bool is_terminal,
                       CallSite site) {
    check_enum("color_level", "the choice", choice, ColorChoice::never, site);
    if (choice == ColorChoice::never) return ColorLevel::none;
    if (choice == ColorChoice::always) return forced(environment);
    if (!environment.no_color.empty()) return ColorLevel::none;
    const std::string& force = environment.force_color;
    if (force == "0" || force == "false") return ColorLevel::none;
    if (force == "1" || force == "2") return ColorLevel::palette;
    if (force == "3") return ColorLevel::truecolor;
    if (!force.empty()) return forced(environment);
    if (!is_terminal || environment.term == "dumb") return ColorLevel::none;
    return level_of_terminal(environment);
}

ColorLevel color_level(ColorChoice choice, CallSite site) {
    const ColorEnvironment environment = {variable("NO_COLOR"), variable("FORCE_COLOR"),
                                          variable("COLORTERM"), variable("TERM")};
    return color_level(choice, environment, isatty(STDOUT_FILENO) == 1, site);
}

void use_colors(ColorLevel level, CallSite site) {
    check_level("use_colors", level, site);
    level_in_use = level;
}

ColorLevel colors_of(const std::ostream& out) {
    if (level_in_use) return *level_in_use;
    return &out == &std::cout ? color_level(ColorChoice::automatic) : ColorLevel::none;
}

Rgb color_of(double weight, ColorLevel level, CallSite site) {
    check_level("color_of", level, site);
    const double part = std::clamp(weight, 0.0, 1.0);
    if (level == ColorLevel::palette) return color_of_number(blue_of(part));
    const Rgb white = {255, 255, 255}, middle = {100, 165, 215}, dark = {8, 50, 110};
    return part < 0.5 ? between(white, middle, 2 * part) : between(middle, dark, 2 * part - 1);
}

// White and black text have equal contrast on a background of luminance 0.18: (1 + 0.05) /
// (0.18 + 0.05) = (0.18 + 0.05) / 0.05.
bool wants_white_text(Rgb background) {
    const double luminance = 0.2126 * linear(background.red) + 0.7152 * linear(background.green) +
                             0.0722 * linear(background.blue);
    return luminance < 0.18;
}

std::string painted(const std::string& text, double weight, ColorLevel level, CallSite site) {
    check_level("painted", level, site);
    if (level == ColorLevel::none || std::isnan(weight)) return text;
    const Rgb background = color_of(weight, level);
    const bool white = wants_white_text(background);
    std::string colors;
    if (level == ColorLevel::palette) {
        const int number = blue_of(std::clamp(weight, 0.0, 1.0));
        colors = (white ? "38;5;231;48;5;" : "38;5;16;48;5;") + std::to_string(number);
    } else {
        colors = (white ? "38;2;255;255;255;48;" : "38;2;0;0;0;48;") + code_of(background);
    }
    return "\x1b[" + colors + "m" + text + "\x1b[0m";
}

std::string on_color(const std::string& text, Rgb background, ColorLevel level, CallSite site) {
    check_level("on_color", level, site);
    if (level == ColorLevel::none) return text;
    const Rgb front = wants_white_text(background) ? Rgb{255, 255, 255} : Rgb{0, 0, 0};
    return "\x1b[38;" + code_of(front, level) + ";48;" + code_of(background, level) + "m" + text +
           "\x1b[0m";
}

}}}  // namespace heed::terminal
