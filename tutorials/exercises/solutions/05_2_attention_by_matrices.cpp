// 05.2 Attention by matrices                                 fill · 10 minutes · about 3 lines
//
// Note 000 begins with loops over words. Here are the same loops with queries, keys and values of
// their own:
//
//     for each query i
//         for each key j       s_ij = Σ_k Q_ik · K_jk
//         for each key j       a_ij = exp(s_ij) / Σ_m exp(s_im)
//         for each column k    y_ik = Σ_j a_ij · V_jk
//
// Each of the three lines is one operation on whole matrices. Write them. Lesson 05.3.
//
// Q [T_q, d], K [T_k, d], V [T_k, d_v] -> scores s and weights a [T_q, T_k], output y [T_q, d_v].
// T_q and T_k may differ, d and d_v too; all are at least 1. Every query attends to every key, and
// nothing is divided by √d: that is lesson 07. Scores may reach some thousands, of either sign, and
// weights and output must still be right. Matrices may be views; leave them unchanged.
#include "tutorials/exercises/judges/lesson_05.h"

#include "tensor/ops/matmul.h"
#include "tensor/ops/softmax.h"
#include "tensor/views.h"

using namespace heed;

exercise::DotAttention attend(const Tensor& Q, const Tensor& K, const Tensor& V) {
    // begin stub, stop in attend
    //     exercise::not_done("05.2");
    // begin solution
    const Tensor scores = tensor::matmul(Q, tensor::transpose(K));  // [T_q, T_k]
    const Tensor weights = tensor::softmax(scores, -1);             // [T_q, T_k]
    const Tensor output = tensor::matmul(weights, V);               // [T_q, d_v]
    return {scores, weights, output};
    // end
}

int main(int argc, char** argv) { return exercise::run(exercise::judge_05_2(attend), argc, argv); }
