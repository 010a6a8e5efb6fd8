// Judges exercise 09.1.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

using SplitHeads = std::function<heed::Variable(const heed::Variable& x, std::int64_t h)>;
using MergeHeads = std::function<heed::Variable(const heed::Variable& x)>;

// split [B, T, h·d] -> [B, h, T, d], merge [B, h, T, d] -> [B, T, h·d]
Exercise split_and_merge(const SplitHeads& split, const MergeHeads& merge);
Trials split_and_merge_trials();

}  // namespace exercise
