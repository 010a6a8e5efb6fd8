// 01.1 Strides by hand                                       fill · 10 minutes · about 8 lines
//
// In memory a tensor is one long list. How far apart two neighbours along an axis lie in it is the
// stride of that axis. Row-major means: the last axis changes fastest, so its stride is 1, and a
// step along any other axis jumps over all that lies behind it. Lesson 01.1 and 01.2.
//
// Three holes:
//   row_major_strides   shape [n_0, ..., n_r] -> as many strides
//   offset_of           index [i_0, ..., i_r] and strides -> where in the list that entry lies
//   transposed          a layout -> the layout with two axes exchanged. No number moves, so that
//                       entry (.., i, .., j, ..) of the one is entry (.., j, .., i, ..) of the
//                       other. The strides you are given need not be row-major.
#include "tutorials/exercises/judges/01_1_strides.h"
#include "tutorials/exercises/judging/not_done.h"
#include "tutorials/exercises/judging/program.h"

#include <utility>

using exercise::Ints;
using exercise::Layout;

Ints row_major_strides(const Ints& shape) {
    exercise::not_done("01.1");
}

std::int64_t offset_of(const Ints& index, const Ints& strides) {
    exercise::not_done("01.1");
}

Layout transposed(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    exercise::not_done("01.1");
}

int main(int argc, char** argv) {
    return exercise::run(exercise::strides({row_major_strides, offset_of, transposed}), argc, argv);
}
