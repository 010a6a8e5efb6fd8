// Which colours are used depends on four settings and the terminal, in a fixed order.
#include "tests/catch.h"

#include "nn/pages/color.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace heed::terminal;

namespace {
const std::vector<std::string> no_colors = {"", "1", "0"};
const std::vector<std::string> force_colors = {"", "0", "false", "1", "2", "3", "true", "yes"};
const std::vector<std::string> colorterms = {"", "truecolor", "24bit", "8bit"};
const std::vector<std::string> terms = {"", "dumb", "xterm", "xterm-256color"};

// The order, written differently than in the program: a table with a row for each setting.
ColorLevel expected(ColorChoice choice, const ColorEnvironment& e, bool is_terminal) {
    const bool full = e.colorterm == "truecolor" || e.colorterm == "24bit";
    const ColorLevel own = full                         ? ColorLevel::truecolor
                           : e.term == "xterm-256color" ? ColorLevel::palette
                                                        : ColorLevel::none;
    const ColorLevel at_least_256 = full ? ColorLevel::truecolor : ColorLevel::palette;
    switch (choice) {
    case ColorChoice::never:
        return ColorLevel::none;
    case ColorChoice::always:
        return at_least_256;
    case ColorChoice::automatic:
        break;
    }
    if (e.no_color != "") return ColorLevel::none;
    if (e.force_color == "") {
        return is_terminal && e.term != "dumb" ? own : ColorLevel::none;
    }
    if (e.force_color == "0" || e.force_color == "false") return ColorLevel::none;
    if (e.force_color == "1" || e.force_color == "2") return ColorLevel::palette;
    return e.force_color == "3" ? ColorLevel::truecolor : at_least_256;
}

// The WCAG contrast of two colours, with the sRGB transfer function.
double luminance(Rgb color) {
    double sum = 0;
    const double parts[] = {0.2126, 0.7152, 0.0722};
    const int channels[] = {color.red, color.green, color.blue};
    for (int i = 0; i < 3; ++i) {
        const double c = channels[i] / 255.0;
        sum += parts[i] * (c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
    }
    return sum;
}

}  // namespace

TEST_CASE("--color takes precedence, then NO_COLOR, then FORCE_COLOR, then the terminal",
          "[nn][color]") {
    int combinations = 0;
    std::string wrong;
    for (const ColorChoice choice :
         {ColorChoice::automatic, ColorChoice::always, ColorChoice::never}) {
        for (const std::string& no_color : no_colors) {
            for (const std::string& force_color : force_colors) {
                for (const std::string& colorterm : colorterms) {
                    for (const std::string& term : terms) {
                        for (const bool is_terminal : {false, true}) {
                            const ColorEnvironment e = {no_color, force_color, colorterm, term};
                            ++combinations;
                            if (color_level(choice, e, is_terminal) ==
                                expected(choice, e, is_terminal)) {
                                continue;
                            }
                            wrong += std::to_string(static_cast<int>(choice)) +
                                     " NO_COLOR=" + no_color + " FORCE_COLOR=" + force_color +
                                     " COLORTERM=" + colorterm + " TERM=" + term +
                                     (is_terminal ? " tty\n" : "\n");
                        }
                    }
                }
            }
        }
    }
    CHECK(combinations == 3 * 3 * 8 * 4 * 4 * 2);
    CHECK(wrong == "");
}

TEST_CASE("the settings people use give what they expect", "[nn][color]") {
    const ColorEnvironment modern = {"", "", "truecolor", "xterm-256color"};
    CHECK(color_level(ColorChoice::automatic, modern, true) == ColorLevel::truecolor);
    CHECK(color_level(ColorChoice::automatic, modern, false) == ColorLevel::none);
    CHECK(color_level(ColorChoice::always, {"1", "0", "", "dumb"}, false) == ColorLevel::palette);
    CHECK(color_level(ColorChoice::never, {"", "3", "truecolor", ""}, true) == ColorLevel::none);
    CHECK(color_level(ColorChoice::automatic, {"1", "3", "truecolor", ""}, true) ==
          ColorLevel::none);
    CHECK(color_level(ColorChoice::automatic, {"", "1", "", "dumb"}, false) == ColorLevel::palette);
    CHECK(color_level(ColorChoice::automatic, {"", "", "", "screen-256color"}, true) ==
          ColorLevel::palette);
}

TEST_CASE("weights go from white to dark blue, each darker than the one before", "[nn][color]") {
    for (const ColorLevel level : {ColorLevel::palette, ColorLevel::truecolor}) {
        CHECK(luminance(color_of(0, level)) == Approx(1));
        CHECK(luminance(color_of(1, level)) < 0.05);
        bool never_lighter = true, always_blue = true, readable = true;
        for (int i = 0; i < 1000; ++i) {
            const Rgb color = color_of(i / 1000.0, level);
            const double here = luminance(color);
            never_lighter &= luminance(color_of((i + 1) / 1000.0, level)) <= here;
            always_blue &= color.blue >= color.green && color.green >= color.red;
            const double contrast =
                wants_white_text(color) ? 1.05 / (here + 0.05) : (here + 0.05) / 0.05;
            readable &= contrast > 4.5;
        }
        CHECK(never_lighter);
        CHECK(always_blue);
        CHECK(readable);
        CHECK(luminance(color_of(0.25, level)) > luminance(color_of(0.75, level)) + 0.3);
    }
}

TEST_CASE("a painted text names its colours and resets them", "[nn][color]") {
    CHECK(painted("0.00", 0, ColorLevel::truecolor) ==
          "\x1b[38;2;0;0;0;48;2;255;255;255m0.00\x1b[0m");
    CHECK(painted("1.00", 1, ColorLevel::truecolor) ==
          "\x1b[38;2;255;255;255;48;2;8;50;110m1.00\x1b[0m");
    CHECK(painted("0.00", 0, ColorLevel::palette) == "\x1b[38;5;16;48;5;231m0.00\x1b[0m");
    CHECK(painted("1.00", 1, ColorLevel::palette) == "\x1b[38;5;231;48;5;18m1.00\x1b[0m");
    CHECK(painted("0.50", 0.5, ColorLevel::none) == "0.50");

    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(painted("nan", std::nan(""), ColorLevel::truecolor) == "nan");
    CHECK(painted("x", infinity, ColorLevel::palette) == painted("x", 1, ColorLevel::palette));
    CHECK(painted("x", -0.5, ColorLevel::truecolor) == painted("x", 0, ColorLevel::truecolor));
    CHECK(painted("x", 1.5, ColorLevel::truecolor) == painted("x", 1, ColorLevel::truecolor));
}

TEST_CASE("a text stands in black or white on the nearest colour there is", "[nn][color]") {
    const Rgb yellow = {255, 255, 0}, grey = {128, 128, 128}, blue = {47, 0, 114};
    CHECK(on_color("a", grey, ColorLevel::none) == "a");
    CHECK(on_color("a", yellow, ColorLevel::truecolor) ==
          "\x1b[38;2;0;0;0;48;2;255;255;0ma\x1b[0m");
    // 16 is black, 231 white, 226 (255, 255, 0), 102 (135, 135, 135).
    CHECK(on_color("a", yellow, ColorLevel::palette) == "\x1b[38;5;16;48;5;226ma\x1b[0m");
    CHECK(on_color("a", grey, ColorLevel::palette) == "\x1b[38;5;16;48;5;102ma\x1b[0m");
    // Each channel goes to the nearest of 0, 95, 135, 175, 215, 255: 16 + 36·0 + 6·0 + 1.
    CHECK(on_color("a", blue, ColorLevel::palette) == "\x1b[38;5;231;48;5;17ma\x1b[0m");
}
