#include "tutorials/exercises/judges/09_2_multi_head_attention.h"

#include "tutorials/exercises/judges/common_masked.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "tensor/ops.h"
#include "tensor/ops/compare.h"

#include <cmath>

using namespace heed;
using namespace exercise::masked_walk;

namespace exercise {

namespace {

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

HeadsStages head_by_head(const Variable& X, const HeadsParameters& p, std::int64_t h,
                         const Mask& mask) {
    HeadsStages s;
    std::vector<Variable> Q, K, V, scores, weights, heads;
    const std::int64_t d = p.W_Q.dim(1) / h;
    const auto of_head = [&](const Variable& W, const Variable& b, std::int64_t n) {
        return matmul(X, slice(W, 1, n * d, (n + 1) * d)) + slice(b, 0, n * d, (n + 1) * d);
    };
    for (std::int64_t n = 0; n < h; ++n) {
        Q.push_back(of_head(p.W_Q, p.b_Q, n));
        K.push_back(of_head(p.W_K, p.b_K, n));
        V.push_back(of_head(p.W_V, p.b_V, n));
        const double root = std::sqrt(static_cast<double>(d));
        scores.push_back(matmul(Q.back() / root, transpose(K.back())));
    }
    const BoolTensor allowed = mask.allowed() & BoolTensor::full({X.dim(0), h, X.dim(1), 1}, true);
    for (std::int64_t n = 0; n < h; ++n) {
        const Tensor its = tensor::select(tensor::to_tensor(allowed), 1, n);  // [B, T, T]
        const Variable& row = scores[static_cast<std::size_t>(n)];
        weights.push_back(softmax(where(its == 1, row, -infinity), -1));
        heads.push_back(matmul(weights.back(), V[static_cast<std::size_t>(n)]));
    }
    s.Q = stack(Q, 1), s.K = stack(K, 1), s.V = stack(V, 1);
    s.scores = stack(scores, 1), s.weights = stack(weights, 1), s.heads = stack(heads, 1);
    s.concat = concatenate(heads, -1);
    s.output = matmul(s.concat, p.W_O) + p.b_O;
    return s;
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

struct Given {
    Tensor X;  // [B, T, d_model]
    HeadsParameters parameters;
    std::int64_t h;
    Mask mask;
};

// A word of zeros, in all texts.
Tensor with_zeros(const Tensor& X, std::int64_t word) {
    Tensor zeros = tensor::select(X, 1, word);
    tensor::overwrite(zeros, tensor::zeros(zeros.shape()));
    return X;
}

Case judged(const std::string& name, const MultiHead& attention, const Given& in) {
    const Variable X(in.X, requires_grad);
    const std::vector<Leaf> leaves = leaves_of({{"X", X}}, in.parameters);
    const auto walk = [=](const Slips& slip) {
        const Variable x = slip("train.X-detached") ? X.detach() : X;
        return heads_walk(x, x, in.parameters, in.h, in.mask.blocked(), slip);
    };
    const Stages right = values_of(walk({}));
    return {name, [=](const Slips& slip) { return as_stages(walk(slip), leaves, right); },
            [=] { return as_stages(attention(X, in.parameters, in.h, in.mask), leaves, right); },
            values_of(leaves)};
}

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
    return {with_a_huge_feature_0(random({2, 4, 4}, 14), 2), p, 2, mask};
}

std::vector<Case> cases(const MultiHead& attention) {
    const auto on = [&](const std::string& name, const Given& in) {
        return judged(name, attention, in);
    };
    const Tensor turned = tensor::transpose(random({2, 6, 5}, 2));  // X as a view
    // Of the first two cases, so that no key may be kept for its matrix.
    const HeadsParameters shared = random_heads(6, 6, 6, 10);
    return {
        on("2 texts of 5 words, 3 heads of 2, causal",
           {random({2, 5, 6}, 1), shared, 3, Mask::causal(5)}),
        on("2 texts of 5 words, 3 heads of 2, another mask for all",
           {random({2, 5, 6}, 4), shared, 3, some_mask({5, 5}, 41)}),
        on("3 texts of 4 words, 3 heads of 4, a mask for each text",
           {random({3, 4, 5}, 11), random_heads(5, 5, 12, 110), 3, some_mask({3, 1, 4, 4}, 111)}),
        on("words that see themselves and their neighbours",
           {random({2, 5, 4}, 12), random_heads(4, 4, 6, 120), 2, of_neighbours(5)}),
        on("a key of huge numbers, which none may see", huge_and_unseen()),
        on("3 texts of 4 words, 2 heads of 5, a mask for each head",
           {random({3, 4, 6}, 3), random_heads(6, 6, 10, 20), 2, some_mask({3, 2, 4, 4}, 21)}),
        on("2 texts of 5 words, 3 heads of 2, a mask for each text",
           {turned, random_heads(6, 6, 6, 30), 3, some_mask({2, 1, 5, 5}, 31)}),
        on("4 words, no mask",
           {random({1, 4, 8}, 5), random_heads(8, 8, 8, 50), 4, Mask::all_allowed(4, 4)}),
        on("large numbers",
           {random({2, 6, 4}, 6, 60), random_heads(4, 4, 6, 60), 2, Mask::causal(6)}),
        on("large numbers, no mask",
           {random({2, 4, 4}, 13, 60), random_heads(4, 4, 6, 130), 2, Mask::all_allowed(4, 4)}),
        on("one head, with scores far below zero",
           {random({2, 3, 5}, 7), with_scores_far_below_0(random_heads(5, 5, 4, 70)), 1,
            Mask::causal(3)}),
        on("a word of zeros", {with_zeros(random({2, 4, 3}, 8), 1),
                               with_keys_unbiased(random_heads(3, 3, 4, 80)), 2, Mask::causal(4)}),
        on("60 words", {random({1, 60, 3}, 95), random_heads(3, 3, 2, 96), 2, Mask::causal(60)}),
        on("a single word", {random({1, 1, 3}, 9), random_heads(3, 3, 4, 90), 2, Mask::causal(1)}),
    };
}

std::vector<Mistake> mistakes() {
    const std::vector<Mistake> own = {
        {"train.X-detached",
         "X was a constant, used through .value() or .detach()",
         "To what does a gradient flow, besides the parameters?", "The first use of X."}};
    return joined({heads_mistakes(), product_mistakes(), scale_mistakes(),
                   without(triangle_mistakes(), {"mask.upper", "mask.strict", "mask.plus1"}),
                   fill_mistakes(), softmax_mistakes(), context_mistakes(), detached_mistakes(),
                   own});
}

}  // namespace

Exercise multi_head_attention(const MultiHead& attention) {
    Exercise exercise;
    exercise.number = "09.2";
    exercise.title = "Multi-head attention from parts";
    exercise.cases = cases(attention);
    exercise.laws = {
        {"no word sees its future", [=] { return the_future_is_felt(attention); }},
        {"each row of weights sums to 1", [=] { return rows_do_not_sum(attention); }},
        {"what may not be seen has weight 0", [=] { return masked_has_weight(attention); }},
        {"the order of the heads does not matter", [=] { return order_matters(attention); }},
    };
    exercise.mistakes = mistakes();
    exercise.hints = {"What shape does each stage have?",
                      "lesson 09, section 09.2, goes the same way; print the shape of each stage",
                      "head_n = softmax(mask(Q_n·K_nᵀ / √d_head))·V_n, output = concat·W_O + b_O",
                      "s.Q = split_heads(matmul(X, P.W_Q) + P.b_Q, h); and so on; s.concat = "
                      "merge_heads(s.heads);"};
    return exercise;
}

Trials multi_head_attention_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return multi_head_attention(
            [=](const Variable& X, const HeadsParameters& p, std::int64_t h, const Mask& mask) {
                const Variable x = slip("train.X-detached") ? X.detach() : X;
                return heads_walk(x, x, p, h, mask.blocked(), slip);
            });
    };
    trials.right["head by head"] = [] { return multi_head_attention(head_by_head); };
    return trials;
}

}  // namespace exercise
