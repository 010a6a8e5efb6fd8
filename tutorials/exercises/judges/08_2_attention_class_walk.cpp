#include "tutorials/exercises/judges/08_2_attention_class_walk.h"

#include "tutorials/exercises/judges/common_masked.h"

#include "autograd/ops.h"
#include "tensor/ops.h"

using namespace heed;
using namespace exercise::masked_walk;

namespace exercise::attention_class_walk {

using Parameters = AttentionParameters;

Parameters constructed(std::int64_t h, std::int64_t d_model, std::int64_t d_head,
                       const Slips& slip) {
    Shape W_O{h, d_head, d_model}, b{h, d_head}, b_O{d_model};
    if (slip("par.WO-like-WQ")) W_O = {h, d_model, d_head};
    if (slip("par.one-bias")) b = {d_head};
    if (slip("par.bO-each-head")) b_O = {h, d_model};
    const Shape W{h, d_model, d_head};
    const auto ones = [](const Shape& of) { return Variable(tensor::ones(of), requires_grad); };
    const auto zeros = [](const Shape& of) { return Variable(tensor::zeros(of), requires_grad); };
    return {ones(W), ones(W), ones(W), ones(W_O), zeros(b), zeros(b), zeros(b), zeros(b_O)};
}

namespace {

// [batch, posn, nheads, d_head] with the head axis before the position axis
Variable projected(const Variable& x, const Variable& W, const Variable& b, const Slips& slip) {
    const Variable by_heads = matmul(unsqueeze(x, 1), W);  // [batch, nheads, posn, d_head]
    return slip("mha.no-bias") ? by_heads : by_heads + unsqueeze(b, 1);
}

Variable heads_reversed(const Variable& x, int axis) {
    std::vector<Variable> heads = chunk(x, x.dim(axis), axis);
    return concatenate({heads.rbegin(), heads.rend()}, axis);
}

// z [batch, nheads, posn, d_head] -> [batch, posn, d_model]
Variable mixed(Variable z, const Parameters& p, const Slips& slip) {
    if (slip("mha.no-Wo")) return flatten(contiguous(transpose(z, 1, 2)), 2, 3);
    if (slip("mha.reversed")) z = heads_reversed(z, 1);
    Variable W_O = p.W_O;  // [nheads, d_head, d_model]
    if (slip("mha.one-Wo")) W_O = slice(W_O, 0, 0, 1);
    const Variable each = matmul(z, W_O);  // [batch, nheads, posn, d_model]
    if (slip("mha.bias-twice")) return sum(each + p.b_O, 1);
    const Variable out = slip("mha.mean") ? mean(each, 1) : sum(each, 1);
    return slip("mha.no-bO") ? out : out + p.b_O;
}

// [batch, head, posn, dim_head] -> [batch, posn, head, dim_head], as in note 003
Variable words_first(const Variable& z) { return transpose(z, 1, 2); }

void detach_all(AttentionStages& s) {
    for (Variable* one : {&s.q, &s.k, &s.v, &s.attn_scores, &s.attn_scores_masked, &s.attn_pattern,
                          &s.z, &s.attn_out}) {
        *one = one->detach();
    }
}

}  // namespace

AttentionStages walked(const Parameters& p, const Variable& x, const Slips& slip) {
    const std::int64_t T = x.dim(1), d_model = x.dim(2), d_head = p.W_Q.dim(2);
    const Variable q = projected(x, p.W_Q, p.b_Q, slip);
    Variable k = projected(x, slip("mha.k-uses-Wq") ? p.W_Q : p.W_K, p.b_K, slip);
    Variable v = projected(x, slip("mha.v-uses-Wk") ? p.W_K : p.W_V, p.b_V, slip);
    const auto of_head_0 = [&](const Variable& z) { return expand(slice(z, 1, 0, 1), z.shape()); };
    AttentionStages s;
    s.q = words_first(q), s.k = words_first(k), s.v = words_first(v);
    if (slip("mha.shared-kv")) k = of_head_0(k), v = of_head_0(v);
    s.attn_scores = products(q, k, v, slip);
    const BoolTensor future = causal_blocked(T, slip);
    s.attn_scores_masked = masked(s.attn_scores * scale(d_head, T, d_model, slip), future, slip);
    s.attn_pattern = masked_weights(s.attn_scores_masked, future, d_head, slip);
    const Variable z = context(s.attn_pattern, k, v, slip);
    s.z = words_first(z);
    s.attn_out = mixed(z, p, slip);
    if (slip("mha.residual-inside")) s.attn_out = s.attn_out + x;
    if (slip("train.detached")) detach_all(s);
    return s;
}

namespace {

std::vector<Mistake> own_mistakes() {
    return {
        {"par.WO-like-WQ",
         "W_O had the shape of the other three matrices",
         {"What does W_O take in, and what does it give?", "The shape of W_O in the constructor."}},
        {"par.one-bias",
         "all heads shared one bias",
         {"How many heads add a bias to their queries?", "The shape of b_Q."}},
        {"par.bO-each-head",
         "each head had a b_O of its own",
         {"How often is b_O added?", "The shape of b_O in the constructor."}},
        {"mha.no-bias",
         "b_Q, b_K and b_V were not added",
         {"What does a projection give for x = 0?", "What follows each einsum of q, k and v."}},
        {"mha.no-bO",
         "b_O was not added",
         {"What is the last thing that happens to the output?", "attn_out for z = 0."}},
        {"mha.bias-twice",
         "b_O was added once for each head",
         {"How often is b_O added?", "Is it added before or after the sum over heads?"}},
        {"mha.k-uses-Wq",
         "the keys were made with W_Q",
         {"Which matrix makes the keys?", "The line of k."}},
        {"mha.v-uses-Wk",
         "the values were made with W_K",
         {"Which matrix makes the values?", "The line of v."}},
        {"mha.shared-kv",
         "all heads used the keys and values of head 0",
         {"Whose keys does head 1 look at?", "Compare attn_scores of head 0 and head 1."}},
        {"mha.softmax-heads",
         "the softmax ran over the heads",
         {"What sums to 1: a row of keys, or the heads?", "The axis of your softmax."}},
        {"mha.no-Wo",
         "the heads were put side by side without W_O",
         {"What mixes what the heads found?", "What happens between z and attn_out."}},
        {"mha.one-Wo",
         "all heads went through W_O of head 0",
         {"How many matrices does W_O hold?", "Which axes of z and W_O are summed."}},
        {"mha.mean",
         "the mean of the heads was taken and not their sum",
         {"What do heads do with each other: add or average?", "What happens to the heads' axis."}},
        {"mha.reversed",
         "the heads met W_O in the opposite order",
         {"Which W_O belongs to head 0?", "The heads' axis of z."}},
        {"train.detached",
         "everything was computed from values, so that nothing is recorded",
         {"Do the results know what they were computed from?",
          "Print attn_out: which operation made it?"}},
        {"mha.residual-inside",
         "x was added to the output",
         {"Who adds the residual: the attention or its caller?", "The line of attn_out."}},
    };
}

}  // namespace

std::vector<Mistake> mistakes() {
    return joined({own_mistakes(), product_mistakes(), scale_mistakes(), triangle_mistakes(),
                   fill_mistakes(), softmax_mistakes(), context_mistakes(), zero_score_mistakes(),
                   gradient_mistakes()});
}

}  // namespace exercise::attention_class_walk
