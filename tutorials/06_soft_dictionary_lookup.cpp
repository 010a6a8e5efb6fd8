// 06 Soft dictionary lookup: what attention has in common with a dictionary. An exact lookup, a
// soft one, the temperature that leads from one to the other, and other scores on the same keys.
#include "autograd/variable.h"
#include "nn/attention.h"
#include "nn/scores.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/display.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/table.h"

#include <iostream>
#include <optional>

using namespace heed;
using tutorial::check;
using tutorial::row;
using tutorial::same;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

// Four animals. A key says how an animal looks: furry, feathered or flying, with many legs; the
// keys have length 1. Its value is what the dictionary knows of it: legs and wings.
const Words animals = {"cat", "hen", "bee", "spider"};
const NestedList keys = {{1, 0, 0}, {0, 1, 0}, {0, 0.6, 0.8}, {0, 0, 1}};
const NestedList values = {{4, 0}, {2, 2}, {6, 4}, {8, 0}};
const NestedList bat = {0.8, 0.6, 0};

// The value whose key is the query, or nothing.
std::optional<Tensor> look_up(const Tensor& q, const Tensor& K, const Tensor& V) {
    for (std::int64_t i = 0; i < K.dim(0); ++i) {
        if ((row(K, i) == q).all()) return row(V, i);
    }
    return std::nullopt;
}

void exact() {
    section("06.1 An exact dictionary");
    say("A dictionary holds pairs of a key and a value. Whoever asks has a query. It is compared "
        "with each key, and the value of the one that equals it comes back. Here keys are vectors "
        "(furry, feathered or flying, many-legged) and values too (legs, wings).");
    const Tensor K = tensor::of(keys);    // [T_k, d_k]
    const Tensor V = tensor::of(values);  // [T_k, d_v]
    std::cout << "K, for cat, hen, bee, spider =\n" << K << "\nV =\n" << V << "\n\n";
    const std::optional<Tensor> of_a_bee = look_up(tensor::of({0, 0.6, 0.8}), K, V);
    const std::optional<Tensor> of_a_bat = look_up(tensor::of(bat), K, V);
    std::cout << "query bee " << tensor::of({0, 0.6, 0.8}) << ": ";
    if (of_a_bee) std::cout << *of_a_bee;
    std::cout << "\nquery bat " << tensor::of(bat) << ": " << (of_a_bat ? "found" : "nothing")
              << "\n\n";
    check(of_a_bee && same(*of_a_bee, tensor::of({6, 4})),
          "the query that is a key finds its value");
    check(!of_a_bat, "a query that is not quite any of the keys finds nothing");
}

void soft() {
    section("06.2 A soft one");
    say("Note 002: compare the query with every key all the same, but by a score α(q, k_i) that "
        "says how well they fit, and give back the mean of all values, each with the weight "
        "exp(α(q, k_i)) / Σ_j exp(α(q, k_j)). The score is α. The note calls the numerator of the "
        "weight the score, but the numerator is exp(α) (erratum 002-1). Here α = q·k:");
    const Tensor K = tensor::of(keys);                            // [T_k, d_k]
    const Tensor V = tensor::of(values);                          // [T_k, d_v]
    const Tensor q = tensor::of(bat);                             // [d_k]
    const Tensor scores = tensor::matmul(K, q);                   // [T_k]
    const Tensor numerators = tensor::exp(scores);                // [T_k]
    const Tensor weights = numerators / tensor::sum(numerators);  // [T_k]
    const Tensor output = tensor::matmul(weights, V);             // [d_v]
    std::cout << "query bat\n  scores α(q, k_i)      " << scores << "\n  numerators exp(α)     "
              << numerators << "\n  weights               " << weights
              << "\n  output, legs and wings " << output << "\n\n";
    check(tensor::all_close(weights, tensor::softmax(scores, -1), 0, 1e-6),
          "the weights are the softmax of the scores");
    check(tensor::max_difference(output, row(V, 0)) > 0.5,
          "a bat is a little of each: the answer is nobody's value");

    say("A soft dictionary always answers. Where all scores are equal, as for a query of zeros, "
        "the answer is the plain mean of all values.");
    const Tensor equal = tensor::softmax(tensor::matmul(K, tensor::zeros({3})), -1);  // [T_k]
    const Tensor mean = tensor::matmul(equal, V);                                     // [d_v]
    std::cout << "query of zeros\n  weights " << equal << "\n  output  " << mean << "\n\n";
    check(same(mean, tensor::mean(V, 0)), "that is mean(V), to the last bit");
}

