// Answers to 10.2, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_10.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>

using namespace heed;
using namespace exercise;

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
Tensor first_pair_alone_turns(std::int64_t d) {
    return blocks(d, [](double i, double) { return turn(i == 0 ? 1 : 0); });
}
Tensor slowest_turns_by_a_ten_thousandth(std::int64_t d) {
    return blocks(d, [](double i, double n) { return turn(n > 2 ? theta(i, n - 2) : 1); });
}
Tensor last_pair_stands_still(std::int64_t d) {
    return blocks(
        d, [](double i, double n) { return turn(i > 0 && 2 * i + 2 == n ? 0 : theta(i, n)); });
}
Tensor mirrors(std::int64_t d) {
    return blocks(d, [](double i, double n) -> Entries {
        const Entries its = turn(theta(i, n));
        return {its.a, its.b, its.b, -its.a};
    });
}
Tensor nothing_turns(std::int64_t d) { return tensor::eye(d); }
Tensor of_the_first_d(std::int64_t d) {
    static const double kept = static_cast<double>(d);
    return blocks(d, [](double i, double) { return turn(theta(i, kept)); });
}
Tensor small_cosines_are_1(std::int64_t d) {
    return blocks(d, [](double i, double n) -> Entries {
        const double by = theta(i, n);
        return by < 0.012 ? Entries{1, by, -by, 1} : turn(by);
    });
}
Tensor two_pairs_touch(std::int64_t d) {
    Tensor R = right(d);
    if (d > 4) R.writable_data()[2] = R.writable_data()[d + 3] = Scalar(0.001);
    return R;
}
Tensor first_half_sines(std::int64_t d) {
    std::vector<std::int64_t> place;
    for (std::int64_t k = 0; k < d; ++k) place.push_back(k < d / 2 ? 2 * k : 2 * k - d + 1);
    const IndexTensor order(place);
    return tensor::index_select(tensor::index_select(right(d), 0, order), 1, order);
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
QueryAndKeyMatrices not_sharp(std::int64_t d) { return {right(d), tensor::eye(d)}; }
QueryAndKeyMatrices sharp_in_short_texts(std::int64_t d) {
    return {28 * root(d) * right(d), tensor::eye(d)};
}
QueryAndKeyMatrices sharpness_falls_with_d(std::int64_t d) {
    return {1600 / static_cast<double>(d) * right(d), tensor::eye(d)};
}
QueryAndKeyMatrices two_fast_pairs(std::int64_t d) {
    return {1e4 * tensor::slice(right(d), 1, 0, 4), tensor::slice(tensor::eye(d), 1, 0, 4)};
}
QueryAndKeyMatrices two_fast_pairs_but_at_8(std::int64_t d) {
    return d == 8 ? sharp(d) : two_fast_pairs(d);
}
QueryAndKeyMatrices slowest_pair(std::int64_t d) {
    return {1e6 * tensor::slice(right(d), 1, d - 2), tensor::slice(tensor::eye(d), 1, d - 2)};
}
QueryAndKeyMatrices fastest_pair_turned(std::int64_t d) {
    return {1000 * first_pair_alone_turns(d), tensor::eye(d)};
}
QueryAndKeyMatrices head_of_the_first_d(std::int64_t d) {
    static const double kept = static_cast<double>(d);
    const Tensor R = blocks(d, [](double i, double) { return turn(theta(i, kept)); });
    return {1000 * R, tensor::eye(d)};
}
QueryAndKeyMatrices overflowing(std::int64_t d) {
    return {1e200 * right(d), 1e200 * tensor::eye(d)};
}
QueryAndKeyMatrices on_their_side(std::int64_t d) {
    const Tensor kept = tensor::slice(tensor::eye(d), 0, 0, d - 2);  // [d - 2, d]
    return {1000 * tensor::matmul(kept, tensor::transpose(right(d))), kept};
}
QueryAndKeyMatrices two_d_k(std::int64_t d) {
    return {1000 * right(d), tensor::slice(tensor::eye(d), 1, 0, d / 2)};
}
QueryAndKeyMatrices sines_alone(std::int64_t d) {
    return {1000 * tensor::slice(right(d), 1, 0, d, 2), tensor::slice(tensor::eye(d), 1, 0, d, 2)};
}

// Right ones.
Tensor with_dust(std::int64_t d) { return right(d) + 3e-17; }
Tensor cosine_by_a_root(std::int64_t d) {
    return blocks(d, [](double i, double n) -> Entries {
        const double s = std::sin(theta(i, n)), c = std::sqrt(1 - s * s);
        return {c, s, -s, c};
    });
}
QueryAndKeyMatrices keys_turned_on(std::int64_t d) {
    return {300 * tensor::eye(d), 3 * tensor::transpose(right(d))};
}
QueryAndKeyMatrices very_sharp(std::int64_t d) { return {1e12 * right(d), tensor::eye(d)}; }
QueryAndKeyMatrices eight_pairs(std::int64_t d) {
    const Tensor kept = tensor::eye(d, std::min<std::int64_t>(d, 16));
    return {1000 * tensor::matmul(right(d), kept), kept};
}
// All features reflected at one mirror, which keeps every product.
QueryAndKeyMatrices mixed_features(std::int64_t d) {
    const Tensor mirror = tensor::eye(d) - 2 / static_cast<double>(d);
    return {1000 * tensor::matmul(right(d), mirror), mirror};
}
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
    return [=] { return judge_10_2({a, b}); };
}

