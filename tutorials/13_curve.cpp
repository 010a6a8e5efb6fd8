// Lesson 13, second part: translators without attention, with it, and with a memory of where it
// looked: accuracy over length, alignment, and dependent steps.
#include "tutorials/13_curve.h"

#include "heed/autograd/ops.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/print.h"
#include "tutorials/13_translator.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <array>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

const int steps = 600;
const std::array<std::array<std::int64_t, 2>, 7> lengths = {
    {{3, 6}, {7, 9}, {10, 12}, {13, 15}, {16, 18}, {19, 21}, {22, 24}}};

// The share of right translations for each range of lengths, on 100 new sentences each.
std::vector<double> curve_of(const Translator& model, const std::vector<Pairs>& tests) {
    std::vector<double> curve;
    for (const Pairs& pairs : tests) {
        curve.push_back(right_share(translate(model, pairs.spanish, 45), pairs));
    }
    return curve;
}

void print_curve(const std::string& what, const std::vector<double>& curve) {
    std::vector<std::string> cells;
    for (const double share : curve) cells.push_back(fixed(share, 2));
    print_row(std::cout, what, cells, 22, 6);
}

void draw(const std::vector<std::vector<double>>& curves) {
    const std::string marks = "ox*";
    for (int row = 5; row >= 0; --row) {
        std::cout << (row == 5 ? "1.0 |" : row == 0 ? "0.0 |" : "    |");
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            std::string cell(8, ' ');
            for (std::size_t c = 0; c < curves.size(); ++c) {
                if (static_cast<int>(curves[c][i] * 5 + 0.5) == row) cell[3 + c] = marks[c];
            }
            std::cout << cell;
        }
        std::cout << "\n";
    }
}

}  // namespace

void measure_translators(Random& random) {
    section("13.3 The curve");
    std::vector<Pairs> tests;
    for (const auto& [fewest, most] : lengths) {
        tests.push_back(random_pairs(100, fewest, most, random));
    }
    std::cout << "                        ";
    for (const auto& [fewest, most] : lengths) std::cout << fewest << "-" << most << "  ";
    std::cout << "\n";
    std::vector<std::vector<double>> curves;
    for (const Sees sees : {Sees::last_state, Sees::states, Sees::states_and_place}) {
        const Translator model = trained_translator(sees, steps, random);
        curves.push_back(curve_of(model, tests));
        print_curve(sees == Sees::last_state ? "o one vector"
                    : sees == Sees::states   ? "x attention"
                                             : "* and where it looked",
                    curves.back());
        if (sees != Sees::last_state) {
            const NoGrad no_grad;
            for (const Pairs& pairs : tests) {
                std::cout << fixed(aligned_share(follow(model, pairs).weights.value(), pairs), 2)
                          << "  ";
            }
            std::cout << "aligned\n";
        }
    }
    draw(curves);
}