// softmax(scores / temperature) of each row. As the temperature goes to 0, all the weight goes to
// the row's largest score, and is shared among equals: that is what 0 means here.
Tensor weights_at(const Tensor& scores, double temperature) {
    const Tensor largest = tensor::max(scores, -1, keepdim);  // [T_q, 1]
    if (temperature == 0) {
        const Tensor wins = tensor::to_tensor(scores == largest);     // [T_q, T_k]
        const Tensor shares = wins / tensor::sum(wins, -1, keepdim);  // [T_q, T_k]
        return shares;
    }
    const Tensor divided = (scores - largest) / temperature;  // [T_q, T_k]
    const Tensor weights = tensor::softmax(divided, -1);      // [T_q, T_k]
    return weights;
}

void temperatures() {
    section("06.3 From soft to exact: the temperature");
    say("Divide the scores by a temperature before the softmax. A high one makes all weights "
        "alike. A low one gives the largest score more and more, and in the limit, 0, all of it. "
        "The query is the bat.");
    const Tensor K = tensor::of(keys);                              // [T_k, d_k]
    const Tensor V = tensor::of(values);                            // [T_k, d_v]
    const Tensor q = tensor::unsqueeze(tensor::of(bat), 0);         // [1, d_k]
    const Tensor scores = tensor::matmul(q, tensor::transpose(K));  // [1, T_k]
    tutorial::Table table = {"temperature", "column", {}, animals, {}};
    table.columns.insert(table.columns.end(), {"legs", "wings"});
    bool rises = true;
    double before = 0;
    for (const double temperature : {4.0, 1.0, 0.25, 0.05, 0.0}) {
        const Tensor weights = weights_at(scores, temperature);  // [1, T_k]
        const Tensor output = tensor::matmul(weights, V);        // [1, d_v]
        table.rows.push_back(fixed(temperature, 2));
        for (const Scalar w : weights.to_vector()) table.cells.push_back({fixed(w, 3), w});
        for (const Scalar y : output.to_vector()) table.cells.push_back({fixed(y, 3)});
        rises = rises && weights(0, 0) > before;
        before = weights(0, 0);
    }
    tutorial::print_table(std::cout, table);
    check(tensor::all_close(weights_at(scores, 0.005), weights_at(scores, 0), 0, 1e-6),
          "0 is the limit: at 0.005 the weights are the same within 1e-6");
    check(rises, "the lower the temperature, the more goes to the cat, which fits best");
    check(same(tensor::matmul(weights_at(scores, 0), V), tensor::slice(V, 0, 0, 1)),
          "at 0 the answer is the cat's value, to the last bit");

    say("Ask the soft dictionary for its own keys, at temperature 0. As note 001 says of a "
        "database, the relation of query and key is then 1 for one entry and 0 for all others.");
    const Tensor own_weights =
        weights_at(tensor::matmul(K, tensor::transpose(K)), 0);  // [T_k, T_k]
    tutorial::print_heat_map(std::cout, animals, animals, own_weights);
    const Tensor found = tensor::matmul(own_weights, V);  // [T_k, d_v]
    bool as_exact = true;
    for (std::int64_t i = 0; i < K.dim(0); ++i) {
        const std::optional<Tensor> value = look_up(row(K, i), K, V);
        as_exact = as_exact && value && same(row(found, i), *value);
    }
    check(as_exact, "all four answers are those of the exact dictionary, to the last bit");

    const Tensor between = tensor::of({{0.5, 0.5, 0}});                               // [1, d_k]
    const Tensor tie = weights_at(tensor::matmul(between, tensor::transpose(K)), 0);  // [1, T_k]
    std::cout << "\nquery " << between << " at temperature 0\n  weights " << tie << "\n  output  "
              << tensor::matmul(tie, V) << "\n\n";
    check(same(tie, tensor::of({{0.5, 0.5, 0, 0}})), "where two keys fit equally well, they share");
}

