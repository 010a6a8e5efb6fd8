#include "tutorials/exercises/judges/08_5_broken_attention.h"

#include "tutorials/exercises/judges/common_masked.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "tensor/ops.h"
#include "tensor/ops/compare.h"

#include <cmath>

using namespace heed;
using namespace exercise::masked_walk;

namespace exercise {

namespace {

BackwardLooking walked(const HeadOf000& head, const Variable& X, const Slips& slip) {
    const std::int64_t N = X.dim(-2);
    const Variable Q = matmul(X, head.W_q), K = matmul(X, head.W_k), V = matmul(X, head.W_v);
    BackwardLooking s;
    s.scores = products(Q, K, V, slip) * scale(K.dim(-1), N, X.dim(-1), slip);
    const BoolTensor blocked = causal_blocked(N, slip) & BoolTensor::full(s.scores.shape(), true);
    const bool untouched = slip("hunt.as-it-was");
    const Slips of_mask = untouched ? Slips{"mask.fill0"} : slip;
    const Slips of_weights = untouched ? Slips{"sm.cols"} : slip;
    const Variable scores = masked(s.scores, blocked, of_mask);
    s.weights = masked_weights(scores, blocked, K.dim(-1), of_weights);
    s.output = context(s.weights, K, V, slip);
    if (untouched || slip("att.own-value")) s.output = sum(s.weights, -1, keepdim) * V;
    if (slip("att.x-for-values")) s.output = matmul(s.weights, X);
    if (slip("train.detached")) return {s.scores.detach(), s.weights.detach(), s.output.detach()};
    return s;
}

Stages as_stages(const BackwardLooking& s) {
    return {
        {"scores", s.scores.value()}, {"weights", s.weights.value()}, {"output", s.output.value()}};
}

std::vector<Mistake> own_mistakes() {
    return {
        {"hunt.as-it-was",
         "all three faults were still there",
         {"What must hold of the scores, of the weights, of the output?",
          "Begin by stopping at attention_of_000 (the key d starts the debugger) and step to the "
          "weights: what does a row of them sum to?"}},
        {"train.detached",
         "everything was computed from values, so that nothing is recorded",
         {"Do the results know what they were computed from?",
          "Print s.output: which operation made it?"}},
        {"att.own-value",
         "word i got its own value, Σ_j a_ij v_i, which is v_i for any weights that sum to 1",
         {"Does the output change if only the weights change?",
          "Compare output[0] with V[0], and output[2] with V[2]."}},
        {"att.x-for-values",
         "the weights were applied to X and not to V",
         {"What does a word hand over when it is found?", "The second factor of the output."}},
    };
}

HeadOf000 random_head(std::int64_t d, std::int64_t d_k, std::int64_t d_v, std::uint64_t seed,
                      double size = 0.7) {
    return {Variable(random({d, d_k}, seed, size), requires_grad),
            Variable(random({d, d_k}, seed + 1, size), requires_grad),
            Variable(random({d, d_v}, seed + 2, 0.7), requires_grad)};
}

// The keys are the queries with the other sign: a word's score with a word like itself is negative.
HeadOf000 head_of_opposites(std::int64_t d, std::int64_t d_k, std::uint64_t seed) {
    const HeadOf000 head = random_head(d, d_k, 3, seed);
    return {head.W_q, Variable(-head.W_q.value(), requires_grad), head.W_v};
}

// The first feature of each word is `size`, so that their scores are large and all alike in sign.
Tensor words_far_out(const Shape& shape, double size) {
    const Tensor numbers = random(shape, 8);
    const BoolTensor first = tensor::arange(static_cast<double>(shape.dim(-1))) == 0;
    return tensor::where(first, numbers + size, numbers);
}

// The scores of a word of zeros are exactly 0.
Tensor with_words_of_zeros(const Shape& shape) {
    const BoolTensor rows = tensor::arange(static_cast<double>(shape.dim(-2))) == 1;
    return tensor::masked_fill(random(shape, 9), rows.reshape({shape.dim(-2), 1}), 0);
}

// Scores of word i with word j are x_i0·x_j1: word 0's with itself is the least one there is, and
// with word 1, its future, the largest.
HeadOf000 head_of_two_features() {
    const Tensor first = tensor::of({{1}, {0}}), second = tensor::of({{0}, {1}});
    return {Variable(first, requires_grad), Variable(second, requires_grad),
            Variable(random({2, 3}, 100), requires_grad)};
}

struct Given {
    std::string name;
    Tensor X;
    HeadOf000 head;
};

std::vector<Given> given() {
    const HeadOf000 shared = random_head(3, 3, 3, 30);  // so that no key may be kept for its matrix
    return {
        {"2 texts of 4 words, d_v = d_k", random({2, 4, 5}, 2), random_head(5, 3, 3, 20)},
        {"d, d_k, d_v, texts and words all 3", random({3, 3, 3}, 3), shared},
        {"3 other words", random({3, 3, 3}, 13), shared},
        {"a single word", random({1, 2}, 4), random_head(2, 3, 4, 33)},
        {"2 times 3 texts of 4 words", random({2, 3, 4, 2}, 5), random_head(2, 5, 3, 50)},
        {"large scores of both signs", random({2, 5, 4}, 6, 40), random_head(4, 3, 2, 60)},
        {"scores of about -50000", words_far_out({2, 4, 3}, 400), head_of_opposites(3, 4, 70)},
        {"scores of -99999 and 99999 in one row",
         tensor::of({{300, -333.33}, {0.01, 333.33}, {-300, 0.003}}), head_of_two_features()},
        {"a word of zeros in each text", with_words_of_zeros({2, 5, 4}), random_head(4, 3, 2, 80)},
        {"X as a transposed view", tensor::transpose(random({2, 4, 3}, 7)),
         random_head(4, 2, 3, 90)},
        {"60 words", random({60, 2}, 10), random_head(2, 1, 2, 95)},
    };
}

Case case_of(const Given& given, const AttentionOf000& attention) {
    const HeadOf000 head = given.head;
    const Variable X(given.X, requires_grad);
    const std::vector<Leaf> leaves = {
        {"W_v", head.W_v}, {"W_q", head.W_q}, {"W_k", head.W_k}, {"X", X}};
    const auto stages = [=](const BackwardLooking& s) {
        return with_gradients(as_stages(s), side_by_side({s.scores, s.weights, s.output}), leaves);
    };
    return {given.name, [=](const Slips& slip) { return stages(walked(head, X, slip)); },
            [=] { return stages(attention(head, X)); }, values_of(leaves)};
}

// Values only: many mistakes are told apart on it.
Case small_case(const AttentionOf000& attention) {
    const HeadOf000 head = random_head(6, 4, 3, 10);
    const Variable X(random({5, 6}, 1));
    return {"5 words", [=](const Slips& slip) { return as_stages(walked(head, X, slip)); },
            [=] { return as_stages(attention(head, X)); },
            values_of({{"X", X}, {"W_q", head.W_q}, {"W_k", head.W_k}, {"W_v", head.W_v}})};
}

std::string the_future_is_felt(const AttentionOf000& attention) {
    const HeadOf000 head = random_head(6, 4, 3, 40);
    const Tensor X = random({2, 5, 6}, 41);
    const Tensor before = attention(head, Variable(X)).output.value();
    const Tensor after = attention(head, Variable(with_other_last_row(X))).output.value();
    const std::string changed = difference(rows_before(after, 4), rows_before(before, 4));
    if (changed.empty()) return "";
    return "With another last word, output of the words before it " + changed + " as before.";
}

std::string rows_do_not_sum(const AttentionOf000& attention) {
    const HeadOf000 head = random_head(6, 4, 3, 42);
    return sums_finding(attention(head, Variable(random({2, 5, 6}, 43))).weights.value());
}

std::string future_has_weight(const AttentionOf000& attention) {
    const HeadOf000 head = random_head(6, 4, 3, 42);
    return leak_finding(attention(head, Variable(random({2, 5, 6}, 43))).weights.value(),
                        causal_blocked(5, {}));
}

std::vector<Hole> holes() {
    return {{"attention_of_000",
             {"weights"},
             {"What must hold of a row of weights, and of the weight of a future word?",
              "Step to s.weights (the key d starts the debugger): row 0, and the sum of each row",
              "exp(-∞) = 0, and exp(0) = 1; each row of weights sums to 1",
              "A future score must be -infinity, not 0. If rows still do not sum to 1, compare the "
              "axis of the softmax with the one that should"}},
            {"attention_of_000",
             {"output"},
             {"Whose values should word i receive?",
              "Compare output[2] with V[2]: does it depend on V[0]?",
              "y_i = Σ_j a_ij v_j: the index under the sum is that of the value",
              "s.output = matmul(s.weights, V)"}}};
}

}  // namespace

Exercise broken_attention(const AttentionOf000& attention) {
    Exercise exercise;
    exercise.number = "08.5";
    exercise.title = "Three faults in note 000's attention";
    exercise.cases = {small_case(attention)};
    for (const Given& one : given()) exercise.cases.push_back(case_of(one, attention));
    exercise.laws = {
        {"each row of weights sums to 1", [=] { return rows_do_not_sum(attention); }},
        {"no word sees its future", [=] { return the_future_is_felt(attention); }},
        {"the future has weight 0", [=] { return future_has_weight(attention); }},
    };
    exercise.mistakes =
        joined({own_mistakes(), triangle_mistakes(), without(fill_mistakes(), {"mask.fill-large"}),
                softmax_mistakes(), product_mistakes(), scale_mistakes(), context_mistakes(),
                zero_score_mistakes(), gradient_mistakes()});
    exercise.hints = {"Of which stage do you know what must hold without knowing the numbers?",
                      "Begin by stopping at attention_of_000 (the key d starts the debugger): "
                      "tensor weights, and the sum of its row 0",
                      "A future word weighs nothing, each row of weights sums to 1, and an output "
                      "mixes the values of several words: which of the three is not so?",
                      "Mend the first stage that is wrong, run it again, and go on to the next"};
    exercise.holes = holes();
    return exercise;
}

Trials broken_attention_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return broken_attention(
            [=](const HeadOf000& head, const Variable& X) { return walked(head, X, slip); });
    };
    trials.right["the exponential of log_softmax, queries scaled"] = [] {
        return broken_attention([](const HeadOf000& head, const Variable& X) {
            const Variable K = matmul(X, head.W_k);
            const Variable Q = matmul(X, head.W_q) / std::sqrt(static_cast<double>(K.dim(-1)));
            BackwardLooking s;
            s.scores = matmul(Q, transpose(K));
            const BoolTensor seen = !causal_blocked(X.dim(-2), {});
            const Variable kept = where(seen, s.scores, Variable(tensor::of(-infinity)));
            s.weights = exp(log_softmax(kept, -1));
            s.output = matmul(s.weights, matmul(X, head.W_v));
            return s;
        });
    };
    return trials;
}

}  // namespace exercise
