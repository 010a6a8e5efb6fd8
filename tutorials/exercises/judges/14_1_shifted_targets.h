// Judges exercise 14.1.
#pragma once

#include "autograd/variable.h"
#include "tensor/index_tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise {

// The target of a position that has none.
inline constexpr std::int64_t no_target = -100;

struct Windows {
    heed::IndexTensor inputs;   // [B, T]
    heed::IndexTensor targets;  // [B, T]
};

struct ShiftedTargets {
    std::function<Windows(const std::vector<heed::IndexTensor>& texts, std::int64_t T)> windows_of;
    std::function<heed::Variable(const heed::Variable& logits, const heed::IndexTensor& targets)>
        loss_of;
};

Exercise shifted_targets(const ShiftedTargets& answer);
Trials shifted_targets_trials();

}  // namespace exercise