void kernel_regression() {
    section("06.4 A measured curve as a dictionary");
    say("An old use (Nadaraya 1964, Watson 1964): somebody reads a thermometer every three "
        "hours. Keys are hours, values degrees. The score is α(q, k) = -(q - k)² / (2·width²), so "
        "that the numerator is a bell curve around the query, and a reading counts the more the "
        "nearer it is.");
    const Tensor hours = tensor::of({{0}, {3}, {6}, {9}, {12}, {15}, {18}, {21}});     // [T_k, 1]
    const Tensor degrees = tensor::of({{9}, {7}, {8}, {13}, {18}, {20}, {16}, {12}});  // [T_k, 1]
    const Tensor asked = tensor::of({{4}, {10}, {13.5}, {23}});                        // [T_q, 1]
    const Tensor difference = asked - tensor::transpose(hours);                        // [T_q, T_k]
    const Tensor distance = difference * difference;                                   // [T_q, T_k]
    tutorial::Table table = {"hour", "column", {"4.0", "10.0", "13.5", "23.0"}, {}, {}};
    std::vector<Tensor> of_widths;
    bool as_nn = true;
    for (const double width : {0.5, 2.0, 10.0}) {
        const Tensor weights = tensor::softmax(-distance / (2 * width * width), -1);
        of_widths.push_back(tensor::matmul(weights, degrees));  // [T_q, 1]
        const Attention ready_made =
            attend(GaussianScore(width), Variable(asked), Variable(hours), Variable(degrees));
        as_nn = as_nn && same(of_widths.back(), ready_made.output.value());
        table.columns.push_back("width " + fixed(width, 1));
    }
    const Tensor answers = tensor::concatenate(of_widths, 1);  // [T_q, 3]
    for (const Scalar answer : answers.to_vector()) table.cells.push_back({fixed(answer, 1)});
    tutorial::print_table(std::cout, table);
    const double mean = tensor::mean(degrees).item();
    std::cout << "mean of all readings: " << fixed(mean, 1) << "\n\n";
    check(__builtin_fabs(answers(1, 0) - 13) < 0.1 && __builtin_fabs(answers(2, 0) - 19) < 0.1,
          "narrow: at 10 nearly the reading of 9, at 13.5 the mean of those of 12 and 15");
    check(tensor::all_close(tensor::select(answers, 1, 2), tensor::full({4}, mean), 0, 2) &&
              !tensor::all_close(tensor::select(answers, 1, 1), tensor::full({4}, mean), 0, 2),
          "wide: near the mean of all");
    check(as_nn, "nn's GaussianScore gives the same bits");

    const Variable q(tensor::of({{10}})), K(hours), V(degrees);
    const Tensor by_width = attend(GaussianScore(2), q, K, V).output.value();
    const Tensor by_temperature =
        attend(GaussianScore(1), q, K, V, {.temperature = 4}).output.value();
    check(tensor::all_close(by_width, by_temperature, 1e-5, 0),
          "width² is a temperature: width 2 is width 1 at temperature 4");
    check(attend(GaussianScore(1), q, K, V, {.temperature = 0}).output(0, 0) == 13,
          "at temperature 0 the nearest reading comes back");
}

// The scores of nn, with parameters that are drawn at random where there are any.
struct Scores {
    explicit Scores(Random& random) : additive(3, 3, 4, random), bilinear(3, 3, random) {}

    DotScore dot;
    ScaledDotScore scaled;
    AdditiveScore additive;
    BilinearScore bilinear;
    GaussianScore gaussian = GaussianScore(1);

    std::vector<const Score*> all() const {
        return {&dot, &scaled, &additive, &bilinear, &gaussian};
    }
};

const Words names = {"dot", "scaled dot", "additive", "bilinear", "Gaussian"};

