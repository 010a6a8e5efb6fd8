#include "tutorials/exercises/judges/01_4_predict.h"

#include "tutorials/exercises/judges/common_steps.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

using namespace heed;

namespace exercise {

namespace {

Tensor counted(const Shape& shape) {
    return tensor::view(tensor::arange(static_cast<double>(shape.numel())), shape);
}

Tensor A() { return counted({2, 3}); }
Tensor B() { return counted({3, 3}); }
Tensor x() { return counted({2, 3, 4}); }

double transposed(const Slips& slip) {
    if (slip("ten.reshape-is-transpose")) return tensor::reshape(A(), {3, 2})(1, 0);
    if (slip("ten.transpose-same-place")) return A()(1, 0);
    return tensor::transpose(A())(1, 0);
}

double reshaped(const Slips& slip) {
    if (slip("ten.transpose-is-reshape")) return tensor::transpose(A())(1, 0);
    return tensor::reshape(A(), {3, 2})(1, 0);
}

Shape permuted(const Slips& slip) {
    if (slip("ten.permute-inverse")) return tensor::permute(x(), {1, 2, 0}).shape();
    if (slip("ten.permute-reversed")) return tensor::permute(x(), {2, 1, 0}).shape();
    if (slip("ten.permute-none")) return x().shape();
    return tensor::permute(x(), {2, 0, 1}).shape();
}

Dims sliced(const Slips& slip) {
    const Tensor slice = tensor::slice(x(), 2, 0, 4, 2);
    if (slip("ten.view-copy")) return contiguous_strides(slice.shape());
    if (slip("ten.slice-same-strides")) return x().strides();
    if (slip("ten.slice-all-steps")) return {24, 8, 2};
    if (slip("ten.stride-shape")) return slice.shape();
    return slice.strides();
}

Shape sum_of_shapes(const Slips& slip) {
    if (slip("bc.append-axes")) return {3, 1, 4, 3, 1};
    if (slip("bc.min")) return {3, 1, 1};
    return (tensor::zeros({3, 1, 4}) + tensor::zeros({3, 1})).shape();
}

double sum_at(const Slips& slip) {
    const Tensor row = tensor::of({10, 20, 30});
    if (slip("bc.down-columns")) return (B() + tensor::unsqueeze(row, -1))(1, 2);
    if (slip("bc.first-entry")) return B()(1, 2) + row(0);
    if (slip("bc.truncate")) return B()(1, 2);
    return (B() + row)(1, 2);
}

Shape kept(const Slips& slip) {
    if (slip("red.keepdim")) return tensor::sum(x(), 1).shape();
    if (slip("red.axis-from-1")) return tensor::sum(x(), 0, keepdim).shape();
    if (slip("red.kept-only")) return {1, 3, 1};
    if (slip("red.keepdim-length")) return x().shape();
    return tensor::sum(x(), 1, keepdim).shape();
}

double reduced(const Slips& slip) {
    if (slip("red.wrong-axis")) return tensor::mean(A(), 1)(1);
    if (slip("red.mean-n")) return tensor::sum(A(), 0)(1) / static_cast<double>(A().numel());
    if (slip("red.no-division")) return tensor::sum(A(), 0)(1);
    return tensor::mean(A(), 0)(1);
}

Shape product(const Slips& slip) {
    if (slip("mm.batch-of-first")) return {5, 1, 2, 6};
    if (slip("mm.batch-of-second")) return {4, 2, 6};
    if (slip("mm.batches-multiplied")) return {20, 2, 6};
    if (slip("mm.inner-kept")) return {5, 4, 3, 3};
    if (slip("mm.first-matrix")) return {5, 4, 2, 3};
    if (slip("mm.second-matrix")) return {5, 4, 3, 6};
    return tensor::matmul(tensor::zeros({5, 1, 2, 3}), tensor::zeros({4, 3, 6})).shape();
}

Predictions slipping(const Slips& slip) {
    return {[=] { return transposed(slip); },    [=] { return reshaped(slip); },
            [=] { return permuted(slip); },      [=] { return sliced(slip); },
            [=] { return sum_of_shapes(slip); }, [=] { return sum_at(slip); },
            [=] { return kept(slip); },          [=] { return reduced(slip); },
            [=] { return product(slip); }};
}

// All answers have the same form, so that not even the number of axes is revealed.
Stages answer(const std::string& question, const Dims& dims) {
    std::vector<Scalar> padded(max_rank + 1, 0);
    padded[0] = dims.size();
    for (int i = 0; i < dims.size(); ++i) {
        padded[static_cast<std::size_t>(i) + 1] = static_cast<Scalar>(dims[i]);
    }
    return {{question, tensor::from_vector(padded, {max_rank + 1})}};
}

Stages answer(const std::string& question, double number) {
    return {{question, tensor::of({number})}};
}

Steps steps(const Predictions& p) {
    return {
        [=] { return answer("transpose(A)(1, 0)", p.transposed_entry()); },
        [=] { return answer("reshape(A, {3, 2})(1, 0)", p.reshaped_entry()); },
        [=] { return answer("the shape of permute(x, {2, 0, 1})", p.permuted_shape()); },
        [=] { return answer("the list of strides of slice(x, 2, 0, 4, 2)", p.sliced_strides()); },
        [=] { return answer("the shape of [3, 1, 4] + [3, 1]", p.sum_shape()); },
        [=] { return answer("(B + row)(1, 2)", p.sum_entry()); },
        [=] { return answer("the shape of sum(x, 1, keepdim)", p.kept_shape()); },
        [=] { return answer("mean(A, 0)(1)", p.reduced_entry()); },
        [=] { return answer("the shape of the matrix product", p.product_shape()); },
    };
}

std::vector<Mistake> mistakes() {
    return {
        {"ten.reshape-is-transpose",
         "a transpose kept the numbers in the same order, as a reshape does",
         {"Which entry of A is entry (1, 0) of its transpose?", "Lesson 01.4 prints both."}},
        {"ten.transpose-same-place",
         "the entry stayed at its place",
         {"Which entry of A is entry (1, 0) of its transpose?", "Write the transpose out."}},
        {"ten.transpose-is-reshape",
         "a reshape swapped rows and columns",
         {"In which order does a reshape read the numbers?", "Lesson 01.4 prints both."}},
        {"ten.permute-inverse",
         "axis i of x became axis order[i] of the result",
         {"Which axis of x is axis 0 of the result?", "tensor/views.h says which way it goes."}},
        {"ten.permute-reversed",
         "the order of all axes was reversed",
         {"Which axis of x is axis 1 of the result?", "Go through {2, 0, 1} one by one."}},
        {"ten.permute-none",
         "the axes stayed where they were",
         {"Which axis of x is axis 0 of the result?", "Go through {2, 0, 1} one by one."}},
        {"ten.view-copy",
         "the slice was a copy, with the strides of its own shape",
         {"Does a slice move a number?", "How far apart in x are two rows of the slice?"}},
        {"ten.slice-same-strides",
         "the strides were still those of x",
         {"How far apart in x are two neighbours of the slice?", "Look at the last stride."}},
        {"ten.slice-all-steps",
         "the step counted along every axis",
         {"Along which axis does the slice leave entries out?",
          "How far apart in x are two rows of the slice?"}},
        {"ten.stride-shape",
         "the lengths of the axes were taken for the strides",
         {"What is a stride?", "Lesson 01.2 prints shapes beside strides."}},
        {"bc.append-axes",
         "the two shapes were joined, one behind the other",
         {"How many axes does the sum of a matrix and a row have?",
          "Write the two shapes below each other, so that their ends meet."}},
        {"bc.min",
         "the smaller of two lengths was kept",
         {"Which of 1 and 4 is repeated?",
          "Write the two shapes below each other, so that their ends meet."}},
        {"bc.down-columns",
         "the row was added as a column: in a square nothing complains",
         {"Does a [3] stand for a row or for a column?", "Which entry of row meets column 2?"}},
        {"bc.first-entry",
         "the first entry of row was added everywhere",
         {"Which entry of row meets column 2?", "Write B + row out."}},
        {"bc.truncate",
         "row was not added to row 1 of B at all",
         {"To which rows of B is row added?", "Write B + row out."}},
        {"red.keepdim",
         "the axis was dropped",
         {"What does keepdim keep?", "Lesson 01.6 prints the mean with keepdim."}},
        {"red.axis-from-1",
         "axes were counted from 1",
         {"What is the length of axis 1 of [2, 3, 4]?", "The first axis is axis 0."}},
        {"red.kept-only",
         "only the axis that was named stayed",
         {"Over which axis is the sum, and what becomes of the other two?",
          "Lesson 01.6 prints the mean with keepdim."}},
        {"red.keepdim-length",
         "the axis kept its whole length",
         {"How many sums are there along axis 1?", "Lesson 01.6 prints the mean with keepdim."}},
        {"red.wrong-axis",
         "the mean was taken along a row",
         {"Which index runs in a mean over axis 0?", "How many entries does mean(A, 0) have?"}},
        {"red.mean-n",
         "the sum was divided by the number of all entries of A",
         {"How many numbers go into one entry of mean(A, 0)?", "Write that column down."}},
        {"red.no-division",
         "the sum was not divided",
         {"What is the difference between a mean and a sum?", "Write that column down."}},
        {"mm.batch-of-first",
         "only the leading axes of the first were kept",
         {"Does a leading 1 stay 1 beside a 4?", "Leave off the last two axes, then broadcast."}},
        {"mm.batch-of-second",
         "only the leading axes of the second were kept",
         {"What becomes of the leading axes of the first?",
          "Leave off the last two axes, then broadcast."}},
        {"mm.batches-multiplied",
         "the leading axes were merged into one",
         {"Does matmul ever drop a leading axis?", "Leave off the last two axes, then broadcast."}},
        {"mm.inner-kept",
         "the axis that is summed over stayed",
         {"Which length do a [2, 3] and a [3, 6] share?", "That one is summed over."}},
        {"mm.first-matrix",
         "the last two axes were those of the first",
         {"What is the shape of a [2, 3] times a [3, 6]?", "Look at the last two axes."}},
        {"mm.second-matrix",
         "the last two axes were those of the second",
         {"What is the shape of a [2, 3] times a [3, 6]?", "Look at the last two axes."}},
    };
}

std::vector<Hole> holes() {
    const std::string prints = " in a program of your own prints it";
    return {
        {"transposed_entry",
         {"transpose(A)(1, 0)"},
         {"Which entry of A is entry (1, 0) of its transpose?",
          "Write the transpose of A out, row by row",
          "entry (i, j) of the transpose is entry (j, i) of A",
          "std::cout << tensor::transpose(A);" + prints}},
        {"reshaped_entry",
         {"reshape(A, {3, 2})(1, 0)"},
         {"In which order does a reshape read the numbers?",
          "Write the six numbers of A as one list, then cut it into rows of two",
          "entry (i, j) of a row-major [n, m] is number i·m + j of the list",
          "std::cout << tensor::reshape(A, {3, 2});" + prints}},
        {"permuted_shape",
         {"the shape of permute(x, {2, 0, 1})"},
         {"Which axis of x is axis 0 of the result?", "tensor/views.h says what `order` means",
          "axis i of the result is axis order[i] of x",
          "std::cout << tensor::permute(x, {2, 0, 1}).shape();" + prints}},
        {"sliced_strides",
         {"the list of strides of slice(x, 2, 0, 4, 2)"},
         {"Does a slice move a number, or does it only skip some?",
          "How far apart in x are two neighbours of the slice, along each axis?",
          "a stride is a distance in memory: a step of k along an axis makes it k times as long "
          "there",
          "std::cout << tensor::slice(x, 2, 0, 4, 2).strides().text();" + prints}},
        {"sum_shape",
         {"the shape of [3, 1, 4] + [3, 1]"},
         {"Which axis of [3, 1, 4] does the last axis of [3, 1] meet?",
          "Write the two shapes below each other, so that their ends meet",
          "aligned at the end, a missing length is 1, and a 1 is repeated",
          "std::cout << (x + y).shape();" + prints + ", with x and y from tensor::zeros"}},
        {"sum_entry",
         {"(B + row)(1, 2)"},
         {"Which entry of row meets column 2?", "Write B + row out, row by row",
          "(B + row)(i, j) = B(i, j) + row(j)", "std::cout << B + row;" + prints}},
        {"kept_shape",
         {"the shape of sum(x, 1, keepdim)"},
         {"Which axis is axis 1, and what does keepdim do with it?",
          "Lesson 01.6 prints a mean with keepdim",
          "without keepdim the axis is dropped; with it, it has length 1",
          "std::cout << tensor::sum(x, 1, keepdim).shape();" + prints}},
        {"reduced_entry",
         {"mean(A, 0)(1)"},
         {"Which numbers go into entry 1 of mean(A, 0)?", "How many entries does mean(A, 0) have?",
          "over axis 0 a mean runs down a column and divides by the number of rows",
          "std::cout << tensor::mean(A, 0);" + prints}},
        {"product_shape",
         {"the shape of the matrix product"},
         {"What is the shape of a [2, 3] times a [3, 6]?",
          "Leave off the last two axes of both, and broadcast what is left",
          "[..., n, K]·[..., K, m] -> [..., n, m], where the leading axes broadcast",
          "std::cout << tensor::matmul(x, y).shape();" + prints +
              ", with x and y from tensor::zeros"}},
    };
}

}  // namespace

Exercise predict(const Predictions& predictions) {
    Exercise exercise;
    exercise.number = "01.4";
    exercise.title = "Predict shapes and entries";
    exercise.cases = {in_order(
        "these questions", [](const Slips& slip) { return steps(slipping(slip)); },
        steps(predictions))};
    exercise.secret = true;
    exercise.mistakes = mistakes();
    exercise.holes = holes();
    exercise.hints = {
        "What does the operation do to an axis of length 1, 2, 3?",
        "The section of lesson 01 on that operation prints a case like it",
        "permute: axis i of the result is axis order[i] of x; broadcasting: aligned at the "
        "end; matmul: [..., n, K]·[..., K, m] -> [..., n, m], leading axes broadcast",
        "A line such as std::cout << tensor::permute(x, {2, 0, 1}).shape(); in a program of your "
        "own "
        "prints it"};
    return exercise;
}

Trials predict_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return predict(slipping(slip)); };
    trials.right["worked out by a person"] = [] {
        return predict({[] { return 1; }, [] { return 2; },
                        [] {
                            return Shape{4, 2, 3};
                        },
                        [] {
                            return Dims{12, 4, 2};
                        },
                        [] {
                            return Shape{3, 3, 4};
                        },
                        [] { return 35; },
                        [] {
                            return Shape{2, 1, 4};
                        },
                        [] { return 2.5; },
                        [] {
                            return Shape{5, 4, 2, 6};
                        }});
    };
    return trials;
}

}  // namespace exercise
