// Answers to 02.2.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_02.h"

#include "nn/heed.h"

#include <algorithm>
#include <numeric>

using namespace heed;
using namespace exercise;

namespace {
Tensor merged(const Tensor& G) { return tensor::reshape(G, {-1, G.dim(-1)}); }

BiasGradients right_row(const Tensor& G) { return {G, tensor::sum(merged(G), 0)}; }

BiasGradients right_column(const Tensor& G) { return {G, tensor::sum(G, 1, keepdim)}; }

BiasGradients over_axis_0(const Tensor& G) { return {G, tensor::sum(G, 0)}; }

BiasGradients d_is_axis_1(const Tensor& G) {
    if (G.rank() < 2) return {G, G};
    return {G, tensor::sum(tensor::reshape(G, {-1, G.dim(1)}), 0)};
}

Dims leading_axes(const Tensor& G) {
    Dims axes;
    for (int axis = 0; axis < G.rank() - 1; ++axis) axes.append(axis);
    return axes;
}

BiasGradients needs_a_leading_axis(const Tensor& G) { return {G, tensor::sum(G, leading_axes(G))}; }

BiasGradients at_most_two_leading_axes(const Tensor& G) {
    Tensor b = G;
    if (b.rank() > 1) b = tensor::sum(b, 0);
    if (b.rank() > 1) b = tensor::sum(b, 0);
    return {G, b};
}

BiasGradients at_most_five_leading_axes(const Tensor& G) {
    Tensor b = G;
    for (int axis = 0; axis < 5 && b.rank() > 1; ++axis) b = tensor::sum(b, 0);
    return {G, b};
}

BiasGradients axis_left_over(const Tensor& G) { return {G, tensor::sum(merged(G), 0, keepdim)}; }

BiasGradients mean_of_rows(const Tensor& G) { return {G, tensor::mean(merged(G), 0)}; }

BiasGradients mean_of_texts(const Tensor& G) {
    const double texts = G.rank() > 2 ? static_cast<double>(G.dim(0)) : 1.0;
    return {G, right_row(G).b / texts};
}

BiasGradients first_text(const Tensor& G) {
    return {G, right_row(G.rank() > 2 ? tensor::select(G, 0, 0) : G).b};
}

BiasGradients last_row(const Tensor& G) { return {G, tensor::select(merged(G), 0, -1)}; }

BiasGradients merged_behind(const Tensor& G) {
    return {G, tensor::sum(tensor::reshape(G, {G.dim(-1), -1}), 1)};
}

BiasGradients x_merged(const Tensor& G) { return {merged(G), right_row(G).b}; }

BiasGradients ones_for_x(const Tensor& G) { return {tensor::ones_like(G), right_row(G).b}; }

BiasGradients count_of_uses(const Tensor& G) { return {G, right_row(tensor::ones_like(G)).b}; }

BiasGradients squeezed(const Tensor& G) { return {G, tensor::squeeze(right_row(G).b)}; }

BiasGradients ones_not_summed(const Tensor& G) {
    Tensor b = G;
    while (b.rank() > 1 && b.dim(0) > 1) b = tensor::sum(b, 0);
    return {G, b};
}

BiasGradients added_to_earlier_ones(const Tensor& G) {
    static Tensor b;
    const Tensor now = right_row(G).b;
    b = b.shape() == now.shape() ? b + now : now;
    return {G, b};
}

BiasGradients in_memory(const Tensor& G) {
    const Tensor read(G.storage(), G.offset(), G.shape(), contiguous_strides(G.shape()));
    return {G, right_row(read).b};
}

BiasGradients in_float(const Tensor& G) {
    std::vector<Scalar> b;
    for (std::int64_t j = 0; j < G.dim(-1); ++j) {
        float sum = 0;
        for (const Scalar entry : tensor::select(G, -1, j).to_vector()) {
            sum += static_cast<float>(entry);
        }
        b.push_back(sum);
    }
    return {G, tensor::from_vector(b, {G.dim(-1)})};
}

BiasGradients divided_by_the_leading_length(const Tensor& G) {
    if (G.rank() < 3) return right_row(G);
    const double texts = static_cast<double>(G.dim(0));
    return {G / texts, right_row(G).b};
}

BiasGradients into_one_buffer(const Tensor& G) {
    static Tensor buffer;
    const Tensor sums = right_row(G).b;
    if (buffer.shape() != sums.shape()) buffer = tensor::clone(sums);
    tensor::overwrite(buffer, sums);
    return {G, buffer};
}

BiasGradients fifty_rows(const Tensor& G) {
    return {G, tensor::sum(tensor::slice(merged(G), 0, 0, 50), 0)};
}

BiasGradients tiny_ones_are_0(const Tensor& G) {
    Tensor b = right_column(G).b;
    std::vector<Scalar> entries = b.to_vector();
    for (Scalar& entry : entries) entry = entry < 1e-12 && entry > -1e-12 ? 0 : entry;
    return {G, tensor::from_vector(entries, b.shape())};
}

BiasGradients column_without_axis(const Tensor& G) { return {G, tensor::sum(G, 1)}; }

BiasGradients column_as_a_row(const Tensor& G) { return {G, tensor::sum(G, 0, keepdim)}; }

BiasGradients sums_of_columns_if_square(const Tensor& G) {
    const int axis = G.dim(0) == G.dim(1) ? 0 : 1;
    return {G, tensor::reshape(tensor::sum(G, axis), {G.dim(0), 1})};
}

BiasGradients column_of_means(const Tensor& G) { return {G, tensor::mean(G, 1, keepdim)}; }

BiasGradients first_column(const Tensor& G) { return {G, tensor::slice(G, 1, 0, 1)}; }

BiasGradients column_at_full_size(const Tensor& G) {
    return {G, tensor::expand(right_column(G).b, G.shape())};
}

BiasGradients sum_of_all(const Tensor& G) {
    return {G, tensor::expand(tensor::sum(G), {G.dim(0), 1})};
}

BiasGradients a_number_for_one_word(const Tensor& G) {
    return {G, G.dim(0) == 1 ? tensor::sum(G) : right_column(G).b};
}

BiasGradients x_centred(const Tensor& G) { return {G - right_column(G).b, right_column(G).b}; }

BiasGradients gathered_in_G(const Tensor& G) {
    const Tensor x = tensor::clone(G);
    Tensor b = tensor::slice(G, 1, 0, 1);
    for (std::int64_t j = 1; j < G.dim(1); ++j) {
        tensor::overwrite(b, b + tensor::slice(G, 1, j, j + 1));
    }
    return {x, tensor::clone(b)};
}

BiasGradients a_view_of_rows(const Tensor& G) {
    return {G, tensor::sum(tensor::view(G, {-1, G.dim(-1)}), 0)};
}

Tensor total_of_neighbours_that_differ(const Tensor& rows) {
    std::vector<Scalar> totals;
    for (std::int64_t i = 0; i < rows.dim(0); ++i) {
        std::vector<Scalar> row = tensor::select(rows, 0, i).to_vector();
        row.erase(std::unique(row.begin(), row.end()), row.end());
        totals.push_back(std::accumulate(row.begin(), row.end(), Scalar{0}));
    }
    return tensor::from_vector(totals, {rows.dim(0)});
}

BiasGradients equal_rows_once(const Tensor& G) {
    return {G, total_of_neighbours_that_differ(tensor::transpose(merged(G)))};
}

BiasGradients equal_columns_once(const Tensor& G) {
    return {G, tensor::unsqueeze(total_of_neighbours_that_differ(G), 1)};
}

BiasGradients nothing_without_leading_axes(const Tensor& G) {
    return {G, G.rank() == 1 ? tensor::zeros_like(G) : right_row(G).b};
}

BiasGradients unchanged_if_one_row(const Tensor& G) {
    return {G, G.numel() == G.dim(-1) ? G : right_row(G).b};
}

BiasGradients x_without_a_leading_1(const Tensor& G) {
    return {G.rank() > 1 && G.dim(0) == 1 ? tensor::select(G, 0, 0) : G, right_row(G).b};
}

BiasGradients x_from_b(const Tensor& G) {
    const Tensor b = right_column(G).b;
    return {tensor::expand(b, G.shape()), b};
}

BiasGradients a_vector_if_one_column(const Tensor& G) {
    return {G, G.dim(1) == 1 ? tensor::select(G, 1, 0) : right_column(G).b};
}

BiasGradients the_row_of_the_transpose(const Tensor& G) {
    const BiasGradients row = right_row(tensor::transpose(G));
    return {tensor::transpose(row.x), tensor::transpose(tensor::unsqueeze(row.b, 0))};
}

BiasGradients a_column_of_an_expanded_view(const Tensor& G) {
    const Tensor wide = tensor::expand(right_column(G).b, {G.dim(0), 4});
    return {G, tensor::slice(wide, 1, 3, 4)};
}

BiasGradients axis_by_axis(const Tensor& G) {
    Tensor b = G;
    while (b.rank() > 1) b = tensor::sum(b, b.rank() - 2);
    return {tensor::clone(G), b};
}

BiasGradients row_by_row(const Tensor& G) {
    const Tensor rows = merged(G);
    Tensor b = tensor::zeros({G.dim(-1)});
    for (std::int64_t i = rows.dim(0); i-- > 0;) b += tensor::select(rows, 0, i);
    return {G, b};
}

BiasGradients product_with_ones(const Tensor& G) {
    return {G, tensor::matmul(G, tensor::ones({G.dim(1), 1}))};
}

BiasGradients by_backward(const Tensor& G, const Shape& of_b) {
    const Variable x(tensor::ones_like(G), requires_grad);
    const Variable b(tensor::ones(of_b), requires_grad);
    (x + b).backward({.upstream = G});
    return {x.grad(), b.grad()};
}

BiasGradients row_by_backward(const Tensor& G) { return by_backward(G, {G.dim(-1)}); }

BiasGradients column_by_backward(const Tensor& G) { return by_backward(G, {G.dim(0), 1}); }

BiasGradients by_loops(const Tensor& G) {
    std::vector<Scalar> of_b;
    for (std::int64_t i = 0; i < G.dim(0); ++i) {
        Scalar sum = 0;
        for (std::int64_t j = 0; j < G.dim(1); ++j) sum += G(i, j);
        of_b.push_back(sum);
    }
    return {G, tensor::from_vector(of_b, {G.dim(0), 1})};
}

Answer rows(const std::string& what, const BiasGradient& f,
            const std::vector<std::string>& names = {}) {
    return {what, [f] { return judge_02_2({f, right_column}); }, names};
}

Answer columns(const std::string& what, const BiasGradient& f,
               const std::vector<std::string>& names = {}) {
    return {what, [f] { return judge_02_2({right_row, f}); }, names};
}

}  // namespace

