#include "tutorials/exercises/judges/08_2_attention_class.h"

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

using Parameters = AttentionParameters;

Parameters constructed(std::int64_t h, std::int64_t d_model, std::int64_t d_head,
                       const Slips& slip) {
    Shape W_O{h, d_head, d_model}, b{h, d_head}, b_O{d_model};
    if (slip("par.WO-like-WQ")) W_O = {h, d_model, d_head};
    if (slip("par.one-bias")) b = {d_head};
    if (slip("par.bO-each-head")) b_O = {h, d_model};
    const Variable W(tensor::ones({h, d_model, d_head}));
    const Variable zeros(tensor::zeros(b));
    return {W,     W,     W,     Variable(tensor::ones(W_O)),
            zeros, zeros, zeros, Variable(tensor::zeros(b_O))};
}

Stages as_stages(const Parameters& p) {
    return {{"W_Q", p.W_Q.value()}, {"W_K", p.W_K.value()}, {"W_V", p.W_V.value()},
            {"W_O", p.W_O.value()}, {"b_Q", p.b_Q.value()}, {"b_K", p.b_K.value()},
            {"b_V", p.b_V.value()}, {"b_O", p.b_O.value()}};
}

Stages as_stages(const AttentionStages& s) {
    return {{"q", s.q.value()},
            {"k", s.k.value()},
            {"v", s.v.value()},
            {"attn_scores", s.attn_scores.value()},
            {"attn_scores_masked", s.attn_scores_masked.value()},
            {"attn_pattern", s.attn_pattern.value()},
            {"z", s.z.value()},
            {"attn_out", s.attn_out.value()}};
}

Parameters random_parameters(std::int64_t h, std::int64_t d_model, std::int64_t d_head,
                             std::uint64_t seed) {
    const auto leaf = [&](const Shape& shape) {
        return Variable(random(shape, ++seed, 0.7), requires_grad);
    };
    const Variable W_Q = leaf({h, d_model, d_head}), W_K = leaf({h, d_model, d_head});
    const Variable W_V = leaf({h, d_model, d_head}), W_O = leaf({h, d_head, d_model});
    const Variable b_Q = leaf({h, d_head}), b_K = leaf({h, d_head}), b_V = leaf({h, d_head});
    return {W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, leaf({d_model})};
}

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
    if (slip("train.detached")) s.attn_out = s.attn_out.detach();
    return s;
}

std::vector<Mistake> own_mistakes() {
    return {
        {"par.WO-like-WQ",
         "W_O had the shape of the other three matrices",
         {"What does W_O take in, and what does it give?", "The shape of W_O in the constructor."}},
        {"par.one-bias",
         "all heads had one bias together",
         {"How many heads add a bias to their queries?", "The shape of b_Q."}},
        {"par.bO-each-head",
         "each head had a b_O of its own",
         {"How often is b_O added?", "The shape of b_O in the constructor."}},
        {"mha.no-bias",
         "b_Q, b_K and b_V had not been added",
         {"What does a projection give for x = 0?", "What follows each einsum of q, k and v."}},
        {"mha.no-bO",
         "b_O had not been added",
         {"What is the last thing that happens to the output?", "attn_out for z = 0."}},
        {"mha.bias-twice",
         "b_O had been added once for each head",
         {"How often is b_O added?", "Is it added before or after the sum over heads?"}},
        {"mha.k-uses-Wq",
         "the keys had been made with W_Q",
         {"Which matrix makes the keys?", "The line of k."}},
        {"mha.v-uses-Wk",
         "the values had been made with W_K",
         {"Which matrix makes the values?", "The line of v."}},
        {"mha.shared-kv",
         "all heads had used the keys and values of head 0",
         {"Whose keys does head 1 look at?", "Compare attn_scores of head 0 and head 1."}},
        {"mha.softmax-heads",
         "the softmax had gone over the heads",
         {"What sums to 1: a row of keys, or the heads?", "The axis of your softmax."}},
        {"mha.no-Wo",
         "the heads had been put side by side without W_O",
         {"What mixes what the heads found?", "What happens between z and attn_out."}},
        {"mha.one-Wo",
         "all heads had gone through W_O of head 0",
         {"How many matrices does W_O hold?", "Which axes of z and W_O are summed."}},
        {"mha.mean",
         "the mean of the heads had been taken and not their sum",
         {"What do heads do with each other: add or average?", "What happens to the heads' axis."}},
        {"mha.reversed",
         "the heads had met W_O in the opposite order",
         {"Which W_O belongs to head 0?", "The heads' axis of z."}},
        {"mha.residual-inside",
         "x had been added to the output",
         {"Who adds the residual: the attention or its caller?", "The line of attn_out."}},
    };
}

std::string the_future_is_felt(const AttentionClass& attention) {
    const Parameters p = random_parameters(3, 6, 2, 300);
    const Tensor x = random({2, 5, 6}, 301);
    const Tensor before = attention.forward(p, Variable(x)).attn_out.value();
    const Tensor after = attention.forward(p, Variable(with_other_last_row(x))).attn_out.value();
    if (but_for_rounding(rows_before(before, 4), rows_before(after, 4))) return "";
    return "Another last word changes the outputs of words before it.";
}

std::string the_neighbour_is_felt(const AttentionClass& attention) {
    const Parameters p = random_parameters(3, 6, 2, 310);
    const Tensor x = random({2, 5, 6}, 311);
    const Tensor both = attention.forward(p, Variable(x)).attn_out.value();
    const Variable second(tensor::slice(x, 0, 1, 2));
    const Tensor alone = attention.forward(p, second).attn_out.value();
    if (but_for_rounding(tensor::slice(both, 0, 1, 2), alone)) return "";
    return "The second text of a batch gets another output alone.";
}

