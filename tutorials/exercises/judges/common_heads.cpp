#include "tutorials/exercises/judges/common_heads.h"

#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {

HeadsParameters random_heads(std::int64_t d_model, std::int64_t d_source, std::int64_t all_heads,
                             std::uint64_t seed) {
    const auto leaf = [&](const Shape& shape) {
        return Variable(random(shape, ++seed, 0.7), requires_grad);
    };
    const Variable W_Q = leaf({d_model, all_heads}), W_K = leaf({d_source, all_heads});
    const Variable W_V = leaf({d_source, all_heads}), W_O = leaf({all_heads, d_model});
    const Variable b_Q = leaf({all_heads}), b_K = leaf({all_heads}), b_V = leaf({all_heads});
    return {W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, leaf({d_model})};
}

HeadsParameters with_scores_far_below_0(HeadsParameters parameters) {
    const auto far = [](Variable& b, double by) {
        b = Variable(tensor::full(b.shape(), by) + b.value(), requires_grad);
    };
    far(parameters.b_Q, 1e5);
    far(parameters.b_K, -1e5);
    return parameters;
}

HeadsParameters with_keys_unbiased(HeadsParameters parameters) {
    parameters.b_K = Variable(tensor::zeros(parameters.b_K.shape()), requires_grad);
    return parameters;
}

Variable without_feature_0(const Variable& W) {
    const Tensor rows = tensor::arange(static_cast<double>(W.dim(0)));
    return Variable(tensor::masked_fill(W.value(), (rows == 0).reshape({W.dim(0), 1}), 0),
                    requires_grad);
}

Tensor with_a_huge_feature_0(const Tensor& texts, std::int64_t word) {
    const BoolTensor words =
        tensor::arange(static_cast<double>(texts.dim(1))) == static_cast<double>(word);
    const BoolTensor features = tensor::arange(static_cast<double>(texts.dim(2))) == 0;
    return tensor::masked_fill(texts, words.reshape({texts.dim(1), 1}) & features, 1e12);
}

std::vector<Leaf> leaves_of(std::vector<Leaf> texts, const HeadsParameters& p) {
    const std::vector<Leaf> own = {{"W_Q", p.W_Q}, {"W_K", p.W_K}, {"W_V", p.W_V}, {"W_O", p.W_O},
                                   {"b_Q", p.b_Q}, {"b_K", p.b_K}, {"b_V", p.b_V}, {"b_O", p.b_O}};
    texts.insert(texts.end(), own.begin(), own.end());
    return texts;
}

Stages values_of(const HeadsStages& s) {
    return {{"Q", s.Q.value()},
            {"K", s.K.value()},
            {"V", s.V.value()},
            {"scores", s.scores.value()},
            {"weights", s.weights.value()},
            {"heads", s.heads.value()},
            {"concat", s.concat.value()},
            {"output", s.output.value()}};
}

Stages as_stages(const HeadsStages& s, const std::vector<Leaf>& leaves, const Stages& right) {
    const Stages values = values_of(s);
    if (!same(values, right)) return values;
    std::vector<Variable> others;
    for (const Variable& one : {s.Q, s.K, s.V, s.scores, s.weights, s.heads, s.concat}) {
        others.push_back(flatten(one));
    }
    std::vector<Leaf> through_others = leaves;
    for (Leaf& leaf : through_others) leaf.name += " through the stages before output";
    return with_gradients(with_gradients(values, s.output, leaves), concatenate(others, 0),
                          through_others);
}

namespace {
Variable projected(const Variable& x, const Variable& W, const Variable& b, const Slips& slip) {
    const Variable product = matmul(x, slip("mha.WT") ? transpose(W) : W);
    return slip("mha.no-bias") ? product : product + b;
}

Variable cut(const Variable& x, std::int64_t h, const Slips& slip) {
    const std::int64_t B = x.dim(0), T = x.dim(1), d = x.dim(2) / h;
    if (slip("mha.split-no-T") || slip("mha.both-no-T")) return view(x, {B, h, T, d});
    if (slip("mha.strided-split")) return permute(view(x, {B, T, d, h}), {0, 3, 1, 2});
    return transpose(view(x, {B, T, h, d}), 1, 2);
}

Variable joined_heads(const Variable& x, const Slips& slip) {
    const std::int64_t B = x.dim(0), h = x.dim(1), T = x.dim(2), d = x.dim(3);
    if (slip("mha.merge-no-T") || slip("mha.both-no-T")) return reshape(x, {B, T, h * d});
    std::vector<Variable> heads;
    for (std::int64_t n = 0; n < h; ++n) heads.push_back(select(x, 1, n));
    if (slip("mha.reversed")) std::reverse(heads.begin(), heads.end());
    return concatenate(heads, -1);
}

Variable of_head_0(const Variable& x) { return expand(slice(x, 1, 0, 1), x.shape()); }

}  // namespace

