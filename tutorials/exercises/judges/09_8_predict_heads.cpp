#include "tutorials/exercises/judges/09_8_predict_heads.h"

#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/nn/attention/head_axes.h"
#include "heed/nn/attention/multi_head_attention.h"
#include "heed/tensor/factories.h"

using namespace heed;

namespace exercise {

namespace {

// The right answers are computed with the library, following the questions.
MultiHeadAttention layer(std::int64_t num_heads, std::int64_t d_head = 0) {
    Random random(1);
    return MultiHeadAttention(12, num_heads, random, {.d_head = d_head});
}

Variable words(std::int64_t T) { return Variable(random({2, T, 12}, 1)); }

Shape queries(const Slips& slip) {
    if (slip("pred.words-before-heads")) return {2, 7, 3, 4};
    if (slip("pred.whole-vector-each")) return {2, 3, 7, 12};
    if (slip("pred.queries-uncut")) return {2, 7, 12};
    if (slip("pred.h-for-d")) return {2, 4, 7, 3};
    return split_heads(layer(3).W_Q(words(7)), 3).shape();
}

Shape weights(const Slips& slip) {
    if (slip("pred.one-weight-for-all-heads")) return {2, 7, 7};
    if (slip("pred.weights-as-queries")) return {2, 3, 7, 4};
    if (slip("pred.weights-of-features")) return {2, 3, 4, 4};
    if (slip("pred.weights-heads-first")) return {3, 2, 7, 7};
    return layer(3).with_weights(words(7)).weights.shape();
}

Shape concat(const Slips& slip) {
    if (slip("pred.heads-in-words")) return {2, 21, 4};
    if (slip("pred.heads-added")) return {2, 7, 4};
    if (slip("pred.heads-wide")) return {2, 7, 36};
    if (slip("pred.heads-kept")) return {2, 3, 7, 4};
    return merge_heads(split_heads(words(7), 3)).shape();
}

Shape cross_weights(const Slips& slip) {
    if (slip("pred.encoder-asks")) return {2, 3, 9, 5};
    if (slip("pred.decoder-alone")) return {2, 3, 5, 5};
    if (slip("pred.encoder-alone")) return {2, 3, 9, 9};
    if (slip("pred.texts-joined")) return {2, 3, 14, 14};
    return layer(3).with_weights(words(5), words(9), words(9)).weights.shape();
}

std::int64_t parameters(const Slips& slip) {
    if (slip("pred.each-head-whole")) return 3 * 3 * (12 * 12 + 12) + 36 * 12 + 12;
    if (slip("pred.no-bias")) return 4 * 12 * 12;
    if (slip("pred.no-W_O")) return 3 * (12 * 12 + 12);
    if (slip("pred.one-head-only")) return 3 * (12 * 4 + 4) + 4 * 12 + 12;
    if (slip("pred.times-words")) return 7 * 4 * (12 * 12 + 12);
    if (slip("pred.bias-once")) return 4 * 12 * 12 + 12;
    return count_parameters(layer(3));
}

std::int64_t of_6_heads(const Slips& slip) {
    if (slip("pred.twice-the-heads")) return 2 * 4 * (12 * 12 + 12);
    if (slip("pred.half-the-size")) return 2 * (12 * 12 + 12);
    if (slip("pred.heads-alone-doubled")) return 2 * 3 * (12 * 12 + 12) + 12 * 12 + 12;
    return count_parameters(layer(6));
}

std::int64_t of_wide_heads(const Slips& slip) {
    if (slip("pred.wide-as-narrow")) return 4 * (12 * 12 + 12);
    if (slip("pred.wide-W_O-square")) return 3 * (12 * 15 + 15) + 12 * 12 + 12;
    if (slip("pred.wide-W_O-bias-15")) return 4 * (12 * 15 + 15);
    if (slip("pred.wide-one-head")) return 3 * (12 * 5 + 5) + 5 * 12 + 12;
    return count_parameters(layer(3, 5));
}

std::int64_t of_shared_keys(const Slips& slip) {
    const std::int64_t whole = 12 * 12 + 12, shared = 12 * 4 + 4;
    if (slip("pred.nothing-shared")) return 4 * whole;
    if (slip("pred.keys-alone-shared")) return 3 * whole + shared;
    if (slip("pred.all-shared")) return 4 * shared;
    if (slip("pred.shared-rows")) return 2 * whole + 2 * (4 * 12 + 12);
    if (slip("pred.queries-shared")) return 3 * shared + whole;
    return count_parameters(layer(3)) - 2 * whole + 2 * count_parameters(layer(3).W_Q) / 3;
}

std::int64_t weights_of_a_longer_text(const Slips& slip) {
    if (slip("pred.grows-as-T")) return 2 * 294;
    if (slip("pred.stays")) return 294;
    if (slip("pred.grows-as-T-cubed")) return 8 * 294;
    return layer(3).with_weights(words(14)).weights.numel();
}

HeadsPredictions slipping(const Slips& slip) {
    return {[=] { return queries(slip); },
            [=] { return weights(slip); },
            [=] { return concat(slip); },
            [=] { return cross_weights(slip); },
            [=] { return parameters(slip); },
            [=] { return of_6_heads(slip); },
            [=] { return of_wide_heads(slip); },
            [=] { return of_shared_keys(slip); },
            [=] { return weights_of_a_longer_text(slip); }};
}

Stages answer(const std::string& question, const Shape& shape) {
    std::vector<std::int64_t> dims;
    for (int axis = 0; axis < shape.rank(); ++axis) dims.push_back(shape[axis]);
    dims.resize(static_cast<std::size_t>(max_rank), -1);
    return {{question, numbers(dims)}};
}

Stages answer(const std::string& question, std::int64_t number) {
    return {{question, numbers({number})}};
}

Steps steps(const HeadsPredictions& p) {
    return {
        [=] { return answer("the shape of the queries", p.queries()); },
        [=] { return answer("the shape of the weights", p.weights()); },
        [=] { return answer("the shape of concat", p.concat()); },
        [=] { return answer("the shape of the weights across", p.cross_weights()); },
        [=] { return answer("the parameters of the layer", p.parameters()); },
        [=] { return answer("the parameters with 6 heads", p.of_6_heads()); },
        [=] { return answer("the parameters with wide heads", p.of_wide_heads()); },
        [=] { return answer("the parameters with shared keys", p.of_shared_keys()); },
        [=] { return answer("the weights of longer texts", p.weights_of_a_longer_text()); },
    };
}

// The first wrong answer, without revealing the right one.
std::string first_wrong(const HeadsPredictions& p) {
    const Stages right = all_of(steps(slipping({})));
    const Stages given = until_one_is_wrong(steps(p), right);
    if (same(given, right)) return "";
    return "Your answer for " + given.back().name + " is not what comes out; " +
           std::to_string(given.size() - 1) + " before it were right.";
}

std::vector<Mistake> mistakes() {
    const std::string names = "Write the axes' names beside each other: text, head, word, number.";
    const std::string table = "Write down in and out of each of the four projections.";
    const std::string rows = "How many numbers stand in one row of weights, and how many rows?";
    return {
        {"pred.words-before-heads",
         "the heads' axis had stayed behind the words'",
         {"Between which two axes does Q·Kᵀ multiply?", names}},
        {"pred.whole-vector-each",
         "each head had got a vector of d_model numbers",
         {"How many numbers are cut into 3 heads?", names}},
        {"pred.queries-uncut",
         "the queries had not been cut",
         {"Where is the heads' axis?", names}},
        {"pred.h-for-d",
         "there had been 4 heads of 3 and not 3 of 4",
         {"How many heads are there?", names}},
        {"pred.one-weight-for-all-heads",
         "all heads had shared their weights",
         {"Does each head look elsewhere?", names}},
        {"pred.weights-as-queries",
         "weights had the shape of the queries",
         {"For what is there one weight?", names}},
        {"pred.weights-of-features",
         "features had been weighed against features, Kᵀ·Q",
         {"For what is there one weight?", names}},
        {"pred.weights-heads-first",
         "the heads' axis had come before the texts'",
         {"Which axis comes first in X?", names}},
        {"pred.heads-in-words",
         "the heads had been joined with the words",
         {"Which two axes become one?", names}},
        {"pred.heads-added",
         "the heads had been added up",
         {"Does one head's number lie over another's, or beside it?", names}},
        {"pred.heads-wide",
         "each head had given d_model numbers",
         {"How many numbers does one head give?", names}},
        {"pred.heads-kept",
         "the heads had not been joined yet",
         {"What does side by side do with the heads' axis?", names}},
        {"pred.encoder-asks",
         "the encoder's text had asked the decoder's",
         {"Who has a row of weights?", names}},
        {"pred.decoder-alone", "the decoder's text had asked itself", {"Who answers?", names}},
        {"pred.encoder-alone", "the encoder's text had asked itself", {"Who asks?", names}},
        {"pred.texts-joined",
         "both texts had been joined to one",
         {"Who asks, and who answers?", names}},
        {"pred.each-head-whole",
         "each head had had matrices of d_model by d_model",
         {"How many columns of W_Q belong to one head?", table}},
        {"pred.no-bias", "the biases had been left out", {"What is added after x·W?", table}},
        {"pred.no-W_O", "W_O had been left out", {"How many projections are there?", table}},
        {"pred.one-head-only",
         "only one head's columns had been counted",
         {"How many columns has W_Q?", table}},
        {"pred.times-words",
         "each word had had a layer of its own",
         {"Does word 1 go through another W_Q than word 0?", table}},
        {"pred.bias-once",
         "only one of the projections had had a bias",
         {"Which projections have a bias?", table}},
        {"pred.twice-the-heads",
         "twice the heads had cost twice the numbers",
         {"How large is a head, if there are 6?", table}},
        {"pred.half-the-size",
         "smaller heads had made the layer smaller",
         {"How many columns have 6 heads of 2 together?", table}},
        {"pred.heads-alone-doubled",
         "W_Q, W_K and W_V had doubled and W_O had not",
         {"How many columns have 6 heads of 2 together?", table}},
        {"pred.wide-as-narrow",
         "the size of a head had made no difference",
         {"How many columns have 3 heads of 5 together?", table}},
        {"pred.wide-W_O-square",
         "W_O had stayed d_model by d_model",
         {"How many numbers does W_O take in?", table}},
        {"pred.wide-W_O-bias-15",
         "W_O had a bias of the dimension of all heads together",
         {"How many numbers does W_O give?", table}},
        {"pred.wide-one-head",
         "only one head had been counted",
         {"How many columns have 3 heads of 5 together?", table}},
        {"pred.nothing-shared",
         "sharing had saved nothing",
         {"How many columns has W_K, if there is one head of keys?", table}},
        {"pred.keys-alone-shared",
         "the keys had been shared and the values not",
         {"What is shared besides keys?", table}},
        {"pred.all-shared",
         "queries and W_O had shrunk too",
         {"What is shared, and what is not?", table}},
        {"pred.shared-rows",
         "W_K and W_V had taken in fewer numbers, and not given fewer",
         {"Does W_K take in less, or give less?", table}},
        {"pred.queries-shared",
         "the queries had been shared too",
         {"What is shared, and what is not?", table}},
        {"pred.grows-as-T",
         "texts twice as long had had twice as many weights",
         {"How many rows are there, and how long is each?", rows}},
        {"pred.stays",
         "the number of weights had not depended on the texts",
         {"What has one weight: a parameter, or a pair of words?", rows}},
        {"pred.grows-as-T-cubed",
         "the weights had grown in three directions",
         {"How many axes of the weights grow?", rows}},
    };
}

}  // namespace

Exercise predict_heads(const HeadsPredictions& predictions) {
    Exercise exercise;
    exercise.number = "09.8";
    exercise.title = "Predict shapes and parameters of heads";
    exercise.cases = {in_order(
        "your predictions", [](const Slips& slip) { return steps(slipping(slip)); },
        steps(predictions))};
    exercise.laws = {{"", [=] { return first_wrong(predictions); }}};
    exercise.mistakes = mistakes();
    exercise.hints = {"What does each axis count: texts, heads, words, or numbers?",
                      "Lesson 09 prints the shapes of each stage, and its layers their parameters",
                      "Q [B, h, T, d_head], weights [B, h, T_q, T_k]; a projection from m to n has "
                      "m·n + n numbers",
                      "Let MultiHeadAttention and count_parameters work it out, and print it"};
    return exercise;
}

Trials predict_heads_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return predict_heads(slipping(slip)); };
    trials.right["worked out by a person"] = [] {
        const auto shape = [](const Shape& its) { return [=] { return its; }; };
        const auto number = [](std::int64_t its) { return [=] { return its; }; };
        return predict_heads({shape({2, 3, 7, 4}), shape({2, 3, 7, 7}), shape({2, 7, 12}),
                              shape({2, 3, 5, 9}), number(624), number(624), number(777),
                              number(416), number(1176)});
    };
    return trials;
}

}  // namespace exercise
