// 19.3 Predict what a cache saves                            predict · 15 minutes · 10 answers
//
// Without a cache, each step reads the whole text anew; with keys and values kept, it reads one
// token. What is saved, and what does it cost? There is nothing to program here: work out each
// answer on paper, and write it down, as a number or as a calculation. The questions come one after
// the other; no answer is given away. The model has 3 blocks, and attention in each has 4 heads
// with d_k = d_v = 8, so d_model = 32. It reads a text of 40 tokens, one more in each step: in step
// t without a cache all t tokens so far, with a cache the new one only. A call computes the scores
// of all its queries with all keys there are, also those that the mask then takes away. Lessons
// 19.1 and 19.2.
#include "tutorials/exercises/judges/lesson_19.h"

using namespace heed;

// How many keys does one head compute in all 40 steps, without a cache?
std::int64_t keys_anew() {
    // begin stub, stop in keys_anew
    //     exercise::not_done("19.3");
    // begin solution
    return 40 * 41 / 2;
    // end
}

// How many keys does it compute in all 40 steps with a cache?
std::int64_t keys_kept() {
    // begin stub
    //     exercise::not_done("19.3");
    // begin solution
    return 40;
    // end
}

// How many scores does one head compute in step 40 alone, without a cache?
std::int64_t scores_anew() {
    // begin stub
    //     exercise::not_done("19.3");
    // begin solution
    return 40 * 40;
    // end
}

// How many scores does it compute in step 40 alone with a cache?
std::int64_t scores_kept() {
    // begin stub
    //     exercise::not_done("19.3");
    // begin solution
    return 40;
    // end
}

// How many scores does one head compute in all 40 steps, with a cache?
std::int64_t all_scores_kept() {
    // begin stub
    //     exercise::not_done("19.3");
    // begin solution
    return 40 * 41 / 2;
    // end
}

// Five texts are written at once. What is the shape of the scores in step 40, with a cache, of all
// heads of a block? Write return {1, 2, 3};
Shape shape_of_scores() {
    // begin stub
    //     exercise::not_done("19.3");
    // begin solution
    return {5, 4, 1, 40};
    // end
}

// How many numbers does the cache hold after step 40, of one text and all blocks?
std::int64_t numbers() {
    // begin stub
    //     exercise::not_done("19.3");
    // begin solution
    return 2 * 3 * 40 * 32;
    // end
}

// And if the four heads of a block share one head of keys and one of values (exercise 09.6)?
std::int64_t numbers_shared() {
    // begin stub
    //     exercise::not_done("19.3");
    // begin solution
    return 2 * 3 * 40 * 8;
    // end
}

// How many of the numbers that the cache holds are queries?
std::int64_t queries() {
    // begin stub
    //     exercise::not_done("19.3");
    // begin solution
    return 0;
    // end
}

// The first 30 tokens are a prompt, read at once in one call; the last 10 are read one at a time.
// How many scores does one head compute in all, with a cache?
std::int64_t scores_with_prompt() {
    // begin stub
    //     exercise::not_done("19.3");
    // begin solution
    return 30 * 30 + (31 + 40) * 10 / 2;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_19_3({keys_anew, keys_kept, scores_anew, scores_kept,
                                               all_scores_kept, shape_of_scores, numbers,
                                               numbers_shared, queries, scores_with_prompt}),
                         argc, argv);
}
