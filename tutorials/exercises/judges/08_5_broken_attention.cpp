#include "tutorials/exercises/judges/08_5_broken_attention.h"

#include "tutorials/exercises/judges/common_masked.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/ops.h"
#include "heed/tensor/ops.h"

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
        {"att.own-value",
         "word i had got its own value, Σ_j a_ij v_i, which is v_i for any weights that sum to 1",
         {"Does the output change if only the weights change?",
          "Compare output[0] with V[0], and output[2] with V[2]."}},
        {"att.x-for-values",
         "the weights had been applied to X and not to V",
         {"What does a word hand over when it is found?", "The second factor of the output."}},
    };
}

HeadOf000 random_head(std::int64_t d, std::int64_t d_k, std::int64_t d_v, std::uint64_t seed) {
    return {Variable(random({d, d_k}, seed, 0.7)), Variable(random({d, d_k}, seed + 1, 0.7)),
            Variable(random({d, d_v}, seed + 2, 0.7))};
}

std::string the_future_is_felt(const AttentionOf000& attention) {
    const HeadOf000 head = random_head(6, 4, 3, 40);
    const Tensor X = random({2, 5, 6}, 41);
    const Tensor before = attention(head, Variable(X)).output.value();
    const Tensor after = attention(head, Variable(with_other_last_row(X))).output.value();
    if (but_for_rounding(rows_before(before, 4), rows_before(after, 4))) return "";
    return "Another last word changes the outputs of words before it.";
}

std::string rows_do_not_sum(const AttentionOf000& attention) {
    const HeadOf000 head = random_head(6, 4, 3, 42);
    return sums_finding(attention(head, Variable(random({2, 5, 6}, 43))).weights.value());
}

}  // namespace

Exercise broken_attention(const AttentionOf000& attention) {
    Exercise exercise;
    exercise.number = "08.5";
    exercise.title = "Three faults in note 000's attention";
    const auto add = [&](const std::string& name, const Tensor& X, const HeadOf000& head) {
        exercise.cases.push_back(
            {name, [=](const Slips& slip) { return as_stages(walked(head, Variable(X), slip)); },
             [=] { return as_stages(attention(head, Variable(X))); }});
    };
    add("5 words", random({5, 6}, 1), random_head(6, 4, 3, 10));
    add("2 texts of 4 words, d_v = d_k", random({2, 4, 5}, 2), random_head(5, 3, 3, 20));
    add("as many of each", random({3, 3, 3}, 3), random_head(3, 3, 3, 30));
    add("a single word", random({1, 2}, 4), random_head(2, 3, 4, 33));
    exercise.laws = {
        {"each row of weights sums to 1", [=] { return rows_do_not_sum(attention); }},
        {"no word sees its future", [=] { return the_future_is_felt(attention); }},
    };
    exercise.mistakes =
        joined({own_mistakes(), triangle_mistakes(), without(fill_mistakes(), {"mask.fill-large"}),
                without(softmax_mistakes(), {"sm.no-max", "sm.global-max"}), product_mistakes(),
                scale_mistakes(), context_mistakes()});
    exercise.hints = {"Of which stage do you know what must hold without knowing the numbers?",
                      "Begin by stopping at attention_of_000 (the key d starts the debugger): "
                      "tensor weights, and the sum of its row 0",
                      "masked scores are -∞, each row of weights sums to 1, y_i = Σ_j a_ij v_j",
                      "masked_fill(s.scores, future, -infinity), softmax(masked, -1), "
                      "matmul(s.weights, V)"};
    return exercise;
}

Trials broken_attention_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return broken_attention(
            [=](const HeadOf000& head, const Variable& X) { return walked(head, X, slip); });
    };
    trials.right["masked after exp, and divided by what is left"] = [] {
        return broken_attention([](const HeadOf000& head, const Variable& X) {
            const Variable K = matmul(X, head.W_k);
            const Variable Q = matmul(X, head.W_q) / std::sqrt(static_cast<double>(K.dim(-1)));
            BackwardLooking s;
            s.scores = matmul(Q, transpose(K));
            const Variable powers = tril(exp(s.scores));
            s.weights = powers / sum(powers, -1, keepdim);
            s.output = matmul(s.weights, matmul(X, head.W_v));
            return s;
        });
    };
    return trials;
}

}  // namespace exercise
