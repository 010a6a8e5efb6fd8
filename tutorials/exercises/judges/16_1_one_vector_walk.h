// The walk of exercise 16.1, and its mistakes.
#pragma once

#include "autograd/variable.h"
#include "tensor/mask.h"
#include "tutorials/exercises/judging/mistake.h"

#include <functional>
#include <string>
#include <vector>

namespace exercise::one_vector_walk {

// For each text a string with a letter for each place: "x" for a token, "." for padding.
using Places = std::vector<std::string>;
using Walk = std::function<heed::Variable(const heed::Variable& x, const Places&, const Slips&)>;

// 1 where the letter is `which`, else 0: [B, T].
heed::Tensor marked(const Places& texts, char which = 'x');
heed::Mask mask_of(const Places& texts);

// x [B, T, d] -> [B, d]
heed::Variable first_walk(const heed::Variable& x, const Places& texts, const Slips& slip);
heed::Variable mean_walk(const heed::Variable& x, const Places& texts, const Slips& slip);
std::vector<Mistake> mistakes_of_first();
std::vector<Mistake> mistakes_of_mean();

}  // namespace exercise::one_vector_walk
