// 07.2 Queries, keys and values                              fill · 5 minutes · about 3 lines
//
// What a word looks for, what it is found by and what it passes on are three different things. So
// each word x_i has a query x_i·W^Q, a key x_i·W^K and a value x_i·W^V, with three learned
// matrices. Note 000 (second version, where v_i = v_i·W^V is a slip: erratum 000-3); lesson 07.4.
//
// X [..., T, d] with a row for each word, W^Q and W^K [d, d_k], W^V [d, d_v]
// -> Q and K [..., T, d_k], V [..., T, d_v]. No bias. X may have any number of leading axes and be
// a view that is not contiguous; no axis is empty. X and the matrices must not change.
#include "tutorials/exercises/judges/lesson_07.h"

#include "tensor/ops/matmul.h"
#include "tensor/views.h"

using namespace heed;

exercise::Projected project(const Tensor& X, const exercise::Matrices& W) {
    // begin stub, stop in project
    //     exercise::not_done("07.2");
    // begin solution
    const Tensor Q = tensor::matmul(X, W.W_Q);  // [..., T, d_k]
    const Tensor K = tensor::matmul(X, W.W_K);  // [..., T, d_k]
    const Tensor V = tensor::matmul(X, W.W_V);  // [..., T, d_v]
    return {Q, K, V};
    // end
}

int main(int argc, char** argv) { return exercise::run(exercise::judge_07_2(project), argc, argv); }
