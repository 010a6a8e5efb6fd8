// The walk through note 003's Attention, with a slip at each error-prone step, for exercise 08.2.
#pragma once

#include "tutorials/exercises/judges/08_2_attention_class.h"
#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise::attention_class_walk {

// The constructor, with par.*.
AttentionParameters constructed(std::int64_t h, std::int64_t d_model, std::int64_t d_head,
                                const Slips& slip);
// forward, with mha.*, train.detached and the slips of masked attention.
AttentionStages walked(const AttentionParameters& p, const heed::Variable& x, const Slips& slip);

std::vector<Mistake> mistakes();

}  // namespace exercise::attention_class_walk
