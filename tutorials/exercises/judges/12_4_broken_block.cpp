#include "tutorials/exercises/judges/12_4_broken_block.h"

#include "tutorials/exercises/judges/12_4_broken_block_mistakes.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/choose.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/layer_norm.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"
#include "tensor/factories.h"
#include "tensor/mask.h"
#include "tensor/ops/choose.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/join.h"
#include "tensor/views.h"

#include <cmath>
#include <limits>

using namespace heed;

namespace exercise {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Input {
    std::string name;
    BlockParameters w;
    Variable x;
    Dropping dropping;

    // x may be a constant, as what a model is given is; the parameters learn all the same.
    std::vector<Leaf> leaves() const {
        std::vector<Leaf> all = {{"γ1", w.gamma1}, {"β1", w.beta1}, {"W_Q", w.W_Q},
                                 {"W_K", w.W_K},   {"W_V", w.W_V},  {"W_O", w.W_O},
                                 {"γ2", w.gamma2}, {"β2", w.beta2}, {"W_1", w.W_1},
                                 {"b_1", w.b_1},   {"W_2", w.W_2},  {"b_2", w.b_2}};
        if (x.requires_grad()) all.insert(all.begin(), {"x", x});
        return all;
    }
    Stages values() const {
        Stages all = values_of(leaves());
        if (!x.requires_grad()) all.push_back({"x", x.value()});
        all.push_back({"kept1", dropping.kept1});
        all.push_back({"kept2", dropping.kept2});
        return all;
    }
};

Stages stages(const Input& in, const WholeBlock& block) {
    const BlockStages s = block(in.w, in.x, in.dropping);
    return with_gradients({{"normed1", s.normed1.value()},
                           {"weights", s.weights.value()},
                           {"attended", s.attended.value()},
                           {"after_attention", s.after_attention.value()},
                           {"normed2", s.normed2.value()},
                           {"hidden", s.hidden.value()},
                           {"found", s.found.value()},
                           {"y", s.y.value()}},
                          s.y, in.leaves());
}

WholeBlock walked(const Slips& slip) {
    return [=](const BlockParameters& w, const Variable& x, const Dropping& dropping) {
        return broken_block_walk(w, x, dropping, slip);
    };
}

Case on(const Input& in, const WholeBlock& block) {
    return {in.name, [=](const Slips& slip) { return stages(in, walked(slip)); },
            [=] { return stages(in, block); }, in.values()};
}

struct Sizes {
    std::int64_t B, T, d, d_k, d_ff;
};

Tensor drawn(const Shape& shape, std::uint64_t seed) {
    const Tensor zeros = tensor::zeros(shape);
    return tensor::where(random(shape, seed) > -0.5, zeros + 1, zeros);
}

BlockParameters random_parameters(const Sizes& n, std::uint64_t seed) {
    const auto leaf = [&](const Shape& shape) {
        return Variable(random(shape, ++seed, 0.8), requires_grad);
    };
    BlockParameters w;
    for (Variable* one : {&w.gamma1, &w.beta1, &w.gamma2, &w.beta2, &w.b_2}) *one = leaf({n.d});
    for (Variable* one : {&w.W_Q, &w.W_K, &w.W_V}) *one = leaf({n.d, n.d_k});
    w.W_O = leaf({n.d_k, n.d});
    w.W_1 = leaf({n.d, n.d_ff});
    w.b_1 = leaf({n.d_ff});
    w.W_2 = leaf({n.d_ff, n.d});
    return w;
}

enum class Mode { training, evaluation };

Input random_input(const std::string& name, const Sizes& n, Mode mode, double p,
                   std::uint64_t seed) {
    const Shape shape{n.B, n.T, n.d};
    const Dropping dropping{mode == Mode::training, p, drawn(shape, seed + 50),
                            drawn(shape, seed + 51)};
    return {name, random_parameters(n, seed), Variable(random(shape, seed + 52), requires_grad),
            dropping};
}

// So small that eps matters.
Input small_numbers() {
    Input in = random_input("2 words of small numbers, not in training", {1, 2, 4, 3, 2},
                            Mode::evaluation, 0.3, 650);
    in.x = Variable(in.x.value() * 0.004, requires_grad);
    return in;
}

Input of_a_constant() {
    Input in = random_input("an x that needs no gradient, in training", {1, 3, 2, 2, 3},
                            Mode::training, 0.5, 950);
    in.x = in.x.detach();
    return in;
}

// Keys that point away from their own queries: a word's score with itself is far below 0, and with
// it all that the first word may see.
Input low_scores() {
    Input in = random_input("3 words whose scores are far below 0, not in training",
                            {1, 3, 4, 3, 2}, Mode::evaluation, 0.3, 1050);
    in.w.W_K = Variable(in.w.W_Q.value() * -1e6, requires_grad);
    return in;
}

std::vector<Input> inputs() {
    using enum Mode;
    return {
        random_input("2 texts of 4 words of 3, not in training", {2, 4, 3, 2, 5}, evaluation, 0.4,
                     100),
        random_input("2 other texts of 4 words of 3, in training", {2, 4, 3, 2, 5}, training, 0.4,
                     200),
        random_input("3 texts of 2 words of 5, in training", {3, 2, 5, 3, 4}, training, 0.2, 300),
        random_input("as many words as features, not in training", {2, 3, 3, 3, 3}, evaluation, 0.5,
                     400),
        random_input("a single word, not in training", {1, 1, 4, 2, 3}, evaluation, 0.1, 500),
        small_numbers(),
        of_a_constant(),
        low_scores(),
    };
}

std::string sees_its_future(const WholeBlock& block) {
    const Input in = random_input("", {1, 4, 3, 2, 5}, Mode::evaluation, 0.4, 600);
    const Tensor before = tensor::slice(block(in.w, in.x, in.dropping).y.value(), 1, 0, 3);
    const Tensor other =
        tensor::concatenate({tensor::slice(in.x.value(), 1, 0, 3), random({1, 1, 3}, 700)}, 1);
    const Tensor after =
        tensor::slice(block(in.w, Variable(other), in.dropping).y.value(), 1, 0, 3);
    if (same(after, before)) return "";
    return "Another last word changed y for words before it, " + worst_entry(after, before) + ".";
}

std::string is_random(const WholeBlock& block) {
    Input in = random_input("", {2, 4, 3, 2, 5}, Mode::evaluation, 0.4, 800);
    const Tensor before = block(in.w, in.x, in.dropping).y.value();
    in.dropping.kept1 = drawn(in.x.shape(), 900);
    in.dropping.kept2 = drawn(in.x.shape(), 901);
    const Tensor after = block(in.w, in.x, in.dropping).y.value();
    if (same(after, before)) return "";
    return "y changed when dropout drew other entries, " + worst_entry(after, before) + ".";
}

}  // namespace

