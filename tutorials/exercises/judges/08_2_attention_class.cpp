#include "tutorials/exercises/judges/common_attention.h"
#include "tutorials/exercises/judges/lesson_08.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
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

AttentionStages walked(const Parameters& p, const Variable& x, const Slips& slip) {
    const Variable q = projected(x, p.W_Q, p.b_Q, slip);
    Variable k = projected(x, slip("mha.k-uses-Wq") ? p.W_Q : p.W_K, p.b_K, slip);
    Variable v = projected(x, slip("mha.v-uses-Wk") ? p.W_K : p.W_V, p.b_V, slip);
    const auto of_head_0 = [&](const Variable& z) { return expand(slice(z, 1, 0, 1), z.shape()); };
    AttentionStages s;
    s.q = words_first(q), s.k = words_first(k), s.v = words_first(v);
    if (slip("mha.shared-kv")) k = of_head_0(k), v = of_head_0(v);
    const Attended attended = attention(
        {q, k, v}, {.d_model = x.dim(2), .blocked = causal_blocked(x.dim(1), slip)}, slip);
    s.attn_scores = attended.products;
    s.attn_scores_masked = attended.masked;
    s.attn_pattern = attended.weights;
    s.z = words_first(attended.output);
    s.attn_out = mixed(attended.output, p, slip);
    if (slip("mha.residual-inside")) s.attn_out = s.attn_out + x;
    if (slip("train.detached")) detach_all(s);
    return s;
}

std::vector<Mistake> own_mistakes() {
    return {
        {"par.WO-like-WQ", "W_O had the shape of the other three matrices",
         "What does W_O take in, and what does it give?", "The shape of W_O in the constructor."},
        {"par.one-bias", "all heads shared one bias", "How many heads add a bias to their queries?",
         "The shape of b_Q."},
        {"par.bO-each-head", "each head had a b_O of its own", "How often is b_O added?",
         "The shape of b_O in the constructor."},
        {"mha.no-bias", "b_Q, b_K and b_V were not added", "What does a projection give for x = 0?",
         "What follows each einsum of q, k and v."},
        {"mha.no-bO", "b_O was not added", "What is the last thing that happens to the output?",
         "attn_out for z = 0."},
        {"mha.bias-twice", "b_O was added once for each head", "How often is b_O added?",
         "Is it added before or after the sum over heads?"},
        {"mha.k-uses-Wq", "the keys were made with W_Q", "Which matrix makes the keys?",
         "The line of k."},
        {"mha.v-uses-Wk", "the values were made with W_K", "Which matrix makes the values?",
         "The line of v."},
        {"mha.shared-kv", "all heads used the keys and values of head 0",
         "Whose keys does head 1 look at?", "Compare attn_scores of head 0 and head 1."},
        {"mha.softmax-heads", "the softmax ran over the heads",
         "What sums to 1: a row of keys, or the heads?", "The axis of your softmax."},
        {"mha.no-Wo", "the heads were put side by side without W_O",
         "What mixes what the heads found?", "What happens between z and attn_out."},
        {"mha.one-Wo", "all heads went through W_O of head 0", "How many matrices does W_O hold?",
         "Which axes of z and W_O are summed."},
        {"mha.mean", "the mean of the heads was taken and not their sum",
         "What do heads do with each other: add or average?", "What happens to the heads' axis."},
        {"mha.reversed", "the heads met W_O in the opposite order", "Which W_O belongs to head 0?",
         "The heads' axis of z."},
        {"train.detached", "everything was computed from values, so that nothing is recorded",
         "Do the results know what they were computed from?",
         "Print attn_out: which operation made it?"},
        {"mha.residual-inside", "x was added to the output",
         "Who adds the residual: the attention or its caller?", "The line of attn_out."},
    };
}

