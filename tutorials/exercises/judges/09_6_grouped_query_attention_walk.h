// The walk of grouped-query attention (09.6), and its mistakes.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judges/09_6_grouped_query_attention.h"
#include "tutorials/exercises/judging/mistake.h"

#include <string>
#include <vector>

namespace exercise::grouped_walk {

enum { weight_Q, bias_Q, weight_K, bias_K, weight_V, bias_V, weight_O, bias_O };
constexpr const char* names[] = {"W_Q.weight", "W_Q.bias", "W_K.weight", "W_K.bias",
                                 "W_V.weight", "W_V.bias", "W_O.weight", "W_O.bias"};

std::int64_t d_head_of(const GroupedSizes& sizes);
std::vector<heed::Variable> random_parameters(const GroupedSizes& sizes, std::uint64_t seed);
std::vector<heed::Variable> of_new_layer(const GroupedSizes& sizes, const Slips& slip);
heed::Variable attention(const GroupedSizes& sizes, const std::vector<heed::Variable>& parameters,
                         const heed::Variable& X, const Slips& slip);
std::vector<Mistake> mistakes();

}  // namespace exercise::grouped_walk
