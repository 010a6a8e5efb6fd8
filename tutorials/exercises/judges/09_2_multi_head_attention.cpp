#include "tutorials/exercises/judges/09_2_multi_head_attention.h"

#include "tutorials/exercises/judges/common_masked.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/ops.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/ops/compare.h"

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
    if (but_for_rounding(rows_before(before, 4), rows_before(after, 4))) return "";
    return "Under a causal mask, another last word changes outputs before it.";
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
    if (but_for_rounding(before, after)) return "";
    return "Heads in another order, with their columns of all four matrices, give another output.";
}

std::string rows_do_not_sum(const MultiHead& attention) {
    const HeadsParameters p = random_heads(6, 6, 6, 220);
    const Variable X(random({2, 5, 6}, 221));
    return sums_finding(attention(X, p, 3, Mask::causal(5)).weights.value());
}

std::string no_gradient(const MultiHead& attention) {
    const HeadsParameters p = random_heads(6, 6, 6, 230);
    const Variable X(random({2, 5, 6}, 231));
    return without_gradient(p, attention(X, p, 3, Mask::causal(5)).output);
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
        const Variable nothing(tensor::of(-infinity));
        weights.push_back(softmax(where(mask.allowed(), scores.back(), nothing), -1));
        heads.push_back(matmul(weights.back(), V.back()));
    }
    s.Q = stack(Q, 1), s.K = stack(K, 1), s.V = stack(V, 1);
    s.scores = stack(scores, 1), s.weights = stack(weights, 1), s.heads = stack(heads, 1);
    s.concat = concatenate(heads, -1);
    s.output = matmul(s.concat, p.W_O) + p.b_O;
    return s;
}

}  // namespace

Exercise multi_head_attention(const MultiHead& attention) {
    Exercise exercise;
    exercise.number = "09.2";
    exercise.title = "Multi-head attention from parts";
    const auto add = [&](const std::string& name, const Tensor& X, const HeadsParameters& p,
                         std::int64_t h, const Mask& mask) {
        exercise.cases.push_back({name,
                                  [=](const Slips& slip) {
                                      const Variable x(X);
                                      return as_stages(
                                          heads_walk(x, x, p, h, mask.blocked(), slip));
                                  },
                                  [=] { return as_stages(attention(Variable(X), p, h, mask)); }});
    };
    add("2 texts of 5 words, 3 heads of 2, causal", random({2, 5, 6}, 1), random_heads(6, 6, 6, 10),
        3, Mask::causal(5));
    add("3 texts of 4 words, 2 heads of 5, causal", random({3, 4, 6}, 2),
        random_heads(6, 6, 10, 20), 2, Mask::causal(4));
    add("4 words, no mask", random({1, 4, 8}, 3), random_heads(8, 8, 8, 30), 4,
        Mask::all_allowed(4, 4));
    add("large numbers", random({2, 6, 4}, 4, 60), random_heads(4, 4, 6, 40), 2, Mask::causal(6));
    add("a single word", random({1, 1, 3}, 5), random_heads(3, 3, 4, 50), 2, Mask::causal(1));
    exercise.laws = {
        {"no word sees its future", [=] { return the_future_is_felt(attention); }},
        {"each row of weights sums to 1", [=] { return rows_do_not_sum(attention); }},
        {"the order of the heads does not matter", [=] { return order_matters(attention); }},
        {"the gradient arrives at every parameter",
         [=] { return no_gradient(attention); },
         {detached()}},
    };
    exercise.mistakes = joined(
        {heads_mistakes(), product_mistakes(), scale_mistakes(),
         without(triangle_mistakes(), {"mask.upper", "mask.strict", "mask.plus1"}),
         without(fill_mistakes(), {"mask.fill-large"}), softmax_mistakes(), context_mistakes()});
    exercise.hints = {"Of which shape is each stage?",
                      "judges/common_heads.h has the shapes; lesson 09, section 09.2, the way",
                      "head_n = softmax(mask(Q_n·K_nᵀ / √d_head))·V_n, output = concat·W_O + b_O",
                      "s.Q = split_heads(matmul(X, P.W_Q) + P.b_Q, h); and so on; s.concat = "
                      "merge_heads(s.heads);"};
    exercise.cause_of_nan = "exp of a large score, or 0 · ∞ where the mask multiplies";
    return exercise;
}

Trials multi_head_attention_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return multi_head_attention(
            [=](const Variable& X, const HeadsParameters& p, std::int64_t h, const Mask& mask) {
                return heads_walk(X, X, p, h, mask.blocked(), slip);
            });
    };
    trials.more_ids = {"train.detached"};
    trials.right["head by head"] = [] { return multi_head_attention(head_by_head); };
    return trials;
}

}  // namespace exercise
