// Lesson 06: score functions other than the dot product for comparing a query with a key, by hand
// and with nn (06.5 to 06.7).
#include "tutorials/06_soft_dictionary_lookup/parts.h"

#include "autograd/variable.h"
#include "nn/attention/attention.h"
#include "nn/attention/scores.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
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
        "$v·tanh(W_q·q + W_k·k)$. Bilinear: $q·W·k$. Their parameters are learned; here they are "
        "drawn at random and know nothing yet. Gaussian: $-‖q - k‖² / 2$. The weights for the "
        "bat:");
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
    say("Dot and Gaussian agree, and not by accident: $-‖q - k‖² / 2 = q·k - ‖q‖²/2 - ‖k‖²/2$. The "
        "softmax does not see $‖q‖$, the query's norm, which is the same for all keys; and all "
        "keys here have norm 1.");
    check(tensor::all_close(tensor::softmax(by_hand[0], -1), tensor::softmax(by_hand[4], -1), 0,
                            1e-6),
          "on keys of norm 1, dot and Gaussian give the same weights");
    const Tensor larger = tensor::of({{1, 0, 0}, {0, 3, 0}, {0, 0.6, 0.8}, {0, 0, 1}});
    const std::vector<Tensor> unequal = scores_by_hand(Q, larger, nn);
    const Tensor by_dot = tensor::softmax(unequal[0], -1);       // [1, T_k]
    const Tensor by_distance = tensor::softmax(unequal[4], -1);  // [1, T_k]
    std::cout << "\nthe hen's key with norm 3: dot      " << by_dot << "\n"
              << "                           Gaussian " << by_distance << "\n\n";
    check(!tensor::all_close(by_dot, by_distance, 0, 0.1),
          "with the hen's key of norm 3 they do not");
}

void other_dimensions(const Scores& nn, const Tensor& K, Random& random) {
    say("And an additive or bilinear score can compare vectors of different dimension; a dot "
        "product cannot.");
    const Variable wide(tensor::normal({2, 4}, random));  // [T_q, 4]
    const AdditiveScore additive_4_3(4, 3, 4, random);
    const BilinearScore bilinear_4_3(4, 3, random);
    bool refused = false;
    try {
        nn.dot(wide, Variable(K));
    } catch (const ShapeError&) {
        refused = true;
    }
    check(refused && additive_4_3(wide, Variable(K)).shape() == Shape{2, 4} &&
              bilinear_4_3(wide, Variable(K)).shape() == Shape{2, 4},
          "with queries of 4 numbers and keys of 3, DotScore refuses and the other two do not");
    in_the_notes("001 says that the paper of 2014 used the inner product, $a_ij = h_iᵀ·s_j$, of a "
                 "state of the encoder and one of the decoder (001-3). It also takes \"query, key, "
                 "value attention\" for another name of self-attention. Here queries come from one "
                 "sentence, keys and values from the other, and that is attention, too; self means "
                 "that all three come from one (001-14).");
}

void which_score(Random& random) {
    section("06.6 The first attention was additive");
    say("Attention was invented for translation: while one sentence is written, it looks back at "
        "the other (lesson 13). Its first paper (Bahdanau, Cho and Bengio 2014) scores with the "
        "additive network; dot product and bilinear form (\"general\") came a year later (Luong, "
        "Pham and Manning 2015). They differ in kind. A tanh is at most 1, so an additive score "
        "never exceeds $Σ|v|$; a dot product grows with the vectors. The bat, and 100 times the "
        "bat:");
    const Scores nn(random);
    const Tensor K = tensor::of(keys);                       // [T_k, d_k]
    const Tensor q = tensor::unsqueeze(tensor::of(bat), 0);  // [1, d_k]
    const std::vector<Tensor> near = scores_by_hand(q, K, nn);
    const std::vector<Tensor> far = scores_by_hand(100 * q, K, nn);
    const Tensor dot = tensor::softmax(far[0], -1);       // [1, T_k]
    const Tensor additive = tensor::softmax(far[2], -1);  // [1, T_k]
    const double moved_dot = tensor::max_difference(dot, tensor::softmax(near[0], -1));
    const double moved_additive = tensor::max_difference(additive, tensor::softmax(near[2], -1));
    tutorial::predict_choice(
        "A query 100 times as large: which score's weights change more?", {"dot", "additive"},
        moved_dot > moved_additive ? "dot" : "additive",
        "Its scores are 100 times as large, as if the temperature were 1/100.");
    stop("06.6 a large query", {{"dot", dot}, {"additive", additive}});
    const double limit = tensor::sum(tensor::abs(nn.additive.v.weight.value())).item();
    const double largest = tensor::max(tensor::abs(far[2])).item();
    tutorial::Table table = {"weights", "key", {}, animals, {}};
    table.rows = {"dot", "dot, ×100", "additive", "additive, ×100"};
    for (const Tensor& scores : {near[0], far[0], near[2], far[2]}) {
        const Tensor weights = tensor::softmax(scores, -1);  // [1, T_k]
        for (const Scalar w : weights.to_vector()) table.cells.push_back({fixed(w, 3), w});
    }
    tutorial::print_table(std::cout, table);
    std::cout << "largest |score| of 100 times the bat: dot "
              << fixed(tensor::max(far[0]).item(), 1) << ", additive " << fixed(largest, 2)
              << ", where Σ|v| = " << fixed(limit, 2) << "\n\n";
    check(tensor::all_close(far[0], 100 * near[0], 1e-4, 1e-4),
          "the dot products are 100 times as large");
    check(largest <= limit * (1 + 1e-5), "the additive scores stay within $Σ|v|$");
    check(tensor::max_difference(additive, dot) > 0.1, "so the weights of the two differ");
    other_dimensions(nn, K, random);
}

void by_nn(Random& random) {
    section("06.7 The same by nn");
    say("attend(score, Q, K, V, {.temperature = ...}) does it all: scores, divided, softmax, "
        "weighted sum. Six queries: the bat, the four keys themselves, and the one between cat and "
        "hen.");
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
