// 05.3 Predict attention                                     predict · 10 minutes · 8 answers
//
// There is nothing to program here: work out each answer in your head or on paper, and write it
// down, numbers to four decimals. The questions come one after the other; no answer is given away.
// The score is always the plain dot product, unscaled, and nothing is masked. Lessons 05.1 to 05.4.
#include "tutorials/exercises/judges/lesson_05.h"

using namespace heed;

// A query (1, 1) is compared with the keys (1, 1), (0, 2.5), (-4, -4) and (3, 0). Which gets
// the largest weight? The first is number 0.
int largest_weight() {
    // begin stub, stop in largest_weight
    //     exercise::not_done("05.3");
    // begin solution
    return 3;
    // end
}

// Two texts: Q is [2, 7, 8], K is [2, 9, 8], V is [2, 9, 5]. What is the shape of the weights?
// Write return {1, 2, 3};
Shape shape_of_weights() {
    // begin stub
    //     exercise::not_done("05.3");
    // begin solution
    return {2, 7, 9};
    // end
}

// And the output?
Shape shape_of_output() {
    // begin stub
    //     exercise::not_done("05.3");
    // begin solution
    return {2, 7, 5};
    // end
}

// A query has the score 3.7 with each of five keys. What is the weight of the first?
double weight_of_equals() {
    // begin stub
    //     exercise::not_done("05.3");
    // begin solution
    return 0.2;
    // end
}

// Two keys have the scores 0 and log 3 = 1.0986. What is the weight of the second?
double weight_of_two() {
    // begin stub
    //     exercise::not_done("05.3");
    // begin solution
    return 0.75;
    // end
}

// Now 1000 is added to both scores. What is the weight of the second?
double weight_after_1000_more() {
    // begin stub
    //     exercise::not_done("05.3");
    // begin solution
    return 0.75;
    // end
}

// A query of zeros is compared with three keys, whose values are 2, 4 and 12. What is its output?
double output_of_equals() {
    // begin stub
    //     exercise::not_done("05.3");
    // begin solution
    return 6;
    // end
}

// Six words, each attending to all six: Q = K = V = X [6, d], random numbers. The third word is
// replaced by another. How many rows of the output change?
int rows_that_change() {
    // begin stub
    //     exercise::not_done("05.3");
    // begin solution
    return 6;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(
        exercise::judge_05_3({largest_weight, shape_of_weights, shape_of_output, weight_of_equals,
                              weight_of_two, weight_after_1000_more, output_of_equals,
                              rows_that_change}),
        argc, argv);
}
