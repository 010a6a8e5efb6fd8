// Lesson 06: a measured curve as a dictionary, an old use (06.4).
#include "tutorials/06_soft_dictionary_lookup/parts.h"

#include "autograd/variable.h"
#include "nn/attention/attention.h"
#include "nn/attention/scores.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::same;
using tutorial::say;
using tutorial::section;

namespace {

std::vector<double> numbers_of(const Tensor& x) {
    const std::vector<Scalar> numbers = x.to_vector();
    return {numbers.begin(), numbers.end()};
}

void draw_curve(const Tensor& hours, const Tensor& degrees, const Tensor& asked,
                const Tensor& answers) {
    if (!tutorial::page_is_written()) return;
    const auto of_width = [&](std::int64_t column) {
        return numbers_of(tensor::select(answers, 1, column));
    };
    const std::vector<double> x = numbers_of(asked);
    tutorial::draw(tutorial::plot_svg(
        {.title = "The answers of three widths",
         .x = {.label = "hour", .ticks = {0, 3, 6, 9, 12, 15, 18, 21}},
         .y = {.label = "degrees"},
         .series = {
             {.name = "readings", .x = numbers_of(hours), .y = numbers_of(degrees), .line = false},
             {"width 0.5", x, of_width(0)},
             {"width 2", x, of_width(1)},
             {"width 10", x, of_width(2)}}}));
}

}  // namespace

void kernel_regression() {
    section("06.4 A measured curve as a dictionary");
    say("An old use (Nadaraya 1964, Watson 1964): somebody reads a thermometer every three hours. "
        "Keys are hours, values degrees. The score is $α(q, k) = -(q - k)² / (2·width²)$, so the "
        "numerator is a bell curve around the query: the nearer a reading, the more it counts.");
    const Tensor hours = tensor::of({{0}, {3}, {6}, {9}, {12}, {15}, {18}, {21}});     // [T_k, 1]
    const Tensor degrees = tensor::of({{9}, {7}, {8}, {13}, {18}, {20}, {16}, {12}});  // [T_k, 1]
    const Tensor asked = tensor::of({{4}, {10}, {13.5}, {23}});                        // [T_q, 1]
    const Tensor difference = asked - tensor::transpose(hours);                        // [T_q, T_k]
    const Tensor distance = difference * difference;                                   // [T_q, T_k]
    tutorial::Table table = {"hour", "column", {"4.0", "10.0", "13.5", "23.0"}, {}, {}};
    std::vector<Tensor> of_widths;
    bool as_nn = true;
    for (const double width : {0.5, 2.0, 10.0}) {
        const Tensor weights = tensor::softmax(-distance / (2 * width * width), -1);
        of_widths.push_back(tensor::matmul(weights, degrees));  // [T_q, 1]
        const Attention ready_made =
            attend(GaussianScore(width), Variable(asked), Variable(hours), Variable(degrees));
        as_nn = as_nn && same(of_widths.back(), ready_made.output.value());
        table.columns.push_back("width " + fixed(width, 1));
    }
    const Tensor answers = tensor::concatenate(of_widths, 1);  // [T_q, 3]
    tutorial::predict_number(
        "At 12 it was 18 degrees, at 15 it was 20. Width 0.5: what is the answer for 13.5?",
        answers(2, 0), 0.1, "Both are equally near, and a bell so narrow reaches no others.");
    stop("06.4 three widths", {{"distance", distance}, {"answers", answers}});
    for (const Scalar answer : answers.to_vector()) table.cells.push_back({fixed(answer, 1)});
    tutorial::print_table(std::cout, table);
    const double mean = tensor::mean(degrees).item();
    draw_curve(hours, degrees, asked, answers);
    std::cout << "mean of all readings: " << fixed(mean, 1) << "\n\n";
    check(std::fabs(answers(1, 0) - 13) < 0.1 && std::fabs(answers(2, 0) - 19) < 0.1,
          "a narrow bell gives nearly the reading of 9 at 10, and at 13.5 the mean of those of 12 "
          "and 15");
    check(tensor::all_close(tensor::select(answers, 1, 2), tensor::full({4}, mean), 0, 2) &&
              !tensor::all_close(tensor::select(answers, 1, 1), tensor::full({4}, mean), 0, 2),
          "a wide one gives nearly the mean of all");
    check(as_nn, "nn's GaussianScore gives the same bits");

    const Variable q(tensor::of({{10}})), K(hours), V(degrees);
    const Tensor by_width = attend(GaussianScore(2), q, K, V).output.value();
    const Tensor by_temperature =
        attend(GaussianScore(1), q, K, V, {.temperature = 4}).output.value();
    check(tensor::all_close(by_width, by_temperature, 1e-5, 0),
          "$width²$ is a temperature: width 2 is width 1 at temperature 4");
    check(attend(GaussianScore(1), q, K, V, {.temperature = 0}).output(0, 0) == 13,
          "at temperature 0 the nearest reading comes back");
}
