#include "tutorials/exercises/judges/lesson_04.h"
#include "tutorials/exercises/judging/kit.h"

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
        {"pe.from-1", "positions were counted from 1 and not from 0", "What are sin(0) and cos(0)?",
         "Look at row 0."},
        {"pe.exp-i",
         "each dimension k had the exponent k/d, so that a cosine was slower than its sine",
         "Which dimensions share a rate?", exponents},
        {"pe.exp-k", "the exponent was i/d for pair i, half of what it should be",
         "Which exponent has the last pair, nearly 1 or nearly 1/2?", exponents},
        {"pe.exp-4k", "the exponent was 4i/d for pair i, twice what it should be",
         "Does your i count pairs or dimensions, and is d divided by 2 somewhere?", exponents},
        {"pe.int-div", "the exponent was a division of whole numbers, which gives 0",
         "What is 2 / 6 in C++, where both are whole numbers?", exponents},
        {"pe.halves", "all sines came first and all cosines after them",
         "What stands beside the sine of a pair?", "Look at row 0: 0, 1, 0, 1, or 0, 0, 1, 1?"},
        {"pe.swapped", "sine and cosine had been exchanged", "What is sin(0)?", "Look at row 0."},
        {"pe.all-sin", "all dimensions were sines", "Can a sine alone tell 0 from π?",
         "Look at row 0."},
        {"pe.even-positions",
         "even positions were sines and odd ones cosines, where dimensions are meant",
         "Even or odd what?", "Look at row 0, and then at column 0."},
        {"pe.degrees", "the angles were taken as degrees", "How far does a sine go at position 90?",
         "Look at column 0: sin(1) is 0.84."},
        {"pe.two-pi", "the angles were multiplied by 2π",
         "What is the wavelength of the first pair, 1 or 2π?", "Look at column 0: sin(1)."},
        {"pe.mul", "positions were multiplied by 10000^(2i/d) and not divided by it",
         "Do the last dimensions turn quickly or slowly?", "Look at the last column."},
        {"pe.base1000", "the base was 1000 and not 10000",
         "Which power of ten does the formula have?", "Look at the last two columns."},
        {"pe.transposed", "the table had a row for each dimension and a column for each position",
         "What is a row for, a position or a dimension?", "Look at the shape."},
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
                   std::to_string(k + 1) + "] add up to " + fixed(squares, 6) + ".";
        }
    }
    return "";
}

struct Sizes {
    std::int64_t T, d;
};

Stages stages(const SinusoidalPositions& positions, const Sizes& in) {
    return {{"the table", positions(in.T, in.d)}};
}

Inputs<Sizes> inputs() {
    return {
        {"5 positions of 6 numbers", {5, 6}},
        {"9 positions of 6", {9, 6}},
        {"3 positions of 10", {3, 10}},
        {"8 positions of 8", {8, 8}},
        {"7 positions of 2", {7, 2}},
        {"one position of 4", {1, 4}},
        // No rate of the second is a short decimal, so that one that was rounded ends up elsewhere.
        {"1000 positions of 4", {1000, 4}},
        {"1000 positions of 6", {1000, 6}},
        {"3 positions of 520", {3, 520}},
        {"2 positions of 4 after a wider table", {2, 4}},
        {"5 positions of 6 again", {5, 6}},
    };
}

Rules<SinusoidalPositions> rules() {
    return {
        .number = "04.2",
        .title = "Sinusoidal positions",
        .reference =
            [](const Slips& slip) {
                return [=](std::int64_t T, std::int64_t d) { return walk(T, d, slip); };
            },
        .cases = on_each(stages, inputs()),
        .laws = {{"sin² + cos² = 1 for each pair", pairs_of_norm_1},
                 earlier_results_stay(stages, {4, 6}, {6, 4})},
        .mistakes = mistakes(),
        .hints =
            {"What is the angle of pair i at position t, and where do its sine and cosine go?",
             "tensor/ops/functions.h has sin and cos, tensor/ops/arithmetic.h has pow; print row 1",
             "P[t, 2i] = sin(t / 10000^(2i/d)), P[t, 2i+1] = cos of the same angle",
             "rates = pow(of(10000), arange(0, d, 2) / -d); angles = unsqueeze(t, 1) * rates; "
             "stack({sin(angles), cos(angles)}, -1), reshaped to [T, d]"},
    };
}

}  // namespace

const Judge<SinusoidalPositions> judge_04_2(rules);

}  // namespace exercise
