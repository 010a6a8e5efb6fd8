#include "tutorials/03_training/moons.h"
#include "tutorials/support/maps.h"
#include "tutorials/support/page.h"

#include "autograd/grad_mode.h"
#include "nn/activations.h"
#include "nn/linear.h"
#include "tensor/ops.h"
#include "tensor/print.h"

#include <algorithm>
#include <iostream>
#include <string>

using namespace heed;

Moons make_moons(std::int64_t n, Random& random) {
    const double pi = 3.141592653589793;
    const Tensor a = tensor::uniform({n}, random, 0, pi);  // angles
    const Tensor b = tensor::uniform({n}, random, 0, pi);
    const Tensor upper = tensor::stack({tensor::cos(a), tensor::sin(a)}, 1);            // [n, 2]
    const Tensor lower = tensor::stack({1 - tensor::cos(b), 0.5 - tensor::sin(b)}, 1);  // [n, 2]
    const Tensor noise = tensor::normal({2 * n, 2}, random, 0, 0.15);
    std::vector<std::int64_t> classes(static_cast<std::size_t>(2 * n), 0);
    std::fill(classes.begin() + n, classes.end(), 1);
    const Tensor targets = tensor::concatenate({tensor::ones({n, 1}), -tensor::ones({n, 1})}, 0);
    return {tensor::concatenate({upper, lower}, 0) + noise, IndexTensor(classes), targets};
}

Sequential make_network(std::int64_t outputs, Random& random) {
    return Sequential{Linear(2, 16, random), Tanh(), Linear(16, 16, random), Tanh(),
                      Linear(16, outputs, random)};
}

void print_curves(const std::vector<Curve>& curves, double top) {
    const int rows = 14;
    const std::size_t steps = curves[0].losses.size();
    std::vector<std::string> picture(rows + 1, std::string(steps, ' '));
    for (const Curve& curve : curves) {
        for (std::size_t step = 0; step < steps; ++step) {
            const double height = std::min(curve.losses[step], top) / top * rows;
            const std::size_t row = static_cast<std::size_t>(rows - static_cast<int>(height + 0.5));
            char& place = picture[row][step];
            place = place == ' ' ? curve.mark : '*';
        }
    }
    for (int row = 0; row <= rows; ++row) {
        const std::string& line = picture[static_cast<std::size_t>(row)];
        std::cout << "  " << (row % 2 == 0 ? fixed(top * (rows - row) / rows, 2) : "    ") << " |"
                  << line.substr(0, line.find_last_not_of(' ') + 1) << "\n";
    }
    std::cout << "       " << std::string(steps, '-') << "\n       ";
    std::string numbers;
    for (std::size_t step = 0; step < steps; step += 10) {
        numbers += std::to_string(step);
        numbers.resize(step + 10, ' ');
    }
    std::cout << numbers.substr(0, numbers.find_last_not_of(' ') + 1) << "\n\n";
}

namespace {

void add_points(const Moons& moons, bool held_out, std::vector<tutorial::ClassPoint>& points) {
    for (std::int64_t n = 0; n < moons.points.dim(0); ++n) {
        points.push_back({static_cast<double>(moons.points(n, 0)),
                          static_cast<double>(moons.points(n, 1)),
                          static_cast<int>(moons.classes(n)), held_out});
    }
}

}  // namespace

void draw_answers(const Sequential& network, const Moons& training, const Moons& held_out) {
    const int rows = 22, columns = 72;
    const double left = -1.5, top = 1.5, width = 4.0, height = 2.5;
    std::vector<double> places;
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
            places.push_back(left + width * (j + 0.5) / columns);
            places.push_back(top - height * (i + 0.5) / rows);
        }
    }
    const std::vector<Scalar> grid(places.begin(), places.end());
    const NoGrad no_grad;
    const Variable logits = network(Variable(tensor::from_vector(grid, {rows * columns, 2})));

    std::vector<const char*> picture;
    for (std::int64_t place = 0; place < logits.dim(0); ++place) {
        picture.push_back(logits(place, 0) > logits(place, 1) ? "#" : "·");
    }
    for (std::int64_t n = 0; n < held_out.points.dim(0); ++n) {
        const double across = (held_out.points(n, 0) - left) / width * columns;
        const double down = (top - held_out.points(n, 1)) / height * rows;
        if (!(across >= 0 && across < columns && down >= 0 && down < rows)) continue;
        const int i = static_cast<int>(down), j = static_cast<int>(across);
        picture[static_cast<std::size_t>(i * columns + j)] = held_out.classes(n) == 0 ? "O" : "x";
    }
    for (int i = 0; i < rows; ++i) {
        std::cout << "  ";
        for (int j = 0; j < columns; ++j) {
            std::cout << picture[static_cast<std::size_t>(i * columns + j)];
        }
        std::cout << "\n";
    }
    std::cout << "\n";
    if (!tutorial::page_is_written()) return;
    const Tensor of_upper = tensor::select(logits.value(), 1, 0);
    const Tensor of_lower = tensor::select(logits.value(), 1, 1);
    std::vector<tutorial::ClassPoint> points;
    add_points(training, false, points);
    add_points(held_out, true, points);
    tutorial::draw_in_place_of_characters(tutorial::decision_svg(
        "What the network answers where", tensor::view(of_upper - of_lower, {rows, columns}),
        {left, top, width, height}, points, {"upper moon", "lower moon"}));
}
