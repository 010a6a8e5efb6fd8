// Lesson 06, second part: score functions other than the dot product for comparing a query with a
// key, by hand and with nn. Sections 06.5 to 06.7 of 06_soft_dictionary_lookup.cpp.
#include "tutorials/06_other_scores.h"

#include "heed/autograd/variable.h"
#include "heed/nn/attention/attention.h"
#include "heed/nn/attention/scores.h"
#include "heed/tensor/errors.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::same;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

// nn's score functions, with randomly initialized parameters where they have any.
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

// The same scores by hand, in this order; each is [T_q, T_k].
std::vector<Tensor> scores_by_hand(const Tensor& Q, const Tensor& K, const Scores& nn) {
    const Tensor K_T = tensor::transpose(K);  // [d_k, T_k]
    // q·k
    const Tensor dot = tensor::matmul(Q, K_T);  // [T_q, T_k]
    // q·k / √d_k
    const double d_k = static_cast<double>(K.dim(1));
    const Tensor scaled = tensor::matmul(Q, K_T) / std::sqrt(d_k);  // [T_q, T_k]
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

void on_the_same_keys(Random& random) {
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
    const Tensor by_dot = tensor::softmax(unequal[0], -1);       // [1, T_k]
    const Tensor by_distance = tensor::softmax(unequal[4], -1);  // [1, T_k]
    std::cout << "\nthe hen's key three times as long: dot " << by_dot << ",\n"
              << "                                   Gaussian " << by_distance << "\n\n";
    check(!tensor::all_close(by_dot, by_distance, 0, 0.1),
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
    stop("06.6 three scores", {{"dot", dot}, {"additive", additive}, {"bilinear", bilinear}});
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

void other_scores(Random& random) {
    on_the_same_keys(random);
    which_score(random);
    by_nn(random);
}
