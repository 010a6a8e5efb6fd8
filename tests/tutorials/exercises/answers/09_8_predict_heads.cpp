// Answers to 09.8.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_09.h"

using namespace heed;
using namespace exercise;

namespace {
HeadsPredictions all_right() {
    HeadsPredictions right;
    right.queries = [] { return Shape{2, 3, 7, 4}; };
    right.weights = [] { return Shape{2, 3, 7, 7}; };
    right.concat = [] { return Shape{2, 7, 12}; };
    right.cross_weights = [] { return Shape{2, 3, 5, 9}; };
    right.parameters = [] { return 624; };
    right.of_6_heads = [] { return 624; };
    right.of_wide_heads = [] { return 777; };
    right.of_shared_keys = [] { return 416; };
    right.weights_of_a_longer_text = [] { return 1176; };
    return right;
}

using ShapeQuestion = std::function<Shape()> HeadsPredictions::*;
using CountQuestion = std::function<std::int64_t()> HeadsPredictions::*;

// All right but for one prediction.
Answer shape(const std::string& what, ShapeQuestion question, const Shape& predicted,
             const std::vector<std::string>& names = {}) {
    return {what,
            [=] {
                HeadsPredictions predictions = all_right();
                predictions.*question = [=] { return predicted; };
                return judge_09_8(predictions);
            },
            names};
}

Answer count(const std::string& what, CountQuestion question, std::int64_t predicted,
             const std::vector<std::string>& names = {}) {
    return {what,
            [=] {
                HeadsPredictions predictions = all_right();
                predictions.*question = [=] { return predicted; };
                return judge_09_8(predictions);
            },
            names};
}

// From the sizes, as one would work them out.
HeadsPredictions worked_out() {
    HeadsPredictions p = all_right();
    p.queries = [] { return Shape(std::vector<std::int64_t>{2, 3, 7, 12 / 3}); };
    p.concat = [] { return Shape{2}.followed_by({7, 3 * 4}); };
    p.parameters = [] { return 4 * (12 + 1) * 12; };
    p.of_6_heads = p.parameters;
    p.of_wide_heads = [] { return 3 * (12 + 1) * 15 + (15 + 1) * 12; };
    p.of_shared_keys = [] { return 2 * (12 + 1) * 12 + 2 * (12 + 1) * 4; };
    p.weights_of_a_longer_text = [] { return 4 * 294; };
    return p;
}

std::vector<Answer> wrong_counts() {
    using P = HeadsPredictions;
    return {
        count("no biases", &P::parameters, 4 * 144, {"pred.no-bias"}),
        count("W_O is forgotten", &P::parameters, 3 * 156, {"pred.no-W_O"}),
        count("W_O has no bias", &P::parameters, 612),
        count("heads count three times", &P::parameters, 3 * 624),
        count("the projections of one head only", &P::parameters, 3 * 52 + 156),
        count("6 heads have twice as many", &P::of_6_heads, 1248, {"pred.twice-the-heads"}),
        count("6 heads have half as many", &P::of_6_heads, 312, {"pred.half-the-size"}),
        count("wide heads: as before", &P::of_wide_heads, 624, {"pred.wide-as-narrow"}),
        count("wide heads: the bias of W_O has 15 numbers", &P::of_wide_heads, 780,
              {"pred.wide-W_O-bias-15"}),
        count("wide heads: W_O stays 12 × 12", &P::of_wide_heads, 3 * 195 + 156,
              {"pred.wide-W_O-square"}),
        count("wide heads: no biases", &P::of_wide_heads, 4 * 180),
        count("shared keys: only the keys are shared", &P::of_shared_keys, 520,
              {"pred.keys-alone-shared"}),
        count("shared keys: W_O shrinks too", &P::of_shared_keys, 156 + 104 + 60),
        count("shared keys: no biases", &P::of_shared_keys, 384),
        count("shared keys: keys are not learned", &P::of_shared_keys, 312),
        count("longer: twice as many", &P::weights_of_a_longer_text, 588, {"pred.grows-as-T"}),
        count("one projection less, whatever the heads", &P::of_6_heads, 468),
        count("6 heads: of size 4", &P::of_6_heads, 3 * (12 * 24 + 24) + 24 * 12 + 12),
        count("wide heads: d_model 15", &P::of_wide_heads, 4 * (15 * 15 + 15)),
        count("shared keys: keys without biases", &P::of_shared_keys, 408),
        count("shared keys: one for keys and values", &P::of_shared_keys, 364),
        count("longer: the old and the new", &P::weights_of_a_longer_text, 294 + 1176),
        count("longer: eight times as many", &P::weights_of_a_longer_text, 2352,
              {"pred.grows-as-T-cubed"}),
        count("longer: one text of the two", &P::weights_of_a_longer_text, 3 * 14 * 14,
              {"pred.grows-as-T"}),
        count("longer: 2³² too many", &P::weights_of_a_longer_text, (std::int64_t{1} << 32) + 1176),
        count("shared keys: biases stay as they were", &P::of_shared_keys, 312 + 2 * (12 * 4 + 12),
              {"pred.shared-rows"}),
        count("shared keys: only the values are shared", &P::of_shared_keys, 520,
              {"pred.keys-alone-shared"}),
        count("one bias for all four", &P::parameters, 4 * 144 + 12, {"pred.bias-once"}),
    };
}

}  // namespace

Answers answers_09_8() {
    using P = HeadsPredictions;
    Answers answers;
    answers.number = "09.8";
    answers.slipping = slipping(judge_09_8);
    answers.wrong = wrong_counts();
    const std::vector<Answer> shapes = {
        shape("queries have no axes", &P::queries, {}),
        shape("queries are not transposed", &P::queries, {2, 7, 3, 4}, {"pred.words-before-heads"}),
        shape("queries are on their side", &P::queries, {2, 3, 4, 7}),
        shape("queries are folded into the batch", &P::queries, {6, 7, 4}),
        shape("queries have no batch", &P::queries, {3, 7, 4}),
        shape("queries of d_model each", &P::queries, {2, 3, 7, 12}, {"pred.whole-vector-each"}),
        shape("heads before texts", &P::queries, {3, 2, 7, 4}),
        shape("weights without heads", &P::weights, {2, 7, 7}, {"pred.one-weight-for-all-heads"}),
        shape("a weight for each feature", &P::weights, {2, 3, 7, 4}, {"pred.weights-as-queries"}),
        shape("weights with the heads first", &P::weights, {3, 2, 7, 7},
              {"pred.weights-heads-first"}),
        shape("concat along the words", &P::concat, {2, 21, 4}, {"pred.heads-in-words"}),
        shape("concat with the heads' axis", &P::concat, {2, 7, 3, 4}),
        shape("concat of one head", &P::concat, {2, 7, 4}, {"pred.heads-added"}),
        shape("keys before queries", &P::cross_weights, {2, 3, 9, 5}, {"pred.encoder-asks"}),
        shape("only the decoder", &P::cross_weights, {2, 3, 5, 5}, {"pred.decoder-alone"}),
        shape("only the encoder", &P::cross_weights, {2, 3, 9, 9}, {"pred.encoder-alone"}),
        shape("cross weights without heads", &P::cross_weights, {2, 5, 9}),
    };
    answers.wrong.insert(answers.wrong.end(), shapes.begin(), shapes.end());
    answers.right = {
        {"worked out by a person", [] { return judge_09_8(all_right()); }},
        {"worked out from the sizes", [] { return judge_09_8(worked_out()); }},
    };
    return answers;
}
