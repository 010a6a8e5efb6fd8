#include "tutorials/exercises/judges/08_2_attention_class.h"

#include "tutorials/exercises/judges/08_2_attention_class_walk.h"
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
using namespace exercise::attention_class_walk;

namespace exercise {

namespace {

using Parameters = AttentionParameters;

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
    p.b_Q = Variable(p.b_Q.value() + size, requires_grad);
    p.b_K = Variable(p.b_K.value() - size, requires_grad);
    return p;
}

Tensor with_a_word_of_zeros(const Shape& shape) {
    const Tensor numbers = random(shape, 7);
    const Tensor kept = tensor::slice(numbers, 1, 1);
    return tensor::concatenate({tensor::slice(numbers, 1, 0, 1) * 0, kept}, 1);
}

struct Given {
    std::string name;
    Parameters p;
    Tensor x;
};

// `shared` are the parameters of another case too, so that no key may be kept for its matrix.
std::vector<Given> given(const Parameters& shared) {
    return {
        {"3 texts of 4 words, 2 heads of 7", random_parameters(2, 5, 7, 20), random({3, 4, 5}, 2)},
        {"large numbers", random_parameters(2, 4, 3, 30), random({1, 6, 4}, 3, 60)},
        {"a single word", random_parameters(2, 3, 4, 40), random({1, 1, 3}, 4)},
        {"a word of zeros, b_Q and b_K of zeros", with_biases_of_0(random_parameters(2, 4, 3, 50)),
         with_a_word_of_zeros({2, 5, 4})},
        {"scores far below 0", with_opposite_biases(random_parameters(2, 3, 4, 60), 30),
         random({2, 4, 3}, 5)},
        {"60 words, one head of 1", random_parameters(1, 2, 1, 70), random({1, 60, 2}, 6)},
        {"x as a transposed view", random_parameters(3, 4, 2, 80),
         tensor::transpose(random({2, 4, 3}, 8))},
        {"2 other texts of 5 words, 3 heads of 2", shared, random({2, 5, 6}, 9)},
    };
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

std::vector<Law> laws(const AttentionClass& attention) {
    return {
        {"each parameter is a leaf that requires a gradient",
         [=] { return without_gradient(attention); }},
        {"each parameter has numbers of its own", [=] { return shares_numbers(attention); }},
        {"no word sees its future", [=] { return the_future_is_felt(attention); }},
        {"each row of attn_pattern sums to 1", [=] { return rows_do_not_sum_to_1(attention); }},
        {"the future has weight 0", [=] { return future_has_weight(attention); }},
        {"no text sees another of its batch", [=] { return the_neighbour_is_felt(attention); }},
    };
}

// Values only: mistakes are told apart on it, many of them.
Case small_case(const AttentionClass& attention, const Parameters& p) {
    const Variable x(random({2, 5, 6}, 1), requires_grad);
    Stages inputs = values_of(leaves_of(p));
    inputs.push_back({"x", x.value()});
    return {"2 texts of 5 words, 3 heads of 2",
            [=](const Slips& slip) { return as_stages(walked(p, x, slip)); },
            [=] { return as_stages(attention.forward(p, x)); }, inputs};
}

Case case_of(const Given& given, const AttentionClass& attention) {
    const Parameters p = given.p;
    const Variable x(given.x, requires_grad);
    std::vector<Leaf> leaves = leaves_of(p);
    leaves.push_back({"x", x});
    const auto stages = [=](const AttentionStages& s) {
        const Variable all = side_by_side(
            {s.q, s.k, s.v, s.attn_scores, s.attn_scores_masked, s.attn_pattern, s.z, s.attn_out});
        return with_gradients(as_stages(s), all, leaves);
    };
    return {given.name, [=](const Slips& slip) { return stages(walked(p, x, slip)); },
            [=] { return stages(attention.forward(p, x)); }, values_of(leaves)};
}

Case constructor_case(std::int64_t h, std::int64_t d_model, std::int64_t d_head,
                      const AttentionClass& attention) {
    const std::string name = "the constructor for " + std::to_string(h) + " heads of " +
                             std::to_string(d_head) + " and dim_model " + std::to_string(d_model);
    return {name,
            [=](const Slips& slip) {
                return values_of(leaves_of(constructed(h, d_model, d_head, slip)));
            },
            [=] { return values_of(leaves_of(attention.construct(h, d_model, d_head))); }};
}

std::vector<Hole> holes() {
    return {
        {"Attention",
         {"W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O"},
         {"What does each parameter take in, and what does it give?",
          "The shapes stand beside AttentionParameters in 08_2_attention_class.h",
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
          "Below each None the note asserts a shape; so does 08_2_attention_class.h",
          "pattern = softmax(mask(q·k / √dim_head)) over k, z = pattern·v, "
          "attn_out = Σ_h z_h·W_O[h] + b_O",
          "attn_scores = einsum(\"batch posn_Q nheads d_head, batch posn_K nheads d_head "
          "-> batch nheads posn_Q posn_K\", q, k), and so on"}},
    };
}

}  // namespace

Exercise attention_class(const AttentionClass& attention) {
    Exercise exercise;
    exercise.number = "08.2";
    exercise.title = "The Attention class of note 003";
    const Parameters shared = random_parameters(3, 6, 2, 10);
    exercise.cases = {constructor_case(3, 6, 2, attention), constructor_case(2, 3, 5, attention),
                      small_case(attention, shared)};
    for (const Given& one : given(shared)) exercise.cases.push_back(case_of(one, attention));
    exercise.laws = laws(attention);
    exercise.mistakes = mistakes();
    exercise.hints = {"Which is the first stage that is not as it should be?",
                      "Stop in forward (the key d starts the debugger) and print the shape of each "
                      "stage, in order",
                      "For one text and one head, each stage is a matrix that you can compute with "
                      "exercise 07.1; compare them one by one",
                      "If the numbers are right and a gradient is not, look for value() or "
                      "detach() between that parameter and attn_out"};
    exercise.holes = holes();
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