// The same by hand, in this order; each [T_q, T_k].
std::vector<Tensor> scores_by_hand(const Tensor& Q, const Tensor& K, const Scores& nn) {
    const Tensor K_T = tensor::transpose(K);  // [d_k, T_k]
    // q·k
    const Tensor dot = tensor::matmul(Q, K_T);  // [T_q, T_k]
    // q·k / √d_k
    const double d_k = static_cast<double>(K.dim(1));
    const Tensor scaled = tensor::matmul(Q, K_T) / __builtin_sqrt(d_k);  // [T_q, T_k]
    // v·tanh(W_q·q + W_k·k)
    const Tensor W_q_q = tensor::matmul(Q, tensor::transpose(nn.additive.W_q.weight.value()));
    const Tensor W_k_k = tensor::matmul(K, tensor::transpose(nn.additive.W_k.weight.value()));
    const Tensor v = tensor::select(nn.additive.v.weight.value(), 0, 0);      // [h]
    const Tensor hidden = tensor::tanh(tensor::unsqueeze(W_q_q, 1) + W_k_k);  // [T_q, T_k, h]
    const Tensor additive = tensor::matmul(hidden, v);                        // [T_q, T_k]
    // q·W·k
    const Tensor bilinear = tensor::matmul(tensor::matmul(Q, nn.bilinear.W.value()), K_T);
    // -‖q - k‖² / 2
    const Tensor difference = tensor::unsqueeze(Q, 1) - K;                  // [T_q, T_k, d_k]
    const Tensor gaussian = -tensor::sum(difference * difference, -1) / 2;  // [T_q, T_k]
    return {dot, scaled, additive, bilinear, gaussian};
}

void other_scores(Random& random) {
    section("06.5 Other scores on the same keys");
    say("Any number that says how well q and k fit can be the score. Additive: a small network, "
        "v·tanh(W_q·q + W_k·k). Bilinear: q·W·k. Their parameters are learned; here they are "
        "drawn at random and know nothing yet. Gaussian: -‖q - k‖² / 2. The weights for the bat:");
    const Scores nn(random);
    const Tensor K = tensor::of(keys);                       // [T_k, d_k]
    const Tensor Q = tensor::unsqueeze(tensor::of(bat), 0);  // [1, d_k]
    const std::vector<Tensor> by_hand = scores_by_hand(Q, K, nn);
    tutorial::Table table = {"score", "key", names, animals, {}};
    bool as_nn = true;
    for (std::size_t i = 0; i < by_hand.size(); ++i) {
        const Tensor weights = tensor::softmax(by_hand[i], -1);  // [1, T_k]
        for (const Scalar w : weights.to_vector()) table.cells.push_back({fixed(w, 3), w});
        const Variable ready_made = (*nn.all()[i])(Variable(Q), Variable(K));
        as_nn = as_nn && same(by_hand[i], ready_made.value());
    }
    tutorial::print_table(std::cout, table);
    check(as_nn, "nn's five scores give the same bits as those by hand");
    say("Dot and Gaussian agree, and not by accident: -‖q - k‖² / 2 = q·k - ‖q‖²/2 - ‖k‖²/2. The "
        "softmax does not see ‖q‖, which is the same for all keys, and all keys here have "
        "length 1.");
    check(tensor::all_close(tensor::softmax(by_hand[0], -1), tensor::softmax(by_hand[4], -1), 0,
                            1e-6),
          "keys of length 1: dot and Gaussian give the same weights");
    const Tensor longer = tensor::of({{1, 0, 0}, {0, 3, 0}, {0, 0.6, 0.8}, {0, 0, 1}});
    const std::vector<Tensor> unequal = scores_by_hand(Q, longer, nn);
    check(!tensor::all_close(tensor::softmax(unequal[0], -1), tensor::softmax(unequal[4], -1), 0,
                             0.1),
          "with the hen's key three times as long they do not");
}

