// Comparison of two results, and descriptions of where they differ.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <string>

namespace exercise {

bool same(const heed::Tensor& yours, const heed::Tensor& expected);
// Are all stages the learner has the same as the reference's stages of those names?
bool same(const Stages& yours, const Stages& expected);
// The norm of the difference, of equal shapes. Equal infinities, and NaN beside NaN, are not apart.
double apart(const heed::Tensor& yours, const heed::Tensor& expected);
// The reference's stage of that name. Error: there is none (std::logic_error).
const heed::Tensor& stage(const Stages& stages, const std::string& name);

// "[5, 3], expected [3, 5]: transposed?", or empty where the shapes are equal
std::string wrong_shape(const heed::Tensor& yours, const heed::Tensor& expected);
// "in weights, 3 of 15 entries are NaN or infinite, first at [0, 2]: yours nan, expected 0.5000",
// of entries that are neither finite nor as expected; or "". The shapes are equal.
std::string not_finite(const std::string& what, const heed::Tensor& yours,
                       const heed::Tensor& expected);
// "at [1, 2]: yours 0.3000, expected 0.5000", for the entry with the largest error
std::string worst_entry(const heed::Tensor& yours, const heed::Tensor& expected);
// "in weights, 7 of 15 entries differ, first at [1, 2]: yours 0.3000, expected 0.5000", or "". The
// shapes are equal.
std::string difference(const std::string& what, const heed::Tensor& yours,
                       const heed::Tensor& expected);
// The same of a single thing: "differs in 7 of 15 entries, first at ..."
std::string difference(const heed::Tensor& yours, const heed::Tensor& expected);
// For laws: "at [1, 2]: 0.3000 before, 0.5000 after", the first entry that changes by more than
// rounding; or "".
std::string first_change(const heed::Tensor& before, const heed::Tensor& after);
// The same numbers, to the last bit? NaN is the same as NaN.
bool identical(const heed::Tensor& a, const heed::Tensor& b);

}  // namespace exercise
