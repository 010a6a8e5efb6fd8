#include "tutorials/exercises/judges/04_2_sinusoidal_positions.h"

#include "tutorials/exercises/judges/common_qkv.h"

#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/functions.h"
#include "heed/tensor/ops/join.h"
#include "heed/tensor/ops/matmul.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/views.h"

#include <cmath>

using namespace heed;

namespace exercise {

namespace {

Scalar power_of(double base, double exponent) {
    return tensor::pow(tensor::of(base), exponent).item();
}

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

Tensor walk(std::int64_t T, std::int64_t d, const Slips& slip) {
    const double base = slip("pe.base1000") ? 1000 : 10000;
    const double pi = 3.141592653589793;
    std::vector<Scalar> numbers;
    for (std::int64_t t = 0; t < T; ++t) {
        for (std::int64_t column = 0; column < d; ++column) {
            // With pe.halves all sines come first: column c is dimension 2c, or 2(c - d/2) + 1.
            const std::int64_t half = d / 2;
            const bool late = column >= half;
            const std::int64_t k =
                slip("pe.halves") ? (late ? 2 * (column - half) + 1 : 2 * column) : column;
            const double sign = slip("pe.mul") ? 1 : -1;
            const Scalar rate = power_of(base, sign * exponent_of(k, d, slip));
            Scalar angle = static_cast<Scalar>(slip("pe.from-1") ? t + 1 : t) * rate;
            if (slip("pe.degrees")) angle *= static_cast<Scalar>(pi / 180);
            if (slip("pe.two-pi")) angle *= static_cast<Scalar>(2 * pi);
            const bool by_position = slip("pe.even-positions");
            bool sine = by_position ? t % 2 == 0 : k % 2 == 0;
            if (slip("pe.swapped")) sine = !sine;
            if (slip("pe.all-sin")) sine = true;
            const Tensor x = tensor::of(angle);
            numbers.push_back((sine ? tensor::sin(x) : tensor::cos(x)).item());
        }
    }
    const Tensor table = tensor::from_vector(numbers, {T, d});
    return slip("pe.transposed") ? tensor::transpose(table) : table;
}

std::vector<Mistake> mistakes() {
    const std::string exponents = "Look at the rates of dimensions 0 to 3, at position 1.";
    return {
        {"pe.from-1",
         "the first position were 1 and not 0",
         {"What are sin(0) and cos(0)?", "Look at row 0."}},
        {"pe.exp-i",
         "a sine and the cosine beside it had exponents of their own, k/d for dimension k",
         {"Which dimensions share a rate?", exponents}},
        {"pe.exp-k",
         "the exponent were i/d for pair i, half of what it is",
         {"Which exponent has the last pair, nearly 1 or nearly 1/2?", exponents}},
        {"pe.exp-4k",
         "the exponent were 4i/d for pair i, twice what it is",
         {"Does your i count pairs or dimensions, and is d divided by 2 somewhere?", exponents}},
        {"pe.int-div",
         "the exponent were divided in whole numbers, which gives 0",
         {"What is 2 / 6 in C++?", exponents}},
        {"pe.halves",
         "all sines came first and all cosines after them",
         {"What stands beside the sine of a pair?", "Look at row 0: 0, 1, 0, 1, or 0, 0, 1, 1?"}},
        {"pe.swapped", "sine and cosine had changed places", {"What is sin(0)?", "Look at row 0."}},
        {"pe.all-sin",
         "there were no cosines",
         {"Can a sine alone tell 0 from π?", "Look at row 0."}},
        {"pe.even-positions",
         "even positions had sines and odd ones cosines, where dimensions are meant",
         {"Even or odd what?", "Look at row 0, and then at column 0."}},
        {"pe.degrees",
         "the angles were taken as degrees",
         {"How far does a sine go at position 90?", "Look at column 0: sin(1) is 0.84."}},
        {"pe.two-pi",
         "the angles were multiplied by 2π",
         {"What is the wavelength of the first pair, 1 or 2π?", "Look at column 0: sin(1)."}},
        {"pe.mul",
         "positions were multiplied by 10000^(2i/d) and not divided",
         {"Do the last dimensions turn quickly or slowly?", "Look at the last column."}},
        {"pe.base1000",
         "the base were 1000 and not 10000",
         {"How many thousands has the formula?", "Look at the last two columns."}},
        {"pe.transposed",
         "the table had a row for each dimension",
         {"What is a row for, a position or a dimension?", "Look at the shape."}},
    };
}

// The dot product of two rows depends only on the distance between their positions.
std::string only_distance_counts(const SinusoidalPositions& positions) {
    const Tensor P = positions(12, 6);
    const Tensor products = tensor::matmul(P, tensor::transpose(P));
    for (std::int64_t t = 1; t < 12; ++t) {
        const double first = products(0, 3), here = products(t, t < 9 ? t + 3 : t - 3);
        if (std::fabs(first - here) > 1e-6) {
            return "Rows 3 apart have another product at position " + std::to_string(t) + ".";
        }
    }
    return "";
}

std::string pairs_of_length_1(const SinusoidalPositions& positions) {
    const Tensor P = tensor::reshape(positions(9, 8), {9, 4, 2});
    return same_or(tensor::sum(P * P, -1), tensor::ones({9, 4}), "Some pair has another norm.");
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
    add("40 positions of 8", 40, 8);
    add("3 positions of 10", 3, 10);
    add("7 positions of 2", 7, 2);
    add("one position of 4", 1, 4);
    exercise.laws = {
        {"sin² + cos² = 1 for each pair", [=] { return pairs_of_length_1(positions); }},
        {"a row does not depend on how many there are",
         [=] {
             return same_or(tensor::slice(positions(20, 6), 0, 0, 5), positions(5, 6),
                            "The first 5 of 20 rows are not those of 5.");
         }},
        {"what two rows have in common depends on their distance alone",
         [=] { return only_distance_counts(positions); }}};
    exercise.mistakes = mistakes();
    exercise.hints = {
        "Which angle has pair i at position t, and where do sine and cosine go?",
        "tensor/ops/functions.h has sin and cos, tensor/ops/arithmetic.h pow; print row 1",
        "P[t, 2i] = sin(t / 10000^(2i/d)), P[t, 2i+1] = cos of the same angle",
        "rates = pow(of(10000), arange(0, d, 2) / -d); angles = unsqueeze(t, 1) * "
        "rates; stack({sin(angles), cos(angles)}, -1), reshaped to [T, d]"};
    exercise.cause_of_nan = "a division by 0";
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
