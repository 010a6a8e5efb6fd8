// 09.8 Predict shapes and parameters of heads                predict · 15 minutes · 9 answers
//
// There is nothing to program here: work out each answer in your head or on paper, and write it
// down. The questions come one after the other; no answer is given away. Unless stated otherwise:
// X [2, 7, 12], that is 2 texts of 7 words, d_model 12; 3 heads of d_head = d_model / h;
// projections W_Q, W_K, W_V and W_O, each with a bias for each number that it gives. Lesson 09.
#include "tutorials/exercises/judges/lesson_09.h"

using namespace heed;

// What shape do the queries have after splitting into heads, ready for Q·Kᵀ? Write
// return {1, 2, 3};
Shape queries() {
    // begin stub, stop in queries
    //     exercise::not_done("09.8");
    // begin solution
    return {2, 3, 7, 4};
    // end
}

// What shape do the weights have?
Shape weights() {
    // begin stub
    //     exercise::not_done("09.8");
    // begin solution
    return {2, 3, 7, 7};
    // end
}

// What is the shape of concat, the heads side by side before W_O?
Shape concat() {
    // begin stub
    //     exercise::not_done("09.8");
    // begin solution
    return {2, 7, 12};
    // end
}

// Now a decoder's text [2, 5, 12] attends to an encoder's [2, 9, 12]. What is the weights' shape?
Shape cross_weights() {
    // begin stub
    //     exercise::not_done("09.8");
    // begin solution
    return {2, 3, 5, 9};
    // end
}

// How many numbers does the layer learn, weights and biases?
std::int64_t parameters() {
    // begin stub
    //     exercise::not_done("09.8");
    // begin solution
    return 4 * (12 * 12 + 12);
    // end
}

// And with 6 heads instead of 3, still of size d_model / h?
std::int64_t of_6_heads() {
    // begin stub
    //     exercise::not_done("09.8");
    // begin solution
    return 4 * (12 * 12 + 12);
    // end
}

// And with 3 heads that are wider than d_model / h, of size 5 each?
std::int64_t of_wide_heads() {
    // begin stub
    //     exercise::not_done("09.8");
    // begin solution
    return 3 * (12 * 15 + 15) + (15 * 12 + 12);
    // end
}

// And with 3 query heads of size 4 that share one head of keys and values (as in 09.6)? W_K and W_V
// still have biases, as many as they now give numbers.
std::int64_t of_shared_keys() {
    // begin stub
    //     exercise::not_done("09.8");
    // begin solution
    return 2 * (12 * 12 + 12) + 2 * (12 * 4 + 4);
    // end
}

// Attention over X [2, 7, 12] has 2·3·7·7 = 294 weights. How many has attention over two texts that
// are twice as long?
std::int64_t weights_of_a_longer_text() {
    // begin stub
    //     exercise::not_done("09.8");
    // begin solution
    return 2 * 3 * 14 * 14;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(
        exercise::judge_09_8({queries, weights, concat, cross_weights, parameters, of_6_heads,
                              of_wide_heads, of_shared_keys, weights_of_a_longer_text}),
        argc, argv);
}
