// Answers to 10.2, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/10_2_previous_token_head.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include "heed/nn/positions/sinusoidal_positions.h"
#include "heed/tensor/ops.h"

#include <algorithm>
#include <cmath>

using namespace heed;
using namespace exercise;

namespace exercise {
Answers answers_10_2();
}

namespace {

struct Entries {
    double a, b, c, d;  // {{a, b}, {c, d}}
};

// The same rule for every pair.
Tensor blocks(std::int64_t d, Entries (*of)(double i, double d)) {
    Tensor R = tensor::zeros({d, d});
    for (std::int64_t k = 0; k < d; k += 2) {
        const Entries its = of(static_cast<double>(k) / 2, static_cast<double>(d));
        Scalar* at = R.writable_data() + k * d + k;
        at[0] = static_cast<Scalar>(its.a);
        at[1] = static_cast<Scalar>(its.b);
        at[d] = static_cast<Scalar>(its.c);
        at[d + 1] = static_cast<Scalar>(its.d);
    }
    return R;
}

Entries turn(double by) { return {std::cos(by), std::sin(by), -std::sin(by), std::cos(by)}; }
double theta(double i, double d) { return std::pow(10000, -2 * i / d); }

Tensor right(std::int64_t d) {
    return blocks(d, [](double i, double n) { return turn(theta(i, n)); });
}

double root(std::int64_t d) { return std::sqrt(static_cast<double>(d)); }
QueryAndKeyMatrices sharp(std::int64_t d) { return {50 * root(d) * right(d), tensor::eye(d)}; }

// R.
Tensor as_the_papers_matrix(std::int64_t d) { return tensor::transpose(right(d)); }
Tensor whole_number_exponent(std::int64_t d) {
    return blocks(d,
                  [](double i, double n) { return turn(std::pow(10000, -std::floor(2 * i / n))); });
}
Tensor base_1000(std::int64_t d) {
    return blocks(d, [](double i, double n) { return turn(std::pow(1000, -2 * i / n)); });
}
Tensor for_16_features(std::int64_t d) {
    return blocks(d, [](double i, double) { return turn(theta(i, 16)); });
}
Tensor sine_is_the_angle(std::int64_t d) {
    return blocks(d, [](double i, double n) -> Entries {
        return {1, theta(i, n), -theta(i, n), 1};
    });
}
Tensor cosine_second_row_missing(std::int64_t d) {
    return blocks(d, [](double i, double n) -> Entries {
        return {std::cos(theta(i, n)), std::sin(theta(i, n)), 0, 0};
    });
}
Tensor up_to_64(std::int64_t d) {
    Tensor R = right(d);
    for (std::int64_t k = 64 * d; k < d * d; ++k) R.writable_data()[k] = 0;
    return R;
}
Tensor faster_half(std::int64_t d) {
    return blocks(d, [](double i, double n) { return turn(i < n / 4 ? theta(i, n) : 0); });
}
Tensor negative_angle_of_two(std::int64_t d) {
    return blocks(d, [](double i, double n) { return turn(-2 * theta(i, n)); });
}
Tensor by_columns(std::int64_t d) {
    // From the outer product of PE[1] and PE[0], which has only the right numbers for t = 0.
    const Tensor PE = SinusoidalPositions(d).table(2);
    const Tensor now = tensor::slice(PE, 0, 1, 2), then = tensor::slice(PE, 0, 0, 1);
    return tensor::matmul(tensor::transpose(now), then) * (2 / static_cast<double>(d));
}

// Heads.
QueryAndKeyMatrices without_root(std::int64_t d) { return {20 * right(d), tensor::eye(d)}; }
QueryAndKeyMatrices by_22(std::int64_t d) { return {22 * root(d) * right(d), tensor::eye(d)}; }
QueryAndKeyMatrices eight_root(std::int64_t d) { return {8 * root(d) * right(d), tensor::eye(d)}; }
QueryAndKeyMatrices root_twice(std::int64_t d) { return {50 / root(d) * right(d), tensor::eye(d)}; }
QueryAndKeyMatrices keys_turned(std::int64_t d) {
    return {50 * root(d) * tensor::eye(d), right(d)};
}
QueryAndKeyMatrices both_turned(std::int64_t d) { return {50 * root(d) * right(d), right(d)}; }
QueryAndKeyMatrices turned_twice(std::int64_t d) {
    return {50 * root(d) * tensor::matmul(right(d), right(d)), tensor::eye(d)};
}
QueryAndKeyMatrices first_pair(std::int64_t d) {
    return {500 * tensor::slice(right(d), 1, 0, 2), tensor::slice(tensor::eye(d), 1, 0, 2)};
}
QueryAndKeyMatrices four_fast_pairs(std::int64_t d) {
    const std::int64_t n = std::min<std::int64_t>(d, 8);
    return {50 * root(n) * tensor::slice(right(d), 1, 0, n),
            tensor::slice(tensor::eye(d), 1, 0, n)};
}
QueryAndKeyMatrices negative(std::int64_t d) { return {-50 * root(d) * right(d), tensor::eye(d)}; }
QueryAndKeyMatrices nothing(std::int64_t d) { return {tensor::zeros({d, d}), tensor::eye(d)}; }
QueryAndKeyMatrices d_is_16(std::int64_t d) {
    return {50 * root(d) * for_16_features(d), tensor::eye(d)};
}
QueryAndKeyMatrices one_matrix(std::int64_t d) { return {50 * root(d) * right(d), Tensor()}; }
QueryAndKeyMatrices infinite(std::int64_t d) { return {infinity * right(d), tensor::eye(d)}; }

// Right ones.
QueryAndKeyMatrices shared(std::int64_t d) {
    const Tensor half = blocks(d, [](double i, double n) { return turn(theta(i, n) / 2); });
    return {1000 * half, tensor::transpose(half)};
}
QueryAndKeyMatrices more_columns(std::int64_t d) {
    const Tensor none = tensor::zeros({d, 5});
    return {tensor::concatenate({900 * right(d), none}, 1),
            tensor::concatenate({tensor::eye(d), none}, 1)};
}

std::function<Exercise()> with(Tensor (*a)(std::int64_t), QueryAndKeyMatrices (*b)(std::int64_t)) {
    return [=] { return previous_token({a, b}); };
}

}  // namespace

