#include "tutorials/exercises/judges/lesson_10.h"
#include "tutorials/exercises/judging/kit.h"

#include "nn/positions/learned_positions.h"
#include "nn/positions/relative_bias.h"
#include "nn/positions/rotary_positions.h"

using namespace heed;

namespace exercise {
namespace {
constexpr Kind none = Kind::none, table = Kind::table, sinusoids = Kind::sinusoids,
               bias = Kind::bias, rotary = Kind::rotary;
constexpr std::int64_t d = 32, h = 4, d_head = 8, limit = 50, T = 16, farthest = 8, T_q = 10;

std::int64_t of_the_table() {
    Random random(1);
    return LearnedPositions(limit, d, random).weight.numel();
}

// A 1 for each kind that is in the list, however often; the last is for what is none of the five.
Value the(const Kinds& kinds) {
    std::vector<std::int64_t> in(6, 0);
    for (const Kind kind : kinds) in[std::min<std::size_t>(static_cast<std::size_t>(kind), 5)] = 1;
    return numbers(in);
}

auto of(std::function<Kinds()> PositionPredictions::*kinds) {
    return [=](const PositionPredictions& all) { return the((all.*kinds)()); };
}

// Hints for the questions of one kind.
const std::vector<std::string> of_counts = {
    "What shape has that which is learned?", "Lessons 10.2 to 10.5, a section for each kind",
    "P has a row for each position; a bias has an entry for each head and distance; of a "
    "formula, count what training changes",
    "parameters(positions) lists them, for LearnedPositions(50, 32, random) or others of "
    "nn/positions"};
const std::vector<std::string> of_shapes = {
    "What is it added to, or what does it turn?", "Lessons 10.4 and 10.5 print such a result",
    "A bias has a number for each score, and each head has its own; a turned point is still a "
    "point",
    "Print RelativeBias(4, 8).bias(3, 5)->shape(), and the shape of turned(queries)"};
const std::vector<std::string> of_keys = {
    "Which number does a key get that is further away than 8?", "The first lines of the file",
    "The distance j - i is limited to -8 on one side and 8 on the other",
    "Write the distances of keys 0 to 20 in a row, and the limited ones below them"};

const std::vector<std::string> of_kinds = {
    "Where does this kind enter: in the vectors, in queries and keys, or in the scores?",
    "Lesson 10 has a section on each kind, and 10.7 compares all five",
    "x + P[t]; x + PE[t]; q·k/√d_k + bias[j - i]; (R^i·q)·(R^j·k)",
    "parameters(positions) lists what is learned, and added_to, turned and bias of nn/positions "
    "show their results for any length"};

std::vector<Question<PositionPredictions>> questions() {
    using P = PositionPredictions;
    const Variable queries(tensor::zeros({2, h, T_q, d_head}));
    const std::string rows = "Lesson 10.2 prints P.";
    const std::string before_heads = "Where are the rows added: before the heads or in them?";
    const std::string formula = "Which letters of its formula are numbers that training changes?";
    const std::string lessons = "Lessons 10.3 and 10.5.";
    const std::string line = "Draw the distances as a line, with 0 in the middle.";
    const std::string scores = "Which scores is it added to, and which of their axes may it lack?";
    const std::string pair = "What comes out if a point in a plane is turned?";
    const std::string list = "Write the distance j - 20 below each key j.";
    const std::string further_away = "What do keys further away get?";
    const std::string which_share = "Which keys share?";
    const std::string position_99 = "For each kind: what does it look up or compute for position "
                                    "99?";
    const std::string for_token_99 = "What do the other kinds need for token 99?";
    const std::string two = "Take the words a, b, c and exchange b and c: who is how far from a?";
    const std::string write = "Write the score for each kind, with i and j in it. Does it only "
                              "have j - i?";
    const std::string accuracies = "Lesson 10.7 has the accuracies at T = 16, 32 and 64.";
    const std::string learned_rows = "Has anybody learned what to do with rows 16 to 63?";
    const std::string which_distance = "Which distance is asked for, and was it trained?";
    return {
        {{"the count for the table", &P::of_the_table, of_the_table(), rows},
         {{"pos.a-number-each", limit, "a position was one number", "To what is a row added?"},
          {"pos.trained-rows-only", T * d, "the table had only as many rows as the training texts",
           "Who decides how many rows the table has?"},
          {"pos.table-of-each-head", h * limit * d, "each head had a table of its own",
           before_heads},
          {"pos.table-of-a-head", limit * d_head, "the rows were as wide as a head", before_heads},
          {"pos.table-of-pairs", limit * limit, "there was a number for each pair of positions",
           "Does the table know queries and keys?"}},
         "of_the_table",
         of_counts},
        {{"the number of rows", &P::rows_never_trained, limit - T, rows},
         {{"pos.all-trained", 0, "training changed all rows",
           "Which rows are added to a text of 16 tokens?"},
          {"pos.counts-the-trained", T, "those were asked for that did get a gradient",
           "Which rows get a gradient, and which are asked for?"},
          {"pos.one-row-off", limit - T - 1, "position 0 was no row",
           "Which rows are added to a text of 2 tokens?"},
          {"pos.numbers-for-rows", (limit - T) * d, "the numbers in the rows were counted",
           "Is it rows or numbers that the question asks for?"}},
         "rows_never_trained",
         of_counts},
        {{"the count for sinusoids and rotary", &P::of_sinusoids_and_rotary, 0, lessons},
         {{"pos.frequencies-learned", d / 2 + d_head / 2, "both learned their frequencies",
           formula},
          {"pos.angles-learned", d_head / 2, "rotary positions learned their angles", formula},
          {"pos.waves-learned", d / 2, "sinusoids learned their frequencies", formula},
          {"pos.sinusoids-are-a-table", T * d, "sinusoids learned a table", formula},
          {"pos.a-matrix-turns", d_head * d_head, "rotary positions learned a matrix", formula}},
         "of_sinusoids_and_rotary",
         of_counts},
        {{"the count for the bias", &P::of_the_bias, RelativeBias(h, farthest).weight.numel(),
          line},
         {{"pos.heads-share", 2 * farthest + 1, "all heads shared the same numbers",
           "Does each head look equally far?"},
          {"pos.one-direction", h * (farthest + 1), "there were only keys before the query",
           "May a key stand behind its query?"},
          {"pos.no-distance-0", h * 2 * farthest, "there was no number for the word itself",
           "Which distance has a word from itself?"},
          {"pos.eight-numbers", h * farthest,
           "each head had as many numbers as the farthest distance", "Which distances are there?"},
          {"pos.all-pairs", h * T * T, "each pair of a query and a key had a number",
           "Which pairs share a number?"},
          {"pos.all-distances", h * (2 * T - 1), "each distance in a text of 16 had a number",
           "What is said of distances beyond 8?"}},
         "of_the_bias",
         of_counts},
        {{"the shape of the bias", &P::shape_of_bias, RelativeBias(h, farthest).bias(3, 5)->shape(),
          scores},
         {{"pos.no-heads", Shape{3, 5}, "all heads had the same bias",
           "Which shape has what is learned?"},
          {"pos.by-distance", Shape{h, 2 * farthest + 1},
           "the bias was what is learned, and not yet a number for each score",
           "How can it be added to the scores?"},
          {"pos.keys-first", Shape{h, 5, 3}, "keys were the rows", "What is a row of scores?"},
          {"pos.heads-last", Shape{3, 5, h}, "the heads were the last axis",
           "Which axis of the scores is the heads'?"},
          {"pos.bias-of-vectors", Shape{5, d}, "the bias was added to the vectors",
           "Where does a bias enter?"}},
         "shape_of_bias",
         of_shapes},
        {{"the shape of the turned queries", &P::shape_of_turned,
          RotaryPositions(d_head).turned(queries).shape(), pair},
         {{"pos.sine-and-cosine-beside", Shape{2, h, T_q, 2 * d_head},
           "sine and cosine were put beside the numbers", pair, "Lesson 10.5."},
          {"pos.pairs-apart", Shape{2, h, T_q, d_head / 2, 2}, "the pairs stayed apart",
           "What comes next: Q·Kᵀ?"},
          {"pos.turned-into-scores", Shape{2, h, T_q, T_q}, "the scores were asked for",
           "What is turned?"},
          {"pos.one-angle-of-a-pair", Shape{2, h, T_q, d_head / 2}, "a pair became one angle",
           "Does a turned point still have two coordinates?"}},
         "shape_of_turned",
         of_shapes},
        {{"the number of keys", &P::keys_with_the_last_number, 20 - farthest + 1, list},
         {{"pos.only-that-far", 1, "only the key exactly 8 places back got it", further_away},
          {"pos.nothing-that-far", 0, "no key so far away got a number", further_away},
          {"pos.only-further", 20 - farthest, "only keys further away got it",
           "What does the key exactly 8 places back get?"},
          {"pos.all-keys", 21, "all keys got it", "What do near keys get?"},
          {"pos.the-near-ones", farthest, "the near keys were counted", which_share},
          {"pos.the-near-ones-and-itself", farthest + 1,
           "the near keys and the query's own were counted", which_share}},
         "keys_with_the_last_number",
         of_keys},
        {{"the list for 100 tokens", of(&P::take_100_tokens), the({none, sinusoids, bias, rotary}),
          position_99},
         {{"pos.no-end-anywhere", the({none, table, sinusoids, bias, rotary}),
           "even a table had a row for every position", "Which row is added to token 99?"},
          {"pos.bias-ends", the({none, sinusoids, rotary}),
           "the bias ended at its farthest distance", "What is said of distances beyond 8?"},
          {"pos.none-ends", the({sinusoids, bias, rotary}),
           "a model without positions could not read long texts",
           "What could a model without positions lack?"},
          {"pos.formulas-only", the({sinusoids, rotary}), "only formulas went on", for_token_99},
          {"pos.sinusoids-only", the({sinusoids}), "only sinusoids went on", for_token_99},
          {"pos.rotary-ends", the({none, sinusoids, bias}), "rotary positions had a last angle",
           "By which angle is token 99 turned?"}},
         "take_100_tokens",
         of_kinds},
        {{"the list for another order", of(&P::blind_to_order), the({none}), two},
         {{"pos.order-always-felt", the({}), "attention itself knew the order",
           "Does a sum know the order of its terms?", "Lesson 10.1."},
          {"pos.distances-have-no-order", the({none, bias, rotary}),
           "distances were the same in any order",
           "Do words keep their distances in another order?"},
          {"pos.bias-has-no-order", the({none, bias}), "a bias did not depend on the order",
           "Do words keep their distances in another order?"},
          {"pos.rotary-has-no-order", the({none, rotary}),
           "rotary positions did not depend on the order",
           "Do words keep their angles in another order?"},
          {"pos.order-never-felt", the({none, table, sinusoids, bias, rotary}),
           "positions did not tell the order", "What are positions for?",
           "Lessons 10.1 and 10.2."}},
         "blind_to_order",
         of_kinds},
        {{"the list for 1000 places on", of(&P::same_score_further_on), the({none, bias, rotary}),
          write},
         {{"pos.none-moves", the({bias, rotary}), "a score without positions depended on the place",
           "What does a score without positions depend on?"},
          {"pos.waves-are-distances", the({none, sinusoids, bias, rotary}),
           "the score of sinusoids depended on the distance only, which holds of PE[i]·PE[j] "
           "alone",
           "What else is in (x + PE[i])·W^Q?"},
          {"pos.waves-too-none-moves", the({sinusoids, bias, rotary}),
           "sinusoids gave distances, and a score without positions depended on the place",
           "What else is in (x + PE[i])·W^Q?"},
          {"pos.rotary-moves", the({none, bias}),
           "a turned product depended on both angles and not on their difference",
           "What is left of two angles in a product?"},
          {"pos.bias-moves", the({none, rotary}), "the bias depended on the place",
           "Which number is added for a key 2 places back?"},
          {"pos.only-none-stays", the({none}), "all positions depended on the place",
           "What does \"relative\" mean?"},
          {"pos.only-rotary-stays", the({rotary}), "only turning kept the score",
           "Which number does a bias add for a key 2 places back?"},
          {"pos.table-stays", the({none, table, sinusoids, bias, rotary}),
           "each row of a table was like the others", "Are P[3] and P[1003] the same?"}},
         "same_score_further_on",
         of_kinds},
        {{"the list for texts of 64", of(&P::find_it_in_long_texts), the({bias, rotary}),
          accuracies},
         {{"pos.waves-go-on", the({sinusoids, bias, rotary}),
           "sinusoids worked wherever they have a row for every position", learned_rows},
          {"pos.waves-alone-go-on", the({sinusoids}), "only sinusoids went on", learned_rows},
          {"pos.what-takes-it-finds-it", the({none, sinusoids, bias, rotary}),
           "a kind was right wherever it gives no error",
           "Is no error the same as a right answer?"},
          {"pos.all-go-on", the({table, sinusoids, bias, rotary}),
           "all kinds went on to do what they could do", "Which rows were trained?"},
          {"pos.formulas-go-on", the({sinusoids, rotary}),
           "formulas went on, and what is learned did not", which_distance},
          {"pos.bias-is-lost", the({rotary}), "the bias was lost in longer texts", which_distance},
          {"pos.rotary-is-lost", the({bias}), "rotary positions were lost in longer texts",
           which_distance},
          {"pos.nothing-goes-on", the({}), "no kind went on", which_distance}},
         "find_it_in_long_texts",
         of_kinds},
    };
}

Rules<PositionPredictions> rules() {
    return predicting<PositionPredictions>(
        {.number = "10.3", .title = "Which positions go on", .hints = of_kinds}, questions());
}

}  // namespace

const Judge<PositionPredictions> judge_10_3(rules);

}  // namespace exercise
