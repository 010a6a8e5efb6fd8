// 01 Tensors: shapes, strides and why they make views free, broadcasting, the matrix product and
// einsum. Each is built by hand first, then compared with the library's result.
#include "heed/tensor/errors.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/print.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

void numbers_in_a_shape() {
    section("01.1 Numbers in a shape");
    say("A tensor is a list of numbers and a shape. The shape [2, 3] says: two rows of three. In "
        "memory there is only the list, row after row, so the entry in row i and column j is "
        "number i·3 + j of it.");
    const std::vector<Scalar> list{10, 11, 12, 20, 21, 22};
    const Tensor x = tensor::from_vector(list, {2, 3});
    tutorial::predict_number("Which number of the list, counted from 0, is x(1, 2)?", 1 * 3 + 2, 0,
                             "A row of three lies before row 1, and two entries before column 2.");
    stop("01.1 a list and a shape", {{"x", x}});
    std::cout << "x =\n" << x << "\n\n";

    bool all_there = true;
    for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t j = 0; j < 3; ++j) all_there &= x(i, j) == list[i * 3 + j];
    }
    std::cout << "x(1, 2) = " << x(1, 2) << ", number 1·3 + 2 = 5 of the list is " << list[5]
              << "\n\n";
    check(all_there, "every x(i, j) is number i·3 + j of the list");
    check(x.numel() == 6 && x.rank() == 2, "x has 6 entries and 2 axes");
}

void strides() {
    section("01.2 Strides: a transpose moves nothing");
    say("How far apart two neighbours along an axis lie in memory is the axis's stride. Entry "
        "(i, j) lies at i·stride_0 + j·stride_1. To transpose, it is enough to exchange the two "
        "strides (and the two lengths): not one number moves.");
    const Tensor x = tensor::of({{10, 11, 12}, {20, 21, 22}});
    const Tensor xT = tensor::transpose(x);
    tutorial::predict_number("In xᵀ, how far apart in memory are xᵀ(0, 0) and xᵀ(0, 1)?",
                             static_cast<double>(xT.strides()[1]), 0,
                             "They are x(0, 0) and x(1, 0), with a row of three between them.");
    stop("01.2 the transpose", {{"x", x}, {"xT", xT}});
    std::cout << "x  has shape " << x.shape() << " and strides " << x.strides() << "\n";
    std::cout << "xᵀ has shape " << xT.shape() << " and strides " << xT.strides() << "\nxᵀ =\n"
              << xT << "\n\n";

    bool same_entries = true;
    for (std::int64_t i = 0; i < 3; ++i) {
        for (std::int64_t j = 0; j < 2; ++j) {
            const Scalar by_hand = x.data()[i * 1 + j * 3];
            same_entries &= xT(i, j) == by_hand && xT(i, j) == x(j, i);
        }
    }
    check(same_entries, "xᵀ(i, j) is number i·1 + j·3 of the same memory, and equals x(j, i)");
    check(xT.shares_storage_with(x), "x and xᵀ look at the same memory");
    check(!xT.is_contiguous(), "xᵀ is not contiguous: walking its memory does not visit it in "
                               "order");
}

void views() {
    section("01.3 Views: other windows on the same memory");
    const Tensor x = tensor::view(tensor::arange(24), {4, 6});
    std::cout << "x =\n" << x << "\n\n";
    const Tensor rows = tensor::slice(x, 0, 1, 3);
    const Tensor every_second = tensor::slice(x, 1, 0, 6, 2);
    const Tensor column = tensor::select(x, 1, 5);
    stop("01.3 three views", {{"rows", rows}, {"every_second", every_second}, {"column", column}});
    std::cout << "rows 1 and 2, slice(x, 0, 1, 3), offset " << rows.offset() << " =\n"
              << rows << "\n";
    std::cout << "every second column, slice(x, 1, 0, 6, 2), strides " << every_second.strides()
              << " =\n"
              << every_second << "\n";
    std::cout << "the last column, select(x, 1, 5) =\n" << column << "\n\n";
    check(rows.shares_storage_with(x) && every_second.shares_storage_with(x) &&
              column.shares_storage_with(x),
          "none of the three copied a number");

    say("A view can only do what strides can say. The transpose of x cannot be flattened without "
        "moving numbers, and view() says so; reshape() then copies.");
    const Tensor xT = tensor::transpose(x);
    try {
        tensor::view(xT, {24});
        check(false, "view() refuses to flatten a transpose");
    } catch (const ShapeError& error) {
        std::cout << error.what() << "\n\n";
        check(true, "view() refuses to flatten a transpose");
    }
    const Tensor flat = tensor::reshape(xT, {24});
    check(!flat.shares_storage_with(x) && flat(1) == x(1, 0), "reshape() copies, in xᵀ's order");
}

