// The walk through masks of padded texts and the attention that uses them, for exercise 08.3.
#pragma once

#include "tutorials/exercises/judges/08_3_padding_and_causal.h"
#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise::padding_walk {

// What the mask of a batch allows, [B, 1, T, T], with the slips of making it.
heed::BoolTensor allowed_by(const heed::BoolTensor& is_padding, const Slips& slip);
// The attention with such a mask, with the slips of masked attention.
WeightsAndOutput attended(const heed::Variable& Q, const heed::Variable& K, const heed::Variable& V,
                          const heed::BoolTensor& allowed, const Slips& slip);

std::vector<Mistake> mistakes();

}  // namespace exercise::padding_walk
