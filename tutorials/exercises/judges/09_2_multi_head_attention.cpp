#include "tutorials/exercises/judges/common_heads.h"
#include "tutorials/exercises/judging/kit.h"
#include "tutorials/exercises/judging/solved.h"

using namespace heed;

namespace exercise {
namespace {
MultiHead reference(const Slips& slip) {
    return [=](const Variable& X, const HeadsParameters& p, std::int64_t h, const Mask& mask) {
        const Variable x = slip("train.X-detached") ? X.detach() : X;
        return heads_walk(x, x, p, h, mask.blocked(), slip);
    };
}

std::vector<Mistake> mistakes() {
    const std::vector<Mistake> own = {
        {"train.X-detached", "X was a constant, used through .value() or .detach()",
         "To what does a gradient flow, besides the parameters?", "The first use of X."}};
    return joined(heads_mistakes(), product_mistakes(), scale_mistakes(),
                  without(triangle_mistakes(), {"mask.upper", "mask.strict", "mask.plus1"}),
                  fill_mistakes(), softmax_mistakes(), context_mistakes(), detached_mistakes(),
                  own);
}

// A table in which every query sees the next word, the last one the first, and each other key or
// not; so some do not see themselves.
Mask some_mask(const Shape& shape, std::uint64_t seed) {
    const std::int64_t T = shape.dim(-1);
    const Tensor eye = tensor::eye(T);
    const BoolTensor next =
        tensor::concatenate({tensor::slice(eye, 0, 1), tensor::slice(eye, 0, 0, 1)}, 0) == 1;
    return Mask::allowing((random(shape, seed) > 0) | next);
}

// A word of zeros, in all texts.
Tensor with_zeros(const Tensor& X, std::int64_t word) {
    Tensor zeros = tensor::select(X, 1, word);
    tensor::overwrite(zeros, tensor::zeros(zeros.shape()));
    return X;
}

struct Given {
    Variable X;  // [B, T, d_model]
    HeadsParameters parameters;
    std::int64_t h;
    Mask mask;
};

std::vector<Leaf> leaves_of(const Given& in) { return leaves_of({{"X", in.X}}, in.parameters); }

Stages given(const Given& in) { return values_of(leaves_of(in)); }

Mask of_neighbours(std::int64_t T) {
    const Tensor ones = tensor::ones({T, T});
    return Mask::allowing(tensor::triu(tensor::tril(ones, 1), -1) == 1);
}

// Word 2 has a huge number, which makes its keys and nothing else.
Given huge_and_unseen() {
    HeadsParameters p = random_heads(4, 4, 6, 140);
    p.W_Q = without_feature_0(p.W_Q);
    p.W_V = without_feature_0(p.W_V);
    const Mask mask =
        Mask::blocking((tensor::arange(4) == 2).reshape({1, 4})) & Mask::all_allowed(4, 4);
    return {leaf(with_a_huge_feature_0(random({2, 4, 4}, 14), 2)), p, 2, mask};
}

Inputs<Given> inputs() {
    const Tensor turned = tensor::transpose(random({2, 6, 5}, 2));  // X as a view
    // Of the first two cases, so that no key may be kept for its matrix.
    const HeadsParameters shared = random_heads(6, 6, 6, 10);
    return {
        {"2 texts of 5 words, 3 heads of 2, causal",
         {leaf(random({2, 5, 6}, 1)), shared, 3, Mask::causal(5)}},
        {"2 texts of 5 words, 3 heads of 2, another mask for all",
         {leaf(random({2, 5, 6}, 4)), shared, 3, some_mask({5, 5}, 41)}},
        {"3 texts of 4 words, 3 heads of 4, a mask for each text",
         {leaf(random({3, 4, 5}, 11)), random_heads(5, 5, 12, 110), 3,
          some_mask({3, 1, 4, 4}, 111)}},
        {"words that see themselves and their neighbours",
         {leaf(random({2, 5, 4}, 12)), random_heads(4, 4, 6, 120), 2, of_neighbours(5)}},
        {"a key of huge numbers, which none may see", huge_and_unseen()},
        {"3 texts of 4 words, 2 heads of 5, a mask for each head",
         {leaf(random({3, 4, 6}, 3)), random_heads(6, 6, 10, 20), 2, some_mask({3, 2, 4, 4}, 21)}},
        {"2 texts of 5 words, 3 heads of 2, a mask for each text",
         {leaf(turned), random_heads(6, 6, 6, 30), 3, some_mask({2, 1, 5, 5}, 31)}},
        {"4 words, no mask",
         {leaf(random({1, 4, 8}, 5)), random_heads(8, 8, 8, 50), 4, Mask::all_allowed(4, 4)}},
        {"large numbers",
         {leaf(random({2, 6, 4}, 6, 60)), random_heads(4, 4, 6, 60), 2, Mask::causal(6)}},
        {"large numbers, no mask",
         {leaf(random({2, 4, 4}, 13, 60)), random_heads(4, 4, 6, 130), 2, Mask::all_allowed(4, 4)}},
        {"one head, with scores far below zero",
         {leaf(random({2, 3, 5}, 7)), with_scores_far_below_0(random_heads(5, 5, 4, 70)), 1,
          Mask::causal(3)}},
        {"a word of zeros",
         {leaf(with_zeros(random({2, 4, 3}, 8), 1)), with_keys_unbiased(random_heads(3, 3, 4, 80)),
          2, Mask::causal(4)}},
        {"60 words",
         {leaf(random({1, 60, 3}, 95)), random_heads(3, 3, 2, 96), 2, Mask::causal(60)}},
        {"a single word",
         {leaf(random({1, 1, 3}, 9)), random_heads(3, 3, 4, 90), 2, Mask::causal(1)}},
    };
}

HeadsStages asked(const MultiHead& attention, const Given& in) {
    return attention(in.X, in.parameters, in.h, in.mask);
}

Stages stages(const MultiHead& attention, const Solved<Given>& solved) {
    return as_stages(asked(attention, solved.in), leaves_of(solved.in), solved.right);
}

Stages right(const Given& in) { return values_of(asked(reference({}), in)); }

Tensor output_of(const MultiHead& attention, const Tensor& X, const HeadsParameters& p,
                 std::int64_t h, const Mask& mask) {
    return attention(Variable(X), p, h, mask).output.value();
}

std::string the_future_is_felt(const MultiHead& attention) {
    const HeadsParameters p = random_heads(6, 6, 6, 200);
    const Tensor X = random({2, 5, 6}, 201);
    const Tensor before = output_of(attention, X, p, 3, Mask::causal(5));
    const Tensor after = output_of(attention, with_other_last_row(X), p, 3, Mask::causal(5));
    const std::string change = first_change(rows_before(before, 4), rows_before(after, 4));
    if (change.empty()) return "";
    return "Under a causal mask, another last word changes an output before it, " + change + ".";
}

// The heads' columns rotated: the last third comes first.
Variable heads_turned(const Variable& W, int axis) {
    const std::vector<Variable> heads = chunk(W, 3, axis);
    return concatenate({heads[2], heads[0], heads[1]}, axis);
}

std::string order_matters(const MultiHead& attention) {
    const HeadsParameters p = random_heads(6, 6, 6, 210);
    const HeadsParameters turned{heads_turned(p.W_Q, 1), heads_turned(p.W_K, 1),
                                 heads_turned(p.W_V, 1), heads_turned(p.W_O, 0),
                                 heads_turned(p.b_Q, 0), heads_turned(p.b_K, 0),
                                 heads_turned(p.b_V, 0), p.b_O};
    const Tensor X = random({2, 5, 6}, 211);
    const Tensor before = output_of(attention, X, p, 3, Mask::causal(5));
    const Tensor after = output_of(attention, X, turned, 3, Mask::causal(5));
    const std::string change = first_change(before, after);
    if (change.empty()) return "";
    return "With the heads in another order, in all four matrices, the output changes at " +
           change + ".";
}

std::string rows_do_not_sum(const MultiHead& attention) {
    const HeadsParameters p = random_heads(6, 6, 6, 220);
    const Variable X(random({2, 5, 6}, 221));
    return sums_finding(attention(X, p, 3, Mask::causal(5)).weights.value());
}

std::string masked_has_weight(const MultiHead& attention) {
    const HeadsParameters p = random_heads(6, 6, 6, 220);
    const Variable X(random({2, 5, 6}, 221));
    return leak_finding(attention(X, p, 3, Mask::causal(5)).weights.value(), causal_blocked(5, {}));
}

Rules<MultiHead> rules() {
    return {
        .number = "09.2",
        .title = "Multi-head attention from parts",
        .reference = reference,
        .cases = on_each(stages, solved(inputs(), right)),
        .laws = {{"no word sees its future", the_future_is_felt},
                 {"each row of weights sums to 1", rows_do_not_sum},
                 {"what may not be seen has weight 0", masked_has_weight},
                 {"the order of the heads does not matter", order_matters}},
        .mistakes = mistakes(),
        .hints = {"What shape does each stage have?",
                  "lesson 09, section 09.2, goes the same way; print the shape of each stage",
                  "head_n = softmax(mask(Q_n·K_nᵀ / √d_head))·V_n, output = concat·W_O + b_O",
                  "s.Q = split_heads(matmul(X, P.W_Q) + P.b_Q, h); and so on; s.concat = "
                  "merge_heads(s.heads);"},
    };
}

}  // namespace

const Judge<MultiHead> judge_09_2(rules);

}  // namespace exercise
