// Answers to 04.2.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_04.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

using namespace heed;
using namespace exercise;

namespace {
// The position t and the dimension k in, one entry out.
using Entry = std::function<double(double t, std::int64_t k, std::int64_t d)>;

Tensor table(std::int64_t T, std::int64_t d, const Entry& entry) {
    std::vector<Scalar> numbers;
    for (std::int64_t t = 0; t < T; ++t) {
        for (std::int64_t k = 0; k < d; ++k) {
            numbers.push_back(static_cast<Scalar>(entry(static_cast<double>(t), k, d)));
        }
    }
    return tensor::from_vector(numbers, {T, d});
}

double slowness(std::int64_t k, std::int64_t d) {
    return std::pow(10000.0, static_cast<double>(k - k % 2) / static_cast<double>(d));
}

double wave(double angle, std::int64_t k) { return k % 2 == 0 ? std::sin(angle) : std::cos(angle); }

double right(double t, std::int64_t k, std::int64_t d) { return wave(t / slowness(k, d), k); }

double whole_number_exponent(double t, std::int64_t k, std::int64_t d) {
    return wave(t / std::pow(10000.0, static_cast<double>((k - k % 2) / d)), k);
}

double pair_over_d(double t, std::int64_t k, std::int64_t d) {
    const std::int64_t i = k / 2;
    return wave(t / std::pow(10000.0, static_cast<double>(i) / static_cast<double>(d)), k);
}

double each_dimension_its_own(double t, std::int64_t k, std::int64_t d) {
    return wave(t / std::pow(10000.0, static_cast<double>(k) / static_cast<double>(d)), k);
}

double slowest_is_10000(double t, std::int64_t k, std::int64_t d) {
    const double pairs_after_the_first = static_cast<double>(std::max<std::int64_t>(d / 2 - 1, 1));
    return wave(t / std::pow(10000.0, static_cast<double>(k / 2) / pairs_after_the_first), k);
}

double base_1000(double t, std::int64_t k, std::int64_t d) {
    return wave(t / std::pow(slowness(k, d), 0.75), k);
}

double from_one(double t, std::int64_t k, std::int64_t d) { return right(t + 1, k, d); }

double by_parity_of_the_position(double t, std::int64_t k, std::int64_t d) {
    return wave(t / slowness(k, d), static_cast<std::int64_t>(t));
}

double from_0_to_1(double t, std::int64_t k, std::int64_t d) { return (right(t, k, d) + 1) / 2; }

double first_half_sines(double t, std::int64_t k, std::int64_t d) {
    const std::int64_t i = k % (d / 2);
    return wave(t / slowness(2 * i, d), k < d / 2 ? 0 : 1);
}

double cosine_without_sign(double t, std::int64_t k, std::int64_t d) {
    const double sine = std::sin(t / slowness(k, d));
    return k % 2 == 0 ? sine : std::sqrt(1 - sine * sine);
}

double quarter_turn_is_157(double t, std::int64_t k, std::int64_t d) {
    return std::sin(t / slowness(k, d) + (k % 2 == 0 ? 0 : 1.57));
}

double full_turn_is_6283(double t, std::int64_t k, std::int64_t d) {
    return wave(std::fmod(t / slowness(k, d), 6.283), k);
}

double angle_in_float(double t, std::int64_t k, std::int64_t d) {
    return wave(static_cast<float>(t) / static_cast<float>(slowness(k, d)), k);
}

double repeats_after_512(double t, std::int64_t k, std::int64_t d) {
    return right(std::fmod(t, 512), k, d);
}

double at_most_50(double t, std::int64_t k, std::int64_t d) {
    return right(std::min(t, 49.0), k, d);
}

double two_pairs_at_a_time(double t, std::int64_t k, std::int64_t d) {
    return k < d - d % 4 ? right(t, k, d) : 0.0;
}

double slow_pairs_stand_still(double t, std::int64_t k, std::int64_t d) {
    const double angle = t / slowness(k, d);
    return wave(angle < 0.01 ? 0 : angle, k);
}

// The table has room for 64 dimensions.
double at_most_64_dimensions(double t, std::int64_t k, std::int64_t d) {
    return k < 64 ? right(t, k, d) : 0.0;
}

double small_angle_sine(double t, std::int64_t k, std::int64_t d) {
    const double angle = t / slowness(k, d);
    return k % 2 == 0 && angle < 0.1 ? angle : wave(angle, k);
}

double pi_is_3_1416(double t, std::int64_t k, std::int64_t d) {
    const double turn = 2 * 3.1416, angle = t / slowness(k, d);
    return wave(angle - turn * std::floor(angle / turn), k);
}

double cosines_at_odd_positions_turn_back(double t, std::int64_t k, std::int64_t d) {
    const bool negative = k % 2 == 1 && static_cast<std::int64_t>(t) % 2 == 1;
    return (negative ? -1 : 1) * right(t, k, d);
}

// Rows are handed out of one buffer, which knows how many numbers it has and not in which shape.
double sine_by_its_series(double t, std::int64_t k, std::int64_t d) {
    const double x = t / slowness(k, d);
    if (k % 2 == 1) return std::cos(x);
    double term = x, sum = x;
    for (int n = 1; n < 40; ++n) {
        term *= -x * x / ((2 * n) * (2 * n + 1));
        sum += term;
    }
    return std::clamp(sum, -1.0, 1.0);
}

double log_10000_is_921(double t, std::int64_t k, std::int64_t d) {
    const double exponent = static_cast<double>(k - k % 2) / static_cast<double>(d);
    return wave(t * std::exp(-9.21 * exponent), k);
}

double rates_to_five_decimals(double t, std::int64_t k, std::int64_t d) {
    return wave(t * std::round(1e5 / slowness(k, d)) / 1e5, k);
}

double no_position_0(double t, std::int64_t k, std::int64_t d) {
    return t == 0 ? 0 : right(t, k, d);
}

// The last position is T and not T - 1.
Tensor from_0_to_T(std::int64_t T, std::int64_t d) {
    const Tensor t = tensor::linspace(0, static_cast<double>(T), T);
    return table(T, d, [&](double i, std::int64_t k, std::int64_t) {
        return right(t(static_cast<std::int64_t>(i)), k, d);
    });
}

Tensor one_buffer(std::int64_t T, std::int64_t d) {
    static std::map<std::int64_t, Tensor> buffers;
    if (buffers.count(T * d) == 0) buffers[T * d] = table(T, d, right);
    return tensor::reshape(buffers[T * d], {T, d});
}

Tensor without_axes_of_length_1(std::int64_t T, std::int64_t d) {
    return tensor::squeeze(table(T, d, right));
}

Tensor table_of_the_first_call(std::int64_t T, std::int64_t d) {
    static std::map<std::int64_t, Tensor> tables;
    if (tables.count(d) == 0) tables[d] = table(T, d, right);
    return tensor::slice(tables[d], 0, 0, T);
}

// [d, T], read as if it were [T, d].
Tensor slice_of_an_earlier_table(std::int64_t T, std::int64_t d) {
    static Tensor kept;
    const bool enough = kept.rank() == 2 && kept.dim(0) >= T && kept.dim(1) >= d;
    if (!enough) kept = table(T, d, right);
    return tensor::clone(tensor::slice(tensor::slice(kept, 0, 0, T), 1, 0, d));
}

Tensor reshaped_not_transposed(std::int64_t T, std::int64_t d) {
    return tensor::reshape(tensor::contiguous(tensor::transpose(table(T, d, right))), {T, d});
}

Tensor on_whole_tensors(std::int64_t T, std::int64_t d) {
    const double end = static_cast<double>(d - 2) / static_cast<double>(d);
    const Tensor slow = tensor::pow(10000.0, tensor::linspace(0, end, d / 2));
    const Tensor angles = tensor::unsqueeze(tensor::arange(static_cast<double>(T)), -1) / slow;
    return tensor::flatten(tensor::stack({tensor::sin(angles), tensor::cos(angles)}, -1), 1);
}

// Each position is the one before, turned by the angle of its pair.
Tensor turned_step_by_step(std::int64_t T, std::int64_t d) {
    std::vector<Scalar> numbers(static_cast<std::size_t>(T * d));
    for (std::int64_t k = 0; k + 1 < d; k += 2) {
        const double step = 1 / slowness(k, d);
        double sine = 0, cosine = 1;
        for (std::int64_t t = 0; t < T; ++t) {
            numbers[static_cast<std::size_t>(t * d + k)] = static_cast<Scalar>(sine);
            numbers[static_cast<std::size_t>(t * d + k + 1)] = static_cast<Scalar>(cosine);
            const double next = sine * std::cos(step) + cosine * std::sin(step);
            cosine = cosine * std::cos(step) - sine * std::sin(step);
            sine = next;
        }
    }
    return tensor::from_vector(numbers, {T, d});
}

double by_exp_and_log(double t, std::int64_t k, std::int64_t d) {
    const double exponent = static_cast<double>(k / 2 * 2) / static_cast<double>(d);
    const double quarter = 1.5707963267948966;
    return std::cos(t * std::exp(-exponent * std::log(10000.0)) - (k % 2 == 0 ? quarter : 0));
}

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

Answer by_entries(const std::string& what, double (*entry)(double, std::int64_t, std::int64_t),
                  const std::vector<std::string>& names = {}) {
    return {what,
            [entry] {
                return judge_04_2(
                    [entry](std::int64_t T, std::int64_t d) { return table(T, d, entry); });
            },
            names};
}

Answer whole(const std::string& what, Tensor (*positions)(std::int64_t, std::int64_t)) {
    return {what, [positions] { return judge_04_2(positions); }};
}

}  // namespace

