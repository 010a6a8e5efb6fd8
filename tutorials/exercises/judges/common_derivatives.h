// Derivatives by hand that make mistakes: of the matrix product and of softmax, which 02.3 and 02.5
// ask for. In 02.8 they are the impostors.
#pragma once

#include "tutorials/exercises/judges/lesson_02.h"
#include "tutorials/exercises/judging/mistake.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

#include <utility>

namespace exercise {

inline LinearGradients slipped_matmul_gradient(const heed::Tensor& x, const heed::Tensor& W,
                                               const heed::Tensor& upstream, const Slips& slip) {
    using heed::tensor::matmul;
    using heed::tensor::transpose;
    const heed::Tensor G = slip("ag.no-upstream") ? heed::tensor::ones_like(upstream) : upstream;
    heed::Tensor of_x = matmul(G, transpose(W));
    if (slip("ag.dX-noT")) of_x = matmul(G, W);
    if (slip("ag.dX-left")) of_x = matmul(transpose(W), G);
    if (slip("ag.dX-T")) of_x = matmul(W, transpose(G));
    heed::Tensor of_W = matmul(transpose(x), G);
    if (slip("ag.dW-T")) of_W = matmul(transpose(G), x);
    if (slip("ag.dW-noT")) of_W = matmul(x, G);
    if (slip("ag.dW-right")) of_W = matmul(G, transpose(x));
    if (slip("ag.swapped-parents")) std::swap(of_x, of_W);
    if (of_W.rank() == 3 && !slip("ag.dW-unsummed")) {
        if (slip("ag.dW-first")) return {of_x, heed::tensor::select(of_W, 0, 0)};
        if (slip("ag.dW-last")) return {of_x, heed::tensor::select(of_W, 0, -1)};
        if (slip("ag.dW-mean")) return {of_x, heed::tensor::mean(of_W, 0)};
        of_W = heed::tensor::sum(of_W, 0);
    }
    return {of_x, of_W};
}

inline heed::Tensor slipped_softmax_gradient(const heed::Tensor& Y, const heed::Tensor& upstream,
                                             const Slips& slip) {
    const heed::Tensor G = slip("ag.no-upstream") ? heed::tensor::ones_like(upstream) : upstream;
    int axis = slip("smb.wrong-axis") ? -2 : -1;
    if (slip("smb.first-axis")) axis = 0;
    heed::Tensor s = heed::tensor::sum(Y * G, axis, heed::keepdim);
    if (slip("smb.mean")) s = heed::tensor::mean(Y * G, axis, heed::keepdim);
    if (slip("smb.sum-G")) s = heed::tensor::sum(G, axis, heed::keepdim);
    if (slip("smb.mean-G")) s = heed::tensor::mean(G, axis, heed::keepdim);
    if (slip("smb.sum-y2")) s = heed::tensor::sum(Y * Y * G, axis, heed::keepdim);
    if (slip("smb.all")) s = heed::tensor::sum(Y * G);
    if (slip("smb.diag")) s = Y * G;
    if (slip("smb.p-dy")) s = heed::tensor::zeros_like(G);
    if (slip("smb.plus")) s = -s;
    if (slip("smb.log")) return G - Y * heed::tensor::sum(G, axis, heed::keepdim);
    if (slip("smb.dy-s")) return G - s;
    if (slip("smb.y-once")) return Y * G - s;
    return Y * (G - s);
}

}  // namespace exercise
