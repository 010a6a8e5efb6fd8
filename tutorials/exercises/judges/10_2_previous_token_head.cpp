#include "tutorials/exercises/judges/10_2_previous_token_head.h"

#include "tutorials/exercises/judges/common_holes.h"
#include "tutorials/exercises/judges/common_steps.h"

#include "nn/positions/sinusoidal_positions.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/runtime/fast_kernels.h"

#include <algorithm>
#include <cmath>

using namespace heed;

namespace exercise {

namespace {

constexpr double least_asked = 0.99;

// θ_i, or what a slip makes of it.
double angle(std::int64_t i, std::int64_t d, const Slips& slip) {
    if (slip("prev.stays") || (slip("prev.first-pair") && i > 0)) return 0;
    double exponent = 2 * static_cast<double>(i) / static_cast<double>(d);
    if (slip("prev.all-alike")) exponent = 0;
    if (slip("pe.pair-over-d")) exponent /= 2;
    if (slip("pe.column-for-pair")) exponent *= 2;
    const double theta = tensor::pow(tensor::of(10000), tensor::of(-exponent)).item();
    if (slip("pe.degrees")) return theta * 3.141592653589793 / 180;
    return slip("prev.two-back") ? 2 * theta : theta;
}

struct Block {
    Scalar sin_to_sin, sin_to_cos, cos_to_sin, cos_to_cos;
};

Block block(double theta, const Slips& slip) {
    Scalar s = tensor::sin(tensor::of(theta)).item(), c = tensor::cos(tensor::of(theta)).item();
    if (slip("prev.sin-for-cos")) std::swap(s, c);
    if (slip("prev.one-on")) return {c, -s, s, c};
    if (slip("prev.mirrored")) return {c, s, s, -c};
    if (slip("prev.no-minus")) return {c, s, s, c};
    return {c, s, -s, c};
}

Tensor R_walk(std::int64_t d, const Slips& slip) {
    Tensor R = tensor::zeros({d, d});
    Scalar* entry = R.writable_data();
    for (std::int64_t i = 0; i < d / 2; ++i) {
        const bool halves = slip("prev.halves");
        const std::int64_t sin = halves ? i : 2 * i, cos = halves ? i + d / 2 : 2 * i + 1;
        const Block its = block(angle(i, d, slip), slip);
        entry[sin * d + sin] = its.sin_to_sin;
        entry[sin * d + cos] = its.sin_to_cos;
        entry[cos * d + sin] = its.cos_to_sin;
        entry[cos * d + cos] = its.cos_to_cos;
    }
    return R;
}

QueryAndKeyMatrices head_walk(std::int64_t d, const Slips& slip) {
    const Tensor R = R_walk(d, {}), I = tensor::eye(d);
    const double root = std::sqrt(static_cast<double>(d));
    if (slip("prev.not-sharp")) return {R, I};
    if (slip("prev.eight-over-root")) return {8 * R, I};
    if (slip("prev.eight")) return {8 * root * R, I};
    const Tensor sharp = 60 * root * I;
    if (slip("prev.looks-ahead")) return {sharp, R};
    if (slip("prev.looks-at-itself")) return {sharp, I};
    if (slip("prev.looks-two-back")) return {tensor::matmul(sharp, tensor::matmul(R, R)), I};
    return {tensor::matmul(sharp, R), I};
}

struct Text {
    std::int64_t d, T, first;
};

bool fit(const QueryAndKeyMatrices& head, std::int64_t d) {
    const Tensor &Q = head.W_Q, &K = head.W_K;
    return Q.rank() == 2 && K.rank() == 2 && Q.dim(0) == d && K.dim(0) == d && Q.dim(1) == K.dim(1);
}

// What must be so before there are scores; d_k itself may be any number.
Stages shapes_of(const QueryAndKeyMatrices& head) {
    const Tensor &Q = head.W_Q, &K = head.W_K;
    Stages shapes = {{"the list of W_Q's and W_K's ranks", numbers({Q.rank(), K.rank()})}};
    if (Q.rank() != 2 || K.rank() != 2) return shapes;
    shapes.push_back({"the list of how many rows W_Q and W_K have", numbers({Q.dim(0), K.dim(0)})});
    shapes.push_back(
        {"the number of columns of W_Q, less that of W_K,", numbers({Q.dim(1) - K.dim(1)})});
    return shapes;
}

Tensor weights_of(const QueryAndKeyMatrices& head, const Text& of) {
    const FastKernels fast;
    const Tensor PE = SinusoidalPositions(of.d).table(of.T, of.first);
    const Tensor Q = tensor::matmul(PE, head.W_Q), K = tensor::matmul(PE, head.W_K);
    const double root_of_d_k = std::sqrt(static_cast<double>(K.dim(-1)));
    return tensor::softmax(tensor::matmul(Q, tensor::transpose(K)) / root_of_d_k, -1);
}

// Where each token looks, 0 for the first, and the least weight on the one before.
Stages seen_in(const QueryAndKeyMatrices& head, const Text& of) {
    Stages stages = shapes_of(head);
    if (!fit(head, of.d)) return stages;
    const std::vector<Scalar> all = weights_of(head, of).to_vector();
    std::vector<std::int64_t> looked_at = {0};
    Scalar least = least_asked;
    for (std::int64_t t = 1; t < of.T; ++t) {
        const auto row = all.begin() + t * of.T;
        looked_at.push_back(std::max_element(row, row + of.T) - row);
        if (!(row[t - 1] >= least)) least = row[t - 1];  // also if it is NaN
    }
    stages.push_back({"the list of where tokens look", numbers(looked_at)});
    stages.push_back({"the least weight on the token before, at most 0.99,", tensor::of({least})});
    return stages;
}

Case of_R(std::int64_t d, const PreviousToken& answer) {
    return {text("d = ", d),
            [=](const Slips& slip) {
                return Stages{{"R", R_walk(d, slip)}};
            },
            [=] {
                return Stages{{"R", answer.one_back(d)}};
            }};
}

// Most pairs of a large d turn so little that their cosine is 1 and their sine 0 to four decimals.
Case of_small_turns(std::int64_t d, const PreviousToken& answer) {
    const auto enlarged = [d](const Tensor& R) {
        const Shape square = {d, d};
        return Stages{{"10000·(R - I)", R.shape() == square ? (R - tensor::eye(d)) * 10000 : R}};
    };
    return {text("how far R is from doing nothing, d = ", d),
            [=](const Slips& slip) { return enlarged(R_walk(d, slip)); },
            [=] { return enlarged(answer.one_back(d)); }};
}

Case of_head(const Text& of, const PreviousToken& answer) {
    const std::string begins = of.first == 0 ? "" : text(" from position ", of.first, " on");
    return {text("a text of ", of.T, " tokens", begins, ", d = ", of.d),
            [=](const Slips& slip) { return seen_in(head_walk(of.d, slip), of); },
            [=] { return seen_in(answer.previous_token_head(of.d), of); }};
}

std::string later_calls_change_it(const PreviousToken& answer) {
    const Tensor R = answer.one_back(6), before = tensor::clone(R);
    answer.one_back(4);
    answer.previous_token_head(8);
    return identical(R, before) ? "" : "R for d = 6 is another after later calls.";
}

std::vector<Hole> holes() {
    return {
        {"one_back",
         {"R", "10000·(R - I)"},
         {"What is sin(a - b), and what cos(a - b), in sines and cosines of a and b?",
          "Lesson 10.3 prints the first pairs of R; column 2i of R makes the new sine of pair i",
          "sin(tθ - θ) = sin(tθ)·cos θ - cos(tθ)·sin θ, and cos(tθ - θ) = cos(tθ)·cos θ + "
          "sin(tθ)·sin θ",
          "Rows and columns 2i and 2i + 1 of R are {{cos θ_i, sin θ_i}, {-sin θ_i, cos θ_i}}"}},
        {"previous_token_head",
         {"the list of W_Q's and W_K's ranks", "the list of how many rows W_Q and W_K have",
          "the number of columns of W_Q, less that of W_K,", "the list of where tokens look",
          "the least weight on the token before, at most 0.99,"},
         {"Which keys does the query PE[t]·R fit best?",
          "Print a row of the weights for d = 8 and T = 100; lesson 10.6 has another factor",
          "weights = softmax(c·PE·R·PEᵀ): the larger c is, the sharper; softmax's scores have "
          "√d_k taken out of them",
          "W_Q is 50·√d_k·R and W_K is tensor::eye(d)"}}};
}

}  // namespace

Exercise previous_token(const PreviousToken& answer) {
    Exercise exercise;
    exercise.number = "10.2";
    exercise.title = "A head for the token before, by hand";
    for (const std::int64_t d : {2, 4, 8, 30, 128}) exercise.cases.push_back(of_R(d, answer));
    for (const std::int64_t d : {4, 12, 128}) exercise.cases.push_back(of_small_turns(d, answer));
    const std::vector<Text> texts = {{16, 16, 0},   {16, 64, 0},   {8, 16, 0}, {8, 1000, 0},
                                     {22, 1000, 0}, {64, 200, 0},  {8, 2, 0},  {128, 1000, 0},
                                     {10, 150, 7},  {32, 64, 3000}};
    std::vector<Case> later;
    for (const Text& one : texts) later.push_back(of_head(one, answer));
    exercise.cases = hole_by_hole({exercise.cases, later});
    exercise.laws = {{"a result stays as it is when another one is asked for",
                      [=] { return later_calls_change_it(answer); }}};
    exercise.mistakes = previous_token_mistakes();
    exercise.hints = {
        "Which vector must the query of token t be, so that key t - 1 fits it best?",
        "Try one_back by itself: PE·R is PE, one row later",
        "Two rows of PE have the largest product if they are the same row",
        "Print the least weight on the token before for some factors, d = 8 and T = 1000"};
    exercise.holes = holes();
    return exercise;
}

namespace {

// Row 1 of the table has the sine and cosine of each angle; R as a sum of two tables.
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
    const Tensor on = tensor::transpose(R_walk(d, {}));
    const Tensor stay = tensor::eye(d);
    return {40 * tensor::concatenate({stay, stay}, 1), 15 * tensor::concatenate({on, on}, 1)};
}

// Half a position each, and the last pair left out.
QueryAndKeyMatrices by_halves(std::int64_t d) {
    const auto half = [=](double sign) {
        Tensor M = tensor::zeros({d, d - 2});
        for (std::int64_t i = 0; i < d / 2 - 1; ++i) {
            const Block its = block(sign * angle(i, d, {}) / 2, {});
            Scalar* at = M.writable_data() + 2 * i * (d - 2) + 2 * i;
            at[0] = its.sin_to_sin;
            at[1] = its.sin_to_cos;
            at[d - 2] = its.cos_to_sin;
            at[d - 1] = its.cos_to_cos;
        }
        return M;
    };
    return {1e5 * half(1), half(-1)};
}

}  // namespace

Trials previous_token_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return previous_token({[=](std::int64_t d) { return R_walk(d, slip); },
                               [=](std::int64_t d) { return head_walk(d, slip); }});
    };
    trials.right["keys one position on, each column twice"] = [] {
        return previous_token({from_the_table, by_the_keys});
    };
    trials.right["half a position each, without the slowest pair"] = [] {
        return previous_token({from_the_table, by_halves});
    };
    return trials;
}

}  // namespace exercise
