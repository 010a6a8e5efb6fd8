// Answers to 02.5.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_02.h"

#include "nn/heed.h"

#include <algorithm>

using namespace heed;
using namespace exercise;

namespace {
Tensor whole(const Tensor& Y, const Tensor& G) { return Y * (G - tensor::sum(Y * G, -1, keepdim)); }

Tensor sum_over_everything(const Tensor& Y, const Tensor& G) {
    return Y * (G - tensor::sum(Y * G));
}

Tensor sum_along_axis_1(const Tensor& Y, const Tensor& G) {
    const int axis = Y.rank() > 1 ? 1 : 0;
    return Y * (G - tensor::sum(Y * G, axis, keepdim));
}

Tensor sum_along_columns(const Tensor& Y, const Tensor& G) {
    return Y * (G - tensor::sum(Y * G, Y.rank() > 1 ? -2 : -1, keepdim));
}

Tensor mean_for_sum(const Tensor& Y, const Tensor& G) {
    return Y * (G - tensor::mean(Y * G, -1, keepdim));
}

Tensor diagonal_only(const Tensor& Y, const Tensor& G) { return G * Y * (1 - Y); }

Tensor no_y_in_the_sum(const Tensor& Y, const Tensor& G) {
    return Y * (G - tensor::sum(G, -1, keepdim));
}

Tensor of_log_softmax(const Tensor& Y, const Tensor& G) {
    return G - Y * tensor::sum(G, -1, keepdim);
}

Tensor other_sign(const Tensor& Y, const Tensor& G) { return -whole(Y, G); }

Tensor off_diagonal_sign(const Tensor& Y, const Tensor& G) {
    return Y * (G + tensor::sum(Y * G, -1, keepdim) - 2 * Y * G);
}

Tensor mean_over_rows(const Tensor& Y, const Tensor& G) {
    const double rows = static_cast<double>(Y.numel()) / static_cast<double>(Y.dim(-1));
    return whole(Y, G) / rows;
}

Tensor softmax_once_more(const Tensor& Y, const Tensor& G) {
    return whole(tensor::softmax(Y, -1), G);
}

Tensor written_into_G(const Tensor& Y, const Tensor& G) {
    Tensor result = G;
    tensor::overwrite(result, whole(Y, G));
    return result;
}

Tensor product_written_into_Y(const Tensor& Y, const Tensor& G) {
    const Tensor result = whole(Y, G);
    Tensor product = Y;
    tensor::overwrite(product, Y * G);
    return result;
}

Tensor no_competition_in_a_row_of_one(const Tensor& Y, const Tensor& G) {
    return Y.dim(-1) == 1 ? G : whole(Y, G);
}

// ∂L/∂X row by row: of `count` rows with `n` entries each.
std::vector<Scalar> in_rows(const std::vector<Scalar>& y, const std::vector<Scalar>& g,
                            std::size_t count, std::size_t n) {
    std::vector<Scalar> result(y.size(), 0);
    for (std::size_t row = 0; row < count; ++row) {
        const std::size_t first = row * n;
        const std::size_t end = std::min(first + n, y.size());
        double sum = 0;
        for (std::size_t i = first; i < end; ++i) sum += y[i] * g[i];
        for (std::size_t i = first; i < end; ++i) {
            result[i] = static_cast<Scalar>(y[i] * (g[i] - sum));
        }
    }
    return result;
}

Tensor as_if_square(const Tensor& Y, const Tensor& G) {
    const std::vector<Scalar> y = Y.to_vector();
    const std::size_t n = static_cast<std::size_t>(Y.dim(0));
    return tensor::from_vector(in_rows(y, G.to_vector(), (y.size() + n - 1) / n, n), Y.shape());
}

Tensor first_matrix_only(const Tensor& Y, const Tensor& G) {
    const std::vector<Scalar> y = Y.to_vector();
    const std::size_t n = static_cast<std::size_t>(Y.dim(-1));
    const std::size_t rows = Y.rank() > 1 ? static_cast<std::size_t>(Y.dim(-2)) : 1;
    return tensor::from_vector(in_rows(y, G.to_vector(), rows, n), Y.shape());
}

std::vector<Scalar> as_it_lies_in_memory(const Tensor& x) {
    const std::size_t count = static_cast<std::size_t>(x.numel());
    if (x.offset() + x.numel() > x.storage()->size()) return x.to_vector();  // it was expanded
    return std::vector<Scalar>(x.data(), x.data() + count);
}

Tensor blind_to_strides(const Tensor& Y, const Tensor& G) {
    const std::size_t n = static_cast<std::size_t>(Y.dim(-1));
    const std::vector<Scalar> y = as_it_lies_in_memory(Y);
    return tensor::from_vector(in_rows(y, as_it_lies_in_memory(G), y.size() / n, n), Y.shape());
}

Tensor sum_of_sixteen(const Tensor& Y, const Tensor& G) {
    const Tensor product = tensor::slice(Y * G, -1, 0, 16);
    return Y * (G - tensor::sum(product, -1, keepdim));
}

// With G near 1e9, all that distinguishes its entries is lost in a float.
Tensor sum_in_float(const Tensor& Y, const Tensor& G) {
    const Tensor exact = tensor::sum(Y * G, -1, keepdim);
    std::vector<Scalar> sums;
    for (Scalar sum : exact.to_vector()) sums.push_back(static_cast<float>(sum));
    return Y * (G - tensor::from_vector(sums, exact.shape()));
}

Tensor sum_of_the_first_row(const Tensor& Y, const Tensor& G) {
    const Tensor sums = tensor::sum(Y * G, -1, keepdim);  // [..., 1]
    if (Y.rank() == 1) return Y * (G - sums);
    return Y * (G - tensor::slice(sums, -2, 0, 1));
}

Tensor three_axes_at_most(const Tensor& Y, const Tensor& G) {
    return Y * (G - tensor::sum(Y * G, std::min(Y.rank() - 1, 2), keepdim));
}

Tensor sum_of_the_first_call(const Tensor& Y, const Tensor& G) {
    static std::vector<Tensor> sums;
    for (const Tensor& known : sums) {
        if (known.shape() == G.shape()) return Y * (G - known);
    }
    sums.push_back(tensor::expand(tensor::sum(Y * G, -1, keepdim), G.shape()));
    return Y * (G - sums.back());
}

Tensor nothing_where_G_is_0(const Tensor& Y, const Tensor& G) {
    std::vector<Scalar> result = whole(Y, G).to_vector();
    const std::vector<Scalar> g = G.to_vector();
    for (std::size_t i = 0; i < g.size(); ++i) result[i] = g[i] == 0 ? 0 : result[i];
    return tensor::from_vector(result, G.shape());
}

Tensor divided_by_what_Y_lacks_of_1(const Tensor& Y, const Tensor& G) {
    return whole(Y, G) / tensor::sum(Y * (1 - Y), -1, keepdim) *
           tensor::sum(Y * (1 - Y), -1, keepdim);
}

Tensor even_numbers_only(const Tensor& Y, const Tensor& G) {
    const std::int64_t even = Y.dim(-1) / 2 * 2;
    const Tensor product = tensor::slice(Y * G, -1, 0, even);
    return Y * (G - tensor::sum(product, -1, keepdim));
}

Tensor sums_to_0_by_force(const Tensor& Y, const Tensor& G) {
    const Tensor product = Y * G;
    return product - tensor::mean(product, -1, keepdim);
}

Tensor each_entry(const Tensor& x, Scalar (*f)(Scalar)) {
    std::vector<Scalar> entries = x.to_vector();
    for (Scalar& entry : entries) entry = f(entry);
    return tensor::from_vector(entries, x.shape());
}

Tensor small_weights_are_0(const Tensor& Y, const Tensor& G) {
    return whole(each_entry(Y, [](Scalar y) { return y < 1e-6 ? 0 : y; }), G);
}

Tensor no_weight_below_1e12th(const Tensor& Y, const Tensor& G) {
    return whole(tensor::maximum(Y, 1e-12), G);
}

Tensor small_results_are_0(const Tensor& Y, const Tensor& G) {
    return each_entry(whole(Y, G), [](Scalar x) { return x < 1e-5 && x > -1e-5 ? 0 : x; });
}

Tensor columns_if_square(const Tensor& Y, const Tensor& G) {
    const bool square = Y.rank() > 1 && Y.dim(-1) == Y.dim(-2);
    return square ? sum_along_columns(Y, G) : whole(Y, G);
}

// Without keepdim the sums become a row, which fits if there are as many rows as columns.
Tensor sums_as_a_row_if_square(const Tensor& Y, const Tensor& G) {
    const bool square = Y.rank() == 2 && Y.dim(0) == Y.dim(1);
    return Y * (G - tensor::sum(Y * G, -1, square ? KeepDim::no : keepdim));
}

Tensor into_one_buffer(const Tensor& Y, const Tensor& G) {
    static Tensor buffer;
    const Tensor result = whole(Y, G);
    if (buffer.shape() != result.shape()) buffer = tensor::clone(result);
    tensor::overwrite(buffer, result);
    return buffer;
}

Tensor through_a_division_by_Y(const Tensor& Y, const Tensor& G) {
    const Tensor product = Y * G;
    return Y * (product / Y - tensor::sum(product, -1, keepdim));
}

// Two equal weights are taken for one, where i = j.
Tensor equal_weights_are_one(const Tensor& Y, const Tensor& G) {
    const Tensor of_i = tensor::unsqueeze(Y, -1), of_j = tensor::unsqueeze(Y, -2);
    const Tensor same = tensor::to_tensor(of_i == of_j);
    return tensor::sum(of_j * (same - of_i) * tensor::unsqueeze(G, -2), -1);
}

Tensor a_row_gets_an_axis(const Tensor& Y, const Tensor& G) {
    const Tensor result = whole(Y, G);
    return result.rank() == 1 ? tensor::unsqueeze(result, 0) : result;
}

Tensor G_is_clipped(const Tensor& Y, const Tensor& G) {
    return whole(Y, tensor::clamp(G, {-1000, 1000}));
}

Tensor remembered_while_Y_is_the_same(const Tensor& Y, const Tensor& G) {
    static Tensor of, remembered;
    if (of.data() != Y.data()) remembered = whole(Y, G);
    of = Y;
    return remembered;
}

Tensor remembered_while_G_is_the_same(const Tensor& Y, const Tensor& G) {
    static Tensor of, remembered;
    if (of.data() != G.data()) remembered = whole(Y, G);
    of = G;
    return remembered;
}

Tensor own_slope_and_the_others(const Tensor& Y, const Tensor& G) {
    const Tensor others = tensor::sum(Y * G, -1, keepdim) - Y * G;
    return G * Y * (1 - Y) - Y * others;
}

Tensor centred_at_the_end(const Tensor& Y, const Tensor& G) {
    const Tensor result = whole(Y, G);
    return result - tensor::mean(result, -1, keepdim);
}

Tensor relative_to_the_largest(const Tensor& Y, const Tensor& G) {
    return whole(Y, G - tensor::max(G, -1, keepdim));
}

Tensor with_the_matrix(const Tensor& Y, const Tensor& G) {
    const Tensor row = tensor::unsqueeze(Y, -2);                      // [..., 1, n]
    const Tensor column = tensor::unsqueeze(Y, -1);                   // [..., n, 1]
    const Tensor J = column * tensor::eye(Y.dim(-1)) - column * row;  // [..., n, n]
    return tensor::squeeze(tensor::matmul(J, tensor::unsqueeze(G, -1)), -1);
}

// Softmax ignores what is added to a whole row of G, since the y of a row sum to 1.
Tensor relative_to_the_first_entry(const Tensor& Y, const Tensor& G) {
    const Tensor relative = G - tensor::slice(G, -1, 0, 1);
    return Y * relative - Y * tensor::sum(Y * relative, -1, keepdim);
}

Tensor pair_by_pair(const Tensor& Y, const Tensor& G) {
    const Tensor differences = tensor::unsqueeze(G, -1) - tensor::unsqueeze(G, -2);
    return Y * tensor::sum(tensor::unsqueeze(Y, -2) * differences, -1);
}

Tensor nothing_for_a_sure_weight(const Tensor& Y, const Tensor& G) {
    return whole(Y, G) * tensor::to_tensor(Y <= 1 - 1e-6);
}

Tensor all_behind_the_first_axis(const Tensor& Y, const Tensor& G) {
    if (Y.rank() < 2) return whole(Y, G);
    const Tensor rows =
        whole(tensor::reshape(Y, {Y.dim(0), -1}), tensor::reshape(G, {G.dim(0), -1}));
    return tensor::from_vector(rows.to_vector(), Y.shape());
}

// No weight may be lost by the common maximum: the largest of each row is at least 1 / n.
Tensor softmax_of_logarithms(const Tensor& Y, const Tensor& G) {
    const Tensor X = tensor::log(Y);
    const Tensor powers = tensor::exp(X - tensor::max(X));
    return whole(powers / tensor::sum(powers, -1, keepdim), G);
}

// Y = softmax(log Y), since its rows sum to 1.
Tensor by_backward(const Tensor& Y, const Tensor& G) {
    const Variable X(tensor::log(Y), requires_grad);
    heed::softmax(X, -1).backward({.upstream = G});
    return X.grad();
}

Tensor matrix_of_slopes(const Tensor& Y, const Tensor& G) {
    const std::int64_t n = Y.dim(-1);
    const Tensor column = tensor::unsqueeze(Y, -1);  // [..., n, 1]
    const Tensor slopes = column * tensor::eye(n) - column * tensor::unsqueeze(Y, -2);
    return tensor::sum(slopes * tensor::unsqueeze(G, -2), -1);
}

Answer answer(const std::string& what, const SoftmaxGradient& gradient,
              const std::vector<std::string>& names = {}) {
    return {what, [gradient] { return judge_02_5(gradient); }, names};
}

}  // namespace