void which_score(Random& random) {
    section("06.6 Which score the paper of 2014 used");
    say("Note 001 says of the paper on alignment that it used the inner product, "
        "a_ij = h_iᵀ·s_j. Bahdanau, Cho and Bengio (2014) score with a small additive network, "
        "v·tanh(W·s + U·h), where s is a state of the decoder and h one of the encoder. Dot "
        "product and bilinear (\"general\") are those of Luong, Pham and Manning (2015) (erratum "
        "001-3). On the same states, with untrained parameters:");
    const Tensor H = tensor::normal({5, 3}, random);  // [T_k, d], the encoder's
    const Tensor s = tensor::normal({2, 3}, random);  // [T_q, d], the decoder's
    const Scores nn(random);
    const std::vector<Tensor> scores = scores_by_hand(s, H, nn);
    const Tensor dot = tensor::softmax(scores[0], -1);       // [T_q, T_k]
    const Tensor additive = tensor::softmax(scores[2], -1);  // [T_q, T_k]
    const Tensor bilinear = tensor::softmax(scores[3], -1);  // [T_q, T_k]
    std::cout << "additive, 2014 =\n"
              << additive << "\ndot, 2015 =\n"
              << dot << "\nbilinear, 2015 =\n"
              << bilinear << "\n\n";
    check(tensor::max_difference(additive, dot) > 0.1, "the weights are not the same");

    say("They differ in kind too. A tanh is at most 1, so an additive score never exceeds Σ|v|. A "
        "dot product grows with the vectors. And an additive or bilinear score can compare "
        "vectors of different length, a dot product cannot.");
    const double limit = tensor::sum(tensor::abs(nn.additive.v.weight.value())).item();
    const std::vector<Tensor> far = scores_by_hand(100 * s, H, nn);
    const double far_dot = tensor::max(tensor::abs(far[0])).item();
    const double far_additive = tensor::max(tensor::abs(far[2])).item();
    std::cout << "largest |score| with 100·s: dot " << fixed(far_dot, 1) << ", additive "
              << fixed(far_additive, 2) << ", Σ|v| = " << fixed(limit, 2) << "\n\n";
    check(tensor::all_close(far[0], 100 * scores[0], 1e-4, 1e-4), "dot: 100 times as large");
    check(far_additive <= limit * (1 + 1e-5), "additive: within Σ|v|");
    const Variable wide(tensor::normal({2, 4}, random));  // [T_q, 4]
    const AdditiveScore of_4_and_3(4, 3, 4, random);
    bool refused = false;
    try {
        nn.dot(wide, Variable(H));
    } catch (const ShapeError&) {
        refused = true;
    }
    check(refused && of_4_and_3(wide, Variable(H)).shape() == Shape{2, 5},
          "states of 4 and of 3 numbers: DotScore refuses, AdditiveScore does not");
}

void by_nn(Random& random) {
    section("06.7 The same by nn");
    say("attend(score, Q, K, V, {.temperature = ...}) is the whole: score, divide, softmax, mean. "
        "Six queries: the bat, the four keys themselves, and the one between cat and hen.");
    const Scores nn(random);
    const Tensor K = tensor::of(keys);    // [T_k, d_k]
    const Tensor V = tensor::of(values);  // [T_k, d_v]
    const Tensor others = tensor::of({{0.8, 0.6, 0}, {0.5, 0.5, 0}});
    const Tensor Q = tensor::concatenate({others, K}, 0);  // [T_q, d_k]
    const std::vector<Tensor> scores = scores_by_hand(Q, K, nn);
    int same_bits = 0, compared = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        for (const double temperature : {4.0, 1.0, 0.25, 0.0}) {
            const Tensor weights = weights_at(scores[i], temperature);  // [T_q, T_k]
            const Tensor output = tensor::matmul(weights, V);           // [T_q, d_v]
            const Attention ready_made = attend(*nn.all()[i], Variable(Q), Variable(K), Variable(V),
                                                {.temperature = temperature});
            ++compared;
            same_bits += same(ready_made, {Variable(output), Variable(weights)});
        }
    }
    std::cout << "Q " << Q.shape() << ", K " << K.shape() << ", V " << V.shape()
              << "\nfive scores at four temperatures: " << same_bits << " of " << compared
              << " have the same bits\n\n";
    check(same_bits == compared, "weights and outputs have the same bits by hand and by nn");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 06: soft dictionary lookup. Why the parts of attention are called query, key and "
        "value, and what else than a dot product can compare them.");
    exact();
    soft();
    temperatures();
    kernel_regression();
    other_scores(random);
    which_score(random);
    by_nn(random);
}

int main(int argc, char** argv) {
    return tutorial::run({"06_soft_dictionary_lookup",
                          "Soft dictionary lookup: query, key, value, temperature, other scores."},
                         argc, argv, lesson);
}
