// 01.1 Strides by hand                                       fill · 10 minutes · about 8 lines
//
// In memory a tensor is one long list of numbers. The stride of an axis is the distance in this
// list between neighbours along that axis. Row-major means that the last axis varies fastest, so
// its stride is 1; a step along any other axis skips everything behind it. Lessons 01.1 and 01.2.
//
// Three holes:
//   row_major_strides   shape [n_0, ..., n_r] -> strides, one per axis
//   offset_of           index [i_0, ..., i_r] and strides -> position of that entry in the list
//   transposed          a layout -> the layout with two axes swapped. No number moves: entry
//                       (.., i, .., j, ..) of one is entry (.., j, .., i, ..) of the other. The
//                       given strides need not be row-major.
#include "tutorials/exercises/judges/01_1_strides.h"
#include "tutorials/exercises/judging/not_done.h"
#include "tutorials/exercises/judging/program.h"

#include <utility>

using exercise::Ints;
using exercise::Layout;

Ints row_major_strides(const Ints& shape) {
    // begin stub
    //     exercise::not_done("01.1");
    // begin solution
    Ints strides(shape.size(), 1);
    for (std::size_t axis = shape.size() - 1; axis > 0; --axis) {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    return strides;
    // end
}

std::int64_t offset_of(const Ints& index, const Ints& strides) {
    // begin stub
    //     exercise::not_done("01.1");
    // begin solution
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * strides[axis];
    return offset;
    // end
}

Layout transposed(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    // begin stub
    //     exercise::not_done("01.1");
    // begin solution
    Layout result = x;
    std::swap(result.shape[axis_a], result.shape[axis_b]);
    std::swap(result.strides[axis_a], result.strides[axis_b]);
    return result;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::strides({row_major_strides, offset_of, transposed}), argc, argv);
}