std::string no_gradient(const AttentionClass& attention) {
    const Parameters p = random_parameters(3, 6, 2, 320);
    const Variable out = attention.forward(p, Variable(random({2, 5, 6}, 321))).attn_out;
    if (out.requires_grad()) out.backward({.upstream = random(out.shape(), 322)});
    std::string without;
    const auto ask = [&](const char* name, const Variable& parameter) {
        if (!parameter.has_grad()) without += std::string(without.empty() ? "" : ", ") + name;
    };
    ask("W_Q", p.W_Q), ask("W_K", p.W_K), ask("W_V", p.W_V), ask("W_O", p.W_O);
    ask("b_Q", p.b_Q), ask("b_K", p.b_K), ask("b_V", p.b_V), ask("b_O", p.b_O);
    return without.empty() ? "" : "Nothing arrives at " + without + ".";
}

std::string rows_do_not_sum_to_1(const AttentionClass& attention) {
    const Parameters p = random_parameters(3, 6, 2, 330);
    return sums_finding(
        attention.forward(p, Variable(random({2, 5, 6}, 331))).attn_pattern.value());
}

}  // namespace

Exercise attention_class(const AttentionClass& attention) {
    Exercise exercise;
    exercise.number = "08.2";
    exercise.title = "The Attention class of note 003";
    exercise.cases.push_back(
        {"the constructor for 3 heads of 2 and dim_model 6",
         [](const Slips& slip) { return as_stages(constructed(3, 6, 2, slip)); },
         [=] { return as_stages(attention.construct(3, 6, 2)); }});
    const auto add = [&](const std::string& name, const Parameters& p, const Tensor& x) {
        exercise.cases.push_back(
            {name, [=](const Slips& slip) { return as_stages(walked(p, Variable(x), slip)); },
             [=] { return as_stages(attention.forward(p, Variable(x))); }});
    };
    add("2 texts of 5 words, 3 heads of 2", random_parameters(3, 6, 2, 10), random({2, 5, 6}, 1));
    add("3 texts of 4 words, 2 heads of 7", random_parameters(2, 5, 7, 20), random({3, 4, 5}, 2));
    add("large numbers", random_parameters(2, 4, 3, 30), random({1, 6, 4}, 3, 60));
    add("a single word", random_parameters(2, 3, 4, 40), random({1, 1, 3}, 4));
    exercise.laws = {
        {"no word sees its future", [=] { return the_future_is_felt(attention); }},
        {"each row of attn_pattern sums to 1", [=] { return rows_do_not_sum_to_1(attention); }},
        {"each text is by itself", [=] { return the_neighbour_is_felt(attention); }},
        {"the gradient arrives at every parameter",
         [=] { return no_gradient(attention); },
         {{"train.detached",
           "the computation had gone through .value() or .detach(), which records nothing",
           {"Which step does the graph not know?", "Print attn_out: what made it?"}}}}};
    exercise.mistakes =
        joined({own_mistakes(), product_mistakes(), scale_mistakes(), triangle_mistakes(),
                fill_mistakes(), softmax_mistakes(), context_mistakes()});
    exercise.hints = {
        "Of which shape is each stage, and which axes are summed on the way to it?",
        "Below each None the note asserts a shape; lesson 09 shows q with einsum",
        "pattern = softmax(mask(q·k / √dim_head)) over k, z = pattern·v, "
        "attn_out = Σ_h z_h·W_O[h] + b_O",
        "attn_scores = einsum(\"batch posn_Q nheads d_head, batch posn_K nheads d_head "
        "-> batch nheads posn_Q posn_K\", q, k), and so on"};
    exercise.cause_of_nan = "exp of a large score, or 0 · ∞ where the mask multiplies";
    return exercise;
}

Trials attention_class_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return attention_class(
            {[=](std::int64_t h, std::int64_t d_model, std::int64_t d_head) {
                 return constructed(h, d_model, d_head, slip);
             },
             [=](const Parameters& p, const Variable& x) { return walked(p, x, slip); }});
    };
    trials.more_ids = {"train.detached"};
    trials.right["with einsum, as the note has it"] = [] {
        const auto forward = [](const Parameters& p, const Variable& x) {
            AttentionStages s;
            s.q = einsum("bpm,hmd->bphd", x, p.W_Q) + p.b_Q;
            s.k = einsum("bpm,hmd->bphd", x, p.W_K) + p.b_K;
            s.v = einsum("bpm,hmd->bphd", x, p.W_V) + p.b_V;
            s.attn_scores = einsum("bqhd,bkhd->bhqk", s.q, s.k);
            const double root = std::sqrt(static_cast<double>(p.W_Q.dim(2)));
            const Tensor below = tensor::tril(tensor::ones({x.dim(1), x.dim(1)}));
            s.attn_scores_masked =
                where(below == 1, s.attn_scores / root, Variable(tensor::of(-infinity)));
            s.attn_pattern = softmax(s.attn_scores_masked, -1);
            s.z = einsum("bkhd,bhqk->bqhd", s.v, s.attn_pattern);
            s.attn_out = einsum("bqhd,hdm->bqm", s.z, p.W_O) + p.b_O;
            return s;
        };
        const auto construct = [](std::int64_t h, std::int64_t d_model, std::int64_t d_head) {
            return constructed(h, d_model, d_head, {});
        };
        return attention_class({construct, forward});
    };
    return trials;
}

}  // namespace exercise
