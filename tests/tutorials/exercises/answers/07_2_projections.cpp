// Answers to 07.2.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_07.h"

#include "tensor/ops.h"

#include <cmath>

using namespace heed;
using namespace exercise;

namespace {
using tensor::matmul;

Projected correct(const Tensor& X, const Matrices& W) {
    return {matmul(X, W.W_Q), matmul(X, W.W_K), matmul(X, W.W_V)};
}

Projected keys_by_the_matrix_of_queries(const Tensor& X, const Matrices& W) {
    return {matmul(X, W.W_Q), matmul(X, W.W_Q), matmul(X, W.W_V)};
}

Projected keys_first(const Tensor& X, const Matrices& W) {
    return {matmul(X, W.W_K), matmul(X, W.W_Q), matmul(X, W.W_V)};
}

Projected matrices_as_in_linear(const Tensor& X, const Matrices& W) {
    return {matmul(X, tensor::transpose(W.W_Q)), matmul(X, tensor::transpose(W.W_K)),
            matmul(X, tensor::transpose(W.W_V))};
}

// Wrong where d_v is not d_k.
Projected three_equal_parts(const Tensor& X, const Matrices& W) {
    const Tensor packed = tensor::concatenate({W.W_Q, W.W_K, W.W_V}, -1);
    const std::vector<Tensor> parts = tensor::chunk(matmul(X, packed), 3, -1);
    return {parts[0], parts[1], parts[2]};
}

// Wrong where d_v is larger than d_k.
Projected values_as_wide_as_keys(const Tensor& X, const Matrices& W) {
    Projected p = correct(X, W);
    p.V = tensor::slice(p.V, -1, 0, p.K.dim(-1));
    return p;
}

Projected one_text_only(const Tensor& X, const Matrices& W) {
    return {tensor::einsum("td,dk->tk", X, W.W_Q), tensor::einsum("td,dk->tk", X, W.W_K),
            tensor::einsum("td,dk->tk", X, W.W_V)};
}

Projected one_leading_axis_only(const Tensor& X, const Matrices& W) {
    return {tensor::einsum("btd,dk->btk", X, W.W_Q), tensor::einsum("btd,dk->btk", X, W.W_K),
            tensor::einsum("btd,dk->btk", X, W.W_V)};
}

Tensor through_rows(const Tensor& X, const Tensor& W) {
    const Tensor rows = matmul(tensor::reshape(X, -1, X.dim(-1)), W);
    if (X.rank() == 2) return rows;
    return tensor::reshape(rows, X.dim(0), -1, W.dim(-1));
}

// Wrong for two leading axes: [B, h, T, d] becomes [B, h·T, d_k].
Projected rows_and_one_leading_axis(const Tensor& X, const Matrices& W) {
    return {through_rows(X, W.W_Q), through_rows(X, W.W_K), through_rows(X, W.W_V)};
}

// Only the values lose their leading axes.
Projected values_of_the_first_text(const Tensor& X, const Matrices& W) {
    Projected p = correct(X, W);
    if (X.rank() == 3) p.V = tensor::expand(tensor::slice(p.V, 0, 0, 1), Dims(p.V.shape()));
    return p;
}

// Wrong where T or a leading axis is 1.
Projected axes_of_length_1_dropped(const Tensor& X, const Matrices& W) {
    return correct(tensor::squeeze(X), W);
}

// Fails on an X that is a transposed view.
Projected view_of_the_rows(const Tensor& X, const Matrices& W) {
    Projected p = correct(tensor::view(X, -1, X.dim(-1)), W);
    for (Tensor* part : {&p.Q, &p.K, &p.V}) {
        Dims dims(X.shape());
        dims.set(X.rank() - 1, part->dim(-1));
        *part = tensor::view(*part, dims);
    }
    return p;
}

Projected queries_scaled_already(const Tensor& X, const Matrices& W) {
    Projected p = correct(X, W);
    p.Q = p.Q / std::sqrt(static_cast<double>(W.W_Q.dim(-1)));
    return p;
}

// To save memory: the queries are written where the words were.
Projected queries_in_the_place_of_words(const Tensor& X, const Matrices& W) {
    Projected p = correct(X, W);
    if (p.Q.shape() == X.shape()) {
        Tensor place = X;
        tensor::overwrite(place, p.Q);
        p.Q = place;
    }
    return p;
}

Projected matrices_of_the_first_call(const Tensor& X, const Matrices& W) {
    static const Matrices first = W;
    return correct(X, first);
}

Projected values_of_the_keys(const Tensor& X, const Matrices& W) {
    Projected p = correct(X, W);
    const bool fits = p.K.dim(-1) == W.W_V.dim(0);
    p.V = matmul(fits ? p.K : X, W.W_V);
    return p;
}

Tensor in_float(const Tensor& x) {
    std::vector<Scalar> rounded = x.to_vector();
    for (Scalar& entry : rounded) entry = static_cast<float>(entry);
    return tensor::from_vector(rounded, x.shape());
}

Projected words_in_float(const Tensor& X, const Matrices& W) { return correct(in_float(X), W); }

// As if a square matrix were the weight of a Linear.
Projected square_matrices_transposed(const Tensor& X, const Matrices& W) {
    Projected p = correct(X, W);
    if (W.W_K.dim(0) == W.W_K.dim(1)) p.K = matmul(X, tensor::transpose(W.W_K));
    return p;
}

// A cache that asks for sizes only.
Projected values_of_the_last_such_call(const Tensor& X, const Matrices& W) {
    static Tensor last_X, last_V;
    Projected p = correct(X, W);
    if (last_X.shape() == X.shape() && last_V.shape() == p.V.shape()) p.V = last_V;
    last_X = X;
    last_V = p.V;
    return p;
}

Projected matrices_normalized_in_place(const Tensor& X, const Matrices& W) {
    const Projected p = correct(X, W);
    Tensor place = W.W_V;
    tensor::overwrite(place, W.W_V / 2);
    return p;
}

Projected sixty_four_texts_at_most(const Tensor& X, const Matrices& W) {
    if (X.rank() == 2 || X.dim(0) <= 64) return correct(X, W);
    return correct(tensor::slice(X, 0, 0, 64), W);
}

// Right.

Projected packed_and_split(const Tensor& X, const Matrices& W) {
    const Tensor packed = tensor::concatenate({W.W_Q, W.W_K, W.W_V}, -1);
    const std::int64_t d_k = W.W_Q.dim(-1), d_v = W.W_V.dim(-1);
    const std::vector<Tensor> parts = tensor::split_sizes(matmul(X, packed), {d_k, d_k, d_v}, -1);
    return {parts[0], parts[1], parts[2]};
}

Tensor for_columns(const Tensor& X, const Tensor& W) {
    return tensor::transpose(matmul(tensor::transpose(W), tensor::transpose(X)));
}

Projected columns_instead_of_rows(const Tensor& X, const Matrices& W) {
    return {for_columns(X, W.W_Q), for_columns(X, W.W_K), for_columns(X, W.W_V)};
}

Tensor weighted_rows(const Tensor& X, const Tensor& W) {
    // Row c of W times feature c of each word, added up.
    return tensor::sum(tensor::unsqueeze(X, -1) * W, -2);
}

Projected sums_of_rows_of_the_matrix(const Tensor& X, const Matrices& W) {
    return {weighted_rows(X, W.W_Q), weighted_rows(X, W.W_K), weighted_rows(X, W.W_V)};
}

Projected values_and_words(const Tensor& X, const Matrices& W) {
    Projected all = correct(X, W);
    if (all.V.shape() == X.shape()) all.V = all.V + X;
    return all;
}

// Goes through X by its strides, with one for all leading axes.
Projected one_stride_for_leading_axes(const Tensor& X, const Matrices& W) {
    const int rank = X.rank();
    const std::int64_t T = X.dim(-2), d = X.dim(-1), step = rank > 2 ? X.strides()[rank - 3] : 0;
    std::vector<Scalar> numbers;
    for (std::int64_t i = 0; i < X.numel(); ++i) {
        const std::int64_t text = i / (T * d), t = i / d % T, k = i % d;
        numbers.push_back(
            X.data()[text * step + t * X.strides()[rank - 2] + k * X.strides()[rank - 1]]);
    }
    return correct(tensor::from_vector(numbers, X.shape()), W);
}

Projected words_of_64_numbers(const Tensor& X, const Matrices& W) {
    const auto first = [](const Tensor& M) { return tensor::slice(M, 0, 0, 64); };
    return correct(tensor::slice(X, -1, 0, 64), {first(W.W_Q), first(W.W_K), first(W.W_V)});
}

Projected keys_of_length_1(const Tensor& X, const Matrices& W) {
    Projected all = correct(X, W);
    all.K = all.K / tensor::sqrt(tensor::sum(all.K * all.K, -1, keepdim));
    return all;
}

// A column of zeros more in X, and a row of ones in each matrix.
Projected one_feature_more(const Tensor& X, const Matrices& W) {
    const Tensor more =
        tensor::concatenate({X, tensor::zeros_like(tensor::slice(X, -1, 0, 1))}, -1);
    const auto longer = [](const Tensor& M) {
        return tensor::concatenate({M, tensor::ones({1, M.dim(1)})}, 0);
    };
    return {matmul(more, longer(W.W_Q)), matmul(more, longer(W.W_K)), matmul(more, longer(W.W_V))};
}

// As if two parts of one tensor were the same part.
Projected same_storage_same_matrix(const Tensor& X, const Matrices& W) {
    Projected p = correct(X, W);
    if (W.W_K.shares_storage_with(W.W_Q)) p.K = p.Q;
    return p;
}

Answer answer(const char* what, const Project& project,
              const std::vector<std::string>& names = {}) {
    return {what, [project] { return judge_07_2(project); }, names};
}

}  // namespace

