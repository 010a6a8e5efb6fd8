// Drawing indices with given probabilities, such as the next token of a text.
#pragma once

#include "../index_tensor.h"
#include "../random.h"
#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION {

// Whether an index that was drawn may be drawn again.
enum class Replacement { without, with };
inline constexpr Replacement with_replacement = Replacement::with;

namespace tensor {

// `count` indices of each row of `probabilities` [C] or [rows, C], in the order drawn: [count] or
// [rows, count]. Index i of a row is drawn with probability proportional to its entry, which need
// not add up to 1; an entry of 0 is never drawn. Rows are drawn one after the other, with one
// random.uniform() for each index.
// Errors: another rank (ShapeError); a negative count; an entry that is negative, NaN or infinite;
// a row of zeros; without replacement, a row with fewer than `count` entries above 0
// (std::invalid_argument).
IndexTensor multinomial(const Tensor& probabilities, std::int64_t count, Random& random,
                        Replacement replacement = Replacement::without,
                        CallSite site = CallSite::here());

}  // namespace tensor
}}  // namespace heed
