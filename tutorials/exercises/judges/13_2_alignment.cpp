#include "tutorials/exercises/judges/13_2_alignment.h"

#include "tutorials/exercises/judges/13_2_alignment_mistakes.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/choose.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

#include <sstream>

using namespace heed;

namespace exercise {

namespace {

using Lengths = std::vector<std::int64_t>;

struct Sizes {
    Lengths lengths;
    std::int64_t S, T, d_h, d_s, d_a;
};

struct Input {
    std::string name;
    Lengths lengths;
    Variable h, s;
    AlignmentWeights W;

    // h and s may be constants; the weights learn all the same.
    std::vector<Leaf> leaves() const {
        std::vector<Leaf> all = {{"W_s", W.W_s}, {"W_h", W.W_h}, {"v", W.v}};
        if (h.requires_grad()) all.insert(all.begin(), {{"h", h}, {"s", s}});
        return all;
    }
    Stages values() const {
        Stages all = values_of(leaves());
        if (!h.requires_grad()) all.insert(all.end(), {{"h", h.value()}, {"s", s.value()}});
        return all;
    }
};

Variable leaf(const Tensor& x) { return Variable(x, requires_grad); }

Input random_input(const std::string& name, const Sizes& of, std::uint64_t seed,
                   double deviation_of_v = 1) {
    const auto B = static_cast<std::int64_t>(of.lengths.size());
    return {name,
            of.lengths,
            leaf(random({B, of.S, of.d_h}, seed)),
            leaf(random({B, of.T, of.d_s}, seed + 1)),
            {leaf(random({of.d_s, of.d_a}, seed + 2, 0.6)),
             leaf(random({of.d_h, of.d_a}, seed + 3, 0.6)),
             leaf(random({of.d_a}, seed + 4, deviation_of_v))}};
}

// True at the padding, [B, S, 1].
BoolTensor padding_of(const Lengths& lengths, std::int64_t S) {
    std::vector<bool> is_padding;
    for (const std::int64_t length : lengths) {
        for (std::int64_t i = 0; i < S; ++i) is_padding.push_back(i >= length);
    }
    return BoolTensor(is_padding, {static_cast<std::int64_t>(lengths.size()), S, 1});
}

Input with_huge_padding() {
    Input in = random_input("padding of a million", {{2, 4, 1}, 4, 3, 2, 3, 5}, 71);
    const BoolTensor is_padding = padding_of(in.lengths, 4);
    in.h = leaf(tensor::masked_fill(in.h.value(), is_padding, 1e6));
    return in;
}

// Words of zeros, for a state of zeros: scores of exactly 0, of words and of padding.
Input with_scores_of_0() {
    Input in = random_input("scores of exactly 0", {{3, 5}, 5, 2, 3, 4, 6}, 81);
    const Tensor h = tensor::clone(in.h.value());
    Tensor words = tensor::slice(h, 1, 1, 4), state = tensor::slice(in.s.value(), 1, 1, 2);
    tensor::overwrite(words, tensor::zeros_like(words));
    tensor::overwrite(state, tensor::zeros_like(state));
    in.h = leaf(h);
    return in;
}

// Every word scores below -10000, and padding about 0.
Input with_low_scores() {
    Input in = random_input("all words score below -10000", {{3, 2, 4}, 4, 2, 3, 2, 5}, 86);
    const BoolTensor is_padding = padding_of(in.lengths, 4);
    const Tensor above_1 = 1 + tensor::abs(in.h.value());
    in.h = leaf(tensor::masked_fill(above_1, is_padding, 0));
    in.s = leaf(0.1 * in.s.value());
    in.W.W_h = leaf(0.2 + tensor::abs(in.W.W_h.value()));
    in.W.v = leaf(-6000 - 1000 * tensor::abs(in.W.v.value()));
    return in;
}

// Every word scores a little above -100000, by a tanh of exactly 1, and padding about 0.
Input with_the_lowest_scores() {
    Input in = random_input("all words score close to -100000", {{3, 2, 4}, 4, 2, 3, 2, 5}, 141);
    const Tensor above_1 = 1 + tensor::abs(in.h.value());
    in.h = leaf(tensor::masked_fill(above_1, padding_of(in.lengths, 4), 0));
    const Tensor W_h = tensor::clone(in.W.W_h.value()), v = tensor::clone(in.W.v.value());
    Tensor W_h_0 = tensor::slice(W_h, 1, 0, 1), v_0 = tensor::slice(v, 0, 0, 1);
    tensor::overwrite(W_h_0, tensor::full({3, 1}, 20));
    tensor::overwrite(v_0, tensor::full({1}, -99992));
    in.W.W_h = leaf(W_h);
    in.W.v = leaf(v);
    return in;
}

Input of_constants() {
    Input in = random_input("an h and s that need no gradient", {{4, 2}, 4, 3, 2, 3, 5}, 151);
    in.h = in.h.detach();
    in.s = in.s.detach();
    return in;
}

Input of_views() {
    const auto turned = [](const Shape& shape, std::uint64_t seed) {
        return leaf(tensor::transpose(random({shape[0], shape[2], shape[1]}, seed)));
    };
    Input in = random_input("transposed views", {{4, 2}, 4, 3, 5, 2, 6}, 91);
    in.h = turned({2, 4, 5}, 92);
    in.s = turned({2, 3, 2}, 93);
    in.W.W_h = leaf(tensor::transpose(random({6, 5}, 94)));
    return in;
}

std::vector<Input> inputs() {
    return {
        random_input("texts of 5 and 3 words, 4 steps", {{5, 3}, 5, 4, 3, 2, 6}, 1),
        random_input("texts of 2 and 5 words, the same sizes", {{2, 5}, 5, 4, 3, 2, 6}, 11),
        random_input("texts of 1, 4 and 2 words, 2 steps", {{1, 4, 2}, 4, 2, 6, 5, 3}, 21),
        random_input("no padding, more steps than words", {{3, 3}, 3, 6, 2, 4, 5}, 31),
        random_input("padding behind every text", {{2, 4}, 7, 3, 5, 3, 4}, 41),
        random_input("all sizes 4", {{4, 1, 3, 2}, 4, 4, 4, 4, 4}, 51),
        random_input("one text, one word, one step", {{1}, 1, 1, 3, 2, 1}, 61),
        random_input("one text of 3 words, padding behind it", {{3}, 5, 4, 3, 2, 4}, 161),
        random_input("one step only", {{2, 4, 1}, 4, 1, 3, 2, 5}, 166),
        random_input("texts of a single word", {{1, 1}, 1, 3, 2, 4, 3}, 171),
        with_huge_padding(),
        with_scores_of_0(),
        with_low_scores(),
        with_the_lowest_scores(),
        of_views(),
        of_constants(),
        random_input("scores of tens of thousands", {{3, 6}, 6, 3, 4, 5, 4}, 101, 15000),
        random_input("up to 60 words", {{60, 7, 51}, 60, 2, 2, 3, 2}, 111),
    };
}

Stages stages_of(const Alignment& found, const Input& in) {
    return with_gradients(
        {{"a", found.a.value()}, {"alpha", found.alpha.value()}, {"c", found.c.value()}}, found.c,
        in.leaves());
}

Case on(const Input& in, const Align& align) {
    return {in.name,
            [=](const Slips& slip) {
                return stages_of(alignment_walk(in.h, in.s, in.lengths, in.W, slip), in);
            },
            [=] { return stages_of(align(in.h, in.s, in.lengths, in.W), in); }, in.values()};
}

const Sizes of_laws = {{4, 2, 5}, 5, 3, 4, 2, 6};

std::string sums_to_1(const Align& align) {
    const Input in = random_input("", of_laws, 121);
    const Tensor sums = tensor::sum(align(in.h, in.s, in.lengths, in.W).alpha.value(), -1);
    const Tensor ones = tensor::ones({3, 3});
    if (!(sums.shape() == ones.shape()) || same(sums, ones)) return "";
    return "The sum of a row of alpha is off, worst " + worst_entry(sums, ones) + ".";
}

std::string padding_has_weight(const Align& align) {
    const Input in = random_input("", of_laws, 126);
    const Tensor alpha = align(in.h, in.s, in.lengths, in.W).alpha.value();
    const BoolTensor is_padding = padding_of(in.lengths, of_laws.S).reshape({3, 1, of_laws.S});
    if (!(alpha.shape() == Shape{3, of_laws.T, of_laws.S})) return "";
    const double most = tensor::max(tensor::where(is_padding, tensor::abs(alpha), 0)).item();
    if (most == 0) return "";
    std::ostringstream text;
    text << "A weight of padding is " << most << "; exactly 0 was asked for.";
    return text.str();
}

std::string padding_matters(const Align& align) {
    const Input in = random_input("", of_laws, 131), other = random_input("", of_laws, 132);
    const Tensor changed =
        tensor::where(padding_of(in.lengths, of_laws.S), other.h.value(), in.h.value());
    const Tensor c = align(in.h, in.s, in.lengths, in.W).c.value();
    const Tensor again = align(leaf(changed), in.s, in.lengths, in.W).c.value();
    if (!(c.shape() == again.shape()) || same(again, c)) return "";
    return "With other numbers in the padding c changed, most " + worst_entry(again, c) +
           ", as before.";
}

}  // namespace

Exercise alignment(const Align& align) {
    Exercise exercise;
    exercise.number = "13.2";
    exercise.title = "Alignment";
    for (const Input& in : inputs()) exercise.cases.push_back(on(in, align));
    exercise.laws = {
        {"the weights of a step sum to 1", [=] { return sums_to_1(align); }},
        {"the weights of padding are 0", [=] { return padding_has_weight(align); }},
        {"what the padding holds does not matter", [=] { return padding_matters(align); }}};
    exercise.mistakes = alignment_mistakes();
    exercise.hints = {
        "There is a score for each pair of a step and a word. Which shapes broadcast to that?",
        "autograd/ops/views.h has unsqueeze; tensor/mask.h has Mask::padding, [B, 1, 1, S]; "
        "autograd/ops/choose.h has masked_fill. Write the shape beside each line",
        "[B, T, 1, d_a] + [B, 1, S, d_a] is [B, T, S, d_a]; tanh of that, times v, summed over the "
        "last axis, is a. Padding becomes -∞ before the softmax over the words",
        "a = sum(tanh(of_s + of_h) * W.v, -1); alpha is the softmax along -1 of a, masked by "
        "blocked().reshape({B, 1, S}); c = matmul(alpha, h)"};
    return exercise;
}

namespace {

// Each text without its padding; its weights are 0.
Alignment text_by_text(const Variable& h, const Variable& s, const Lengths& lengths,
                       const AlignmentWeights& W) {
    std::vector<Variable> a, alpha, c;
    for (std::int64_t b = 0; b < h.dim(0); ++b) {
        const std::int64_t length = lengths[static_cast<std::size_t>(b)];
        const Variable states = unsqueeze(matmul(select(s, 0, b), W.W_s), 1);  // [T, 1, d_a]
        const Variable all = select(h, 0, b);                                  // [S, d_h]
        const Variable scores = matmul(tanh(states + matmul(all, W.W_h)), W.v);
        const Variable weights = softmax(slice(scores, 1, 0, length), 1);
        const Variable none(tensor::zeros({s.dim(1), h.dim(1) - length}));
        a.push_back(scores);
        alpha.push_back(concatenate({weights, none}, 1));
        c.push_back(matmul(weights, slice(all, 0, 0, length)));
    }
    return {stack(a, 0), stack(alpha, 0), stack(c, 0)};
}

// One step after the other, as a decoder does it; a large number taken off where there is padding.
Alignment step_by_step(const Variable& h, const Variable& s, const Lengths& lengths,
                       const AlignmentWeights& W) {
    const BoolTensor is_padding = padding_of(lengths, h.dim(1));
    const Variable off(tensor::masked_fill(tensor::zeros(is_padding.shape()), is_padding, 1e9));
    std::vector<Variable> a, alpha, c;
    for (std::int64_t j = 0; j < s.dim(1); ++j) {
        const Variable state = unsqueeze(select(s, 1, j), 1);  // [B, 1, d_s]
        const Variable scores =
            matmul(tanh(matmul(state, W.W_s) + matmul(h, W.W_h)), unsqueeze(W.v, 1));  // [B, S, 1]
        const Variable weights = softmax(scores - off, 1);
        a.push_back(squeeze(scores, -1));
        alpha.push_back(squeeze(weights, -1));
        c.push_back(sum(weights * h, 1));
    }
    return {stack(a, 1), stack(alpha, 1), stack(c, 1)};
}

}  // namespace

Trials alignment_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return alignment(
            [=](const Variable& h, const Variable& s, const Lengths& lengths,
                const AlignmentWeights& W) { return alignment_walk(h, s, lengths, W, slip); });
    };
    trials.right["text by text"] = [] { return alignment(text_by_text); };
    trials.right["step by step"] = [] { return alignment(step_by_step); };
    return trials;
}

}  // namespace exercise