void view_is_not_transpose() {
    section("01.4 A view is not a transpose");
    say("Both make [6, 4] of [4, 6], and they are not the same: a view reads the numbers in the "
        "same order and breaks the rows elsewhere; a transpose changes the order. Lesson 09 splits "
        "heads with a view and then a transpose, and whoever leaves out one of them gets a model "
        "that runs and is wrong.");
    const Tensor x = tensor::view(tensor::arange(24), {4, 6});
    const Tensor viewed = tensor::view(x, {6, 4});
    const Tensor transposed = tensor::transpose(x);
    tutorial::predict_choice("Are view(x, {6, 4}) and transpose(x) the same?", {"yes", "no"},
                             tensor::same_bits(viewed, transposed) ? "yes" : "no",
                             "Only a transpose changes the order of the numbers.");
    stop("01.4 a view and a transpose", {{"viewed", viewed}, {"transposed", transposed}});
    std::cout << "view(x, {6, 4}) =\n" << viewed << "\ntranspose(x) =\n" << transposed << "\n\n";
    check(viewed.shape() == transposed.shape(), "the shapes are equal");
    check(viewed(1, 0) == 4 && transposed(1, 0) == 1, "the numbers are not");
}

void broadcasting() {
    section("01.5 Broadcasting: one row for all rows");
    say("Shapes are aligned at their last axis. Where lengths differ, one of them must be 1 (or "
        "missing), and it is repeated: by a stride of 0, not by a copy.");
    const Tensor table = tensor::of({{1, 2, 3}, {4, 5, 6}});  // [2, 3]
    const Tensor row = tensor::of({10, 20, 30});              // [3]
    const Tensor column = tensor::of({{100}, {200}});         // [2, 1]
    const Tensor sum = table + row + column;                  // [2, 3]
    tutorial::predict_shape(
        "What shape has [2, 3] + [3] + [2, 1]?", sum.shape(),
        "Aligned at the last axis, [3] is repeated for each row and [2, 1] for each column.");
    std::cout << "table + row + column =\n" << sum << "\n";
    const Tensor repeated = tensor::expand(row, {2, 3});
    stop("01.5 broadcast", {{"sum", sum}, {"repeated", repeated}});
    std::cout << "row, expanded to " << repeated.shape() << ", has strides " << repeated.strides()
              << "\n\n";

    bool as_by_hand = true;
    for (std::int64_t i = 0; i < 2; ++i) {
        for (std::int64_t j = 0; j < 3; ++j) {
            as_by_hand &= sum(i, j) == table(i, j) + row(j) + column(i, 0);
        }
    }
    check(as_by_hand, "sum(i, j) = table(i, j) + row(j) + column(i, 0)");
    check(repeated.shares_storage_with(row), "expanding copied nothing");
    try {
        const Tensor wrong = table + tensor::of({1, 2});
        check(false, "[2, 3] and [2] cannot be added");
    } catch (const ShapeError& error) {
        std::cout << "\n" << error.what() << "\n\n";
        check(true, "[2, 3] and [2] cannot be added: alignment is at the last axis");
    }
}

void reductions() {
    section("01.6 Reductions: many entries become one");
    const Tensor x = tensor::of({{1, 2, 3}, {4, 5, 9}});
    const Tensor of_columns = tensor::sum(x, 0);
    const Tensor of_rows = tensor::sum(x, 1);
    const Tensor kept = tensor::mean(x, 1, keepdim);
    std::cout << "sum(x, 0), down the columns = " << of_columns << "\n";
    std::cout << "sum(x, 1), along the rows = " << of_rows << "\n";
    std::cout << "mean(x, 1, keepdim) =\n" << kept << "\n\n";
    say("With keepdim the axis stays, with length 1, so that the result broadcasts against x: "
        "that is how a row is centred.");
    const Tensor centred = x - kept;
    stop("01.6 centred rows", {{"x", x}, {"kept", kept}, {"centred", centred}});
    std::cout << "x - mean(x, 1, keepdim) =\n" << centred << "\n\n";
    check(tensor::same_bits(tensor::sum(centred, 1), tensor::zeros({2})),
          "every centred row sums to 0");
}

// C[i, j] = Σ_k A[i, k]·B[k, j], each step one fused multiply-add.
Tensor matmul_by_hand(const Tensor& A, const Tensor& B) {
    std::vector<Scalar> C;
    for (std::int64_t i = 0; i < A.dim(0); ++i) {
        for (std::int64_t j = 0; j < B.dim(1); ++j) {
            Scalar sum = 0;
            for (std::int64_t k = 0; k < A.dim(1); ++k) sum = std::fma(A(i, k), B(k, j), sum);
            C.push_back(sum);
        }
    }
    return tensor::from_vector(C, {A.dim(0), B.dim(1)});
}