Answers answers_07_2() {
    Answers answers;
    answers.number = "07.2";
    answers.slipping = slipping(judge_07_2);
    answers.wrong = {
        answer("keys by the matrix of the queries", keys_by_the_matrix_of_queries,
               {"mha.k-uses-Wq"}),
        answer("queries and keys exchanged", keys_first, {"mha.qk-swapped"}),
        answer("the matrices are transposed, as a Linear stores them", matrices_as_in_linear,
               {"mha.WT"}),
        answer("one packed product in three equal parts", three_equal_parts),
        answer("values cut to d_k", values_as_wide_as_keys),
        answer("no leading axis possible", one_text_only),
        answer("exactly one leading axis", one_leading_axis_only),
        answer("two leading axes are merged", rows_and_one_leading_axis),
        answer("all texts have the values of the first", values_of_the_first_text),
        answer("axes of length 1 are dropped", axes_of_length_1_dropped),
        answer("fails on an X that is not contiguous", view_of_the_rows),
        answer("queries divided by √d_k", queries_scaled_already),
        answer("overwrites X where Q has its shape", queries_in_the_place_of_words),
        answer("keeps the matrices of the first call", matrices_of_the_first_call),
        answer("values from the keys where they fit", values_of_the_keys),
        answer("words rounded to float", words_in_float),
        answer("a square matrix is transposed", square_matrices_transposed),
        answer("values of an earlier call of these sizes", values_of_the_last_such_call),
        answer("a matrix changes after its use", matrices_normalized_in_place),
        answer("64 texts at most", sixty_four_texts_at_most),
        answer("X is added to the values where it fits", values_and_words),
        answer("one stride for all leading axes", one_stride_for_leading_axes),
        answer("words of 64 numbers at most", words_of_64_numbers),
        answer("keys of length 1", keys_of_length_1),
        answer("K is Q where their matrices share a storage", same_storage_same_matrix),
    };
    answers.right = {
        answer("one product with all three side by side", packed_and_split),
        answer("words as columns", columns_instead_of_rows),
        answer("with one more feature, of zeros", one_feature_more),
        answer("rows of W weighted and added", sums_of_rows_of_the_matrix),
    };
    return answers;
}
