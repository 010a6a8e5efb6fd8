// Lesson 17: its pictures in a terminal, as blocks of colour where there are colours, as letters
// where there are none.
#include "tutorials/17_pixels/picture.h"

#include "tensor/print.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <iostream>

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
