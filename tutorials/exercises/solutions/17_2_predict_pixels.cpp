// 17.2 Predict sizes of pictures                             predict · 15 minutes · 9 answers
//
// A picture becomes far more tokens than a sentence, and attention pays for each pair of them.
// There is nothing to program here: work out each answer in your head or on paper, and write it
// down. The questions come one after the other; no answer is given away. Unless stated otherwise: 5
// pictures of 72 by 48 pixels (H by W) with 3 colours, patches of 8 by 8 pixels, d = 32, and a
// class token before the patches. Lesson 17; exercise 17.1.
#include "tutorials/exercises/judges/lesson_17.h"

using namespace heed;

// What is the shape of the patches, before the matrix E? Write return {1, 2, 3};
Shape patches() {
    // begin stub, stop in patches
    //     exercise::not_done("17.2");
    // begin solution
    return {5, 54, 192};
    // end
}

// What is the shape of the tokens, class token included?
Shape tokens() {
    // begin stub
    //     exercise::not_done("17.2");
    // begin solution
    return {5, 55, 32};
    // end
}

// Patches are numbered from 0 in reading order. Which one has the pixel in row 29, column 40 (both
// counted from 0)?
std::int64_t patch_of_a_pixel() {
    // begin stub
    //     exercise::not_done("17.2");
    // begin solution
    return 23;
    // end
}

// How many numbers does a Linear from a patch to d learn, weight and bias?
std::int64_t of_the_embedding() {
    // begin stub
    //     exercise::not_done("17.2");
    // begin solution
    return 192 * 32 + 32;
    // end
}

// And how many numbers do a table of positions for all tokens and the class token learn together?
std::int64_t of_positions_and_class() {
    // begin stub
    //     exercise::not_done("17.2");
    // begin solution
    return 55 * 32 + 32;
    // end
}

// How many weights does one head compute for one picture?
std::int64_t weights_of_a_head() {
    // begin stub
    //     exercise::not_done("17.2");
    // begin solution
    return 55 * 55;
    // end
}

// With patches of 4 by 4 pixels and no class token: how many times as many weights are that,
// compared with patches of 12 by 12 and no class token?
std::int64_t times_as_many_weights() {
    // begin stub
    //     exercise::not_done("17.2");
    // begin solution
    return 81;
    // end
}

// A classifier reads 4 logits from the class token after one block. Now the patches are shuffled,
// each together with its position. How many of the logits change (but for rounding)?
std::int64_t logits_that_change() {
    // begin stub
    //     exercise::not_done("17.2");
    // begin solution
    return 0;
    // end
}

// One pixel of a picture is replaced. How many of its embedded patches can that change, before any
// attention?
std::int64_t patches_of_a_new_pixel() {
    // begin stub
    //     exercise::not_done("17.2");
    // begin solution
    return 1;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(
        exercise::judge_17_2({patches, tokens, patch_of_a_pixel, of_the_embedding,
                              of_positions_and_class, weights_of_a_head, times_as_many_weights,
                              logits_that_change, patches_of_a_new_pixel}),
        argc, argv);
}