Answers exercise::answers_10_2() {
    Answers answers;
    answers.number = "10.2";
    answers.wrong = {
        {"R for columns", with(as_the_papers_matrix, sharp), {"prev.one-on"}},
        {"2i/d in whole numbers", with(whole_number_exponent, sharp), {"prev.all-alike"}},
        {"base 1000", with(base_1000, sharp)},
        {"d is 16", with(for_16_features, sharp)},
        {"small angles", with(sine_is_the_angle, sharp)},
        {"every other row is zero", with(cosine_second_row_missing, sharp)},
        {"64 rows", with(up_to_64, sharp)},
        {"only the faster half turns", with(faster_half, sharp)},
        {"two on", with(negative_angle_of_two, sharp), {"prev.two-back", "prev.one-on"}},
        {"right for t = 1 alone", with(by_columns, sharp)},
        {"20·R, divided by √d_k", with(right, without_root)},
        {"22·R", with(right, by_22)},
        {"8·R", with(right, eight_root), {"prev.eight"}},
        {"divided by √d_k twice", with(right, root_twice)},
        {"R for the keys", with(right, keys_turned), {"prev.looks-ahead"}},
        {"R for both", with(right, both_turned), {"prev.looks-at-itself"}},
        {"turned twice", with(right, turned_twice), {"prev.looks-two-back"}},
        {"the first pair alone", with(right, first_pair)},
        {"the four fastest pairs", with(right, four_fast_pairs)},
        {"a negative factor", with(right, negative)},
        {"W_Q is zero", with(right, nothing)},
        {"the head's R is that of d = 16", with(right, d_is_16)},
        {"no W_K", with(right, one_matrix)},
        {"an infinite factor", with(right, infinite)},
    };
    answers.right = {
        {"half a step each", with(right, shared)},
        {"columns that do nothing", with(right, more_columns)},
    };
    return answers;
}
