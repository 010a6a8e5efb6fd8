// 01.2 Broadcasting by hand                                  fill · 15 minutes · about 20 lines
//
// Tensors of different shapes can be added: their shapes are aligned at the LAST axis, and along
// each axis the lengths must be equal, or one of them must be 1 (or missing) and is then repeated.
// Adding a mask to scores or a bias to a layer relies on it. Lesson 01.5.
//
// Two holes:
//   shape_of_sum   [4, 1, 3] and [2, 3] -> [4, 2, 3]. If the shapes do not fit, throw
//                  std::invalid_argument. [] is the shape of a single number and fits every shape.
//                  A length may be 0: 0 and 1 fit, and give 0.
//   sum_by_loops   x and y with one or two axes each, at least one of them with two, and none of
//                  length 0: [2, 3] + [3], [2, 3] + [2, 1], [1, 3] + [2, 1], [3] + [2, 3] ... ->
//                  their sum, entry by entry. x(i, j) reads an entry (a Scalar, which is double
//                  here), x.dim(0) a length. The shapes fit: no need to check. x and y stay as they
//                  are. (The operator + would do it all; here you write it yourself.)
#include "tutorials/exercises/judges/lesson_01.h"

#include "tensor/factories.h"

#include <algorithm>
#include <stdexcept>

using namespace heed;
using exercise::Ints;

Ints shape_of_sum(const Ints& a, const Ints& b) { exercise::not_done("01.2"); }

Tensor sum_by_loops(const Tensor& x, const Tensor& y) { exercise::not_done("01.2"); }

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_01_2({shape_of_sum, sum_by_loops}), argc, argv);
}
