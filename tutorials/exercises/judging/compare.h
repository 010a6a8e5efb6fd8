// Are two results the same, and if not, where do they differ?
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <string>

namespace exercise {

bool same(const heed::Tensor& yours, const heed::Tensor& expected);
// Of those the learner has, by name, are all the same as in the walk?
bool same(const Stages& yours, const Stages& expected);
// The walk's stage of that name; an error (std::logic_error) if it has none.
const heed::Tensor& stage(const Stages& stages, const std::string& name);

// "[5, 3], expected [3, 5]: transposed?", or empty where the shapes are equal
std::string wrong_shape(const heed::Tensor& yours, const heed::Tensor& expected);
// "2 NaN and 1 infinity of 15", where the expected has fewer; else empty
std::string not_finite(const heed::Tensor& yours, const heed::Tensor& expected);
// "at [1, 2]: yours 0.3000, expected 0.5000", of the entry that is furthest off
std::string worst_entry(const heed::Tensor& yours, const heed::Tensor& expected);

}  // namespace exercise