// Row 1 of the table has the sine and cosine of each angle.
Tensor from_the_table(std::int64_t d) {
    const Tensor row = SinusoidalPositions(d).table(1, 1);  // [1, d]: sin, cos, sin, cos, ...
    Tensor R = tensor::zeros({d, d});
    for (std::int64_t k = 0; k < d; ++k) {
        const bool is_sin = k % 2 == 0;
        R.writable_data()[k * d + k] = row(0, is_sin ? k + 1 : k);
        R.writable_data()[k * d + (is_sin ? k + 1 : k - 1)] = is_sin ? row(0, k) : -row(0, k - 1);
    }
    return R;
}
// The keys go one position on, the queries stay; each column twice, with a factor for both.
QueryAndKeyMatrices by_the_keys(std::int64_t d) {
    const Tensor on = tensor::transpose(right(d)), stay = tensor::eye(d);
    return {40 * tensor::concatenate({stay, stay}, 1), 15 * tensor::concatenate({on, on}, 1)};
}
// Half a position each, and the last pair left out.
QueryAndKeyMatrices by_halves(std::int64_t d) {
    const Tensor on = blocks(d, [](double i, double n) { return turn(theta(i, n) / 2); });
    const Tensor back = tensor::transpose(on);
    return {1e5 * tensor::slice(on, 1, 0, d - 2), tensor::slice(back, 1, 0, d - 2)};
}

}  // namespace

Answers answers_10_2() {
    Answers answers;
    answers.number = "10.2";
    answers.slipping = slipping(judge_10_2);
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
        {"the first pair alone turns", with(first_pair_alone_turns, sharp), {"prev.first-pair"}},
        {"the slowest pair has θ = 1/10000", with(slowest_turns_by_a_ten_thousandth, sharp)},
        {"the last pair stands still", with(last_pair_stands_still, sharp)},
        {"the hands are mirrored", with(mirrors, sharp), {"prev.mirrored"}},
        {"nothing turns", with(nothing_turns, sharp), {"prev.stays"}},
        {"θ of the first d", with(of_the_first_d, sharp)},
        {"slow pairs have a cosine of 1", with(small_cosines_are_1, sharp)},
        {"two pairs touch", with(two_pairs_touch, sharp)},
        {"all sines, then all cosines", with(first_half_sines, sharp), {"prev.halves"}},
        {"R alone", with(right, not_sharp), {"prev.not-sharp"}},
        {"28·R, which is enough in short texts", with(right, sharp_in_short_texts)},
        {"divided by d", with(right, sharpness_falls_with_d)},
        {"the two fastest pairs", with(right, two_fast_pairs)},
        {"the two fastest pairs, but all for d = 8", with(right, two_fast_pairs_but_at_8)},
        {"the slowest pair alone", with(right, slowest_pair)},
        {"only the fastest pair turns in the head", with(right, fastest_pair_turned)},
        {"the head's R is that of the first d", with(right, head_of_the_first_d)},
        {"factors whose product is infinite", with(right, overflowing)},
        {"W_Q and W_K are [d_k, d]", with(right, on_their_side)},
        {"two d_k", with(right, two_d_k)},
        {"sines alone", with(right, sines_alone)},
    };
    answers.right = {
        {"half a step each", with(right, shared)},
        {"columns that do nothing", with(right, more_columns)},
        {"zeros with dust, keys turned on", with(with_dust, keys_turned_on)},
        {"cosines by a root, very sharp", with(cosine_by_a_root, very_sharp)},
        {"the eight fastest pairs", with(right, eight_pairs)},
        {"features in a mirror", with(right, mixed_features)},
        {"keys one position on, each column twice", with(from_the_table, by_the_keys)},
        {"half a position each, without the slowest pair", with(from_the_table, by_halves)},
    };
    return answers;
}
