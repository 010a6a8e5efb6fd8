// Lesson 01: the matrix product by three loops (01.7), and einsum: three rules, and the scores of
// all heads at once (01.8).
#include "tutorials/01_tensors/parts.h"

#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

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
    say("$C[i, j] = Σ_k A[i, k]·B[k, j]$: row i of A against column j of B. So A's last axis must "
        "be as long as B's first. Attention is made of two of these: one compares every query with "
        "every key, the other forms weighted sums of the values.");
    const Tensor A = tensor::of({{1, 2, 3}, {4, 5, 6}});       // [2, 3]
    const Tensor B = tensor::of({{1, 0}, {0, 1}, {10, 100}});  // [3, 2]
    const Tensor C = tensor::matmul(A, B);                     // [2, 2]
    tutorial::predict_number(
        "Row 0 of A is 1, 2, 3 and column 1 of B is 0, 1, 100. What is C[0, 1]?", C(0, 1), 0,
        "It is $1·0 + 2·1 + 3·100$.");
    stop("01.7 the product", {{"A", A}, {"B", B}, {"C", C}});
    std::cout << "A·B =\n" << C << "\n\n";
    check(tensor::same_bits(C, matmul_by_hand(A, B)), "$A·B$ is what three loops give");

    const Tensor P = tensor::normal({37, 53}, random);
    const Tensor Q = tensor::normal({29, 53}, random);
    const Tensor fast = tensor::matmul(P, tensor::transpose(Q));  // [37, 29]
    check(tensor::same_bits(fast, matmul_by_hand(P, tensor::transpose(Q))),
          "so is a larger product with a transpose, to the last bit: matmul promises the order in "
          "which it adds");

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

void three_rules() {
    say("einsum gives each axis a name. A name absent from the output is summed over. A name in "
        "both inputs and in the output is a batch axis: paired, not summed. A name in only one "
        "input stays as it is, so every entry of one meets every entry of the other. With $u = (1, "
        "2, 3)$ and $v = (10, 20, 40)$:");
    const Tensor u = tensor::of({1, 2, 3});
    const Tensor v = tensor::of({10, 20, 40});
    const Tensor summed = tensor::einsum("i,i->", u, v);            // []
    const Tensor paired = tensor::einsum("i,i->i", u, v);           // [3]
    const Tensor each_with_each = tensor::einsum("i,j->ij", u, v);  // [3, 3]
    std::cout << "summed,         \"i,i->\"   = " << summed << "\n"
              << "paired,         \"i,i->i\"  = " << paired << "\n"
              << "each with each, \"i,j->ij\" =\n"
              << each_with_each << "\n\n";
    check(summed.item() == 1 * 10 + 2 * 20 + 3 * 40, "\"i,i->\" is the dot product, 170");
    check(tensor::same_bits(paired, u * v), "\"i,i->i\" is u times v, entry by entry");
    check(each_with_each(0, 2) == 40 && each_with_each(2, 0) == 30,
          "\"i,j->ij\" has $u_i·v_j$ in row i and column j");

    const Tensor A = tensor::of({{1, 2, 3}, {4, 5, 6}});
    check(tensor::same_bits(tensor::einsum("ij,jk->ik", A, tensor::transpose(A)),
                            tensor::matmul(A, tensor::transpose(A))),
          "\"ij,jk->ik\" is the matrix product");
    check(tensor::same_bits(tensor::einsum("ij->ji", A), tensor::transpose(A)),
          "\"ij->ji\" is the transpose");
    check(tensor::einsum("ij,ij->", A, A).item() == 91, "\"ij,ij->\" is the sum of squares, 91");
}

