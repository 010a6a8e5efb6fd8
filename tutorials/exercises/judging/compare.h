// Comparison of two results, and descriptions of where they differ.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <string>

namespace exercise {

bool same(const heed::Tensor& yours, const heed::Tensor& expected);
// Are all stages the learner has the same as the reference's stages of those names?
bool same(const Stages& yours, const Stages& expected);
// The reference's stage of that name. Error: there is none (std::logic_error).
const heed::Tensor& stage(const Stages& stages, const std::string& name);

// "[5, 3], expected [3, 5]: transposed?", or empty where the shapes are equal
std::string wrong_shape(const heed::Tensor& yours, const heed::Tensor& expected);
// "2 NaN and 1 infinity of 15" if the expected tensor has fewer of them; else empty
std::string not_finite(const heed::Tensor& yours, const heed::Tensor& expected);
// "at [1, 2]: yours 0.3000, expected 0.5000", for the entry with the largest error
std::string worst_entry(const heed::Tensor& yours, const heed::Tensor& expected);

}  // namespace exercise
