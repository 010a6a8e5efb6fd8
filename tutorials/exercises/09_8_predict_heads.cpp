// 09.8 Predict shapes and parameters of heads                predict · 15 minutes · 9 answers
//
// Nothing is to be programmed here: work each answer out in your head or on paper, and write it
// down. They are asked one after the other; no answer is given away.
// Everywhere, unless something else is said: X [2, 7, 12], that is 2 texts of 7 words, d_model 12;
// 3 heads of d_head = d_model / h; projections W_Q, W_K, W_V and W_O, each with a bias. Lesson 09.
#include "tutorials/exercises/judges/09_8_predict_heads.h"
#include "tutorials/exercises/judging/not_done.h"
#include "tutorials/exercises/judging/program.h"

using namespace heed;

// What shape have the queries when they are cut into heads, ready for Q·Kᵀ? Write
// return {1, 2, 3};
Shape queries() {
    exercise::not_done("09.8");
}

// What shape have the weights?
Shape weights() {
    exercise::not_done("09.8");
}

// What shape has concat, the heads side by side before W_O?
Shape concat() {
    exercise::not_done("09.8");
}

// Now a decoder's text [2, 5, 12] asks an encoder's [2, 9, 12]. What shape have the weights?
Shape cross_weights() {
    exercise::not_done("09.8");
}

// How many numbers has the layer to learn, weights and biases?
std::int64_t parameters() {
    exercise::not_done("09.8");
}

// And with 6 heads in place of 3, still of d_model / h each?
std::int64_t of_6_heads() {
    exercise::not_done("09.8");
}

// And with 3 heads that are wider than d_model / h, of 5 numbers each?
std::int64_t of_wide_heads() {
    exercise::not_done("09.8");
}

// And with 3 heads of queries, 4 numbers each, that share one head of keys and values (as in 09.6)?
std::int64_t of_shared_keys() {
    exercise::not_done("09.8");
}

// X [2, 7, 12] has 2·3·7·7 = 294 weights. How many has a batch of texts twice as long?
std::int64_t weights_of_a_longer_text() {
    exercise::not_done("09.8");
}

int main(int argc, char** argv) {
    return exercise::run(
        exercise::predict_heads({queries, weights, concat, cross_weights, parameters, of_6_heads,
                                 of_wide_heads, of_shared_keys, weights_of_a_longer_text}),
        argc, argv);
}
