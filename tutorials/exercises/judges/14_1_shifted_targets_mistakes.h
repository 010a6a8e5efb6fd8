// The walk of exercise 14.1 and the mistakes it can make.
#pragma once

#include "tutorials/exercises/judges/14_1_shifted_targets.h"

namespace exercise {

Windows windows_walk(const std::vector<heed::IndexTensor>& texts, std::int64_t T,
                     const Slips& slip);
heed::Variable loss_walk(const heed::Variable& logits, const heed::IndexTensor& targets,
                         const Slips& slip);
std::vector<Mistake> shifted_targets_mistakes();

}  // namespace exercise
