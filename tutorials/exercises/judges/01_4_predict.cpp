#include "tutorials/exercises/judges/01_4_predict.h"

#include "tutorials/exercises/judges/common_steps.h"

#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/matmul.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/views.h"

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
    if (slip("ten.col-major")) return tensor::reshape(tensor::transpose(A()), {6})(1);
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
    if (slip("ten.stride-shape")) return slice.shape();
    return slice.strides();
}

Shape sum_of_shapes(const Slips& slip) {
    if (slip("bc.left-align")) return {3, 1, 4};
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
    if (slip("mm.batches-multiplied")) return {20, 2, 6};
    if (slip("mm.inner-kept")) return {5, 4, 3, 3};
    if (slip("mm.ABt")) return {5, 4, 2, 3};
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
    std::vector<Scalar> padded(max_rank, -1);
    for (int i = 0; i < dims.size(); ++i) {
        padded[static_cast<std::size_t>(i)] = static_cast<Scalar>(dims[i]);
    }
    return {{question, tensor::from_vector(padded, {max_rank})}};
}

Stages answer(const std::string& question, double number) {
    return {{question, tensor::of({number})}};
}

Steps steps(const Predictions& p) {
    return {
        [=] { return answer("transpose(A)(1, 0)", p.transposed_entry()); },
        [=] { return answer("reshape(A, {3, 2})(1, 0)", p.reshaped_entry()); },
        [=] { return answer("the shape of permute(x, {2, 0, 1})", p.permuted_shape()); },
        [=] { return answer("the strides of slice(x, 2, 0, 4, 2)", p.sliced_strides()); },
        [=] { return answer("the shape of [3, 1, 4] + [3, 1]", p.sum_shape()); },
        [=] { return answer("(B + row)(1, 2)", p.sum_entry()); },
        [=] { return answer("the shape of sum(x, 1, keepdim)", p.kept_shape()); },
        [=] { return answer("mean(A, 0)(1)", p.reduced_entry()); },
        [=] { return answer("the shape of the matrix product", p.product_shape()); },
    };
}

// The first wrong answer, without revealing the right one.
std::string first_wrong(const Predictions& p) {
    const Stages right = all_of(steps(slipping({})));
    const Stages given = until_one_is_wrong(steps(p), right);
    if (same(given, right)) return "";
    const std::size_t before = given.size() - 1;
    const std::string count = before > 0 ? "; those before it are: " + std::to_string(before) : "";
    return "Your answer for " + given.back().name + " is not right yet" + count + ".";
}

