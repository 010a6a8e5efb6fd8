// Answers to 01.4.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_01.h"

#include "nn/heed.h"

#include <cmath>
#include <utility>

using namespace heed;
using namespace exercise;

namespace {
Predictions right_predictions() {
    Predictions right;
    right.transposed_entry = [] { return 1.0; };
    right.reshaped_entry = [] { return 2.0; };
    right.permuted_shape = [] { return Shape{4, 2, 3}; };
    right.sliced_strides = [] { return Dims{12, 4, 2}; };
    right.sum_shape = [] { return Shape{3, 3, 4}; };
    right.sum_entry = [] { return 35.0; };
    right.kept_shape = [] { return Shape{2, 1, 4}; };
    right.reduced_entry = [] { return 2.5; };
    right.product_shape = [] { return Shape{5, 4, 2, 6}; };
    return right;
}

// All predictions are right but this one.
template <class Prediction, class Value>
Answer except(const std::string& what, Prediction Predictions::*question, const Value& value,
              const std::vector<std::string>& names = {}) {
    return {what,
            [question, value] {
                Predictions predictions = right_predictions();
                predictions.*question = [value] { return value; };
                return judge_01_4(predictions);
            },
            names};
}

std::vector<Answer> wrong_views() {
    return {
        except("transposed: the entry of A", &Predictions::transposed_entry, 3.0,
               {"ten.transpose-same-place"}),
        except("transposed: rows counted from 1", &Predictions::transposed_entry, 0.0),
        except("transposed: as reshaped", &Predictions::transposed_entry, 2.0,
               {"ten.reshape-is-transpose"}),
        except("reshaped: as transposed", &Predictions::reshaped_entry, 1.0,
               {"ten.transpose-is-reshape"}),
        except("reshaped: the entry of A", &Predictions::reshaped_entry, 3.0),
        except("permuted: the inverse", &Predictions::permuted_shape, Shape{3, 4, 2},
               {"ten.permute-inverse"}),
        except("permuted: all axes reversed", &Predictions::permuted_shape, Shape{4, 3, 2},
               {"ten.permute-reversed"}),
        except("permuted: the order itself", &Predictions::permuted_shape, Shape{2, 0, 1}),
        except("permuted: as before", &Predictions::permuted_shape, Shape{2, 3, 4},
               {"ten.permute-none"}),
        except("sliced: row-major", &Predictions::sliced_strides, Dims{6, 2, 1}, {"ten.view-copy"}),
        except("sliced: those of x", &Predictions::sliced_strides, Dims{12, 4, 1},
               {"ten.slice-same-strides"}),
        except("sliced: all doubled", &Predictions::sliced_strides, Dims{24, 8, 2},
               {"ten.slice-all-steps"}),
        except("sliced: row-major, then the step", &Predictions::sliced_strides, Dims{6, 2, 2}),
        except("sliced: the shape", &Predictions::sliced_strides, Dims{2, 3, 2},
               {"ten.stride-shape"}),
        except("sliced: only one", &Predictions::sliced_strides, Dims{2}),
        except("transposed: not a number", &Predictions::transposed_entry, std::nan("")),
        except("permuted: an axis too many", &Predictions::permuted_shape, Shape{4, 2, 3, 1}),
        except("sliced: a stride of -1 too many", &Predictions::sliced_strides, Dims{12, 4, 2, -1}),
        except("transposed: infinite", &Predictions::transposed_entry, HUGE_VAL),
        except("reshaped: the columns one after the other", &Predictions::reshaped_entry, 4.0),
        except("permuted: the number of entries", &Predictions::permuted_shape, Shape{24}),
        except("permuted: no axes", &Predictions::permuted_shape, Shape{}),
        except("sliced: counted in bytes", &Predictions::sliced_strides, Dims{96, 32, 16}),
        except("sliced: with one for the whole", &Predictions::sliced_strides, Dims{24, 12, 4, 2}),
        except("sliced: in reverse", &Predictions::sliced_strides, Dims{2, 4, 12}),
    };
}

std::vector<Answer> wrong_numbers() {
    return {
        except("sum: the larger shape", &Predictions::sum_shape, Shape{3, 1, 4}),
        except("sum: the smaller lengths", &Predictions::sum_shape, Shape{3, 1, 1}, {"bc.min"}),
        except("sum: two axes", &Predictions::sum_shape, Shape{3, 4}),
        except("sum: all axes joined", &Predictions::sum_shape, Shape{3, 1, 4, 3, 1},
               {"bc.append-axes"}),
        except("sum entry: the row as a column", &Predictions::sum_entry, 25.0,
               {"bc.down-columns"}),
        except("sum entry: that of row 2", &Predictions::sum_entry, 38.0),
        except("sum entry: without the row", &Predictions::sum_entry, 5.0, {"bc.truncate"}),
        except("sum: an axis too many", &Predictions::sum_shape, Shape{1, 3, 3, 4}),
        except("sum: lengths added", &Predictions::sum_shape, Shape{3, 4, 5}),
        except("sum entry: of (2, 1)", &Predictions::sum_entry, 27.0),
        except("kept: the axis is dropped", &Predictions::kept_shape, Shape{2, 4}, {"red.keepdim"}),
        except("kept: the axis is counted from 1", &Predictions::kept_shape, Shape{1, 3, 4},
               {"red.axis-from-1"}),
        except("kept: only the axis is left", &Predictions::kept_shape, Shape{1, 3, 1},
               {"red.kept-only"}),
        except("kept: as before", &Predictions::kept_shape, Shape{2, 3, 4}, {"red.keepdim-length"}),
        except("kept: the axis is counted from the end", &Predictions::kept_shape, Shape{2, 3, 1}),
        except("mean: divided by all", &Predictions::reduced_entry, 5 / 6.0, {"red.mean-n"}),
        except("mean: of row 1", &Predictions::reduced_entry, 4.0, {"red.wrong-axis"}),
        except("mean: of row 0", &Predictions::reduced_entry, 1.0),
        except("mean: an integer division", &Predictions::reduced_entry, double{(1 + 4) / 2}),
        except("mean: the sum", &Predictions::reduced_entry, 5.0, {"red.no-division"}),
        except("mean: of column 2", &Predictions::reduced_entry, 3.5),
        except("product: the batch of the first", &Predictions::product_shape, Shape{5, 1, 2, 6},
               {"mm.batch-of-first"}),
        except("product: the batch of the second", &Predictions::product_shape, Shape{4, 2, 6},
               {"mm.batch-of-second"}),
        except("product: the batches are merged", &Predictions::product_shape, Shape{20, 2, 6},
               {"mm.batches-multiplied"}),
        except("product: the last two axes of the second", &Predictions::product_shape,
               Shape{5, 4, 3, 6}, {"mm.second-matrix"}),
        except("product: the last two axes of the first", &Predictions::product_shape,
               Shape{5, 4, 2, 3}, {"mm.first-matrix"}),
        except("product: the inner lengths", &Predictions::product_shape, Shape{5, 4, 3, 3},
               {"mm.inner-kept"}),
        except("product: each row with each column", &Predictions::product_shape,
               Shape{5, 4, 2, 3, 6}),
        except("product: transposed", &Predictions::product_shape, Shape{5, 4, 6, 2}),
        {"transposed and reshaped exchanged",
         [] {
             Predictions predictions = right_predictions();
             std::swap(predictions.transposed_entry, predictions.reshaped_entry);
             return judge_01_4(predictions);
         },
         {"ten.reshape-is-transpose"}},
        except("product: the batches the other way", &Predictions::product_shape,
               Shape{4, 5, 2, 6}),
    };
}

// The library is asked, instead of paper.
Predictions asked_of_the_library() {
    Predictions asked;
    asked.transposed_entry = [] {
        return double{tensor::transpose(tensor::of({{0, 1, 2}, {3, 4, 5}}))(1, 0)};
    };
    asked.reshaped_entry = [] {
        return double{tensor::reshape(tensor::of({{0, 1, 2}, {3, 4, 5}}), {3, 2})(1, 0)};
    };
    asked.permuted_shape = [] {
        return tensor::permute(tensor::zeros({2, 3, 4}), {2, 0, 1}).shape();
    };
    asked.sliced_strides = [] {
        return tensor::slice(tensor::zeros({2, 3, 4}), 2, 0, 4, 2).strides();
    };
    asked.sum_shape = [] { return (tensor::zeros({3, 1, 4}) + tensor::zeros({3, 1})).shape(); };
    asked.sum_entry = [] {
        const Tensor B = tensor::reshape(tensor::arange(9), {3, 3});
        return double{(B + tensor::of({10, 20, 30}))(1, 2)};
    };
    asked.kept_shape = [] { return tensor::sum(tensor::zeros({2, 3, 4}), 1, keepdim).shape(); };
    asked.reduced_entry = [] {
        return double{tensor::mean(tensor::of({{0, 1, 2}, {3, 4, 5}}), 0)(1)};
    };
    asked.product_shape = [] {
        return tensor::matmul(tensor::zeros({5, 1, 2, 3}), tensor::zeros({4, 3, 6})).shape();
    };
    return asked;
}

Answer right_sum_in_steps() {
    return except("5 / 2.0, in floating point", &Predictions::reduced_entry, (1 + 4) / 2.0);
}

}  // namespace

Answers answers_01_4() {
    Answers answers;
    answers.number = "01.4";
    answers.slipping = slipping(judge_01_4);
    answers.wrong = wrong_views();
    for (const Answer& answer : wrong_numbers()) answers.wrong.push_back(answer);
    answers.right = {
        {"the library is asked", [] { return judge_01_4(asked_of_the_library()); }},
        right_sum_in_steps(),
        except("rounded in the last digit", &Predictions::sum_entry, 0.7 * 50),
        except("25 tenths", &Predictions::reduced_entry, 0.1 * 25),
        {"worked out by a person", [] { return judge_01_4(right_predictions()); }},
    };
    return answers;
}