std::vector<Leaf> leaves_of(const Parameters& p) {
    return {{"W_Q", p.W_Q}, {"W_K", p.W_K}, {"W_V", p.W_V}, {"W_O", p.W_O},
            {"b_Q", p.b_Q}, {"b_K", p.b_K}, {"b_V", p.b_V}, {"b_O", p.b_O}};
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

// For a word of zeros all scores are exactly 0.
Parameters with_biases_of_0(Parameters p) {
    for (Variable* b : {&p.b_Q, &p.b_K}) *b = Variable(b->value() * 0, requires_grad);
    return p;
}

// Each score is about -size²·√d_head.
Parameters with_opposite_biases(Parameters p, double size) {
    p.b_Q = leaf(p.b_Q.value() + size);
    p.b_K = leaf(p.b_K.value() - size);
    return p;
}

Tensor with_a_word_of_zeros(const Shape& shape) {
    const Tensor numbers = random(shape, 7);
    const Tensor kept = tensor::slice(numbers, 1, 1);
    return tensor::concatenate({tensor::slice(numbers, 1, 0, 1) * 0, kept}, 1);
}

struct Sizes {
    std::int64_t h, d_model, d_head;
};

Stages of_constructor(const AttentionClass& attention, const Sizes& its) {
    return values_of(leaves_of(attention.construct(its.h, its.d_model, its.d_head)));
}

struct Given {
    Parameters p;
    Variable x;
};

std::vector<Leaf> leaves_of(const Given& in) {
    return joined(leaves_of(in.p), std::vector<Leaf>{{"x", in.x}});
}

Stages given(const Given& in) { return values_of(leaves_of(in)); }

// Values only: mistakes are told apart on it, many of them.
Stages values(const AttentionClass& attention, const Given& in) {
    return as_stages(attention.forward(in.p, in.x));
}

Stages values_and_gradients(const AttentionClass& attention, const Given& in) {
    const AttentionStages s = attention.forward(in.p, in.x);
    const Variable all = side_by_side(
        {s.q, s.k, s.v, s.attn_scores, s.attn_scores_masked, s.attn_pattern, s.z, s.attn_out});
    return with_gradients(as_stages(s), all, leaves_of(in));
}

Cases<AttentionClass> cases() {
    // The parameters of two cases, so that no key may be kept for its matrix.
    const Parameters shared = random_parameters(3, 6, 2, 10);
    const Inputs<Sizes> sizes = {
        {"the constructor for 3 heads of 2 and dim_model 6", {3, 6, 2}},
        {"the constructor for 2 heads of 5 and dim_model 3", {2, 3, 5}},
    };
    const Inputs<Given> small = {
        {"2 texts of 5 words, 3 heads of 2", {shared, leaf(random({2, 5, 6}, 1))}},
    };
    const Inputs<Given> others = {
        {"3 texts of 4 words, 2 heads of 7",
         {random_parameters(2, 5, 7, 20), leaf(random({3, 4, 5}, 2))}},
        {"large numbers", {random_parameters(2, 4, 3, 30), leaf(random({1, 6, 4}, 3, 60))}},
        {"a single word", {random_parameters(2, 3, 4, 40), leaf(random({1, 1, 3}, 4))}},
        {"a word of zeros, b_Q and b_K of zeros",
         {with_biases_of_0(random_parameters(2, 4, 3, 50)), leaf(with_a_word_of_zeros({2, 5, 4}))}},
        {"scores far below 0",
         {with_opposite_biases(random_parameters(2, 3, 4, 60), 30), leaf(random({2, 4, 3}, 5))}},
        {"60 words, one head of 1", {random_parameters(1, 2, 1, 70), leaf(random({1, 60, 2}, 6))}},
        {"x as a transposed view",
         {random_parameters(3, 4, 2, 80), leaf(tensor::transpose(random({2, 4, 3}, 8)))}},
        {"2 other texts of 5 words, 3 heads of 2", {shared, leaf(random({2, 5, 6}, 9))}},
    };
    return joined(on_each(of_constructor, sizes), on_each(values, small),
                  on_each(values_and_gradients, others));
}

std::string the_future_is_felt(const AttentionClass& attention) {
    const Parameters p = random_parameters(3, 6, 2, 300);
    const Tensor x = random({2, 5, 6}, 301);
    const Tensor before = attention.forward(p, Variable(x)).attn_out.value();
    const Tensor after = attention.forward(p, Variable(with_other_last_row(x))).attn_out.value();
    const std::string changed = difference(rows_before(after, 4), rows_before(before, 4));
    if (changed.empty()) return "";
    return "With another last word, attn_out of the words before it " + changed + " as before.";
}

std::string the_neighbour_is_felt(const AttentionClass& attention) {
    const Parameters p = random_parameters(3, 6, 2, 310);
    const Tensor x = random({2, 5, 6}, 311);
    const Tensor both = attention.forward(p, Variable(x)).attn_out.value();
    const Variable second(tensor::slice(x, 0, 1, 2));
    const Tensor alone = attention.forward(p, second).attn_out.value();
    const std::string changed = difference(tensor::slice(both, 0, 1, 2), alone);
    if (changed.empty()) return "";
    return "attn_out of the second text of a batch " + changed + " as for this text alone.";
}

std::string rows_do_not_sum_to_1(const AttentionClass& attention) {
    const Parameters p = random_parameters(3, 6, 2, 330);
    return sums_finding(
        attention.forward(p, Variable(random({2, 5, 6}, 331))).attn_pattern.value());
}

std::string future_has_weight(const AttentionClass& attention) {
    const Parameters p = random_parameters(3, 6, 2, 330);
    return leak_finding(attention.forward(p, Variable(random({2, 5, 6}, 331))).attn_pattern.value(),
                        causal_blocked(5, {}));
}

std::string without_gradient(const AttentionClass& attention) {
    std::string names;
    for (const Leaf& parameter : leaves_of(attention.construct(3, 6, 2))) {
        if (parameter.variable.requires_grad() && parameter.variable.is_leaf()) continue;
        names += (names.empty() ? "" : ", ") + parameter.name;
    }
    return names.empty() ? "" : "These do not: " + names + ".";
}

// Of a parameter that was expanded: its axis along which all entries are one number in memory.
std::string is_expanded(const Leaf& parameter) {
    const Tensor& numbers = parameter.variable.value();
    for (int axis = 0; axis < numbers.rank(); ++axis) {
        if (numbers.dim(axis) == 1 || numbers.strides()[axis] != 0) continue;
        return "Along axis " + std::to_string(axis) + " all entries of " + parameter.name +
               " are one number, which was expanded.";
    }
    return "";
}

// Writes to each parameter and looks at those that come after it, in this object and in another.
std::string shares_numbers(const AttentionClass& attention) {
    const std::vector<Leaf> these = leaves_of(attention.construct(3, 6, 2));
    const std::vector<Leaf> others = leaves_of(attention.construct(3, 6, 2));
    for (std::size_t i = 0; i < these.size(); ++i) {
        const std::string expanded = is_expanded(these[i]);
        if (!expanded.empty()) return expanded;
        Stages before = values_of(these);
        for (const Stage& one : values_of(others)) {
            before.push_back({one.name + " of another object", one.value});
        }
        for (Stage& one : before) one.value = tensor::clone(one.value);
        Tensor written = these[i].variable.value();
        tensor::overwrite(written, random(written.shape(), 340 + i));
        for (std::size_t j = 0; j < before.size(); ++j) {
            const Leaf& now = j < these.size() ? these[j] : others[j - these.size()];
            if (j == i || identical(now.variable.value(), before[j].value)) continue;
            return "Other numbers were written to " + these[i].name + ", and " + before[j].name +
                   " changed with it.";
        }
    }
    return "";
}

std::vector<Hole> holes() {
    return {
        {"Attention",
         {"W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O"},
         {"What does each parameter take in, and what does it give?",
          "The shapes stand beside AttentionParameters in lesson_08.h",
          "Three weights [num_heads, dim_model, dim_head], W_O [num_heads, dim_head, dim_model], "
          "three biases [num_heads, dim_head], b_O [dim_model]",
          "W_O = Variable(tensor::ones({num_heads, dim_head, dim_model}), requires_grad), and "
          "likewise the other seven"}},
        {"project",
         {"q", "k", "v"},
         {"Which axis of x and of W is summed over?",
          "Lesson 09 shows the queries with einsum; the shape of b is [num_heads, dim_head]",
          "q[b, i, h] = Σ_m x[b, i, m]·W[h, m] + bias[h]",
          "einsum(\"batch posn d_model, nheads d_model d_head -> batch posn nheads d_head\", x, W) "
          "+ b"}},
        {"forward",
         {"attn_scores", "attn_scores_masked", "attn_pattern", "z", "attn_out"},
         {"Which axes are summed on the way to each stage?",
          "Below each None the note asserts a shape; so does lesson_08.h",
          "pattern = softmax(mask(q·k / √dim_head)) over k, z = pattern·v, "
          "attn_out = Σ_h z_h·W_O[h] + b_O",
          "attn_scores = einsum(\"batch posn_Q nheads d_head, batch posn_K nheads d_head "
          "-> batch nheads posn_Q posn_K\", q, k), and so on"}},
    };
}

AttentionClass reference(const Slips& slip) {
    return {[=](std::int64_t h, std::int64_t d_model, std::int64_t d_head) {
                return constructed(h, d_model, d_head, slip);
            },
            [=](const Parameters& p, const Variable& x) { return walked(p, x, slip); }};
}

Rules<AttentionClass> rules() {
    return {
        .number = "08.2",
        .title = "The Attention class of note 003",
        .reference = reference,
        .cases = cases(),
        .laws = {{"each parameter is a leaf that requires a gradient", without_gradient},
                 {"each parameter has numbers of its own", shares_numbers},
                 {"no word sees its future", the_future_is_felt},
                 {"each row of attn_pattern sums to 1", rows_do_not_sum_to_1},
                 {"the future has weight 0", future_has_weight},
                 {"no text sees another of its batch", the_neighbour_is_felt}},
        .mistakes = joined(own_mistakes(), product_mistakes(), scale_mistakes(),
                           triangle_mistakes(), fill_mistakes(), softmax_mistakes(),
                           context_mistakes(), zero_score_mistakes(), gradient_mistakes()),
        .hints = {"Which is the first stage that is not as it should be?",
                  "Stop in forward (the key d starts the debugger) and print the shape of each "
                  "stage, in order",
                  "For one text and one head, each stage is a matrix that you can compute with "
                  "exercise 07.1; compare them one by one",
                  "If the numbers are right and a gradient is not, look for value() or "
                  "detach() between that parameter and attn_out"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<AttentionClass> judge_08_2(rules);

}  // namespace exercise
