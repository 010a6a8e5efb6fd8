#include "tutorials/exercises/judges/10_3_predict_positions_mistakes.h"

namespace exercise {

namespace {

constexpr Kind none = Kind::none, table = Kind::table, sinusoids = Kind::sinusoids,
               bias = Kind::bias, rotary = Kind::rotary;
const Kinds all_five = {none, table, sinusoids, bias, rotary};

}  // namespace

Kinds kinds_that_take_100_tokens(const Slips& slip) {
    if (slip("pos.no-end-anywhere")) return all_five;
    if (slip("pos.bias-ends")) return {none, sinusoids, rotary};
    if (slip("pos.none-ends")) return {sinusoids, bias, rotary};
    if (slip("pos.formulas-only")) return {sinusoids, rotary};
    if (slip("pos.sinusoids-only")) return {sinusoids};
    if (slip("pos.rotary-ends")) return {none, sinusoids, bias};
    return {none, sinusoids, bias, rotary};
}

Kinds kinds_blind_to_order(const Slips& slip) {
    if (slip("pos.order-always-felt")) return {};
    if (slip("pos.distances-have-no-order")) return {none, bias, rotary};
    if (slip("pos.bias-has-no-order")) return {none, bias};
    if (slip("pos.rotary-has-no-order")) return {none, rotary};
    if (slip("pos.order-never-felt")) return all_five;
    return {none};
}

Kinds kinds_with_the_same_score(const Slips& slip) {
    if (slip("pos.none-moves")) return {bias, rotary};
    if (slip("pos.waves-are-distances")) return {none, sinusoids, bias, rotary};
    if (slip("pos.waves-too-none-moves")) return {sinusoids, bias, rotary};
    if (slip("pos.rotary-moves")) return {none, bias};
    if (slip("pos.bias-moves")) return {none, rotary};
    if (slip("pos.only-none-stays")) return {none};
    if (slip("pos.only-rotary-stays")) return {rotary};
    if (slip("pos.table-stays")) return all_five;
    return {none, bias, rotary};
}

Kinds kinds_that_find_it(const Slips& slip) {
    if (slip("pos.waves-go-on")) return {sinusoids, bias, rotary};
    if (slip("pos.waves-alone-go-on")) return {sinusoids};
    if (slip("pos.what-takes-it-finds-it")) return {none, sinusoids, bias, rotary};
    if (slip("pos.all-go-on")) return {table, sinusoids, bias, rotary};
    if (slip("pos.formulas-go-on")) return {sinusoids, rotary};
    if (slip("pos.bias-is-lost")) return {rotary};
    if (slip("pos.rotary-is-lost")) return {bias};
    if (slip("pos.nothing-goes-on")) return {};
    return {bias, rotary};
}

namespace {

const std::string tables = "Which shape has what is learned?";

std::vector<Mistake> of_tables() {
    const std::string rows = "Lesson 10.2 prints P.";
    return {
        {"pos.a-number-each", "a position was one number", {"To what is a row added?", rows}},
        {"pos.trained-rows-only",
         "the table had only as many rows as the training texts",
         {"Who decides how many rows the table has?", rows}},
        {"pos.table-of-each-head",
         "each head had a table of its own",
         {"Where are the rows added: before the heads or in them?", rows}},
        {"pos.table-of-a-head",
         "the rows were as wide as a head",
         {"Where are the rows added: before the heads or in them?", rows}},
        {"pos.table-of-pairs",
         "there was a number for each pair of positions",
         {"Does the table know queries and keys?", rows}},
        {"pos.all-trained",
         "training changed all rows",
         {"Which rows are added to a text of 16 tokens?", rows}},
        {"pos.counts-the-trained",
         "those were asked for that did get a gradient",
         {"Which rows get a gradient, and which are asked for?", rows}},
        {"pos.one-row-off",
         "position 0 was no row",
         {"Which rows are added to a text of 2 tokens?", rows}},
        {"pos.numbers-for-rows",
         "the numbers in the rows were counted",
         {"Is it rows or numbers that the question asks for?", rows}},
    };
}

std::vector<Mistake> of_what_is_learned() {
    const std::string formula = "Which letters of its formula are numbers that training changes?";
    const std::string lessons = "Lessons 10.3 and 10.5.";
    const std::string line = "Draw the distances as a line, with 0 in the middle.";
    return {
        {"pos.frequencies-learned", "both learned their frequencies", {formula, lessons}},
        {"pos.angles-learned", "rotary positions learned their angles", {formula, lessons}},
        {"pos.waves-learned", "sinusoids learned their frequencies", {formula, lessons}},
        {"pos.sinusoids-are-a-table", "sinusoids learned a table", {formula, lessons}},
        {"pos.a-matrix-turns", "rotary positions learned a matrix", {formula, lessons}},
        {"pos.heads-share",
         "all heads shared the same numbers",
         {"Does each head look equally far?", line}},
        {"pos.one-direction",
         "there were only keys before the query",
         {"May a key stand behind its query?", line}},
        {"pos.no-distance-0",
         "there was no number for the word itself",
         {"Which distance has a word from itself?", line}},
        {"pos.eight-numbers",
         "each head had as many numbers as the farthest distance",
         {"Which distances are there?", line}},
        {"pos.all-pairs",
         "each pair of a query and a key had a number",
         {"Which pairs share a number?", line}},
        {"pos.all-distances",
         "each distance in a text of 16 had a number",
         {"What is said of distances beyond 8?", line}},
    };
}

std::vector<Mistake> of_shapes() {
    const std::string scores = "Which scores is it added to, and which of their axes may it lack?";
    const std::string pair = "What comes out if a point in a plane is turned?";
    return {
        {"pos.no-heads", "all heads had the same bias", {tables, scores}},
        {"pos.by-distance",
         "the bias was what is learned, and not yet a number for each score",
         {"How can it be added to the scores?", scores}},
        {"pos.keys-first", "keys were the rows", {"What is a row of scores?", scores}},
        {"pos.heads-last",
         "the heads were the last axis",
         {"Which axis of the scores is the heads'?", scores}},
        {"pos.bias-of-vectors",
         "the bias was added to the vectors",
         {"Where does a bias enter?", scores}},
        {"pos.sine-and-cosine-beside",
         "sine and cosine were put beside the numbers",
         {pair, "Lesson 10.5."}},
        {"pos.pairs-apart", "the pairs stayed apart", {"What comes next: Q·Kᵀ?", pair}},
        {"pos.turned-into-scores", "the scores were asked for", {"What is turned?", pair}},
        {"pos.one-angle-of-a-pair",
         "a pair became one angle",
         {"Does a turned point still have two coordinates?", pair}},
    };
}

std::vector<Mistake> of_the_last_number() {
    const std::string list = "Write the distance j - 20 below each key j.";
    return {
        {"pos.only-that-far",
         "only the key exactly 8 places back got it",
         {"What do keys further away get?", list}},
        {"pos.nothing-that-far",
         "no key so far away got a number",
         {"What do keys further away get?", list}},
        {"pos.only-further",
         "only keys further away got it",
         {"What does the key exactly 8 places back get?", list}},
        {"pos.all-keys", "all keys got it", {"What do near keys get?", list}},
        {"pos.the-near-ones", "the near keys were counted", {"Which keys share?", list}},
        {"pos.the-near-ones-and-itself",
         "the near keys and the query's own were counted",
         {"Which keys share?", list}},
    };
}

std::vector<Mistake> of_lengths() {
    const std::string look = "For each kind: what does it look up or compute for position 99?";
    return {
        {"pos.no-end-anywhere",
         "even a table had a row for every position",
         {"Which row is added to token 99?", look}},
        {"pos.bias-ends",
         "the bias ended at its farthest distance",
         {"What is said of distances beyond 8?", look}},
        {"pos.none-ends",
         "a model without positions could not read long texts",
         {"What could a model without positions lack?", look}},
        {"pos.formulas-only",
         "only formulas went on",
         {"What do the other kinds need for token 99?", look}},
        {"pos.sinusoids-only",
         "only sinusoids went on",
         {"What do the other kinds need for token 99?", look}},
        {"pos.rotary-ends",
         "rotary positions had a last angle",
         {"By which angle is token 99 turned?", look}},
    };
}

std::vector<Mistake> of_order() {
    const std::string two = "Take the words a, b, c and exchange b and c: who is how far from a?";
    return {
        {"pos.order-always-felt",
         "attention itself knew the order",
         {"Does a sum know the order of its terms?", "Lesson 10.1."}},
        {"pos.distances-have-no-order",
         "distances were the same in any order",
         {"Do words keep their distances in another order?", two}},
        {"pos.bias-has-no-order",
         "a bias did not depend on the order",
         {"Do words keep their distances in another order?", two}},
        {"pos.rotary-has-no-order",
         "rotary positions did not depend on the order",
         {"Do words keep their angles in another order?", two}},
        {"pos.order-never-felt",
         "positions did not tell the order",
         {"What are positions for?", "Lessons 10.1 and 10.2."}},
    };
}

std::vector<Mistake> of_distance() {
    const std::string write = "Write the score for each kind, with i and j in it. Does it only "
                              "have j - i?";
    return {
        {"pos.none-moves",
         "a score without positions depended on the place",
         {"What does a score without positions depend on?", write}},
        {"pos.waves-are-distances",
         "the score of sinusoids depended on the distance only, which holds of PE[i]·PE[j] alone",
         {"What else is in (x + PE[i])·W^Q?", write}},
        {"pos.waves-too-none-moves",
         "sinusoids gave distances, and a score without positions depended on the place",
         {"What else is in (x + PE[i])·W^Q?", write}},
        {"pos.rotary-moves",
         "a turned product depended on both angles and not on their difference",
         {"What is left of two angles in a product?", write}},
        {"pos.bias-moves",
         "the bias depended on the place",
         {"Which number is added for a key 2 places back?", write}},
        {"pos.only-none-stays",
         "all positions depended on the place",
         {"What does \"relative\" mean?", write}},
        {"pos.only-rotary-stays",
         "only turning kept the score",
         {"Which number does a bias add for a key 2 places back?", write}},
        {"pos.table-stays",
         "each row of a table was like the others",
         {"Are P[3] and P[1003] the same?", write}},
    };
}

std::vector<Mistake> of_the_copy() {
    const std::string lesson = "Lesson 10.7 has the accuracies at T = 16, 32 and 64.";
    return {
        {"pos.waves-go-on",
         "sinusoids worked wherever they have a row for every position",
         {"Has anybody learned what to do with rows 16 to 63?", lesson}},
        {"pos.waves-alone-go-on",
         "only sinusoids went on",
         {"Has anybody learned what to do with rows 16 to 63?", lesson}},
        {"pos.what-takes-it-finds-it",
         "a kind was right wherever it gives no error",
         {"Is no error the same as a right answer?", lesson}},
        {"pos.all-go-on",
         "all kinds went on to do what they could do",
         {"Which rows were trained?", lesson}},
        {"pos.formulas-go-on",
         "formulas went on, and what is learned did not",
         {"Which distance is asked for, and was it trained?", lesson}},
        {"pos.bias-is-lost",
         "the bias was lost in longer texts",
         {"Which distance is asked for, and was it trained?", lesson}},
        {"pos.rotary-is-lost",
         "rotary positions were lost in longer texts",
         {"Which distance is asked for, and was it trained?", lesson}},
        {"pos.nothing-goes-on",
         "no kind went on",
         {"Which distance is asked for, and was it trained?", lesson}},
    };
}

}  // namespace

std::vector<Mistake> predict_positions_mistakes() {
    std::vector<Mistake> all;
    for (const std::vector<Mistake>& some :
         {of_tables(), of_what_is_learned(), of_shapes(), of_the_last_number(), of_lengths(),
          of_order(), of_distance(), of_the_copy()}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

}  // namespace exercise
