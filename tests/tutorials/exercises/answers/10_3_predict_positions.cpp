// Answers to 10.3, written from its file alone.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_10.h"

#include <type_traits>

using namespace exercise;
using heed::Shape;

namespace {
using P = PositionPredictions;
using enum Kind;

// The right answers, from which each wrong one differs in one.
P right() {
    return {[] { return 1600; },
            [] { return 34; },
            [] { return 0; },
            [] { return 4 * (8 + 1 + 8); },
            [] {
                return Shape{4, 3, 5};
            },
            [] {
                return Shape{2, 4, 10, 8};
            },
            [] { return 13; },
            [] {
                return Kinds{none, sinusoids, bias, rotary};
            },
            [] { return Kinds{none}; },
            [] {
                return Kinds{none, bias, rotary};
            },
            [] {
                return Kinds{bias, rotary};
            }};
}

template <class Given>
Answer wrong(const std::string& what, std::function<Given()> P::*question,
             const std::type_identity_t<Given>& given, const std::vector<std::string>& names = {}) {
    return {what,
            [=] {
                P all = right();
                all.*question = [=] { return given; };
                return judge_10_3(all);
            },
            names};
}

}  // namespace

Answers answers_10_3() {
    Answers answers;
    answers.number = "10.3";
    answers.slipping = slipping(judge_10_3);
    answers.wrong = {
        wrong("table: 50", &P::of_the_table, 50, {"pos.a-number-each"}),
        wrong("table: 16 rows", &P::of_the_table, 16 * 32, {"pos.trained-rows-only"}),
        wrong("table: with a bias", &P::of_the_table, 50 * 32 + 32),
        wrong("rows: 16", &P::rows_never_trained, 16, {"pos.counts-the-trained"}),
        wrong("rows: 35, since the last token has no target", &P::rows_never_trained, 35),
        wrong("rows: 0", &P::rows_never_trained, 0, {"pos.all-trained"}),
        wrong("sinusoids and rotary: 16 x 32", &P::of_sinusoids_and_rotary, 512,
              {"pos.sinusoids-are-a-table"}),
        wrong("sinusoids and rotary: an angle for each pair", &P::of_sinusoids_and_rotary, 4,
              {"pos.angles-learned"}),
        wrong("sinusoids and rotary: the bases, 2", &P::of_sinusoids_and_rotary, 2),
        wrong("bias: 17", &P::of_the_bias, 17, {"pos.heads-share"}),
        wrong("bias: 4 x 16", &P::of_the_bias, 64, {"pos.no-distance-0"}),
        wrong("bias: as wide as a head", &P::of_the_bias, 17 * 8),
        wrong("shape of the bias: no heads", &P::shape_of_bias, Shape{3, 5}, {"pos.no-heads"}),
        wrong("shape of the bias: one for all heads", &P::shape_of_bias, Shape{1, 3, 5}),
        wrong("shape of the bias: with the batch", &P::shape_of_bias, Shape{1, 4, 3, 5}),
        wrong("shape of the bias: 7 distances", &P::shape_of_bias, Shape{4, 7}),
        wrong("turned: a row for each position", &P::shape_of_turned, Shape{10, 8}),
        wrong("turned: scores", &P::shape_of_turned, Shape{2, 4, 10, 10},
              {"pos.turned-into-scores"}),
        wrong("turned: half as wide", &P::shape_of_turned, Shape{2, 4, 10, 4},
              {"pos.one-angle-of-a-pair"}),
        wrong("keys: 1", &P::keys_with_the_last_number, 1, {"pos.only-that-far"}),
        wrong("keys: 12", &P::keys_with_the_last_number, 12, {"pos.only-further"}),
        wrong("keys: 16, what was trained", &P::keys_with_the_last_number, 16),
        wrong("100 tokens: the bias has an end, too", &P::take_100_tokens,
              Kinds{none, sinusoids, rotary}, {"pos.bias-ends"}),
        wrong("100 tokens: only what has a formula", &P::take_100_tokens, Kinds{sinusoids, rotary},
              {"pos.formulas-only"}),
        wrong("100 tokens: all", &P::take_100_tokens, Kinds{none, table, sinusoids, bias, rotary},
              {"pos.no-end-anywhere"}),
        wrong("100 tokens: the table instead", &P::take_100_tokens, Kinds{table}),
        wrong("order: none of them", &P::blind_to_order, Kinds{}, {"pos.order-always-felt"}),
        wrong("order: those with distances", &P::blind_to_order, Kinds{none, bias, rotary},
              {"pos.distances-have-no-order"}),
        wrong("order: all but none", &P::blind_to_order, Kinds{table, sinusoids, bias, rotary}),
        wrong("1000 on: none is missing", &P::same_score_further_on, Kinds{bias, rotary},
              {"pos.none-moves"}),
        wrong("1000 on: sinusoids, too", &P::same_score_further_on,
              Kinds{none, sinusoids, bias, rotary}, {"pos.waves-are-distances"}),
        wrong("1000 on: the table", &P::same_score_further_on, Kinds{none, table}),
        wrong("texts of 64: sinusoids, too", &P::find_it_in_long_texts,
              Kinds{sinusoids, bias, rotary}, {"pos.waves-go-on"}),
        wrong("texts of 64: the table has a row for each", &P::find_it_in_long_texts,
              Kinds{table, sinusoids, bias, rotary}, {"pos.all-go-on"}),
        wrong("texts of 64: only rotary", &P::find_it_in_long_texts, Kinds{rotary},
              {"pos.bias-is-lost"}),
        wrong("texts of 64: the table and the bias", &P::find_it_in_long_texts, Kinds{table, bias}),
        wrong("table: as wide as a head", &P::of_the_table, 400, {"pos.table-of-a-head"}),
        wrong("table: one for each head", &P::of_the_table, 6400, {"pos.table-of-each-head"}),
        wrong("rows: 33", &P::rows_never_trained, 33, {"pos.one-row-off"}),
        wrong("rows: 34 x 32", &P::rows_never_trained, 34 * 32, {"pos.numbers-for-rows"}),
        wrong("sinusoids and rotary: 16 and 4", &P::of_sinusoids_and_rotary, 20,
              {"pos.frequencies-learned"}),
        wrong("sinusoids and rotary: 16", &P::of_sinusoids_and_rotary, 16, {"pos.waves-learned"}),
        wrong("sinusoids and rotary: as the table", &P::of_sinusoids_and_rotary, 1600),
        wrong("bias: 4 x 9", &P::of_the_bias, 36, {"pos.one-direction"}),
        wrong("bias: 4 x 8", &P::of_the_bias, 32, {"pos.eight-numbers"}),
        wrong("bias: 4 x 16 x 16", &P::of_the_bias, 1024, {"pos.all-pairs"}),
        wrong("bias: 4 x 31", &P::of_the_bias, 124, {"pos.all-distances"}),
        wrong("shape of the bias: keys first", &P::shape_of_bias, Shape{4, 5, 3},
              {"pos.keys-first"}),
        wrong("shape of the bias: heads last", &P::shape_of_bias, Shape{3, 5, 4},
              {"pos.heads-last"}),
        wrong("shape of the bias: what is learned", &P::shape_of_bias, Shape{4, 17},
              {"pos.by-distance"}),
        wrong("shape of the bias: a number", &P::shape_of_bias, Shape{}),
        wrong("shape of the bias: as in the file", &P::shape_of_bias, Shape{1, 2, 3}),
        wrong("turned: in pairs", &P::shape_of_turned, Shape{2, 4, 10, 4, 2}, {"pos.pairs-apart"}),
        wrong("turned: twice as wide", &P::shape_of_turned, Shape{2, 4, 10, 16},
              {"pos.sine-and-cosine-beside"}),
        wrong("turned: words before heads", &P::shape_of_turned, Shape{2, 10, 4, 8}),
        wrong("turned: heads joined", &P::shape_of_turned, Shape{2, 10, 32}),
        wrong("keys: 0", &P::keys_with_the_last_number, 0, {"pos.nothing-that-far"}),
        wrong("keys: 21", &P::keys_with_the_last_number, 21, {"pos.all-keys"}),
        wrong("keys: 8", &P::keys_with_the_last_number, 8, {"pos.the-near-ones"}),
        wrong("keys: 14", &P::keys_with_the_last_number, 14),
        wrong("100 tokens: none is missing", &P::take_100_tokens, Kinds{sinusoids, bias, rotary},
              {"pos.none-ends"}),
        wrong("100 tokens: rotary is missing", &P::take_100_tokens, Kinds{none, sinusoids, bias},
              {"pos.rotary-ends"}),
        wrong("100 tokens: nothing", &P::take_100_tokens, Kinds{}),
        wrong("order: none and rotary", &P::blind_to_order, Kinds{none, rotary},
              {"pos.rotary-has-no-order"}),
        wrong("order: none and a kind that there is not", &P::blind_to_order,
              Kinds{none, static_cast<Kind>(5)}),
        wrong("order: a kind before the first", &P::blind_to_order, Kinds{static_cast<Kind>(-1)}),
        wrong("1000 on: only rotary", &P::same_score_further_on, Kinds{rotary},
              {"pos.only-rotary-stays"}),
        wrong("1000 on: the bias is missing", &P::same_score_further_on, Kinds{none, rotary},
              {"pos.bias-moves"}),
        wrong("1000 on: sinusoids and rotary", &P::same_score_further_on, Kinds{sinusoids, rotary}),
        wrong("texts of 64: the bias twice, for rotary", &P::find_it_in_long_texts,
              Kinds{bias, bias}, {"pos.rotary-is-lost"}),
        wrong("texts of 64: nothing", &P::find_it_in_long_texts, Kinds{}, {"pos.nothing-goes-on"}),
        wrong("texts of 64: none, too", &P::find_it_in_long_texts, Kinds{none, bias, rotary}),
    };
    answers.right = {
        {"worked out on paper", [] { return judge_10_3(right()); }},
        {"lists in another order",
         [] {
             P all = right();
             all.take_100_tokens = [] { return Kinds{rotary, sinusoids, none, bias}; };
             all.same_score_further_on = [] { return Kinds{rotary, none, bias, none}; };
             return judge_10_3(all);
         }},
        {"lists in another order, a kind twice",
         [] {
             P all = right();
             all.take_100_tokens = [] { return Kinds{rotary, bias, sinusoids, none, bias}; };
             all.blind_to_order = [] { return Kinds{none, none}; };
             all.find_it_in_long_texts = [] { return Kinds{rotary, bias}; };
             return judge_10_3(all);
         }},
    };
    return answers;
}