Answers answers_04_2() {
    Answers answers;
    answers.number = "04.2";
    answers.slipping = slipping(judge_04_2);
    answers.wrong = {
        by_entries("2i/d is a division of whole numbers", whole_number_exponent, {"pe.int-div"}),
        by_entries("the exponent is i/d", pair_over_d, {"pe.exp-k"}),
        by_entries("a cosine is slower than its sine", each_dimension_its_own, {"pe.exp-i"}),
        by_entries("the exponent is i/(d/2 - 1)", slowest_is_10000),
        by_entries("1000 for 10000", base_1000, {"pe.base1000"}),
        by_entries("positions begin at 1", from_one, {"pe.from-1"}),
        by_entries("even positions are sines, odd ones cosines", by_parity_of_the_position,
                   {"pe.even-positions"}),
        by_entries("between 0 and 1", from_0_to_1),
        by_entries("all sines, then all cosines", first_half_sines, {"pe.halves"}),
        by_entries("cos = √(1 - sin²)", cosine_without_sign),
        by_entries("cos(x) = sin(x + 1.57)", quarter_turn_is_157),
        by_entries("angles are reduced by 6.283 for 2π", full_turn_is_6283),
        by_entries("position 512 is position 0", repeats_after_512),
        by_entries("a table of 50 positions", at_most_50),
        by_entries("two pairs at a time, the last of an odd number is left 0", two_pairs_at_a_time),
        by_entries("angles below 0.01 count as 0", slow_pairs_stand_still),
        by_entries("no more than 64 dimensions", at_most_64_dimensions),
        by_entries("sin(x) = x for angles below 0.1", small_angle_sine),
        by_entries("2π is 6.2832", pi_is_3_1416),
        by_entries("cosines change their sign at odd positions",
                   cosines_at_odd_positions_turn_back),
        by_entries("a sine by 40 terms of its series", sine_by_its_series),
        by_entries("9.21 for log 10000", log_10000_is_921),
        by_entries("rates are rounded to five decimals", rates_to_five_decimals),
        by_entries("position 0 is all zeros", no_position_0),
        whole("T positions from 0 to T", from_0_to_T),
        whole("a buffer for every T·d", one_buffer),
        whole("axes of length 1 are dropped", without_axes_of_length_1),
        whole("the first T with this d is kept", table_of_the_first_call),
        whole("[d, T] is reshaped to [T, d]", reshaped_not_transposed),
        whole("a slice of an earlier, wider table", slice_of_an_earlier_table),
    };
    answers.right = {
        whole("on whole tensors, with linspace", on_whole_tensors),
        whole("each position is the one before, turned", turned_step_by_step),
        by_entries("angles in float, right to 0.0001 up to position 1000", angle_in_float),
        by_entries("a sine is a cosine a quarter turn later", by_exp_and_log),
        whole("by matrices", by_matrices),
        whole("by shifted sines", by_shifted_sines),
    };
    return answers;
}
