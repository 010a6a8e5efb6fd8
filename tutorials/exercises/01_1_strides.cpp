// 01.1 Strides by hand                                       fill · 10 minutes · about 8 lines
//
// In memory a tensor is one long list of numbers. The stride of an axis is the distance in this
// list between neighbours along that axis. Row-major means that the last axis varies fastest, so
// its stride is 1; a step along any other axis skips everything in later axes. Lessons 01.1, 01.2.
//
// Three holes:
//   row_major_strides   shape [n_1, ..., n_r] -> strides, one per axis. A single number has no
//                       axes, r = 0: its shape and its strides are empty lists.
//   offset_of           index [i_1, ..., i_r] and strides -> position of that entry in the list
//   transposed          a layout -> the layout with two axes swapped. No number moves: entry
//                       (.., i, .., j, ..) of one is entry (.., j, .., i, ..) of the other. The
//                       given strides need not be row-major; axis_a and axis_b may be the same.
// All lengths are at least 1. Positions may be too large for 32 bits.
#include "tutorials/exercises/judges/lesson_01.h"

#include <utility>

using exercise::Ints;
using exercise::Layout;

Ints row_major_strides(const Ints& shape) { exercise::not_done("01.1"); }

std::int64_t offset_of(const Ints& index, const Ints& strides) { exercise::not_done("01.1"); }

Layout transposed(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    exercise::not_done("01.1");
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_01_1({row_major_strides, offset_of, transposed}), argc,
                         argv);
}
