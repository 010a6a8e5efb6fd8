// Judges exercise 09.2.
#pragma once

#include "tensor/mask.h"
#include "tutorials/exercises/judges/common_heads.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// X [B, T, d_model], h heads
using MultiHead = std::function<HeadsStages(const heed::Variable& X, const HeadsParameters&,
                                            std::int64_t h, const heed::Mask&)>;

Exercise multi_head_attention(const MultiHead& attention);
Trials multi_head_attention_trials();

}  // namespace exercise
