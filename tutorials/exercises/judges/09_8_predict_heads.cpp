#include "tutorials/exercises/judges/lesson_09.h"
#include "tutorials/exercises/judging/kit.h"

#include "nn/attention/head_axes.h"
#include "nn/attention/multi_head_attention.h"

using namespace heed;

namespace exercise {
namespace {
// The right answers are computed with the library.
MultiHeadAttention layer(std::int64_t num_heads, std::int64_t d_head = 0) {
    Random random(1);
    return MultiHeadAttention(12, num_heads, random, {.d_head = d_head});
}

Variable words(std::int64_t T) { return Variable(random({2, T, 12}, 1)); }

// The hints for one question.
std::vector<std::string> hints(const std::string& question, const std::string& formula) {
    return {question, "lesson 09 prints the shapes of all stages, and the parameters of its layers",
            formula, "Let MultiHeadAttention and count_parameters work it out, and print it"};
}

std::vector<Question<HeadsPredictions>> questions() {
    using P = HeadsPredictions;
    const std::string names = "Write down what each axis counts: texts, heads, words, numbers.";
    const std::string table = "Write down in and out of each of the four projections.";
    const std::string rows =
        "How many numbers are in one row of weights, and how many rows are there?";
    const std::string projection = "a projection from m to n numbers has m·n + n";
    const std::int64_t whole = 12 * 12 + 12, shared = 12 * 4 + 4;
    return {
        {{"the shape of the queries", &P::queries, split_heads(layer(3).W_Q(words(7)), 3).shape(),
          names},
         {{"pred.words-before-heads", Shape{2, 7, 3, 4}, "the head axis came after the word axis",
           "Between which two axes does Q·Kᵀ multiply?"},
          {"pred.whole-vector-each", Shape{2, 3, 7, 12},
           "each head got a vector of d_model numbers", "How many numbers are cut into 3 heads?"},
          {"pred.queries-uncut", Shape{2, 7, 12}, "the queries were not split into heads",
           "Where is the head axis?"},
          {"pred.h-for-d", Shape{2, 4, 7, 3}, "the number of heads and their size were exchanged",
           "How many heads are there?"}},
         "queries",
         hints("What does each axis count?", "Q [B, h, T, d_head]")},
        {{"the shape of the weights", &P::weights, layer(3).with_weights(words(7)).weights.shape(),
          names},
         {{"pred.one-weight-for-all-heads", Shape{2, 7, 7},
           "there was one table of weights for all heads", "Does each head look elsewhere?"},
          {"pred.weights-as-queries", Shape{2, 3, 7, 4}, "the weights had the shape of the queries",
           "For what is there one weight?"},
          {"pred.weights-of-features", Shape{2, 3, 4, 4},
           "features were weighed against features, Kᵀ·Q", "For what is there one weight?"},
          {"pred.weights-heads-first", Shape{3, 2, 7, 7}, "the head axis came before the text axis",
           "Which axis comes first in X?"}},
         "weights",
         hints("For what is there one weight?", "weights [B, h, T_q, T_k]")},
        {{"the shape of concat", &P::concat, merge_heads(split_heads(words(7), 3)).shape(), names},
         {{"pred.heads-in-words", Shape{2, 21, 4}, "the head axis was joined with the word axis",
           "Which two axes become one?"},
          {"pred.heads-added", Shape{2, 7, 4},
           "concat had as many columns as one head, as if the heads were added",
           "Are the heads' numbers added, or put side by side?"},
          {"pred.heads-wide", Shape{2, 7, 36}, "each head gave d_model numbers",
           "How many numbers does one head give?"},
          {"pred.heads-kept", Shape{2, 3, 7, 4}, "the heads were not joined yet",
           "What becomes of the head axis when heads are put side by side?"}},
         "concat",
         hints("What becomes of the head axis?", "concat [B, T, h·d_head]")},
        {{"the shape of the cross-attention weights", &P::cross_weights,
          layer(3).with_weights(words(5), words(9), words(9)).weights.shape(), names},
         {{"pred.encoder-asks", Shape{2, 3, 9, 5},
           "the encoder's words had the rows, and the decoder's the columns",
           "Who has a row of weights?"},
          {"pred.decoder-alone", Shape{2, 3, 5, 5}, "the decoder's text asked itself",
           "Who answers?"},
          {"pred.encoder-alone", Shape{2, 3, 9, 9}, "the encoder's text asked itself", "Who asks?"},
          {"pred.texts-joined", Shape{2, 3, 14, 14}, "both texts were joined into one",
           "Who asks, and who answers?"}},
         "cross_weights",
         hints("Who asks, and who answers?", "weights [B, h, T_q, T_k]")},
        {{"the number of parameters", &P::parameters, count_parameters(layer(3)), table},
         {{"pred.each-head-whole", 3 * 3 * (12 * 12 + 12) + 36 * 12 + 12,
           "each head had matrices of d_model by d_model",
           "How many columns of W_Q belong to one head?"},
          {"pred.no-bias", 4 * 12 * 12, "the biases were left out", "What is added after x·W?"},
          {"pred.no-W_O", 3 * (12 * 12 + 12), "W_O was left out",
           "How many projections are there?"},
          {"pred.one-head-only", 3 * (12 * 4 + 4) + 4 * 12 + 12,
           "only one head's columns were counted", "How many columns has W_Q?"},
          {"pred.times-words", 7 * 4 * (12 * 12 + 12), "each word had a layer of its own",
           "Does word 1 go through another W_Q than word 0?"},
          {"pred.bias-once", 4 * 12 * 12 + 12, "only one of the projections had a bias",
           "Which projections have a bias?"}},
         "parameters",
         hints("What goes into each of the four projections, and what comes out?", projection)},
        {{"the number of parameters with 6 heads", &P::of_6_heads, count_parameters(layer(6)),
          table},
         {{"pred.twice-the-heads", 2 * 4 * (12 * 12 + 12),
           "twice as many heads needed twice as many numbers",
           "How large is a head if there are 6?"},
          {"pred.half-the-size", 2 * (12 * 12 + 12), "smaller heads made the layer smaller",
           "How many columns have all the smaller heads together?"},
          {"pred.heads-alone-doubled", 2 * 3 * (12 * 12 + 12) + 12 * 12 + 12,
           "W_Q, W_K and W_V doubled and W_O did not",
           "How many columns have all the smaller heads together?"}},
         "of_6_heads",
         hints("Which of the four projections changes its size?", projection)},
        {{"the number of parameters with wide heads", &P::of_wide_heads,
          count_parameters(layer(3, 5)), table},
         {{"pred.wide-as-narrow", 4 * (12 * 12 + 12), "the size of a head made no difference",
           "How many columns have the wider heads together?"},
          {"pred.wide-W_O-square", 3 * (12 * 15 + 15) + 12 * 12 + 12,
           "W_O stayed d_model by d_model", "How many numbers does W_O take in?"},
          {"pred.wide-W_O-bias-15", 4 * (12 * 15 + 15),
           "W_O had a bias of the dimension of all heads together",
           "How many numbers does W_O give?"},
          {"pred.wide-one-head", 3 * (12 * 5 + 5) + 5 * 12 + 12, "only one head was counted",
           "How many columns have the wider heads together?"}},
         "of_wide_heads",
         hints("How many numbers do all heads give together?", projection)},
        {{"the number of parameters with shared keys", &P::of_shared_keys,
          count_parameters(layer(3)) - 2 * whole + 2 * count_parameters(layer(3).W_Q) / 3, table},
         {{"pred.nothing-shared", 4 * whole, "sharing saved nothing",
           "How many columns has W_K if there is one head of keys?"},
          {"pred.keys-alone-shared", 3 * whole + shared, "only one of keys and values was shared",
           "What is shared?"},
          {"pred.all-shared", 4 * shared, "queries and W_O shrank too",
           "What is shared, and what is not?"},
          {"pred.shared-rows", 2 * whole + 2 * (4 * 12 + 12),
           "the weights of W_K and W_V became fewer, and their biases did not",
           "Does W_K take in less, or give less?"}},
         "of_shared_keys",
         hints("Which of the four projections changes its size?", projection)},
        {{"the number of weights of longer texts", &P::weights_of_a_longer_text,
          layer(3).with_weights(words(14)).weights.numel(), rows},
         {{"pred.grows-as-T", 2 * 294,
           "the number of weights only doubled with the length of the texts, or one text was "
           "counted",
           "How many rows are there, and how long is each?"},
          {"pred.stays", 294, "the number of weights did not depend on the texts",
           "What has one weight: a parameter, or a pair of words?"},
          {"pred.grows-as-T-cubed", 8 * 294, "the weights grew along three axes",
           "How many axes of the weights grow?"}},
         "weights_of_a_longer_text",
         hints("How many rows are there, and how long is each?", "weights [B, h, T_q, T_k]")},
    };
}

Rules<HeadsPredictions> rules() {
    return predicting<HeadsPredictions>(
        {.number = "09.8",
         .title = "Predict shapes and parameters of heads",
         .hints = {"What does each axis count: texts, heads, words, or numbers?",
                   "Lesson 09 prints the shapes of each stage, and its layers their parameters",
                   "Q [B, h, T, d_head], weights [B, h, T_q, T_k]; a projection from m to n has "
                   "m·n + n numbers",
                   "Let MultiHeadAttention and count_parameters work it out, and print it"}},
        questions());
}

}  // namespace

const Judge<HeadsPredictions> judge_09_8(rules);

}  // namespace exercise
