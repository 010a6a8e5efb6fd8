#include "tutorials/exercises/judges/lesson_10.h"
#include "tutorials/exercises/judging/kit.h"

#include "nn/positions/sinusoidal_positions.h"
#include "tensor/errors.h"
#include "tensor/runtime/fast_kernels.h"

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

std::vector<Mistake> matrix_mistakes() {
    const std::string one_pair =
        "Multiply (sin 3, cos 3) by your R for d = 2: is it (sin 2, cos 2)?";
    const std::string rates = "Print R for d = 4: the second pair turns 100 times more slowly.";
    return {
        {"prev.one-on", "R turned the hands forward, PE[t]·R = PE[t + 1]",
         "What is sin(a - b), in sines and cosines of a and b?", one_pair},
        {"prev.mirrored",
         "the two entries of the second column had each the other sign, which mirrors a hand",
         "What is cos(a - b), in sines and cosines of a and b?", one_pair},
        {"prev.no-minus", "no entry of R was negative",
         "What is sin(a - b), in sines and cosines of a and b?", one_pair},
        {"prev.sin-for-cos", "sine and cosine were exchanged in R",
         "What is sin(a - b), in sines and cosines of a and b?", one_pair},
        {"prev.stays", "R left every position where it is",
         "By which angle does R turn the hand of pair i?", one_pair},
        {"prev.two-back", "R went two positions back",
         "By which angle does R turn the hand of pair i?", one_pair},
        {"prev.halves", "column i was paired with column i + d/2",
         "Where does PE keep the cosine that belongs to column 0?", rates},
        {"prev.all-alike", "every pair turned by the angle of the first",
         "How far does the hand of the last pair go in one step?", rates},
        {"prev.first-pair", "only the first pair was turned", "How many pairs are there?", rates},
        {"pe.pair-over-d", "the angles were 10000^(-i/d), without the 2",
         "How far does the hand of pair 1 go in one step?", rates},
        {"pe.column-for-pair", "i counted columns and not pairs in θ_i",
         "How far does the hand of pair 1 go in one step?", rates},
        {"pe.degrees", "the angles were converted as if they were given in degrees",
         "How far does the hand of pair 0 go in one step?", rates},
    };
}

std::vector<Mistake> head_mistakes() {
    const std::string print = "Print Q·Kᵀ for d = 8 and T = 4: which column is the largest in row "
                              "2?";
    const std::string factor =
        "Subtract the second largest score of a row from the largest, after √d_k: 5 leaves e^-5.";
    return {
        {"prev.looks-ahead", "each token looked at the one after it",
         "Whose position does PE[t]·W_Q have to fit?", print},
        {"prev.looks-at-itself", "each token looked at itself", "What does W_Q·W_Kᵀ come to?",
         print},
        {"prev.looks-two-back", "each token looked at the one two before it",
         "How many times is a position turned on its way into a score?", print},
        {"prev.not-sharp", "R was used as it is, so that the scores were too close to each other",
         "What does √d_k do to scores that are already close?", factor},
        {"prev.eight-over-root", "the scores were 8·PE·R·PEᵀ and then still divided by √d_k",
         "What is left of your factor after the division by √d_k?", factor},
        {"prev.eight", "the scores were 8·PE·R·PEᵀ as in the lesson, which is too little here",
         "Does 8 give 0.99 for d = 8 and 1000 tokens?", factor},
    };
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
Stages seen(const PreviousToken& answer, const Text& of) {
    const QueryAndKeyMatrices head = answer.previous_token_head(of.d);
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

Inputs<Text> texts() {
    Inputs<Text> inputs;
    for (const Text& of : std::vector<Text>{{16, 16, 0},
                                            {16, 64, 0},
                                            {8, 16, 0},
                                            {8, 1000, 0},
                                            {22, 1000, 0},
                                            {64, 200, 0},
                                            {8, 2, 0},
                                            {128, 1000, 0},
                                            {10, 150, 7},
                                            {32, 64, 3000}}) {
        const std::string begins = of.first == 0 ? "" : text(" from position ", of.first, " on");
        inputs.push_back({text("a text of ", of.T, " tokens", begins, ", d = ", of.d), of});
    }
    return inputs;
}

Stages R_of(const PreviousToken& answer, const std::int64_t& d) {
    return {{"R", answer.one_back(d)}};
}

// Most pairs of a large d turn so little that their cosine is 1 and their sine 0 to four decimals.
Stages small_turns(const PreviousToken& answer, const std::int64_t& d) {
    const Tensor R = answer.one_back(d);
    const Shape square = {d, d};
    return {{"10000·(R - I)", R.shape() == square ? (R - tensor::eye(d)) * 10000 : R}};
}

Inputs<std::int64_t> widths(const std::string& name, const std::vector<std::int64_t>& all) {
    Inputs<std::int64_t> inputs;
    for (const std::int64_t d : all) inputs.push_back({text(name, "d = ", d), d});
    return inputs;
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

Rules<PreviousToken> rules() {
    return {
        .number = "10.2",
        .title = "A head for the token before, by hand",
        .reference = [](const Slips& slip) -> PreviousToken {
            return {[=](std::int64_t d) { return R_walk(d, slip); },
                    [=](std::int64_t d) { return head_walk(d, slip); }};
        },
        .cases =
            joined(on_each(R_of, widths("", {2, 4, 8, 30, 128})),
                   on_each(small_turns, widths("how far R is from doing nothing, ", {4, 12, 128})),
                   on_each(seen, texts())),
        .laws = {{"a result stays as it is when another one is asked for", later_calls_change_it}},
        .mistakes = joined(matrix_mistakes(), head_mistakes()),
        .hints = {"Which vector must the query of token t be, so that key t - 1 fits it best?",
                  "Try one_back by itself: PE·R is PE, one row later",
                  "Two rows of PE have the largest product if they are the same row",
                  "Print the least weight on the token before for some factors, d = 8 and "
                  "T = 1000"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<PreviousToken> judge_10_2(rules);

}  // namespace exercise
