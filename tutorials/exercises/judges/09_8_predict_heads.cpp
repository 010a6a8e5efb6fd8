#include "tutorials/exercises/judges/09_8_predict_heads.h"

#include "tutorials/exercises/judges/09_8_predict_heads_mistakes.h"
#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/inputs.h"

#include "nn/attention/head_axes.h"
#include "nn/attention/multi_head_attention.h"
#include "tensor/factories.h"

using namespace heed;

namespace exercise {

namespace {

// The right answers are computed with the library, following the questions, once each.
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
    static const Shape right = split_heads(layer(3).W_Q(words(7)), 3).shape();
    return right;
}

Shape weights(const Slips& slip) {
    if (slip("pred.one-weight-for-all-heads")) return {2, 7, 7};
    if (slip("pred.weights-as-queries")) return {2, 3, 7, 4};
    if (slip("pred.weights-of-features")) return {2, 3, 4, 4};
    if (slip("pred.weights-heads-first")) return {3, 2, 7, 7};
    static const Shape right = layer(3).with_weights(words(7)).weights.shape();
    return right;
}

Shape concat(const Slips& slip) {
    if (slip("pred.heads-in-words")) return {2, 21, 4};
    if (slip("pred.heads-added")) return {2, 7, 4};
    if (slip("pred.heads-wide")) return {2, 7, 36};
    if (slip("pred.heads-kept")) return {2, 3, 7, 4};
    static const Shape right = merge_heads(split_heads(words(7), 3)).shape();
    return right;
}

Shape cross_weights(const Slips& slip) {
    if (slip("pred.encoder-asks")) return {2, 3, 9, 5};
    if (slip("pred.decoder-alone")) return {2, 3, 5, 5};
    if (slip("pred.encoder-alone")) return {2, 3, 9, 9};
    if (slip("pred.texts-joined")) return {2, 3, 14, 14};
    static const Shape right = layer(3).with_weights(words(5), words(9), words(9)).weights.shape();
    return right;
}

std::int64_t parameters(const Slips& slip) {
    if (slip("pred.each-head-whole")) return 3 * 3 * (12 * 12 + 12) + 36 * 12 + 12;
    if (slip("pred.no-bias")) return 4 * 12 * 12;
    if (slip("pred.no-W_O")) return 3 * (12 * 12 + 12);
    if (slip("pred.one-head-only")) return 3 * (12 * 4 + 4) + 4 * 12 + 12;
    if (slip("pred.times-words")) return 7 * 4 * (12 * 12 + 12);
    if (slip("pred.bias-once")) return 4 * 12 * 12 + 12;
    static const std::int64_t right = count_parameters(layer(3));
    return right;
}

std::int64_t of_6_heads(const Slips& slip) {
    if (slip("pred.twice-the-heads")) return 2 * 4 * (12 * 12 + 12);
    if (slip("pred.half-the-size")) return 2 * (12 * 12 + 12);
    if (slip("pred.heads-alone-doubled")) return 2 * 3 * (12 * 12 + 12) + 12 * 12 + 12;
    static const std::int64_t right = count_parameters(layer(6));
    return right;
}

std::int64_t of_wide_heads(const Slips& slip) {
    if (slip("pred.wide-as-narrow")) return 4 * (12 * 12 + 12);
    if (slip("pred.wide-W_O-square")) return 3 * (12 * 15 + 15) + 12 * 12 + 12;
    if (slip("pred.wide-W_O-bias-15")) return 4 * (12 * 15 + 15);
    if (slip("pred.wide-one-head")) return 3 * (12 * 5 + 5) + 5 * 12 + 12;
    static const std::int64_t right = count_parameters(layer(3, 5));
    return right;
}

std::int64_t of_shared_keys(const Slips& slip) {
    const std::int64_t whole = 12 * 12 + 12, shared = 12 * 4 + 4;
    if (slip("pred.nothing-shared")) return 4 * whole;
    if (slip("pred.keys-alone-shared")) return 3 * whole + shared;
    if (slip("pred.all-shared")) return 4 * shared;
    if (slip("pred.shared-rows")) return 2 * whole + 2 * (4 * 12 + 12);
    static const std::int64_t right =
        count_parameters(layer(3)) - 2 * whole + 2 * count_parameters(layer(3).W_Q) / 3;
    return right;
}

std::int64_t weights_of_a_longer_text(const Slips& slip) {
    if (slip("pred.grows-as-T")) return 2 * 294;
    if (slip("pred.stays")) return 294;
    if (slip("pred.grows-as-T-cubed")) return 8 * 294;
    static const std::int64_t right = layer(3).with_weights(words(14)).weights.numel();
    return right;
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

Steps steps(const HeadsPredictions& p) {
    return {
        [=] { return answer("the shape of the queries", p.queries()); },
        [=] { return answer("the shape of the weights", p.weights()); },
        [=] { return answer("the shape of concat", p.concat()); },
        [=] { return answer("the shape of the cross-attention weights", p.cross_weights()); },
        [=] { return answer("the number of parameters", p.parameters()); },
        [=] { return answer("the number of parameters with 6 heads", p.of_6_heads()); },
        [=] { return answer("the number of parameters with wide heads", p.of_wide_heads()); },
        [=] { return answer("the number of parameters with shared keys", p.of_shared_keys()); },
        [=] {
            return answer("the number of weights of longer texts", p.weights_of_a_longer_text());
        },
    };
}

// The hints for one question.
Hole hole(const std::string& function, const std::string& stage, const std::string& question,
          const std::string& formula) {
    return {function,
            {stage},
            {question,
             "lesson 09 prints the shapes of all stages, and the parameters of its layers", formula,
             "Let MultiHeadAttention and count_parameters work it out, and print it"}};
}

std::vector<Hole> holes() {
    const std::string projection = "a projection from m to n numbers has m·n + n";
    return {
        hole("queries", "the shape of the queries", "What does each axis count?",
             "Q [B, h, T, d_head]"),
        hole("weights", "the shape of the weights", "For what is there one weight?",
             "weights [B, h, T_q, T_k]"),
        hole("concat", "the shape of concat", "What becomes of the head axis?",
             "concat [B, T, h·d_head]"),
        hole("cross_weights", "the shape of the cross-attention weights",
             "Who asks, and who answers?", "weights [B, h, T_q, T_k]"),
        hole("parameters", "the number of parameters",
             "What goes into each of the four projections, and what comes out?", projection),
        hole("of_6_heads", "the number of parameters with 6 heads",
             "Which of the four projections changes its size?", projection),
        hole("of_wide_heads", "the number of parameters with wide heads",
             "How many numbers do all heads give together?", projection),
        hole("of_shared_keys", "the number of parameters with shared keys",
             "Which of the four projections changes its size?", projection),
        hole("weights_of_a_longer_text", "the number of weights of longer texts",
             "How many rows are there, and how long is each?", "weights [B, h, T_q, T_k]"),
    };
}

}  // namespace

Exercise predict_heads(const HeadsPredictions& predictions) {
    Exercise exercise;
    exercise.number = "09.8";
    exercise.title = "Predict shapes and parameters of heads";
    const Stages right = all_of(steps(slipping({})));
    exercise.cases = {
        {"your predictions",
         [=](const Slips& slip) { return until_one_is_wrong(steps(slipping(slip)), right); },
         [=] { return until_one_is_wrong(steps(predictions), right); }}};
    exercise.secret = true;
    exercise.mistakes = prediction_mistakes();
    exercise.holes = holes();
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