void matrix_product(Random& random) {
    section("01.7 The matrix product");
    say("C[i, j] = Σ_k A[i, k]·B[k, j]: row i of A against column j of B. So A's last axis must be "
        "as long as B's first. Attention is made of two of these: one compares every query with "
        "every key, the other mixes the values.");
    const Tensor A = tensor::of({{1, 2, 3}, {4, 5, 6}});       // [2, 3]
    const Tensor B = tensor::of({{1, 0}, {0, 1}, {10, 100}});  // [3, 2]
    const Tensor C = tensor::matmul(A, B);                     // [2, 2]
    tutorial::predict_number(
        "Row 0 of A is 1, 2, 3 and column 1 of B is 0, 1, 100. What is C[0, 1]?", C(0, 1), 0,
        "It is 1·0 + 2·1 + 3·100.");
    stop("01.7 the product", {{"A", A}, {"B", B}, {"C", C}});
    std::cout << "A·B =\n" << C << "\n\n";
    check(tensor::same_bits(C, matmul_by_hand(A, B)), "A·B is what three loops give");

    const Tensor P = tensor::normal({37, 53}, random);
    const Tensor Q = tensor::normal({29, 53}, random);
    const Tensor fast = tensor::matmul(P, tensor::transpose(Q));  // [37, 29]
    check(tensor::same_bits(fast, matmul_by_hand(P, tensor::transpose(Q))),
          "so is a larger product with a transpose, to the last bit: the order of the sum is part "
          "of what matmul means");

    const Tensor batch = tensor::normal({4, 2, 3}, random);
    const Tensor products = tensor::matmul(batch, B);  // [4, 2, 2]
    bool each_alone = true;
    for (std::int64_t b = 0; b < 4; ++b) {
        const Tensor alone = tensor::matmul(tensor::select(batch, 0, b), B);
        each_alone &= tensor::same_bits(tensor::select(products, 0, b), alone);
    }
    std::cout << "\nP·Qᵀ " << fast.shape() << " begins with " << fixed(fast(0, 0)) << ", batch·B "
              << products.shape() << " with " << fixed(products(0, 0, 0)) << "\n\n";
    check(each_alone, "a batch [4, 2, 3] times [3, 2] is four products");
}

void named_axes(Random& random) {
    section("01.8 einsum: the axes by their names");
    say("einsum names each axis. A name that does not return after the arrow is summed over; one "
        "that both inputs share and the output keeps is walked in step. Projecting x for every "
        "head at once reads as note 003 writes it:");
    const Tensor x = tensor::normal({2, 5, 6}, random);    // [batch, posn, d_model]
    const Tensor W_Q = tensor::normal({3, 6, 4}, random);  // [nheads, d_model, d_head]
    const Tensor Q = tensor::einsum(
        "batch posn d_model, nheads d_model d_head -> batch posn nheads d_head", x, W_Q);
    stop("01.8 all heads at once", {{"x", x}, {"W_Q", W_Q}, {"Q", Q}});
    std::cout << "einsum(\"batch posn d_model, nheads d_model d_head -> batch posn nheads "
                 "d_head\")\n  of "
              << x.shape() << " and " << W_Q.shape() << " is " << Q.shape() << ", and begins with "
              << fixed(Q(0, 0, 0, 0)) << "\n\n";

    bool head_by_head = true;
    for (std::int64_t h = 0; h < 3; ++h) {
        const Tensor alone = tensor::matmul(x, tensor::select(W_Q, 0, h));  // [batch, posn, d_head]
        head_by_head &= tensor::same_bits(tensor::select(Q, 2, h), alone);
    }
    check(head_by_head, "head h of it is x·W_Q[h], to the last bit");

    const Tensor A = tensor::of({{1, 2, 3}, {4, 5, 6}});
    check(tensor::same_bits(tensor::einsum("ij,jk->ik", A, tensor::transpose(A)),
                            tensor::matmul(A, tensor::transpose(A))),
          "with a letter for each axis, \"ij,jk->ik\" is the matrix product");
    check(tensor::same_bits(tensor::einsum("ij->ji", A), tensor::transpose(A)),
          "\"ij->ji\" is the transpose");
    check(tensor::einsum("ij,ij->", A, A).item() == 91, "\"ij,ij->\" is the sum of squares, 91");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 01: tensors. Everything in attention is an operation on blocks of numbers; this "
        "lesson builds those operations with loops and shows that the library does the same.");
    numbers_in_a_shape();
    strides();
    views();
    view_is_not_transpose();
    broadcasting();
    reductions();
    matrix_product(random);
    named_axes(random);
}

int main(int argc, char** argv) {
    return tutorial::run({"01_tensors", "Tensors: shape, strides, views, broadcasting, the matrix "
                                        "product, einsum with named axes."},
                         argc, argv, lesson);
}
