// 08.3 Padding and causal mask together                     fill · 20 minutes · about 16 lines
//
// The texts of a batch differ in length, so the shorter ones are padded: at the end, at the front
// (as is usual for text generation), or anywhere. Query i of text b may attend to key j if j is not
// in its future and not padding, that is if j ≤ i and key j is a word; whether query i itself is
// padding does not matter. A query may have no such key, as the first ones if the padding is at the
// front: then its weights and its output are 0, not NaN, and not the mean of what it must not see;
// and it adds nothing to any gradient. Lesson 08, sections 08.6 and 08.7.
//
// mask_of_batch: is_padding [B, T], true for padding -> a Mask [B, 1, T, T]; the axis of size 1 is
// for the heads. Write its entries yourself, in row-major order, without Mask::causal and
// Mask::padding, so that you see what each index means.
// attention: Q [B, h, T_q, d_k], K [B, h, T_k, d_k], V [B, h, T_k, d_v], and any mask of four axes
// that broadcasts to [B, h, T_q, T_k] -> weights [B, h, T_q, T_k], output [B, h, T_q, d_v], scaled
// by 1/√d_k. Both hand gradients on. All numbers are finite, in the padding too. A score may lie
// anywhere between -10⁵ and 10⁵, those of one query within 100 of each other. Q, K and V must not
// change.
#include "tutorials/exercises/judges/lesson_08.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/choose.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"

#include <cmath>

using namespace heed;

Mask mask_of_batch(const BoolTensor& is_padding) {
    // begin stub, stop in mask_of_batch, without Mask::causal Mask::padding Mask::sliding_window
    //     exercise::not_done("08.3");
    // begin solution
    const std::int64_t B = is_padding.dim(0), T = is_padding.dim(1);
    std::vector<bool> allowed;
    for (std::int64_t b = 0; b < B; ++b) {
        for (std::int64_t i = 0; i < T; ++i) {
            for (std::int64_t j = 0; j < T; ++j) {
                allowed.push_back(j <= i && !is_padding(b, j));
            }
        }
    }
    return Mask::allowing(BoolTensor(allowed, {B, 1, T, T}));
    // end
}

exercise::WeightsAndOutput attention(const Variable& Q, const Variable& K, const Variable& V,
                                     const Mask& mask) {
    // begin stub
    //     exercise::not_done("08.3");
    // begin solution
    const double root = std::sqrt(static_cast<double>(K.dim(-1)));
    const Variable scores = matmul(Q, transpose(K)) / root;                  // [B, h, T_q, T_k]
    const Variable masked = masked_fill(scores, mask.blocked(), -infinity);  // [B, h, T_q, T_k]
    const Variable weights = softmax(masked, -1);                            // [B, h, T_q, T_k]
    const Variable output = matmul(weights, V);                              // [B, h, T_q, d_v]
    return {weights, output};
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_08_3({mask_of_batch, attention}), argc, argv);
}