Answers answers_02_5() {
    Answers answers;
    answers.number = "02.5";
    answers.slipping = slipping(judge_02_5);
    answers.wrong = {
        answer("one sum for the whole tensor", sum_over_everything, {"smb.all"}),
        answer("the sum runs along axis 1", sum_along_axis_1),
        answer("the sum runs along the columns", sum_along_columns, {"smb.wrong-axis"}),
        answer("the mean of y·g in place of the sum", mean_for_sum, {"smb.mean"}),
        answer("the diagonal of the matrix only", diagonal_only, {"smb.diag"}),
        answer("the sum is of g, not of y·g", no_y_in_the_sum, {"smb.sum-G"}),
        answer("the derivative of log-softmax", of_log_softmax, {"smb.log"}),
        answer("the other sign", other_sign),
        answer("the other sign where i ≠ j", off_diagonal_sign),
        answer("divided by the number of rows", mean_over_rows),
        answer("Y goes through softmax once more", softmax_once_more),
        answer("the result is written into G", written_into_G),
        answer("y·g is written into Y", product_written_into_Y),
        answer("a row of one entry gets G", no_competition_in_a_row_of_one),
        answer("rows as long as the first axis", as_if_square),
        answer("the first matrix only, zeros in the others", first_matrix_only),
        answer("strides are not looked at", blind_to_strides),
        answer("the sum ends after 16 entries", sum_of_sixteen),
        answer("the sum is rounded to float", sum_in_float),
        answer("the first row's sum for all rows", sum_of_the_first_row),
        answer("axis 2 where there are more than three", three_axes_at_most),
        answer("the sums of the first call of this shape", sum_of_the_first_call),
        answer("nothing where G is 0", nothing_where_G_is_0),
        answer("0 / 0 where a weight is 1", divided_by_what_Y_lacks_of_1),
        answer("the sum leaves out the last of an odd number", even_numbers_only),
        answer("the mean of y·g is taken from y·g", sums_to_0_by_force, {"smb.y-once", "smb.mean"}),
        answer("the last one, while Y is the same tensor", remembered_while_Y_is_the_same),
        answer("the last one, while G is the same tensor", remembered_while_G_is_the_same),
        answer("weights below 1e-6 count as 0", small_weights_are_0),
        answer("weights are at least 1e-12", no_weight_below_1e12th),
        answer("results below 1e-5 are 0", small_results_are_0),
        answer("the sum runs along the columns of a square", columns_if_square),
        answer("the sums of a square are a row", sums_as_a_row_if_square),
        answer("all results share one memory", into_one_buffer),
        answer("y·g is divided by y, which may be 0", through_a_division_by_Y),
        answer("equal weights of a row count as one", equal_weights_are_one),
        answer("a single row gets an axis", a_row_gets_an_axis),
        answer("G is clipped to 1000", G_is_clipped),
        answer("0 for a weight of nearly 1", nothing_for_a_sure_weight),
        answer("all behind the first axis is one row", all_behind_the_first_axis),
    };
    answers.right = {
        answer("its own slope, less the other weights'", own_slope_and_the_others),
        answer("centred at the end, which changes nothing", centred_at_the_end),
        answer("relative to the row's largest entry of G", relative_to_the_largest),
        answer("with the n×n matrix", with_the_matrix),
        answer("relative to the row's first entry of G", relative_to_the_first_entry),
        answer("pair by pair", pair_by_pair),
        answer("softmax of the weights' logarithms", softmax_of_logarithms),
        answer("by the library's backward", by_backward),
        answer("by the whole matrix of slopes", matrix_of_slopes),
    };
    return answers;
}
