#include "tutorials/exercises/judges/04_2_sinusoidal_positions.h"

#include "tutorials/exercises/judges/common_qkv.h"
#include "tutorials/exercises/judging/judge.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/choose.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/join.h"
#include "tensor/views.h"

#include <cmath>

using namespace heed;

namespace exercise {

namespace {

// The exponent of 1 / base for dimension k, in pair k / 2.
double exponent_of(std::int64_t k, std::int64_t d, const Slips& slip) {
    const std::int64_t i = k / 2;
    double above = static_cast<double>(2 * i);
    if (slip("pe.exp-i")) above = static_cast<double>(k);
    if (slip("pe.exp-k")) above = static_cast<double>(i);
    if (slip("pe.exp-4k")) above = static_cast<double>(4 * i);
    if (slip("pe.int-div")) return static_cast<double>(2 * i / d);
    return above / static_cast<double>(d);
}

// The dimension whose numbers stand in a column: with pe.halves all sines come first.
std::int64_t dimension_of(std::int64_t column, std::int64_t d, const Slips& slip) {
    if (!slip("pe.halves")) return column;
    const std::int64_t half = d / 2;
    return column < half ? 2 * column : 2 * (column - half) + 1;
}

// The angle that dimension k adds with every position.
double rate_of(std::int64_t k, std::int64_t d, const Slips& slip) {
    const double base = slip("pe.base1000") ? 1000 : 10000;
    const double sign = slip("pe.mul") ? 1 : -1;
    const double pi = 3.141592653589793;
    const Tensor power = tensor::pow(tensor::of(base), sign * exponent_of(k, d, slip));
    if (slip("pe.degrees")) return power.item() * pi / 180;
    if (slip("pe.two-pi")) return power.item() * 2 * pi;
    return power.item();
}

bool is_sine(std::int64_t t, std::int64_t k, const Slips& slip) {
    if (slip("pe.all-sin")) return true;
    const bool even = (slip("pe.even-positions") ? t : k) % 2 == 0;
    return slip("pe.swapped") ? !even : even;
}

Tensor walk(std::int64_t T, std::int64_t d, const Slips& slip) {
    const double first = slip("pe.from-1") ? 1 : 0;
    const Tensor t = tensor::arange(static_cast<double>(T)) + first;
    std::vector<Tensor> columns;
    for (std::int64_t column = 0; column < d; ++column) {
        const std::int64_t k = dimension_of(column, d, slip);
        const Tensor angles = t * rate_of(k, d, slip);  // [T]
        std::vector<bool> sines;
        for (std::int64_t i = 0; i < T; ++i) sines.push_back(is_sine(i, k, slip));
        const BoolTensor are_sines(sines, {T});
        columns.push_back(tensor::where(are_sines, tensor::sin(angles), tensor::cos(angles)));
    }
    const Tensor table = tensor::stack(columns, 1);
    return slip("pe.transposed") ? tensor::transpose(table) : table;
}

std::vector<Mistake> mistakes() {
    const std::string exponents = "Look at the rates of dimensions 0 to 3, at position 1.";
    return {
        {"pe.from-1",
         "positions were counted from 1 and not from 0",
         {"What are sin(0) and cos(0)?", "Look at row 0."}},
        {"pe.exp-i",
         "each dimension k had the exponent k/d, so that a cosine was slower than its sine",
         {"Which dimensions share a rate?", exponents}},
        {"pe.exp-k",
         "the exponent was i/d for pair i, half of what it should be",
         {"Which exponent has the last pair, nearly 1 or nearly 1/2?", exponents}},
        {"pe.exp-4k",
         "the exponent was 4i/d for pair i, twice what it should be",
         {"Does your i count pairs or dimensions, and is d divided by 2 somewhere?", exponents}},
        {"pe.int-div",
         "the exponent was a division of whole numbers, which gives 0",
         {"What is 2 / 6 in C++, where both are whole numbers?", exponents}},
        {"pe.halves",
         "all sines came first and all cosines after them",
         {"What stands beside the sine of a pair?", "Look at row 0: 0, 1, 0, 1, or 0, 0, 1, 1?"}},
        {"pe.swapped", "sine and cosine had been exchanged", {"What is sin(0)?", "Look at row 0."}},
        {"pe.all-sin",
         "all dimensions were sines",
         {"Can a sine alone tell 0 from π?", "Look at row 0."}},
        {"pe.even-positions",
         "even positions were sines and odd ones cosines, where dimensions are meant",
         {"Even or odd what?", "Look at row 0, and then at column 0."}},
        {"pe.degrees",
         "the angles were taken as degrees",
         {"How far does a sine go at position 90?", "Look at column 0: sin(1) is 0.84."}},
        {"pe.two-pi",
         "the angles were multiplied by 2π",
         {"What is the wavelength of the first pair, 1 or 2π?", "Look at column 0: sin(1)."}},
        {"pe.mul",
         "positions were multiplied by 10000^(2i/d) and not divided by it",
         {"Do the last dimensions turn quickly or slowly?", "Look at the last column."}},
        {"pe.base1000",
         "the base was 1000 and not 10000",
         {"Which power of ten does the formula have?", "Look at the last two columns."}},
        {"pe.transposed",
         "the table had a row for each dimension and a column for each position",
         {"What is a row for, a position or a dimension?", "Look at the shape."}},
    };
}

// Each pair is a point on the unit circle.
std::string pairs_of_norm_1(const SinusoidalPositions& positions) {
    const Tensor P = positions(9, 8);
    if (P.shape() != Shape{9, 8}) return "The table of 9 positions of 8 has another shape.";
    for (std::int64_t t = 0; t < 9; ++t) {
        for (std::int64_t k = 0; k < 8; k += 2) {
            const double squares = P(t, k) * P(t, k) + P(t, k + 1) * P(t, k + 1);
            if (std::fabs(squares - 1) < 2 * tolerance) continue;
            return "Of 9 positions of 8 numbers, the squares of entries [" + std::to_string(t) +
                   ", " + std::to_string(k) + "] and [" + std::to_string(t) + ", " +
                   std::to_string(k + 1) + "] add up to " + std::to_string(squares) + ".";
        }
    }
    return "";
}

}  // namespace

Exercise sinusoidal_positions(const SinusoidalPositions& positions) {
    Exercise exercise;
    exercise.number = "04.2";
    exercise.title = "Sinusoidal positions";
    const auto add = [&](const std::string& name, std::int64_t T, std::int64_t d) {
        exercise.cases.push_back({name,
                                  [=](const Slips& slip) {
                                      return Stages{{"the table", walk(T, d, slip)}};
                                  },
                                  [=] {
                                      return Stages{{"the table", positions(T, d)}};
                                  }});
    };
    add("5 positions of 6 numbers", 5, 6);
    add("9 positions of 6", 9, 6);
    add("3 positions of 10", 3, 10);
    add("8 positions of 8", 8, 8);
    add("7 positions of 2", 7, 2);
    add("one position of 4", 1, 4);
    // No rate of the second is a short decimal, so that one that was rounded ends up elsewhere.
    add("1000 positions of 4", 1000, 4);
    add("1000 positions of 6", 1000, 6);
    add("3 positions of 520", 3, 520);
    add("2 positions of 4 after a wider table", 2, 4);
    add("5 positions of 6 again", 5, 6);
    exercise.laws = {{"sin² + cos² = 1 for each pair", [=] { return pairs_of_norm_1(positions); }},
                     earlier_results_stay(
                         [=] {
                             return Stages{{"the table", positions(4, 6)}};
                         },
                         [=] {
                             return Stages{{"the table", positions(6, 4)}};
                         })};
    exercise.mistakes = mistakes();
    exercise.hints = {
        "What is the angle of pair i at position t, and where do its sine and cosine go?",
        "tensor/ops/functions.h has sin and cos, tensor/ops/arithmetic.h has pow; print row 1",
        "P[t, 2i] = sin(t / 10000^(2i/d)), P[t, 2i+1] = cos of the same angle",
        "rates = pow(of(10000), arange(0, d, 2) / -d); angles = unsqueeze(t, 1) * "
        "rates; stack({sin(angles), cos(angles)}, -1), reshaped to [T, d]"};
    return exercise;
}

namespace {

Tensor by_matrices(std::int64_t T, std::int64_t d) {
    const Tensor exponents = tensor::arange(0, static_cast<double>(d), 2) / static_cast<double>(d);
    const Tensor wavelengths = tensor::pow(tensor::of(10000), exponents);  // [d/2]
    const Tensor t = tensor::unsqueeze(tensor::arange(static_cast<double>(T)), 1);
    const Tensor angles = t / wavelengths;  // [T, d/2]
    return tensor::reshape(tensor::stack({tensor::sin(angles), tensor::cos(angles)}, -1), {T, d});
}

// The cosine as a sine shifted by a quarter turn.
Tensor by_shifted_sines(std::int64_t T, std::int64_t d) {
    std::vector<Scalar> numbers;
    for (std::int64_t t = 0; t < T; ++t) {
        for (std::int64_t k = 0; k < d; ++k) {
            const double above = static_cast<double>(k - k % 2);
            const Scalar rate =
                tensor::exp(tensor::log(tensor::of(10000)) * (-above / static_cast<double>(d)))
                    .item();
            const double quarter = k % 2 == 0 ? 0 : 1.5707963267948966;
            const double angle = static_cast<double>(t) * rate + quarter;
            numbers.push_back(tensor::sin(tensor::of(angle)).item());
        }
    }
    return tensor::from_vector(numbers, {T, d});
}

}  // namespace

Trials sinusoidal_positions_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return sinusoidal_positions(
            [=](std::int64_t T, std::int64_t d) { return walk(T, d, slip); });
    };
    trials.right["by matrices"] = [] { return sinusoidal_positions(by_matrices); };
    trials.right["by shifted sines"] = [] { return sinusoidal_positions(by_shifted_sines); };
    return trials;
}

}  // namespace exercise
