// 01 Tensors: shapes, strides and why they make views free, broadcasting, reductions, products.
// Each is built by hand first, then compared with the library's result.
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/01_tensors/parts.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

void numbers_in_a_shape() {
    section("01.1 Numbers in a shape");
    say("A tensor is a list of numbers and a shape. The shape [2, 3] says: two rows of three. In "
        "memory there is only the list, row after row, so the entry in row i and column j is "
        "number $i·3 + j$ of it.");
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
    check(all_there, "every x(i, j) is number $i·3 + j$ of the list");
    check(x.numel() == 6 && x.rank() == 2, "x has 6 entries and 2 axes");
}

void strides() {
    section("01.2 Strides: a transpose moves nothing");
    say("An axis's stride is how far apart two neighbours along it lie in memory. Entry (i, j) "
        "lies at $i·stride_0 + j·stride_1$. To transpose, it is enough to swap the two strides "
        "(and the two lengths): no number moves.");
    const Tensor x = tensor::of({{10, 11, 12}, {20, 21, 22}});
    const Tensor xT = tensor::transpose(x);
    tutorial::predict_number("In $xᵀ$, how far apart in memory are $xᵀ(0, 0)$ and $xᵀ(0, 1)$?",
                             static_cast<double>(xT.strides()[1]), 0,
                             "They are x(0, 0) and x(1, 0), with a row of three between them.");
    stop("01.2 the transpose", {{"x", x}, {"xT", xT}});
    std::cout << "x  has shape " << x.shape() << " and strides " << x.strides() << "\n";
    std::cout << "xᵀ has shape " << xT.shape() << " and strides " << xT.strides() << "\nxᵀ =\n"
              << xT << "\n\n";
    draw_strides(x, xT);
    bool same_entries = true;
    for (std::int64_t i = 0; i < 3; ++i) {
        for (std::int64_t j = 0; j < 2; ++j) {
            const Scalar by_hand = x.data()[i * 1 + j * 3];
            same_entries &= xT(i, j) == by_hand && xT(i, j) == x(j, i);
        }
    }
    check(same_entries, "$xᵀ(i, j)$ is number $i·1 + j·3$ of the same memory, and equals x(j, i)");
    check(xT.shares_storage_with(x), "x and $xᵀ$ look at the same memory");
    check(!xT.is_contiguous(), "$xᵀ$ is not contiguous: read row by row, it jumps about in memory");
}

void views() {
    section("01.3 Views: other windows onto the same memory");
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

    say("A view can only be what strides can express. The transpose of x cannot be flattened "
        "without moving numbers, and view() says so; reshape() then copies.");
    const Tensor xT = tensor::transpose(x);
    try {
        tensor::view(xT, {24});
        check(false, "view() refuses to flatten a transpose");
    } catch (const ShapeError& error) {
        std::cout << error.what() << "\n\n";
        check(true, "view() refuses to flatten a transpose");
    }
    const Tensor flat = tensor::reshape(xT, {24});
    check(!flat.shares_storage_with(x) && flat(1) == x(1, 0), "reshape() copies, in $xᵀ$'s order");
}

void view_is_not_transpose() {
    section("01.4 A view is not a transpose");
    say("Both turn [4, 6] into [6, 4], but differently: a view reads the numbers in the same order "
        "and breaks the rows elsewhere; a transpose changes the order. Lesson 09 splits heads with "
        "a view and then a transpose. Leave out either one, and the model still runs, and is "
        "wrong.");
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
        "missing), and that axis is repeated: by a stride of 0, not by a copy.");
    const Tensor table = tensor::of({{1, 2, 3}, {4, 5, 6}});  // [2, 3]
    const Tensor row = tensor::of({10, 20, 30});              // [3]
    const Tensor column = tensor::of({{100}, {200}});         // [2, 1]
    const Tensor sum = table + row + column;                  // [2, 3]
    tutorial::predict_shape(
        "What is the shape of $[2, 3] + [3] + [2, 1]$?", sum.shape(),
        "Aligned at the last axis, [3] is repeated for each row and [2, 1] for each column.");
    std::cout << "table + row + column =\n" << sum << "\n";
    const Tensor repeated = tensor::expand(row, {2, 3});
    stop("01.5 broadcast", {{"sum", sum}, {"repeated", repeated}});
    std::cout << "row, expanded to " << repeated.shape() << ", has strides " << repeated.strides()
              << "\n\n";
    draw_broadcasting();
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
    say("With keepdim the axis stays, with length 1, so the result broadcasts against x: that is "
        "how a row is centred.");
    const Tensor centred = x - kept;
    stop("01.6 centred rows", {{"x", x}, {"kept", kept}, {"centred", centred}});
    std::cout << "x - mean(x, 1, keepdim) =\n" << centred << "\n\n";
    check(tensor::same_bits(tensor::sum(centred, 1), tensor::zeros({2})),
          "every centred row sums to 0");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 01: tensors. Everything in attention is an operation on blocks of numbers; this "
        "lesson builds those operations with loops and shows that the library does the same.");
    numbers_in_a_shape();     // 01.1
    strides();                // 01.2
    views();                  // 01.3
    view_is_not_transpose();  // 01.4
    broadcasting();           // 01.5
    reductions();             // 01.6
    matrix_product(random);   // 01.7, products.cpp
    axes_by_name(random);     // 01.8
}

int main(int argc, char** argv) {
    return tutorial::run({"01_tensors", "Tensors: shape, strides, views, broadcasting, the matrix "
                                        "product, einsum with named axes."},
                         argc, argv, lesson);
}