void batch_axis() {
    say("In \"bij,bjk->bik\" the axis b is a batch axis, so matrix b of A meets matrix b of B and "
        "no other. Here A[1] swaps two rows, and B[0] is the identity matrix, which changes "
        "nothing:");
    const Tensor A = tensor::of({{{1, 2}, {3, 4}}, {{0, 1}, {1, 0}}});  // [2, 2, 2]
    const Tensor B = tensor::of({{{1, 0}, {0, 1}}, {{5, 6}, {7, 8}}});  // [2, 2, 2]
    const Tensor C = tensor::einsum("bij,bjk->bik", A, B);              // [2, 2, 2]
    const Tensor all = tensor::einsum("bij,cjk->bcik", A, B);           // [2, 2, 2, 2]
    std::cout << "A =\n" << A << "\n\nB =\n" << B << "\n\n";
    std::cout << "C = einsum(\"bij,bjk->bik\", A, B) =\n" << C << "\n\n";
    bool one_at_a_time = true;
    bool on_the_diagonal = true;
    for (std::int64_t b = 0; b < 2; ++b) {
        const Tensor alone = tensor::matmul(tensor::select(A, 0, b), tensor::select(B, 0, b));
        one_at_a_time &= tensor::same_bits(tensor::select(C, 0, b), alone);
        const Tensor both_b = tensor::select(tensor::select(all, 0, b), 0, b);
        on_the_diagonal &= tensor::same_bits(both_b, alone);
    }
    check(one_at_a_time, "C[b] is $A[b]·B[b]$, one product at a time");
    check(on_the_diagonal && all.rank() == 4,
          "\"bij,cjk->bcik\" makes all four products, and those of C stand where $b = c$");
}

void heads_at_once(Random& random) {
    say("Attention needs all three rules. First, x is projected for every head at once:");
    const Tensor x = tensor::normal({2, 5, 6}, random);    // [batch, posn, d_model]
    const Tensor W_Q = tensor::normal({3, 6, 4}, random);  // [nheads, d_model, d_head]
    const Tensor W_K = tensor::normal({3, 6, 4}, random);  // [nheads, d_model, d_head]
    const Tensor Q = tensor::einsum(
        "batch posn d_model, nheads d_model d_head -> batch posn nheads d_head", x, W_Q);
    const Tensor K = tensor::einsum(
        "batch posn d_model, nheads d_model d_head -> batch posn nheads d_head", x, W_K);
    const Tensor scores = tensor::einsum(
        "batch query nheads d_head, batch key nheads d_head -> batch nheads query key", Q, K);
    tutorial::predict_shape(
        "Q and K are [2, 5, 3, 4]: batch, posn, nheads, d_head. What is the shape of the scores, "
        "batch nheads query key?",
        scores.shape(),
        "batch and nheads are paired, d_head is summed over, and 5 queries meet 5 keys.");
    stop("01.8 all heads at once", {{"x", x}, {"W_Q", W_Q}, {"Q", Q}, {"scores", scores}});
    std::cout << "Q = einsum(\"batch posn d_model, nheads d_model d_head\n"
                 "            -> batch posn nheads d_head\")\n  of "
              << x.shape() << " and " << W_Q.shape() << " is " << Q.shape() << ", and begins with "
              << fixed(Q(0, 0, 0, 0)) << "\n\n";
    say("K likewise. Then, in each batch entry and each head, every query meets every key, and "
        "d_head is summed over:");
    std::cout << "scores = einsum(\"batch query nheads d_head, batch key nheads d_head\n"
                 "                 -> batch nheads query key\")\n  of "
              << Q.shape() << " and " << K.shape() << " is " << scores.shape()
              << ", and begins with " << fixed(scores(0, 0, 0, 0)) << "\n\n";

    bool head_by_head = true;
    bool scores_alone = true;
    for (std::int64_t h = 0; h < 3; ++h) {
        const Tensor alone = tensor::matmul(x, tensor::select(W_Q, 0, h));  // [batch, posn, d_head]
        head_by_head &= tensor::same_bits(tensor::select(Q, 2, h), alone);
        for (std::int64_t b = 0; b < 2; ++b) {
            const Tensor q = tensor::select(tensor::select(Q, 0, b), 1, h);  // [posn, d_head]
            const Tensor k = tensor::select(tensor::select(K, 0, b), 1, h);  // [posn, d_head]
            const Tensor of_one = tensor::select(tensor::select(scores, 0, b), 0, h);
            scores_alone &= tensor::same_bits(of_one, tensor::matmul(q, tensor::transpose(k)));
        }
    }
    check(head_by_head, "head h of Q is $x·W_Q[h]$, to the last bit");
    check(scores_alone, "and each [5, 5] of the scores is $q·kᵀ$ of one batch entry and one head");
    tutorial::in_the_notes("003 writes its projections with these names.");
}

void axes_by_name(Random& random) {
    section("01.8 einsum: the axes by their names");
    three_rules();
    batch_axis();
    heads_at_once(random);
}
