#include "tutorials/exercises/judges/common_attention.h"
#include "tutorials/exercises/judges/lesson_08.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
BackwardLooking walked(const HeadOf000& head, const Variable& X, const Slips& slip) {
    const QueriesKeysValues in = {matmul(X, head.W_q), matmul(X, head.W_k), matmul(X, head.W_v)};
    const bool untouched = slip("hunt.as-it-was");
    const Slips its = untouched ? Slips{"mask.fill0", "sm.cols"} : slip;
    const Attended all =
        attention(in, {.d_model = X.dim(-1), .blocked = causal_blocked(X.dim(-2), its)}, its);
    BackwardLooking s = {all.scores, all.weights, all.output};
    if (untouched || slip("att.own-value")) s.output = sum(s.weights, -1, keepdim) * in.V;
    if (slip("att.x-for-values")) s.output = matmul(s.weights, X);
    if (slip("train.detached")) return {s.scores.detach(), s.weights.detach(), s.output.detach()};
    return s;
}

std::vector<Mistake> own_mistakes() {
    return {
        {"hunt.as-it-was", "all three faults were still there",
         "What must hold of the scores, of the weights, of the output?",
         "Begin by stopping at attention_of_000 (the key d starts the debugger) and step to the "
         "weights: what does a row of them sum to?"},
        {"train.detached", "everything was computed from values, so that nothing is recorded",
         "Do the results know what they were computed from?",
         "Print s.output: which operation made it?"},
        {"att.own-value",
         "word i got its own value, Σ_j a_ij v_i, which is v_i for any weights that sum to 1",
         "Does the output change if only the weights change?",
         "Compare output[0] with V[0], and output[2] with V[2]."},
        {"att.x-for-values", "the weights were applied to X and not to V",
         "What does a word hand over when it is found?", "The second factor of the output."},
    };
}

HeadOf000 random_head(std::int64_t d, std::int64_t d_k, std::int64_t d_v, std::uint64_t seed,
                      double size = 0.7) {
    return {leaf(random({d, d_k}, seed, size)), leaf(random({d, d_k}, seed + 1, size)),
            leaf(random({d, d_v}, seed + 2, 0.7))};
}

// The keys are the queries with the other sign: a word's score with a word like itself is negative.
HeadOf000 head_of_opposites(std::int64_t d, std::int64_t d_k, std::uint64_t seed) {
    const HeadOf000 head = random_head(d, d_k, 3, seed);
    return {head.W_q, leaf(-head.W_q.value()), head.W_v};
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
    return {leaf(first), leaf(second), leaf(random({2, 3}, 100))};
}

struct Given {
    Variable X;
    HeadOf000 head;
};

std::vector<Leaf> leaves_of(const Given& in) {
    return {{"W_v", in.head.W_v}, {"W_q", in.head.W_q}, {"W_k", in.head.W_k}, {"X", in.X}};
}

Stages given(const Given& in) { return values_of(leaves_of(in)); }

Stages as_stages(const BackwardLooking& s) {
    return {
        {"scores", s.scores.value()}, {"weights", s.weights.value()}, {"output", s.output.value()}};
}

// Values only: many mistakes are told apart on it.
Stages values(const AttentionOf000& attention, const Given& in) {
    return as_stages(attention(in.head, in.X));
}

Stages values_and_gradients(const AttentionOf000& attention, const Given& in) {
    const BackwardLooking s = attention(in.head, in.X);
    return with_gradients(as_stages(s), side_by_side({s.scores, s.weights, s.output}),
                          leaves_of(in));
}

Inputs<Given> small() {
    return {{"5 words", {Variable(random({5, 6}, 1)), random_head(6, 4, 3, 10)}}};
}

Inputs<Given> inputs() {
    const HeadOf000 shared = random_head(3, 3, 3, 30);  // so that no key may be kept for its matrix
    return {
        {"2 texts of 4 words, d_v = d_k", {leaf(random({2, 4, 5}, 2)), random_head(5, 3, 3, 20)}},
        {"d, d_k, d_v, texts and words all 3", {leaf(random({3, 3, 3}, 3)), shared}},
        {"3 other words", {leaf(random({3, 3, 3}, 13)), shared}},
        {"a single word", {leaf(random({1, 2}, 4)), random_head(2, 3, 4, 33)}},
        {"2 times 3 texts of 4 words", {leaf(random({2, 3, 4, 2}, 5)), random_head(2, 5, 3, 50)}},
        {"large scores of both signs", {leaf(random({2, 5, 4}, 6, 40)), random_head(4, 3, 2, 60)}},
        {"scores of about -50000",
         {leaf(words_far_out({2, 4, 3}, 400)), head_of_opposites(3, 4, 70)}},
        {"scores of -99999 and 99999 in one row",
         {leaf(tensor::of({{300, -333.33}, {0.01, 333.33}, {-300, 0.003}})),
          head_of_two_features()}},
        {"a word of zeros in each text",
         {leaf(with_words_of_zeros({2, 5, 4})), random_head(4, 3, 2, 80)}},
        {"X as a transposed view",
         {leaf(tensor::transpose(random({2, 4, 3}, 7))), random_head(4, 2, 3, 90)}},
        {"60 words", {leaf(random({60, 2}, 10)), random_head(2, 1, 2, 95)}},
    };
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

AttentionOf000 reference(const Slips& slip) {
    return [=](const HeadOf000& head, const Variable& X) { return walked(head, X, slip); };
}

Rules<AttentionOf000> rules() {
    return {
        .number = "08.5",
        .title = "Three faults in note 000's attention",
        .reference = reference,
        .cases = joined(on_each(values, small()), on_each(values_and_gradients, inputs())),
        .laws = {{"each row of weights sums to 1", rows_do_not_sum},
                 {"no word sees its future", the_future_is_felt},
                 {"the future has weight 0", future_has_weight}},
        .mistakes = joined(own_mistakes(), triangle_mistakes(),
                           without(fill_mistakes(), {"mask.fill-large"}), softmax_mistakes(),
                           product_mistakes(), scale_mistakes(), context_mistakes(),
                           zero_score_mistakes(), gradient_mistakes()),
        .hints = {"Of which stage do you know what must hold without knowing the numbers?",
                  "Begin by stopping at attention_of_000 (the key d starts the debugger): "
                  "tensor weights, and the sum of its row 0",
                  "A future word weighs nothing, each row of weights sums to 1, and an output "
                  "mixes the values of several words: which of the three is not so?",
                  "Mend the first stage that is wrong, run it again, and go on to the next"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<AttentionOf000> judge_08_5(rules);

}  // namespace exercise
