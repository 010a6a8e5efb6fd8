#include "tutorials/exercises/judges/13_2_alignment_mistakes.h"

#include "autograd/ops.h"
#include "tensor/factories.h"

#include <cmath>

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

}  // namespace

Alignment alignment_walk(const Variable& h, const Variable& s, const Lengths& lengths,
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

namespace {

std::vector<Mistake> mistakes_of_scores() {
    const std::string line = "The line that makes a. Take d_a = 1 and one word.";
    return {
        {"ali.no-tanh", "the score had no tanh", {"What is between the sum and v?", line}},
        {"ali.tanh-of-score",
         "tanh came after the product with v, and not before it",
         {"Is tanh of a vector or of a number?", line}},
        {"ali.tanh-of-each",
         "tanh was taken of each of the two products, and not of their sum",
         {"Can state and word then affect each other's part of the score?", line}},
        {"ali.product",
         "the two products were multiplied and not added",
         {"How do state and word come together?", line}},
        {"ali.no-state",
         "the score depended on the word alone",
         {"What tells one step from another?", "Compare the rows of a."}},
        {"ali.no-v", "the numbers behind tanh were added up without v", {"What is v for?", line}},
        {"ali.scaled", "the scores were divided by √d_a", {"Is that in the formula?", line}},
        {"ali.first-step",
         "all steps had the state of the first",
         {"What tells one step from another?", "Compare the rows of a."}},
    };
}

std::vector<Mistake> mistakes_of_the_mask() {
    const std::string print = "Print alpha of the text with the fewest words.";
    const std::string end = "Which is the last i that is a word?";
    return {
        {"mask.absent", "padding was not masked", {"Is padding a word?", print}},
        {"mask.inverted",
         "the words were masked and the padding was not",
         {"Does true in your mask mean a word, or padding?", print}},
        {"ali.first-length",
         "all texts had the length of the first",
         {"Are the texts of a batch equally long?", print}},
        {"ali.length-less", "the last word of each text was masked, too", {end, print}},
        {"ali.length-more", "one place of padding was left in each text", {end, print}},
        {"ali.steps-masked",
         "the lengths of the sentences also ended the decoder's steps",
         {"Has a translation as many words as its sentence?", print}},
        {"mask.fill0", "scores of padding were set to 0", {"What is exp(0)?", print}},
        {"mask.fill-1e4",
         "scores of padding were set to -10000, which other scores can be below",
         {"Which number is below any score?", "Print alpha where scores are large."}},
        {"mask.after",
         "weights of padding were set to 0 after the softmax, so that a row no longer sums to 1",
         {"When must padding be out of the way?", "Add up a row of alpha."}},
    };
}

std::vector<Mistake> mistakes_of_weights() {
    const std::string last = "The line that makes c.";
    const std::string look = "Look for value(), detach() or a new Variable.";
    return {
        {"sm.cols",
         "the softmax ran over the steps, and not over the words",
         {"Among what does a step choose?", "Add up a row of alpha, then a column."}},
        {"sm.all",
         "one softmax ran over all steps of a text together",
         {"Has each step weights of its own?", "Add up a row of alpha."}},
        {"sm.no-max",
         "exp was taken of large scores as they are",
         {"What is exp(1000)?", "Does the library have a softmax?"}},
        {"ali.context-unmasked",
         "the contexts came from weights without a mask",
         {"Which weights make c?", last}},
        {"ali.context-projected",
         "c summed up h_i·W_h and not h_i",
         {"What is summed up, and what dimension has it?", last}},
        {"ali.mean",
         "c was divided by the number of words",
         {"What do the weights of a step sum to already?", last}},
        {"ali.weights-constant",
         "the weights entered c as constants",
         {"How does the decoder learn where to look?", look}},
        {"ali.h-constant",
         "the states entered c as constants",
         {"By how many ways does h reach c?", look}},
        {"ali.h-constant-in-scores",
         "the states entered the scores as constants",
         {"By how many ways does h reach c?", look}},
        {"ali.s-constant",
         "the decoder's states entered as constants",
         {"Does the graph know s?", look}},
    };
}

}  // namespace

std::vector<Mistake> alignment_mistakes() {
    std::vector<Mistake> all;
    for (const std::vector<Mistake>& some :
         {mistakes_of_scores(), mistakes_of_the_mask(), mistakes_of_weights()}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

}  // namespace exercise
