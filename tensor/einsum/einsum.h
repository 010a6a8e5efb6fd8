// einsum: products and sums of tensors in which each axis has a name.
// It says what becomes of each axis and leaves transposing and reshaping to the library, which
// contracts through matmul.
#pragma once

#include "heed/tensor/einsum/pattern.h"
#include "heed/tensor/tensor.h"

#include <concepts>
#include <type_traits>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {
namespace tensor {

// einsum("batch posn d_model, nheads d_model d_head -> batch posn nheads d_head", x, W_Q)
//   y[b, p, n, h] = Σ_d x[b, p, d]·W_Q[n, d, h]
// einsum("ij,jk->ik", A, B)
//
// A term before the arrow names the axes of one operand, the one behind it those of the result.
// The operands are multiplied, and an axis that the result does not name is summed over.
// - Names or letters: if any term has two words, or a word with a character that is no letter
//   (such as d_model), then every word is the name of an axis; otherwise every letter is one, and
//   spaces do not matter. So "batch -> batch" has five axes; names are told by "batch posn".
// - Without an arrow, in the form with letters, the result has the letters that occur once, in
//   alphabetical order, as in NumPy.
// - A name twice in one term means the diagonal: "ii->i", and the trace "ii->". Entries beside it
//   are not read, be they NaN.
// - "..." stands for any further axes, which are aligned at the last one and broadcast:
//   "...ij,...jk->...ik". Only there does a length of 1 stretch. A result has it if an operand has.
// - Any number of operands up to 32, contracted from left to right; an axis is summed as soon as
//   nothing to the right needs it. The sum over no entries is 0.
// The result may share the storage of a single operand, as permute's does.
//
// A wrong pattern, or one with another number of terms than operands, does not compile.
// Errors: an operand with another number of axes than its term, a name with two lengths, ellipses
// that do not broadcast, a result of more than eight axes (each ShapeError).
Tensor einsum(const PatternView& pattern, const std::vector<Tensor>& operands);

template <class... T>
requires(std::same_as<T, Tensor>&&...) Tensor
    einsum(Pattern<std::type_identity_t<T>...> pattern, const T&... operands) {
    return einsum(pattern.view(), std::vector<Tensor>{operands...});
}

// The same for a pattern known only when the program runs: einsum(runtime_pattern(text), A, B).
// Errors also: the pattern is wrong, or has another number of terms (std::invalid_argument).
template <class... T>
requires(std::same_as<T, Tensor>&&...) Tensor
    einsum(const RuntimePattern& pattern, const T&... operands) {
    return einsum(pattern.view(), std::vector<Tensor>{operands...});
}
inline Tensor einsum(const RuntimePattern& pattern, const std::vector<Tensor>& operands) {
    return einsum(pattern.view(), operands);
}

}  // namespace tensor
}  // namespace HEED_PRECISION
}  // namespace heed