Exercise broken_block(const WholeBlock& block) {
    Exercise exercise;
    exercise.number = "12.4";
    exercise.title = "Four faults in a block";
    for (const Input& in : inputs()) exercise.cases.push_back(on(in, block));
    exercise.laws = {
        {"no word sees its future", [=] { return sees_its_future(block); }},
        {"outside training nothing is random", [=] { return is_random(block); }},
    };
    exercise.mistakes = broken_block_mistakes();
    exercise.hints = {
        "What must hold of each stage: its mean along a row, whose numbers are in it, which "
        "parameters made it?",
        "Begin by stopping at block (the key d starts the debugger) and step through "
        "layer_norm_of: what shape has the mean? Then block, line by line, beside 12.3's formula",
        "Each half is x + dropout(sublayer(norm(x))): the x that comes in, and a norm of its own "
        "over the last axis; dropout only in training",
        "Put the formula of the first wrong stage beside the lines that make it, and mend those "
        "alone before you go on"};
    return exercise;
}

namespace {

BlockStages in_other_words(const BlockParameters& w, const Variable& x, const Dropping& dropping) {
    const auto dropout = [&](const Variable& found, const Tensor& kept) {
        const Variable grown = found / (1 - dropping.p);
        return dropping.training ? masked_fill(grown, kept == 0, 0) : found;
    };
    BlockStages s;
    s.normed1 = layer_norm(x, w.gamma1, w.beta1, 1e-5);
    const double root = std::sqrt(static_cast<double>(w.W_K.dim(-1)));
    const Variable Q = matmul(s.normed1 / root, w.W_Q);
    const Variable scores = matmul(Q, transpose(matmul(s.normed1, w.W_K)));
    const Variable past = masked_fill(scores, Mask::causal(x.dim(1)).blocked(), -infinity);
    const Variable e = exp(past - max(past, -1, keepdim));
    s.weights = e / sum(e, -1, keepdim);
    s.attended = matmul(s.weights, matmul(s.normed1, matmul(w.W_V, w.W_O)));
    s.after_attention = dropout(s.attended, dropping.kept1) + x;
    s.normed2 = layer_norm(s.after_attention, w.gamma2, w.beta2, 1e-5);
    const Variable wide = matmul(s.normed2, w.W_1) + w.b_1;
    s.hidden = wide * (erf(wide / std::sqrt(2.0)) + 1) / 2;
    s.found = w.b_2 + matmul(s.hidden, w.W_2);
    s.y = dropout(s.found, dropping.kept2) + s.after_attention;
    return s;
}

// Outside training dropout is one that keeps all.
BlockStages keeping_all(const BlockParameters& w, const Variable& x, Dropping dropping) {
    if (!dropping.training) {
        dropping = {true, 0, tensor::ones_like(dropping.kept1), tensor::ones_like(dropping.kept2)};
    }
    return broken_block_walk(w, x, dropping, {});
}

}  // namespace

Trials broken_block_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return broken_block(walked(slip)); };
    trials.right["in other words"] = [] { return broken_block(in_other_words); };
    trials.right["dropout that keeps all"] = [] { return broken_block(keeping_all); };
    return trials;
}

}  // namespace exercise