Answers answers_02_2() {
    Answers answers;
    answers.number = "02.2";
    answers.slipping = slipping(judge_02_2);
    answers.wrong = {
        rows("only axis 0 is summed", over_axis_0, {"ag.bias-one-axis"}),
        rows("d is the length of axis 1", d_is_axis_1),
        rows("x must have a leading axis", needs_a_leading_axis),
        rows("at most two leading axes", at_most_two_leading_axes),
        rows("at most five leading axes", at_most_five_leading_axes),
        rows("an axis of length 1 is left over", axis_left_over),
        rows("the mean of the rows", mean_of_rows, {"ag.bias-mean"}),
        rows("the mean over the texts", mean_of_texts),
        rows("only the first text", first_text),
        rows("only the last row", last_row, {"ag.bias-last-row"}),
        rows("the axes are merged behind d", merged_behind),
        rows("the gradient for x keeps its axes merged", x_merged),
        rows("the gradient for x is 1", ones_for_x),
        rows("the number of uses", count_of_uses),
        rows("with d = 1 the axis is dropped", squeezed),
        rows("a leading axis of length 1 stays", ones_not_summed),
        rows("earlier gradients of this shape are added", added_to_earlier_ones),
        rows("G is read as if it were row-major", in_memory),
        rows("the sum is a float", in_float),
        rows("the gradient for x is divided by the number of texts", divided_by_the_leading_length),
        rows("all results share one memory", into_one_buffer),
        rows("only fifty rows", fifty_rows),
        rows("a view in place of reshape", a_view_of_rows),
        rows("equal neighbours count once", equal_rows_once),
        rows("0 without leading axes", nothing_without_leading_axes),
        rows("G itself if it has one row", unchanged_if_one_row),
        rows("the gradient for x loses a leading axis of length 1", x_without_a_leading_1),
        columns("equal neighbours count once", equal_columns_once),
        columns("the gradient for x is that for b, repeated", x_from_b),
        columns("with d = 1 the axis is dropped", a_vector_if_one_column),
        columns("0 if it is below 1e-12", tiny_ones_are_0),
        columns("its axis is dropped", column_without_axis, {"ag.bias-column-shape"}),
        columns("the sum runs down the columns", column_as_a_row,
                {"ag.bias-wrong-axis/column_gradient"}),
        columns("the same, only if G is square", sums_of_columns_if_square),
        columns("the mean of the columns", column_of_means, {"ag.bias-mean/column_gradient"}),
        columns("only the first column", first_column, {"ag.bias-first-row/column_gradient"}),
        columns("repeated to the shape of G", column_at_full_size),
        columns("the sum of all for every word", sum_of_all),
        columns("a single word has a number", a_number_for_one_word),
        columns("the gradient for x is less that for b", x_centred),
        columns("the first column of G becomes the sum", gathered_in_G),
    };
    answers.right = {
        rows("one axis after the other, the last first", axis_by_axis),
        rows("row by row", row_by_row),
        columns("a product with ones", product_with_ones),
        columns("as the row of the transpose", the_row_of_the_transpose),
        columns("a column of an expanded view", a_column_of_an_expanded_view),
        {"by the library's backward",
         [] {
             return judge_02_2({row_by_backward, column_by_backward});
         }},
        columns("by loops", by_loops),
    };
    return answers;
}
