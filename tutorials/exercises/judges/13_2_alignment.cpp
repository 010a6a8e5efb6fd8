#include "tutorials/exercises/judges/lesson_13.h"
#include "tutorials/exercises/judging/kit.h"

#include "tensor/errors.h"

using namespace heed;

namespace exercise {
namespace {
using Lengths = std::vector<std::int64_t>;

Variable scores_of(const Variable& h, const Variable& s, const AlignmentWeights& W,
                   const Slips& slip) {
    const Variable states = slip("ali.first-step") ? expand(slice(s, 1, 0, 1), s.shape()) : s;
    const Variable words = slip("ali.h-constant-in-scores") ? h.detach() : h;
    const Variable of_s =
        unsqueeze(matmul(slip("ali.s-constant") ? states.detach() : states, W.W_s), 2);
    const Variable of_h = unsqueeze(matmul(words, W.W_h), 1);
    const Variable both = slip("ali.product") ? of_s * of_h : of_s + of_h;  // [B, T, S, d_a]
    if (slip("ali.no-tanh")) return sum(both * W.v, -1);
    if (slip("ali.tanh-of-score")) return tanh(sum(both * W.v, -1));
    if (slip("ali.tanh-of-each")) return sum((tanh(of_s) + tanh(of_h)) * W.v, -1);
    if (slip("ali.no-state")) return sum(tanh(of_h + 0 * of_s) * W.v, -1);
    if (slip("ali.no-v")) return sum(tanh(both), -1);
    const Variable a = sum(tanh(both) * W.v, -1);
    return slip("ali.scaled") ? a / std::sqrt(static_cast<double>(W.v.dim(0))) : a;
}

// Does the mask block word i of text b?
bool is_blocked(std::int64_t i, std::int64_t length, const Slips& slip) {
    if (slip("mask.inverted")) return i < length;
    if (slip("ali.length-less")) return i >= length - 1;
    if (slip("ali.length-more")) return i > length;
    return i >= length;
}

BoolTensor mask_of(const Lengths& lengths, std::int64_t T, std::int64_t S, const Slips& slip) {
    std::vector<bool> blocked;
    for (const std::int64_t length : lengths) {
        const std::int64_t its = slip("ali.first-length") ? lengths[0] : length;
        for (std::int64_t j = 0; j < T; ++j) {
            const bool no_step = slip("ali.steps-masked") && j >= length;
            for (std::int64_t i = 0; i < S; ++i) {
                blocked.push_back(no_step || is_blocked(i, its, slip));
            }
        }
    }
    return BoolTensor(blocked, {static_cast<std::int64_t>(lengths.size()), T, S});
}

Variable weights_of(const Variable& a, const BoolTensor& blocked, const Slips& slip) {
    if (slip("mask.absent")) return softmax(a, -1);
    if (slip("mask.after")) return masked_fill(softmax(a, -1), blocked, 0);
    const double fill = slip("mask.fill0") ? 0 : slip("mask.fill-1e4") ? -1e4 : -infinity;
    const Variable masked = masked_fill(a, blocked, fill);
    if (slip("sm.cols")) return softmax(masked, -2);
    if (slip("sm.all")) return reshape(softmax(flatten(masked, 1), -1), a.shape());
    if (slip("sm.no-max")) return exp(masked) / sum(exp(masked), -1, keepdim);
    return softmax(masked, -1);
}

Alignment walk(const Variable& h, const Variable& s, const Lengths& lengths,
               const AlignmentWeights& W, const Slips& slip) {
    const Variable a = scores_of(h, s, W, slip);
    const Variable alpha = weights_of(a, mask_of(lengths, s.dim(1), h.dim(1), slip), slip);
    if (slip("ali.context-unmasked")) return {a, alpha, matmul(softmax(a, -1), h)};
    if (slip("ali.context-projected")) return {a, alpha, matmul(alpha, matmul(h, W.W_h))};
    if (slip("ali.weights-constant")) return {a, alpha, matmul(alpha.detach(), h)};
    if (slip("ali.h-constant")) return {a, alpha, matmul(alpha, h.detach())};
    const Variable c = matmul(alpha, h);
    if (!slip("ali.mean")) return {a, alpha, c};
    const std::vector<Scalar> counts(lengths.begin(), lengths.end());
    return {a, alpha, c / Variable(tensor::from_vector(counts, {h.dim(0), 1, 1}))};
}

std::vector<Mistake> mistakes() {
    const std::string line = "The line that makes a. Take d_a = 1 and one word.";
    const std::string print = "Print alpha of the text with the fewest words.";
    const std::string end = "Which is the last i that is a word?";
    const std::string last = "The line that makes c.";
    const std::string look = "Look for value(), detach() or a new Variable.";
    return {
        {"ali.no-tanh", "the score had no tanh", "What is between the sum and v?", line},
        {"ali.tanh-of-score", "tanh came after the product with v, and not before it",
         "Is tanh of a vector or of a number?", line},
        {"ali.tanh-of-each", "tanh was taken of each of the two products, and not of their sum",
         "Can state and word then affect each other's part of the score?", line},
        {"ali.product", "the two products were multiplied and not added",
         "How do state and word come together?", line},
        {"ali.no-state", "the score depended on the word alone",
         "What tells one step from another?", "Compare the rows of a."},
        {"ali.no-v", "the numbers behind tanh were added up without v", "What is v for?", line},
        {"ali.scaled", "the scores were divided by √d_a", "Is that in the formula?", line},
        {"ali.first-step", "all steps had the state of the first",
         "What tells one step from another?", "Compare the rows of a."},
        {"mask.absent", "padding was not masked", "Is padding a word?", print},
        {"mask.inverted", "the words were masked and the padding was not",
         "Does true in your mask mean a word, or padding?", print},
        {"ali.first-length", "all texts had the length of the first",
         "Are the texts of a batch equally long?", print},
        {"ali.length-less", "the last word of each text was masked, too", end, print},
        {"ali.length-more", "one place of padding was left in each text", end, print},
        {"ali.steps-masked", "the lengths of the sentences also ended the decoder's steps",
         "Has a translation as many words as its sentence?", print},
        {"mask.fill0", "scores of padding were set to 0", "What is exp(0)?", print},
        {"mask.fill-1e4", "scores of padding were set to -10000, which other scores can be below",
         "Which number is below any score?", "Print alpha where scores are large."},
        {"mask.after",
         "weights of padding were set to 0 after the softmax, so that a row no longer sums to 1",
         "When must padding be out of the way?", "Add up a row of alpha."},
        {"sm.cols", "the softmax ran over the steps, and not over the words",
         "Among what does a step choose?", "Add up a row of alpha, then a column."},
        {"sm.all", "one softmax ran over all steps of a text together",
         "Has each step weights of its own?", "Add up a row of alpha."},
        {"sm.no-max", "exp was taken of large scores as they are", "What is exp(1000)?",
         "Does the library have a softmax?"},
        {"ali.context-unmasked", "the contexts came from weights without a mask",
         "Which weights make c?", last},
        {"ali.context-projected", "c summed up h_i·W_h and not h_i",
         "What is summed up, and what dimension has it?", last},
        {"ali.mean", "c was divided by the number of words",
         "What do the weights of a step sum to already?", last},
        {"ali.weights-constant", "the weights entered c as constants",
         "How does the decoder learn where to look?", look},
        {"ali.h-constant", "the states entered c as constants", "By how many ways does h reach c?",
         look},
        {"ali.h-constant-in-scores", "the states entered the scores as constants",
         "By how many ways does h reach c?", look},
        {"ali.s-constant", "the decoder's states entered as constants", "Does the graph know s?",
         look},
    };
}

struct Sizes {
    Lengths lengths;
    std::int64_t S, T, d_h, d_s, d_a;
};

struct Input {
    Lengths lengths;
    Variable h, s;
    AlignmentWeights W;
};

// h and s may be constants; the weights learn all the same.
std::vector<Leaf> leaves(const Input& in) {
    std::vector<Leaf> all = {{"W_s", in.W.W_s}, {"W_h", in.W.W_h}, {"v", in.W.v}};
    if (in.h.requires_grad()) all.insert(all.begin(), {{"h", in.h}, {"s", in.s}});
    return all;
}

Stages given(const Input& in) {
    Stages all = values_of(leaves(in));
    if (!in.h.requires_grad()) all.insert(all.end(), {{"h", in.h.value()}, {"s", in.s.value()}});
    return all;
}

Variable leaf(const Tensor& x) { return Variable(x, requires_grad); }

Input random_input(const Sizes& of, std::uint64_t seed, double deviation_of_v = 1) {
    const std::int64_t B = std::ssize(of.lengths);
    return {of.lengths,
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
    Input in = random_input({{2, 4, 1}, 4, 3, 2, 3, 5}, 71);
    const BoolTensor is_padding = padding_of(in.lengths, 4);
    in.h = leaf(tensor::masked_fill(in.h.value(), is_padding, 1e6));
    return in;
}

// Words of zeros, for a state of zeros: scores of exactly 0, of words and of padding.
Input with_scores_of_0() {
    Input in = random_input({{3, 5}, 5, 2, 3, 4, 6}, 81);
    const Tensor h = tensor::clone(in.h.value());
    Tensor words = tensor::slice(h, 1, 1, 4), state = tensor::slice(in.s.value(), 1, 1, 2);
    tensor::overwrite(words, tensor::zeros_like(words));
    tensor::overwrite(state, tensor::zeros_like(state));
    in.h = leaf(h);
    return in;
}

// Every word scores below -10000, and padding about 0.
Input with_low_scores() {
    Input in = random_input({{3, 2, 4}, 4, 2, 3, 2, 5}, 86);
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
    Input in = random_input({{3, 2, 4}, 4, 2, 3, 2, 5}, 141);
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
    Input in = random_input({{4, 2}, 4, 3, 2, 3, 5}, 151);
    in.h = in.h.detach();
    in.s = in.s.detach();
    return in;
}

Input of_views() {
    const auto turned = [](const Shape& shape, std::uint64_t seed) {
        return leaf(tensor::transpose(random({shape[0], shape[2], shape[1]}, seed)));
    };
    Input in = random_input({{4, 2}, 4, 3, 5, 2, 6}, 91);
    in.h = turned({2, 4, 5}, 92);
    in.s = turned({2, 3, 2}, 93);
    in.W.W_h = leaf(tensor::transpose(random({6, 5}, 94)));
    return in;
}

Inputs<Input> inputs() {
    return {
        {"texts of 5 and 3 words, 4 steps", random_input({{5, 3}, 5, 4, 3, 2, 6}, 1)},
        {"texts of 2 and 5 words, the same sizes", random_input({{2, 5}, 5, 4, 3, 2, 6}, 11)},
        {"texts of 1, 4 and 2 words, 2 steps", random_input({{1, 4, 2}, 4, 2, 6, 5, 3}, 21)},
        {"no padding, more steps than words", random_input({{3, 3}, 3, 6, 2, 4, 5}, 31)},
        {"padding behind every text", random_input({{2, 4}, 7, 3, 5, 3, 4}, 41)},
        {"all sizes 4", random_input({{4, 1, 3, 2}, 4, 4, 4, 4, 4}, 51)},
        {"one text, one word, one step", random_input({{1}, 1, 1, 3, 2, 1}, 61)},
        {"one text of 3 words, padding behind it", random_input({{3}, 5, 4, 3, 2, 4}, 161)},
        {"one step only", random_input({{2, 4, 1}, 4, 1, 3, 2, 5}, 166)},
        {"texts of a single word", random_input({{1, 1}, 1, 3, 2, 4, 3}, 171)},
        {"padding of a million", with_huge_padding()},
        {"scores of exactly 0", with_scores_of_0()},
        {"all words score below -10000", with_low_scores()},
        {"all words score close to -100000", with_the_lowest_scores()},
        {"transposed views", of_views()},
        {"an h and s that need no gradient", of_constants()},
        {"scores of tens of thousands", random_input({{3, 6}, 6, 3, 4, 5, 4}, 101, 15000)},
        {"up to 60 words", random_input({{60, 7, 51}, 60, 2, 2, 3, 2}, 111)},
    };
}

Stages stages(const Align& align, const Input& in) {
    const Alignment found = align(in.h, in.s, in.lengths, in.W);
    return with_gradients(
        {{"a", found.a.value()}, {"alpha", found.alpha.value()}, {"c", found.c.value()}}, found.c,
        leaves(in));
}

const Sizes of_laws = {{4, 2, 5}, 5, 3, 4, 2, 6};

std::string sums_to_1(const Align& align) {
    const Input in = random_input(of_laws, 121);
    const Tensor sums = tensor::sum(align(in.h, in.s, in.lengths, in.W).alpha.value(), -1);
    const Tensor ones = tensor::ones({3, 3});
    if (!(sums.shape() == ones.shape()) || same(sums, ones)) return "";
    return "The sum of a row of alpha is off, worst " + worst_entry(sums, ones) + ".";
}

std::string padding_has_weight(const Align& align) {
    const Input in = random_input(of_laws, 126);
    const Tensor alpha = align(in.h, in.s, in.lengths, in.W).alpha.value();
    const BoolTensor is_padding = padding_of(in.lengths, of_laws.S).reshape({3, 1, of_laws.S});
    if (!(alpha.shape() == Shape{3, of_laws.T, of_laws.S})) return "";
    const double most = tensor::max(tensor::where(is_padding, tensor::abs(alpha), 0)).item();
    if (most == 0) return "";
    return text("A weight of padding is ", most, "; exactly 0 was asked for.");
}

std::string padding_matters(const Align& align) {
    const Input in = random_input(of_laws, 131), other = random_input(of_laws, 132);
    const Tensor changed =
        tensor::where(padding_of(in.lengths, of_laws.S), other.h.value(), in.h.value());
    const Tensor c = align(in.h, in.s, in.lengths, in.W).c.value();
    const Tensor again = align(leaf(changed), in.s, in.lengths, in.W).c.value();
    if (!(c.shape() == again.shape()) || same(again, c)) return "";
    return "With other numbers in the padding c changed, most " + worst_entry(again, c) +
           ", as before.";
}

Rules<Align> rules() {
    return {
        .number = "13.2",
        .title = "Alignment",
        .reference =
            [](const Slips& slip) {
                return [=](const Variable& h, const Variable& s, const Lengths& lengths,
                           const AlignmentWeights& W) { return walk(h, s, lengths, W, slip); };
            },
        .cases = on_each(stages, inputs()),
        .laws = {{"the weights of a step sum to 1", sums_to_1},
                 {"the weights of padding are 0", padding_has_weight},
                 {"what the padding holds does not matter", padding_matters}},
        .mistakes = mistakes(),
        .hints =
            {"There is a score for each pair of a step and a word. Which shapes broadcast to that?",
             "autograd/ops/views.h has unsqueeze; tensor/mask.h has Mask::padding, [B, 1, 1, S]; "
             "autograd/ops/choose.h has masked_fill. Write the shape beside each line",
             "[B, T, 1, d_a] + [B, 1, S, d_a] is [B, T, S, d_a]; tanh of that, times v, summed "
             "over the last axis, is a. Padding becomes -∞ before the softmax over the words",
             "a = sum(tanh(of_s + of_h) * W.v, -1); alpha is the softmax along -1 of a, masked by "
             "blocked().reshape({B, 1, S}); c = matmul(alpha, h)"},
    };
}

}  // namespace

const Judge<Align> judge_13_2(rules);

}  // namespace exercise
