#include "tutorials/exercises/judges/10_1_rotary_positions.h"

#include "tutorials/exercises/judges/common_holes.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "nn/positions/rotary_positions.h"
#include "tensor/errors.h"
#include "tensor/ops.h"

#include <cmath>
#include <stdexcept>
#include <utility>

using namespace heed;

namespace exercise {

namespace {

double real(std::int64_t n) { return static_cast<double>(n); }

double theta(std::int64_t i, std::int64_t d, const Slips& slip) {
    double exponent = 2 * real(i) / real(d);
    if (slip("pe.pair-over-d")) exponent = real(i) / real(d);
    if (slip("pe.column-for-pair")) exponent = 4 * real(i) / real(d);
    if (slip("pe.last-is-base") && d > 2) exponent = real(i) / real(d / 2 - 1);
    if (slip("pe.mul")) exponent = -exponent;
    if (slip("rot.all-alike")) exponent = 0;
    const Tensor base = tensor::of(slip("pe.base1000") ? 1000 : 10000);
    return tensor::pow(base, tensor::of(-exponent)).item();
}

double position(std::int64_t row, std::int64_t T, std::int64_t first, const Slips& slip) {
    if (slip("rot.no-first")) return real(row);
    if (slip("rot.from-1")) return real(first + row + 1);
    if (slip("rot.times-first")) return real(first * row);
    if (slip("rot.ends-at-first")) return real(first - T + row);
    return real(first + row);
}

Tensor angles_walk(std::int64_t T, std::int64_t d, std::int64_t first, const Slips& slip) {
    std::vector<double> rates;
    for (std::int64_t i = 0; i < d / 2; ++i) rates.push_back(theta(i, d, slip));
    std::vector<Scalar> numbers;
    for (std::int64_t row = 0; row < T; ++row) {
        for (const double rate : rates) {
            const double angle = position(row, T, first, slip) * rate;
            numbers.push_back(slip("pe.degrees") ? angle * 3.141592653589793 / 180 : angle);
        }
    }
    return tensor::from_vector(numbers, {T, d / 2});
}

// The angles of x's rows, to be broadcast: [T, d/2] without a slip.
Tensor angles_of(const Shape& x, std::int64_t first, const Slips& slip) {
    const std::int64_t T = x.dim(-2), d = x.dim(-1);
    if (slip("rot.turned-from-0")) return angles_walk(T, d, 0, {});
    if (slip("rot.one-angle")) return angles_walk(1, d, first, {});
    if (slip("rot.texts-for-positions") && x.rank() > 2) {
        return tensor::unsqueeze(angles_walk(x.dim(-3), d, first, {}), 1);
    }
    if (slip("rot.runs-on") && x.rank() > 2) {
        const Tensor all = angles_walk(x.numel() / d, d, first, {});
        std::vector<std::int64_t> dims;
        for (int axis = 0; axis + 1 < x.rank(); ++axis) dims.push_back(x[axis]);
        dims.push_back(d / 2);
        return tensor::reshape(all, Dims(dims));
    }
    return angles_walk(T, d, first, {});
}

struct Pair {
    Variable a, b;
};

Pair turned_pair(const Pair& x, const Variable& cos, const Variable& sin, const Slips& slip) {
    const auto [a, b] = x;
    if (slip("rot.clockwise")) return {a * cos + b * sin, b * cos - a * sin};
    if (slip("rot.mirrored")) return {a * cos - b * sin, -(a * sin) - b * cos};
    if (slip("rot.both-plus")) return {a * cos + b * sin, a * sin + b * cos};
    if (slip("rot.one-of-a-pair")) return {a * cos - b * sin, b};
    if (slip("rot.added")) return {a + sin, b + cos};
    if (slip("rot.sin-detached")) {
        return {a * cos - b.detach() * sin, a.detach() * sin + b * cos};
    }
    const Variable first = a * cos - b * sin;
    if (slip("rot.reused")) return {first, first * sin + b * cos};
    return {first, a * sin + b * cos};
}

Variable turned_walk(const Variable& given, std::int64_t first, const Slips& slip) {
    const Variable x = slip("train.detached") ? given.detach() : given;
    const std::int64_t d = x.dim(-1);
    const Tensor by = angles_of(x.shape(), first, slip);
    Variable cos(tensor::cos(by)), sin(tensor::sin(by));
    if (slip("rot.sin-for-cos")) std::swap(cos, sin);
    const bool halves = slip("rot.halves");
    const Pair pair = halves ? Pair{slice(x, -1, 0, d / 2), slice(x, -1, d / 2, d)}
                             : Pair{slice(x, -1, 0, d, 2), slice(x, -1, 1, d, 2)};
    const Pair done = turned_pair(pair, cos, sin, slip);
    if (halves || slip("rot.joined-as-halves")) return concatenate({done.a, done.b}, -1);
    return flatten(stack({done.a, done.b}, -1), -2, -1);
}

Case of_angles(const std::string& name, std::int64_t T, std::int64_t d, std::int64_t first,
               const Rotary& answer) {
    const auto stages = [](const Tensor& angles) {
        return Stages{{"the table of angles", angles},
                      {"the sine of each angle", tensor::sin(angles)}};
    };
    return {name, [=](const Slips& slip) { return stages(angles_walk(T, d, first, slip)); },
            [=] { return stages(answer.angles(T, d, first)); }};
}

std::vector<Case> cases_of_angles(const Rotary& answer) {
    return {
        of_angles("5 positions from 0 on, d = 6", 5, 6, 0, answer),
        of_angles("4 positions from 3 on, d = 8", 4, 8, 3, answer),
        of_angles("one position, d = 2", 1, 2, 7, answer),
        of_angles("4 positions from 2 on, d = 4", 4, 4, 2, answer),
        of_angles("700 positions, d = 4", 700, 4, 0, answer),
        of_angles("3 positions from 5000 on, d = 130", 3, 130, 5000, answer),
        of_angles("3 positions from 40000 on, d = 12", 3, 12, 40000, answer),
        of_angles("5 positions from 17 on, d = 6", 5, 6, 17, answer),
    };
}

Case of_turned(const std::string& name, const Tensor& x, std::int64_t first, const Rotary& answer) {
    const Variable leaf(x, requires_grad);
    const auto stages = [=](const Variable& turned) {
        return with_gradients({{"the turned x", turned.value()}}, turned, {{"x", leaf}});
    };
    return {name,
            [=](const Slips& slip) { return stages(turned_walk(leaf, first, slip)); },
            [=] { return stages(answer.turned(leaf, first)); },
            {{"x", x}}};
}

Tensor view(const Tensor& x, const Dims& order) { return tensor::permute(x, order); }

std::vector<Case> cases_of_turned(const Rotary& answer) {
    return {
        of_turned("x of 5 positions, d = 6", random({5, 6}, 1), 0, answer),
        of_turned("2 texts, 3 heads, 4 positions from 3 on, d = 8", random({2, 3, 4, 8}, 2), 3,
                  answer),
        of_turned("3 texts of 5 positions, d = 4", random({3, 5, 4}, 3), 0, answer),
        of_turned("all sizes 4", random({4, 4, 4}, 4), 2, answer),
        of_turned("one position, d = 2", random({1, 2}, 5), 7, answer),
        of_turned("all sizes 4, with heads", random({4, 4, 4, 4}, 13), 3, answer),
        of_turned("2 texts of 300 positions, d = 4", random({2, 300, 4}, 6), 0, answer),
        of_turned("3 leading axes", random({2, 1, 3, 2, 10}, 7), 1, answer),
        of_turned("heads that are a view", view(random({2, 5, 3, 4}, 8), {0, 2, 1, 3}), 4, answer),
        of_turned("x transposed", view(random({3, 8, 5}, 9), {0, 2, 1}), 0, answer),
        of_turned("3 positions from 5000 on", random({2, 3, 6}, 10), 5000, answer),
        of_turned("features around ±1000", random({2, 4, 6}, 11, 1000), 1, answer),
        of_turned("a vector of zeros, and d = 66", tensor::zeros({1, 3, 66}), 1, answer),
        of_turned("another x of 5 positions, from 2 on", random({5, 6}, 12), 2, answer),
    };
}

double product(const Rotary& answer, const Tensor& q, std::int64_t i, const Tensor& k,
               std::int64_t j) {
    const Tensor q_i = answer.turned(Variable(q), i).value();
    const Tensor k_j = answer.turned(Variable(k), j).value();
    return tensor::sum(q_i * k_j).item();
}

std::string only_the_distance(const Rotary& answer) {
    const Tensor q = random({1, 8}, 21), k = random({1, 8}, 22);
    const double near = product(answer, q, 3, k, 1);
    for (const std::int64_t further : {1, 40, 1000}) {
        const double far = product(answer, q, 3 + further, k, 1 + further);
        if (std::fabs(far - near) < 1e-6) continue;
        return text("q_3·k_1 is ", near, ", and for the same q and k q_", 3 + further, "·k_",
                    1 + further, " is ", far, ".");
    }
    return "";
}

std::string pieces_differ(const Rotary& answer) {
    const Tensor x = random({2, 9, 6}, 23);
    const Tensor whole = tensor::slice(answer.turned(Variable(x), 2).value(), 1, 5, 9);
    const Tensor x_later = tensor::contiguous(tensor::slice(x, 1, 5, 9));
    const Tensor later = answer.turned(Variable(x_later), 7).value();
    if (same(later, whole)) return "";
    return "Rows 5 to 8 of 9 that begin at position 2 are turned otherwise alone, with first = 7.";
}

std::string odd_d_is_turned(const Rotary& answer) {
    for (const std::int64_t d : {1, 3, 7}) {
        try {
            answer.turned(Variable(random({2, 4, d}, 24)), 0);
        } catch (const std::invalid_argument&) {
            continue;
        }
        return text("d = ", d, " was not refused.");
    }
    return "";
}

std::string later_calls_change_it(const Rotary& answer) {
    const Variable x(random({3, 4}, 25)), other(random({3, 4}, 26));
    const Tensor by = answer.angles(3, 4, 1), turned = answer.turned(x, 1).value();
    const Tensor by_before = tensor::clone(by), turned_before = tensor::clone(turned);
    answer.angles(3, 4, 2);
    answer.turned(other, 2);
    if (!identical(by, by_before)) return "The table of angles is another after a second call.";
    return identical(turned, turned_before) ? "" : "The turned x is another after a second call.";
}

std::vector<Hole> holes() {
    return {{"angles",
             {"the table of angles", "the sine of each angle"},
             {"Which number does row 0, pair 0 have if first is 3, and which row 1?",
              "tensor/factories.h has arange, tensor/ops/arithmetic.h has pow; [T, 1] times [d/2] "
              "is [T, d/2]",
              "angle[r, i] = (first + r)·10000^(-2i/d)",
              "2i for all pairs is tensor::arange(0, d, 2), with d as a double; the positions are "
              "tensor::arange(T) + first"}},
            {"turned",
             {"the turned x", "the gradient of x"},
             {"Where is the point (1, 0) after an angle of φ, and where is (0, 1)?",
              "slice with a step of 2 takes every second feature; stack and flatten put two "
              "tensors back in turns",
              "(a, b) turned by φ is (a·cos φ - b·sin φ, a·sin φ + b·cos φ)",
              "a = slice(x, -1, 0, d, 2), b = slice(x, -1, 1, d, 2); at the end "
              "flatten(stack({..., ...}, -1), -2, -1)"}}};
}

}  // namespace

Exercise rotary_positions(const Rotary& answer) {
    Exercise exercise;
    exercise.number = "10.1";
    exercise.title = "Rotary positions";
    exercise.cases = hole_by_hole({cases_of_angles(answer), cases_of_turned(answer)});
    exercise.laws = {
        {"an odd d is refused with std::invalid_argument", [=] { return odd_d_is_turned(answer); }},
        {"a score depends only on the distance", [=] { return only_the_distance(answer); }},
        {"a result stays as it is when another one is asked for",
         [=] { return later_calls_change_it(answer); }},
        {"a later piece is turned as in the whole", [=] { return pieces_differ(answer); }}};
    exercise.mistakes = rotary_mistakes();
    exercise.hints = {
        "Which two features make a point, and by which angle is it turned?",
        "Lesson 10.5; print `angles` and `turned` by themselves, for d = 2",
        "At d = 2 and position 1, the row (1, 0) becomes (cos 1, sin 1); at position 0 nothing "
        "changes",
        "Compare a row with the same row turned from `first` = 0, 1 and 2, feature by feature"};
    exercise.holes = holes();
    return exercise;
}

namespace {

// x·cos + J·x·sin with each angle twice, where J turns every pair by a quarter.
Variable by_quarter_turns(const Variable& x, std::int64_t first) {
    const std::int64_t T = x.dim(-2), d = x.dim(-1);
    if (d % 2 == 1) throw std::invalid_argument("odd");
    Tensor J = tensor::zeros({d, d});
    for (std::int64_t k = 0; k < d; k += 2) {
        J.writable_data()[k * d + k + 1] = 1;
        J.writable_data()[(k + 1) * d + k] = -1;
    }
    const Tensor by = tensor::unsqueeze(angles_walk(T, d, first, {}), -1);          // [T, d/2, 1]
    const Tensor twice = tensor::reshape(tensor::expand(by, {-1, -1, 2}), {T, d});  // [T, d]
    return x * Variable(tensor::cos(twice)) + matmul(x, Variable(J)) * Variable(tensor::sin(twice));
}

Variable by_the_library(const Variable& x, std::int64_t first) {
    const RotaryPositions positions(x.dim(-1), {.pairs = RotatedPairs::neighbours});
    return positions.turned(x, first);
}

// Row after row, feature after feature.
Variable feature_by_feature(const Variable& x, std::int64_t first) {
    const std::int64_t T = x.dim(-2), d = x.dim(-1);
    if (d & 1) throw std::invalid_argument("odd");
    const Tensor by = angles_walk(T, d, first, {});
    std::vector<Variable> features;
    for (std::int64_t k = 0; k < d; ++k) {
        const Variable phi(tensor::select(by, 1, k / 2));
        const Variable own = select(x, -1, k), other = select(x, -1, k % 2 == 0 ? k + 1 : k - 1);
        const double sign = k % 2 == 0 ? -1 : 1;
        features.push_back(own * cos(phi) + sign * other * sin(phi));
    }
    return stack(features, -1);
}

}  // namespace

Trials rotary_positions_trials() {
    const auto angles = [](std::int64_t T, std::int64_t d, std::int64_t first) {
        return angles_walk(T, d, first, {});
    };
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return rotary_positions({[=](std::int64_t T, std::int64_t d, std::int64_t first) {
                                     return angles_walk(T, d, first, slip);
                                 },
                                 [=](const Variable& x, std::int64_t first) {
                                     if (x.dim(-1) % 2 != 0) throw std::invalid_argument("odd");
                                     return turned_walk(x, first, slip);
                                 }});
    };
    trials.right["with a matrix of quarter turns"] = [=] {
        return rotary_positions({angles, by_quarter_turns});
    };
    trials.right["with the library's layer"] = [=] {
        return rotary_positions({angles, by_the_library});
    };
    trials.right["feature by feature"] = [=] {
        return rotary_positions({angles, feature_by_feature});
    };
    return trials;
}

}  // namespace exercise
