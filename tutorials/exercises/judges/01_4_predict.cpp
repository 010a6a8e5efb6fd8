#include "tutorials/exercises/judges/lesson_01.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
Tensor counted(const Shape& shape) {
    return tensor::view(tensor::arange(static_cast<double>(shape.numel())), shape);
}

std::vector<Question<Predictions>> questions() {
    using P = Predictions;
    const Tensor A = counted({2, 3}), B = counted({3, 3}), x = counted({2, 3, 4});
    const Tensor row = tensor::of({10, 20, 30}), slice = tensor::slice(x, 2, 0, 4, 2);
    const Shape sum = (tensor::zeros({3, 1, 4}) + tensor::zeros({3, 1})).shape();
    const Shape product =
        tensor::matmul(tensor::zeros({5, 1, 2, 3}), tensor::zeros({4, 3, 6})).shape();
    const auto permuted = [=](const Dims& order) { return tensor::permute(x, order).shape(); };
    const std::string prints = " in a program of your own prints it";
    return {
        {{"transpose(A)(1, 0)", &P::transposed_entry, tensor::transpose(A)(1, 0)},
         {{"ten.reshape-is-transpose", tensor::reshape(A, {3, 2})(1, 0),
           "a transpose kept the numbers in the same order, as a reshape does",
           "Which entry of A is entry (1, 0) of its transpose?", "Lesson 01.4 prints both."},
          {"ten.transpose-same-place", A(1, 0), "the entry stayed at its place",
           "Which entry of A is entry (1, 0) of its transpose?", "Write the transpose out."}},
         "transposed_entry",
         {"Which entry of A is entry (1, 0) of its transpose?",
          "Write the transpose of A out, row by row",
          "entry (i, j) of the transpose is entry (j, i) of A",
          "std::cout << tensor::transpose(A);" + prints}},
        {{"reshape(A, {3, 2})(1, 0)", &P::reshaped_entry, tensor::reshape(A, {3, 2})(1, 0)},
         {{"ten.transpose-is-reshape", tensor::transpose(A)(1, 0),
           "a reshape swapped rows and columns", "In which order does a reshape read the numbers?",
           "Lesson 01.4 prints both."}},
         "reshaped_entry",
         {"In which order does a reshape read the numbers?",
          "Write the six numbers of A as one list, then cut it into rows of two",
          "entry (i, j) of a row-major [n, m] is number i·m + j of the list",
          "std::cout << tensor::reshape(A, {3, 2});" + prints}},
        {{"the shape of permute(x, {2, 0, 1})", &P::permuted_shape, permuted({2, 0, 1}),
          "Go through {2, 0, 1} one by one."},
         {{"ten.permute-inverse", permuted({1, 2, 0}),
           "axis i of x became axis order[i] of the result",
           "Which axis of x is axis 0 of the result?", "tensor/views.h says which way it goes."},
          {"ten.permute-reversed", permuted({2, 1, 0}), "the order of all axes was reversed",
           "Which axis of x is axis 1 of the result?"},
          {"ten.permute-none", x.shape(), "the axes stayed where they were",
           "Which axis of x is axis 0 of the result?"}},
         "permuted_shape",
         {"Which axis of x is axis 0 of the result?", "tensor/views.h says what `order` means",
          "axis i of the result is axis order[i] of x",
          "std::cout << tensor::permute(x, {2, 0, 1}).shape();" + prints}},
        {{"the list of strides of slice(x, 2, 0, 4, 2)", &P::sliced_strides, slice.strides(),
          "How far apart in x are two rows of the slice?"},
         {{"ten.view-copy", contiguous_strides(slice.shape()),
           "the slice was a copy, with the strides of its own shape",
           "Does a slice move a number?"},
          {"ten.slice-same-strides", x.strides(), "the strides were still those of x",
           "How far apart in x are two neighbours of the slice?", "Look at the last stride."},
          {"ten.slice-all-steps", Dims{24, 8, 2}, "the step counted along every axis",
           "Along which axis does the slice leave entries out?"},
          {"ten.stride-shape", slice.shape(), "the lengths of the axes were taken for the strides",
           "What is a stride?", "Lesson 01.2 prints shapes beside strides."}},
         "sliced_strides",
         {"Does a slice move a number, or does it only skip some?",
          "How far apart in x are two neighbours of the slice, along each axis?",
          "a stride is a distance in memory: a step of k along an axis makes it k times as long "
          "there",
          "std::cout << tensor::slice(x, 2, 0, 4, 2).strides().text();" + prints}},
        {{"the shape of [3, 1, 4] + [3, 1]", &P::sum_shape, sum,
          "Write the two shapes below each other, so that their ends meet."},
         {{"bc.append-axes", Shape{3, 1, 4, 3, 1},
           "the two shapes were joined, one behind the other",
           "How many axes does the sum of a matrix and a row have?"},
          {"bc.min", Shape{3, 1, 1}, "the smaller of two lengths was kept",
           "Which of 1 and 4 is repeated?"}},
         "sum_shape",
         {"Which axis of [3, 1, 4] does the last axis of [3, 1] meet?",
          "Write the two shapes below each other, so that their ends meet",
          "aligned at the end, a missing length is 1, and a 1 is repeated",
          "std::cout << (x + y).shape();" + prints + ", with x and y from tensor::zeros"}},
        {{"(B + row)(1, 2)", &P::sum_entry, (B + row)(1, 2), "Write B + row out."},
         {{"bc.down-columns", (B + tensor::unsqueeze(row, -1))(1, 2),
           "the row was added as a column: in a square nothing complains",
           "Does a [3] stand for a row or for a column?", "Which entry of row meets column 2?"},
          {"bc.first-entry", B(1, 2) + row(0), "the first entry of row was added everywhere",
           "Which entry of row meets column 2?"},
          {"bc.truncate", B(1, 2), "row was not added to row 1 of B at all",
           "To which rows of B is row added?"}},
         "sum_entry",
         {"Which entry of row meets column 2?", "Write B + row out, row by row",
          "(B + row)(i, j) = B(i, j) + row(j)", "std::cout << B + row;" + prints}},
        {{"the shape of sum(x, 1, keepdim)", &P::kept_shape, tensor::sum(x, 1, keepdim).shape(),
          "Lesson 01.6 prints the mean with keepdim."},
         {{"red.keepdim", tensor::sum(x, 1).shape(), "the axis was dropped",
           "What does keepdim keep?"},
          {"red.axis-from-1", tensor::sum(x, 0, keepdim).shape(), "axes were counted from 1",
           "What is the length of axis 1 of [2, 3, 4]?", "The first axis is axis 0."},
          {"red.kept-only", Shape{1, 3, 1}, "only the axis that was named stayed",
           "Over which axis is the sum, and what becomes of the other two?"},
          {"red.keepdim-length", x.shape(), "the axis kept its whole length",
           "How many sums are there along axis 1?"}},
         "kept_shape",
         {"Which axis is axis 1, and what does keepdim do with it?",
          "Lesson 01.6 prints a mean with keepdim",
          "without keepdim the axis is dropped; with it, it has length 1",
          "std::cout << tensor::sum(x, 1, keepdim).shape();" + prints}},
        {{"mean(A, 0)(1)", &P::reduced_entry, tensor::mean(A, 0)(1), "Write that column down."},
         {{"red.wrong-axis", tensor::mean(A, 1)(1), "the mean was taken along a row",
           "Which index runs in a mean over axis 0?", "How many entries does mean(A, 0) have?"},
          {"red.mean-n", tensor::sum(A, 0)(1) / static_cast<double>(A.numel()),
           "the sum was divided by the number of all entries of A",
           "How many numbers go into one entry of mean(A, 0)?"},
          {"red.no-division", tensor::sum(A, 0)(1), "the sum was not divided",
           "What is the difference between a mean and a sum?"}},
         "reduced_entry",
         {"Which numbers go into entry 1 of mean(A, 0)?", "How many entries does mean(A, 0) have?",
          "over axis 0 a mean runs down a column and divides by the number of rows",
          "std::cout << tensor::mean(A, 0);" + prints}},
        {{"the shape of the matrix product", &P::product_shape, product,
          "Leave off the last two axes, then broadcast."},
         {{"mm.batch-of-first", Shape{5, 1, 2, 6}, "only the leading axes of the first were kept",
           "Does a leading 1 stay 1 beside a 4?"},
          {"mm.batch-of-second", Shape{4, 2, 6}, "only the leading axes of the second were kept",
           "What becomes of the leading axes of the first?"},
          {"mm.batches-multiplied", Shape{20, 2, 6}, "the leading axes were merged into one",
           "Does matmul ever drop a leading axis?"},
          {"mm.inner-kept", Shape{5, 4, 3, 3}, "the axis that is summed over stayed",
           "Which length do a [2, 3] and a [3, 6] share?", "That one is summed over."},
          {"mm.first-matrix", Shape{5, 4, 2, 3}, "the last two axes were those of the first",
           "What is the shape of a [2, 3] times a [3, 6]?", "Look at the last two axes."},
          {"mm.second-matrix", Shape{5, 4, 3, 6}, "the last two axes were those of the second",
           "What is the shape of a [2, 3] times a [3, 6]?", "Look at the last two axes."}},
         "product_shape",
         {"What is the shape of a [2, 3] times a [3, 6]?",
          "Leave off the last two axes of both, and broadcast what is left",
          "[..., n, K]·[..., K, m] -> [..., n, m], where the leading axes broadcast",
          "std::cout << tensor::matmul(x, y).shape();" + prints +
              ", with x and y from tensor::zeros"}},
    };
}

Rules<Predictions> rules() {
    return predicting<Predictions>(
        {.number = "01.4",
         .title = "Predict shapes and entries",
         .hints = {"What does the operation do to an axis of length 1, 2, 3?",
                   "The section of lesson 01 on that operation prints a case like it",
                   "permute: axis i of the result is axis order[i] of x; broadcasting: aligned at "
                   "the end; matmul: [..., n, K]·[..., K, m] -> [..., n, m], leading axes "
                   "broadcast",
                   "A line such as std::cout << tensor::permute(x, {2, 0, 1}).shape(); in a "
                   "program of your own prints it"}},
        questions());
}

}  // namespace

const Judge<Predictions> judge_01_4(rules);

}  // namespace exercise
