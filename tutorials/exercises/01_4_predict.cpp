// 01.4 Predict shapes and entries                            predict · 15 minutes · 9 answers
//
// To read attention code you must see shapes before they are printed. There is nothing to program
// here: work out each answer in your head or on paper, and write it down. You are told which answer
// is the first wrong one; none is given away. Lesson 01.
#include "tutorials/exercises/judges/lesson_01.h"

using namespace heed;

// A = [[0, 1, 2], [3, 4, 5]]. What is transpose(A)(1, 0)?
double transposed_entry() { exercise::not_done("01.4"); }

// And reshape(A, {3, 2})(1, 0)?
double reshaped_entry() { exercise::not_done("01.4"); }

// x has shape [2, 3, 4]. What is the shape of permute(x, {2, 0, 1})? Write return {7, 8, 9};
Shape permuted_shape() { exercise::not_done("01.4"); }

// x has shape [2, 3, 4] and is contiguous. What are the strides of slice(x, 2, 0, 4, 2), a view of
// every second entry along the last axis? Write return {7, 8, 9};
Dims sliced_strides() { exercise::not_done("01.4"); }

// What is the shape of the sum of a [3, 1, 4] and a [3, 1]?
Shape sum_shape() { exercise::not_done("01.4"); }

// B = [[0, 1, 2], [3, 4, 5], [6, 7, 8]], row = [10, 20, 30]. What is (B + row)(1, 2)?
double sum_entry() { exercise::not_done("01.4"); }

// x has shape [2, 3, 4]. What is the shape of sum(x, 1, keepdim)?
Shape kept_shape() { exercise::not_done("01.4"); }

// A = [[0, 1, 2], [3, 4, 5]] again. What is mean(A, 0)(1)?
double reduced_entry() { exercise::not_done("01.4"); }

// What is the shape of matmul of a [5, 1, 2, 3] and a [4, 3, 6]?
Shape product_shape() { exercise::not_done("01.4"); }

int main(int argc, char** argv) {
    return exercise::run(
        exercise::judge_01_4({transposed_entry, reshaped_entry, permuted_shape, sliced_strides,
                              sum_shape, sum_entry, kept_shape, reduced_entry, product_shape}),
        argc, argv);
}