std::vector<Mistake> mistakes() {
    return {
        {"ten.reshape-is-transpose",
         "a transpose read the numbers in the same order, like a reshape",
         {"Which entry of A is entry (1, 0) of its transpose?", "Lesson 01.4 prints both."}},
        {"ten.transpose-same-place",
         "the entry had stayed at its place",
         {"Which entry of A is entry (1, 0) of its transpose?", "Write the transpose out."}},
        {"ten.transpose-is-reshape",
         "a reshape had exchanged rows and columns",
         {"In which order does a reshape read the numbers?", "Lesson 01.4 prints both."}},
        {"ten.col-major",
         "the numbers were read column after column",
         {"Which axis changes fastest in memory?", "Write the six numbers as a list."}},
        {"ten.permute-inverse",
         "axis i of x became axis order[i] of the result",
         {"Axis 0 of the result is which axis of x?", "tensor/views.h says which way it goes."}},
        {"ten.permute-reversed",
         "all axes were put in the opposite order",
         {"Axis 1 of the result is which axis of x?", "Go through {2, 0, 1} one by one."}},
        {"ten.permute-none",
         "the axes had stayed as they were",
         {"Axis 0 of the result is which axis of x?", "Go through {2, 0, 1} one by one."}},
        {"ten.view-copy",
         "the slice had been copied, with strides of its own shape",
         {"Does a slice move a number?", "How far apart in x are two rows of the slice?"}},
        {"ten.slice-same-strides",
         "the strides were still those of x",
         {"How far apart in x are two neighbours of the slice?", "Look at the last stride."}},
        {"ten.stride-shape",
         "the lengths of the axes were taken for the strides",
         {"What is a stride?", "Lesson 01.2 prints shapes beside strides."}},
        {"bc.left-align",
         "the shapes were aligned at their first axis",
         {"Which axis of [3, 1, 4] does the last of [3, 1] meet?",
          "Write the two shapes below each other, so that their ends meet."}},
        {"bc.append-axes",
         "the shapes were put one behind the other",
         {"How many axes has a sum of a matrix and a row?",
          "Write the two shapes below each other, so that their ends meet."}},
        {"bc.min",
         "the smaller of two lengths was kept",
         {"Which of 1 and 4 is repeated?",
          "Write the two shapes below each other, so that their ends meet."}},
        {"bc.down-columns",
         "the row had been added down the columns: in a square nothing complains",
         {"Does a [3] stand for a row or for a column?", "Which entry of row meets column 2?"}},
        {"bc.first-entry",
         "the first entry of row had been added everywhere",
         {"Which entry of row meets column 2?", "Write B + row out."}},
        {"bc.truncate",
         "row had been added to the first row only",
         {"To which rows of B is row added?", "Write B + row out."}},
        {"red.keepdim",
         "the axis had been dropped",
         {"What does keepdim keep?", "Lesson 01.6 prints the mean with keepdim."}},
        {"red.axis-from-1",
         "axes were counted from 1",
         {"What is the length of axis 1 of [2, 3, 4]?", "The first axis is axis 0."}},
        {"red.kept-only",
         "only the axis that was named had stayed",
         {"Which axis goes away in a sum over axis 1?", "What becomes of the other two?"}},
        {"red.keepdim-length",
         "the axis had kept its whole length",
         {"How many sums are there along axis 1?", "Lesson 01.6 prints the mean with keepdim."}},
        {"red.wrong-axis",
         "the mean went along a row",
         {"Which index runs in a mean over axis 0?", "How many entries has mean(A, 0)?"}},
        {"red.mean-n",
         "the sum was divided by all six",
         {"How many numbers go into one entry of mean(A, 0)?", "Write that column down."}},
        {"red.no-division",
         "it was the sum",
         {"What does a mean do after the sum?", "Write that column down."}},
        {"mm.batch-of-first",
         "only the leading axes of the first were kept",
         {"Does a leading 1 stay 1 beside a 4?", "Leave off the last two axes, then broadcast."}},
        {"mm.batches-multiplied",
         "the leading axes had been multiplied into one",
         {"Does matmul ever drop a leading axis?", "Leave off the last two axes, then broadcast."}},
        {"mm.inner-kept",
         "the axis that is summed over had stayed",
         {"Which length do a [2, 3] and a [3, 6] share?", "That one is summed over."}},
        {"mm.ABt",
         "the last axis was the one that is summed over",
         {"What is the shape of a [2, 3] times a [3, 6]?", "Look at the last two axes."}},
    };
}

}  // namespace

Exercise predict(const Predictions& predictions) {
    Exercise exercise;
    exercise.number = "01.4";
    exercise.title = "Predict shapes and entries";
    exercise.cases = {in_order(
        "your predictions", [](const Slips& slip) { return steps(slipping(slip)); },
        steps(predictions))};
    exercise.laws = {{"", [=] { return first_wrong(predictions); }}};
    exercise.mistakes = mistakes();
    exercise.hints = {
        "What does the operation do to an axis of length 1, 2, 3?",
        "The section of lesson 01 on that operation prints a case like it",
        "permute: axis i of the result is axis order[i]; broadcasting: aligned at the "
        "end; matmul: [..., n, K]·[..., K, m] -> [..., n, m], leading axes broadcast",
        "A line such as std::cout << tensor::permute(x, {2, 0, 1}).shape() tells"};
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
