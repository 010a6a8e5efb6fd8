// Multi-head attention as a walk with slips, for the exercises that build it from parts: queries
// come from one text, keys and values from the same text or another.
#pragma once

#include "tutorials/exercises/judges/common_attention.h"
#include "tutorials/exercises/judges/lesson_09.h"
#include "tutorials/exercises/judging/gradients.h"

namespace exercise {

HeadsParameters random_heads(std::int64_t d_model, std::int64_t d_source, std::int64_t all_heads,
                             std::uint64_t seed);
// The same with b_Q and b_K such that all scores lie far below zero, below any number that might
// stand in for -∞.
HeadsParameters with_scores_far_below_0(HeadsParameters parameters);
// The same with b_K zero, so that a word of zeros has scores of exactly 0.
HeadsParameters with_keys_unbiased(HeadsParameters parameters);
// The same matrix without its first row, so that feature 0 of a word is left out.
heed::Variable without_feature_0(const heed::Variable& W);
// The texts [B, T, d] with a number for feature 0 of one word that is larger than any that might
// be subtracted from a score to mask it.
heed::Tensor with_a_huge_feature_0(const heed::Tensor& texts, std::int64_t word);

// `texts`, and the eight parameters.
std::vector<Leaf> leaves_of(std::vector<Leaf> texts, const HeadsParameters& parameters);
Stages values_of(const HeadsStages& stages);
// All stages and, if they have the values `right`, the gradients of output, and those of the other
// stages together. Most mistakes show in the values, and then no gradient needs to be computed.
Stages as_stages(const HeadsStages& stages, const std::vector<Leaf>& leaves, const Stages& right);

// `blocked` broadcasts to the scores. Slips: those of common_attention.h, mha.* and
// sm.sum-detached, train.*
HeadsStages heads_walk(const heed::Variable& X, const heed::Variable& source,
                       const HeadsParameters& parameters, std::int64_t h,
                       const heed::BoolTensor& blocked, const Slips& slip);
std::vector<Mistake> heads_mistakes();
// The graph is cut: train.detached, train.weights-detached, sm.sum-detached
std::vector<Mistake> detached_mistakes();

}  // namespace exercise
