// Judges exercise 09.3.
#pragma once

#include "tensor/bool_tensor.h"
#include "tutorials/exercises/judges/common_heads.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// decoder [B, T_q, d_model], encoder [B, T_k, d_source], is_padding [B, T_k] of the encoder's text
using CrossAttention = std::function<HeadsStages(
    const heed::Variable& decoder, const heed::Variable& encoder, const HeadsParameters&,
    std::int64_t h, const heed::BoolTensor& is_padding)>;

Exercise cross_attention(const CrossAttention& attention);
Trials cross_attention_trials();

}  // namespace exercise