HeadsStages heads_walk(const Variable& X, const Variable& source, const HeadsParameters& p,
                       std::int64_t h, const BoolTensor& blocked, const Slips& slip) {
    HeadsStages s;
    s.Q = cut(projected(X, p.W_Q, p.b_Q, slip), h, slip);
    s.K = cut(projected(source, slip("mha.k-uses-Wq") ? p.W_Q : p.W_K, p.b_K, slip), h, slip);
    s.V = cut(projected(source, slip("mha.v-uses-Wk") ? p.W_K : p.W_V, p.b_V, slip), h, slip);
    const Variable K = slip("mha.shared-kv") ? of_head_0(s.K) : s.K;
    const Variable V = slip("mha.shared-kv") ? of_head_0(s.V) : s.V;
    const Attended attended =
        attention({s.Q, K, V}, {.d_model = p.W_O.dim(1), .blocked = blocked}, slip);
    s.scores = attended.scores;
    s.weights = attended.weights;
    s.heads = attended.output;
    s.concat = joined_heads(s.heads, slip);
    s.output = s.concat;
    if (slip("mha.no-Wo")) return s;
    s.output = matmul(s.concat, slip("mha.WoT") ? transpose(p.W_O) : p.W_O);
    if (!slip("mha.no-bO")) s.output = s.output + p.b_O;
    if (slip("mha.residual-inside")) s.output = s.output + X;
    if (slip("train.detached")) s.output = s.output.detach();
    return s;
}

std::vector<Mistake> heads_mistakes() {
    return {
        {"mha.split-no-T",
         "the projections were split by a view alone, so that a head mixes several words",
         "Whose numbers are in row 1 of head 0?", "tensor Q[0, 0], beside X·W_Q + b_Q"},
        {"mha.merge-no-T", "the heads were put side by side without moving the head axis back",
         "Whose numbers are in row 0 of concat?", "tensor concat[0], beside heads[0]"},
        {"mha.both-no-T",
         "the heads were split and merged by views alone, without a transpose in either",
         "There and back is right, but what is in between?", "tensor Q[0, 0]"},
        {"mha.strided-split", "a head got every h-th column, and not d_head neighbouring columns",
         "Which columns of a projection are head 0's?", "The order of h and d in your view."},
        {"mha.k-uses-Wq", "the keys were made with W_Q", "Which matrix makes the keys?",
         "The line of K."},
        {"mha.v-uses-Wk", "the values were made with W_K", "Which matrix makes the values?",
         "The line of V."},
        {"mha.WT", "the projections were x·Wᵀ instead of x·W", "Is W_Q [in, out] or [out, in]?",
         "The shape of W_Q."},
        {"mha.WoT", "the last projection was x·W_Oᵀ instead of x·W_O",
         "Is W_O [in, out] or [out, in]?", "The shape of W_O."},
        {"mha.no-bias", "b_Q, b_K and b_V were not added", "What does a projection give for x = 0?",
         "The lines of Q, K and V."},
        {"mha.no-bO", "b_O was not added", "What is the last step of the output?",
         "The line of output."},
        {"mha.no-Wo", "the heads were put side by side without W_O",
         "What mixes what the heads found?", "Compare output with concat."},
        {"mha.shared-kv", "all heads used the keys and values of head 0",
         "Whose keys does head 1 look at?", "Compare scores[0, 0] with scores[0, 1]."},
        {"mha.softmax-heads", "the softmax ran over the heads",
         "What sums to 1: a row of keys, or the heads?", "The axis of your softmax."},
        {"mha.reversed", "the heads were put side by side in the opposite order",
         "Which columns of concat are head 0's?", "tensor concat[0], beside heads[0]"},
        {"mha.residual-inside", "X was added to the output",
         "Who adds the residual: the attention or its caller?", "The line of output."},
    };
}

std::vector<Mistake> detached_mistakes() {
    return {
        {"train.detached", "the output was a constant, made through .value() or .detach()",
         "Which step is not recorded in the graph?", "Print the output: which operation made it?"},
        {"train.weights-detached",
         "the weights were constants where they meet the values, so that only the values learn",
         "By which way does a gradient reach W_Q?", "The product of weights and values."},
        {"sm.sum-detached", "the exponentials were divided by their sum as by a constant",
         "Does the sum change when a score changes?", "What you divide by in the softmax."},
    };
}

}  // namespace exercise
