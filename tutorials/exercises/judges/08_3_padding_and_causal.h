// Judges exercise 08.3.
#pragma once

#include "autograd/variable.h"
#include "tensor/mask.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

struct WeightsAndOutput {
    heed::Variable weights;  // [B, h, T_q, T_k]
    heed::Variable output;   // [B, h, T_q, d_v]
};

// is_padding [B, T] -> [B, 1, T, T]
using MaskOfBatch = std::function<heed::Mask(const heed::BoolTensor& is_padding)>;
// Q [B, h, T_q, d_k], K [B, h, T_k, d_k], V [B, h, T_k, d_v]; the mask broadcasts to
// [B, h, T_q, T_k]
using MaskedAttention = std::function<WeightsAndOutput(
    const heed::Variable& Q, const heed::Variable& K, const heed::Variable& V, const heed::Mask&)>;

Exercise padding_and_causal(const MaskOfBatch& mask_of_batch, const MaskedAttention& attention);
Trials padding_and_causal_trials();

}  // namespace exercise
