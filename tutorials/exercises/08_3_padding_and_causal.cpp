// 08.3 Padding and causal mask together                     fill · 20 minutes · about 16 lines
//
// The texts of a batch differ in length, so the shorter ones are padded, at the end or, as is usual
// for text generation, at the front. Query i of text b may attend to key j if j is neither in its
// future nor padding. With padding at the front, the first queries have no key to attend to: their
// weights and outputs are 0, not NaN, and not the mean of what they must not see. Lesson 08,
// sections 08.6 and 08.7.
//
// mask_of_batch: is_padding [B, T], true for padding -> a Mask [B, 1, T, T]; the axis of length 1
// is for the heads. Write its entries yourself, in row-major order, without Mask::causal and
// Mask::padding, so that you see what each index means.
// attention: Q, K [B, h, T, d_k], V [B, h, T, d_v] -> weights [B, h, T, T], output [B, h, T, d_v],
// scaled by 1/√d_k.
#include "tutorials/exercises/judges/08_3_padding_and_causal.h"
#include "tutorials/exercises/judging/not_done.h"
#include "tutorials/exercises/judging/program.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/ops/choose.h"
#include "heed/autograd/ops/matmul.h"
#include "heed/autograd/ops/softmax.h"
#include "heed/autograd/ops/views.h"

#include <cmath>

using namespace heed;

Mask mask_of_batch(const BoolTensor& is_padding) {
    exercise::not_done("08.3");
}

exercise::WeightsAndOutput attention(const Variable& Q, const Variable& K, const Variable& V,
                                     const Mask& mask) {
    exercise::not_done("08.3");
}

int main(int argc, char** argv) {
    return exercise::run(exercise::padding_and_causal(mask_of_batch, attention), argc, argv);
}
