// 10.3 Which positions go on                                 predict · 15 minutes · 11 answers
//
// Every kind of positions works in texts as long as those it was trained on. They differ in what
// they learn, in what they cost, and in what happens one token further on. There is nothing to
// program here: work out each answer in your head or on paper, and write it down. The questions
// come one after the other; no answer is given away. The model has d = 32 and 4 heads, so that a
// head's queries and keys have dimension 8, and was trained on texts of 16 tokens. Lesson 10.
//
// The kinds: none; a table of 50 rows, added to the vectors; sinusoids, added to the vectors; a
// bias, a learned number for each head and each distance from -8 to 8, added to the scores (what is
// further away shares the number of -8 or 8); rotary positions, which turn queries and keys.
#include "tutorials/exercises/judges/lesson_10.h"

using exercise::Kind;
using exercise::Kinds;
using heed::Shape;

// How many numbers does the table learn?
std::int64_t of_the_table() {
    // begin stub
    //     exercise::not_done("10.3");
    // begin solution
    return 50 * 32;
    // end
}

// Every text began at position 0. How many rows of the table never got a gradient?
std::int64_t rows_never_trained() {
    // begin stub
    //     exercise::not_done("10.3");
    // begin solution
    return 50 - 16;
    // end
}

// How many numbers do sinusoids and rotary positions learn, both together?
std::int64_t of_sinusoids_and_rotary() {
    // begin stub
    //     exercise::not_done("10.3");
    // begin solution
    return 0;
    // end
}

// How many numbers does the bias learn?
std::int64_t of_the_bias() {
    // begin stub
    //     exercise::not_done("10.3");
    // begin solution
    return 4 * 17;
    // end
}

// What shape has the bias of 3 queries and 5 keys, which is added to scores [B, 4, 3, 5], with no
// axis of length 1? Write
// return {1, 2, 3};
Shape shape_of_bias() {
    // begin stub
    //     exercise::not_done("10.3");
    // begin solution
    return {4, 3, 5};
    // end
}

// What shape do queries [2, 4, 10, 8] have after rotary positions have turned them?
Shape shape_of_turned() {
    // begin stub
    //     exercise::not_done("10.3");
    // begin solution
    return {2, 4, 10, 8};
    // end
}

// With a causal mask the query at position 20 sees the keys 0 to 20. To how many of these does the
// bias add the number of distance -8 (that is, of a key 8 places back)?
std::int64_t keys_with_the_last_number() {
    // begin stub
    //     exercise::not_done("10.3");
    // begin solution
    return 13;  // keys 0 to 12
    // end
}

// Which of the five take a text of 100 tokens without an error? Write, in any order,
// return {Kind::none, Kind::table};
Kinds take_100_tokens() {
    // begin stub
    //     exercise::not_done("10.3");
    // begin solution
    return {Kind::none, Kind::sinusoids, Kind::bias, Kind::rotary};
    // end
}

// No mask. The words of a text are put into another order. With which of the five does every word
// keep its output (but for rounding), whatever the words and the weights are?
Kinds blind_to_order() {
    // begin stub
    //     exercise::not_done("10.3");
    // begin solution
    return {Kind::none};
    // end
}

// A query at position 5 has a score for the key at position 3. The same two words then stand at
// 1005 and 1003; suppose the table has as many rows. With which of the five is the score the same
// (but for rounding), whatever the words and the weights are?
Kinds same_score_further_on() {
    // begin stub
    //     exercise::not_done("10.3");
    // begin solution
    return {Kind::none, Kind::bias, Kind::rotary};
    // end
}

// In lesson 10.7 a head learns, in texts of 16 tokens, to copy the token three places back. Then
// come texts of 64 (its table has as many rows). With which of the five is it still right more than
// 4 times in 5?
Kinds find_it_in_long_texts() {
    // begin stub
    //     exercise::not_done("10.3");
    // begin solution
    return {Kind::bias, Kind::rotary};
    // end
}

int main(int argc, char** argv) {
    return exercise::run(
        exercise::judge_10_3({of_the_table, rows_never_trained, of_sinusoids_and_rotary,
                              of_the_bias, shape_of_bias, shape_of_turned,
                              keys_with_the_last_number, take_100_tokens, blind_to_order,
                              same_score_further_on, find_it_in_long_texts}),
        argc, argv);
}
