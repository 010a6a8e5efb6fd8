// Lesson 17: its pictures in a terminal, as blocks of colour where there are colours, as letters
// where there are none; and in its page.
#include "tutorials/17_pixels/picture.h"

#include "tensor/print.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <iostream>
#include <map>

using namespace heed;
using tutorial::ColorLevel;
using tutorial::Rgb;

namespace {

Rgb color_at(const Tensor& pixels, std::int64_t row, std::int64_t column) {
    const auto channel = [&](std::int64_t c) {
        return static_cast<int>(255 * std::clamp<double>(pixels(0, row, column, c), 0, 1));
    };
    return {channel(0), channel(1), channel(2)};
}

// A light pixel has a channel of 0.8 or more, a dark one none above 0.46.
bool is_dark_at(const Tensor& pixels, std::int64_t row, std::int64_t column) {
    const Rgb color = color_at(pixels, row, column);
    return std::max({color.red, color.green, color.blue}) < 130;
}

// A colour of 16 levels a channel: without the noise, so that neighbours are one area.
std::string svg_color(const Tensor& pixels, std::int64_t row, std::int64_t column) {
    const Rgb color = color_at(pixels, row, column);
    std::string hex = "#";
    for (const int channel : {color.red, color.green, color.blue}) {
        hex += "0123456789abcdef"[channel / 16];
    }
    return hex;
}

// For each colour the runs of pixels that have it, as an SVG path.
std::map<std::string, std::string> areas(const Tensor& pixels) {
    std::map<std::string, std::string> paths;
    for (std::int64_t row = 0; row < 64; ++row) {
        for (std::int64_t column = 0, next = 0; column < 64; column = next) {
            const std::string color = svg_color(pixels, row, column);
            while (next < 64 && svg_color(pixels, row, next) == color) ++next;
            paths[color] +=
                text("M", column, " ", row, "h", next - column, "v1h-", next - column, "z");
        }
    }
    return paths;
}

// Where the red patch looks: a frame as strong as the weight, and per cent from 1 on.
std::string frames(const Tensor& weights) {
    std::string svg;
    for (std::int64_t k = 0; k < 64; ++k) {
        const double weight = weights(k);
        if (weight < 0.005) continue;
        const std::int64_t x = k % 8 * 8, y = k / 8 * 8;
        svg += text("<rect x=\"", x, "\" y=\"", y,
                    "\" width=\"8\" height=\"8\" fill=\"none\" stroke=\"#fff\" stroke-opacity=\"",
                    fixed(weight, 2), "\"/><text x=\"", x + 4, "\" y=\"", y + 5,
                    "\" font-size=\"3.4\" text-anchor=\"middle\" fill=\"#fff\" stroke=\"#000\""
                    " stroke-width=\".5\" paint-order=\"stroke\">",
                    fixed(100 * weight, 0), "</text>");
    }
    return svg;
}

}  // namespace

void print_picture(const Pictures& pictures) {
    // Characters are twice as high as wide, so half of the rows: 0, 3, 4, 7 and so on, in which all
    // patterns differ.
    for (std::int64_t line = 0; line < 32; ++line) {
        const std::int64_t row = 2 * line + line % 2;
        std::cout << "    ";
        for (std::int64_t column = 0; column < 64; ++column) {
            const std::int64_t patch = row / 8 * 8 + column / 8;
            const char letter = pictures.letters[0][static_cast<std::size_t>(patch)];
            const bool dark = letter != '.' && is_dark_at(pictures.pixels, row, column);
            std::cout << tutorial::on_color(std::string(1, dark ? '#' : letter),
                                            color_at(pictures.pixels, row, column),
                                            tutorial::colors_of(std::cout));
        }
        std::cout << "\n";
    }
    std::cout << "\n";
}

void print_picture(const Pictures& pictures, const Tensor& weights) {
    tutorial::Table table;
    table.corner = "per cent";
    table.what_columns = "column";
    for (int i = 1; i <= 8; ++i) {
        table.rows.push_back("row " + std::to_string(i));
        table.columns.push_back(std::to_string(i));
    }
    for (std::int64_t k = 0; k < 64; ++k) {
        const double weight = weights(k);
        const std::string letter(1, pictures.letters[0][static_cast<std::size_t>(k)]);
        table.cells.push_back({letter + " " + fixed(100 * weight, 0), weight});
    }
    print_table(std::cout, table);
}

std::string picture_svg(const std::string& title, const Pictures& pictures, const Tensor& weights) {
    std::string svg = text(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 64 64\" width=\"320\" "
        "height=\"320\""
        " role=\"img\" font-family=\"system-ui,sans-serif\" shape-rendering=\"crispEdges\"><title>",
        title, "</title>");
    for (const auto& [color, path] : areas(pictures.pixels)) {
        svg += text("<path fill=\"", color, "\" d=\"", path, "\"/>");
    }
    return svg + (weights.numel() == 64 ? frames(weights) : "") + "</svg>\n";
}
