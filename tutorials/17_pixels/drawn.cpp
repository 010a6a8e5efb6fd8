// Lesson 17: its pictures in a terminal, as blocks of colour where there are colours, as letters
// where there are none.
#include "tutorials/17_pixels/picture.h"

#include "tensor/print.h"
#include "tutorials/support/color.h"
#include "tutorials/support/table.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::ColorLevel;
using tutorial::Rgb;

namespace {

// A pixel of the first picture, between white for `strength` 0 and itself for 1.
Rgb color_at(const Tensor& pixels, std::int64_t row, std::int64_t column, double strength) {
    const auto channel = [&](std::int64_t c) {
        const double light = std::clamp<double>(pixels(0, row, column, c), 0, 1);
        return static_cast<int>(255 * (1 - strength * (1 - light)) + 0.5);
    };
    return {channel(0), channel(1), channel(2)};
}

// `strengths` [64], of the patches.
void draw(const Tensor& pixels, const std::vector<double>& strengths) {
    const ColorLevel level = tutorial::colors_in_use();
    if (level == ColorLevel::none) return;
    for (std::int64_t row = 0; row < 64; row += 2) {
        std::cout << "    ";
        for (std::int64_t column = 0; column < 64; ++column) {
            const double strength = strengths[static_cast<std::size_t>(row / 8 * 8 + column / 8)];
            std::cout << tutorial::two_pixels(color_at(pixels, row, column, strength),
                                              color_at(pixels, row + 1, column, strength), level);
        }
        std::cout << "\n";
    }
    std::cout << "\n";
}

}  // namespace

void print_picture(const Pictures& pictures) {
    draw(pictures.pixels, std::vector<double>(64, 1));
    for (std::size_t row = 0; row < 8; ++row) {
        std::cout << "   ";
        for (std::size_t column = 0; column < 8; ++column) {
            std::cout << " " << pictures.letters[0][8 * row + column];
        }
        std::cout << "\n";
    }
    std::cout << "\n";
}

void print_picture(const Pictures& pictures, const Tensor& weights) {
    std::vector<double> strengths;
    tutorial::Table table;
    table.corner = "per cent";
    table.what_columns = "column";
    for (int i = 1; i <= 8; ++i) {
        table.rows.push_back("row " + std::to_string(i));
        table.columns.push_back(std::to_string(i));
    }
    for (std::int64_t k = 0; k < 64; ++k) {
        const double weight = weights(k);
        strengths.push_back(weight);
        const std::string letter(1, pictures.letters[0][static_cast<std::size_t>(k)]);
        table.cells.push_back({letter + " " + fixed(100 * weight, 0), weight});
    }
    draw(pictures.pixels, strengths);
    print_table(std::cout, table);
}

void print_patterns() {
    for (std::int64_t row = 0; row < 8; ++row) {
        for (std::int64_t kind = 0; kind < num_kinds; ++kind) {
            std::cout << "    ";
            for (std::int64_t column = 0; column < 8; ++column) {
                std::cout << (is_dark(kind, row, column) ? '#' : '.');
            }
        }
        std::cout << "\n";
    }
    std::cout << "\n";
}
