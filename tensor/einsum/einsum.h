// einsum: products and sums of tensors in which each axis has a name.
// A pattern says what becomes of each axis; the library does the transposing and reshaping, and
// contracts through matmul.
#pragma once

#include "../tensor.h"
#include "pattern.h"

#include <concepts>
#include <type_traits>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// einsum("batch posn d_model, nheads d_model d_head -> batch posn nheads d_head", x, W_Q)
//   y[b, p, n, h] = Σ_d x[b, p, d]·W_Q[n, d, h]
// einsum("ij,jk->ik", A, B)
//
// Each term before the arrow names the axes of one operand, the term after it those of the result.
// The operands are multiplied, and axes that the result does not name are summed over.
// - Names or letters: if any term has two words, or a word with a character that is not a letter
//   (such as d_model), then every word is the name of an axis; otherwise every letter is one, and
//   spaces are ignored. So "batch -> batch" has five axes, and "batch posn -> batch" has two.
// - Without an arrow, in the form with letters, the result has the letters that occur once, in
//   alphabetical order, as in NumPy.
// - A name twice in one term means the diagonal: "ii->i", and the trace "ii->". Entries off the
//   diagonal are not read, even if they are NaN.
// - "..." stands for any further axes, which are aligned at the last one and broadcast:
//   "...ij,...jk->...ik". Lengths of 1 are broadcast only there. The result has "..." if any
//   operand has.
// - Up to 32 operands, contracted from left to right; an axis is summed as soon as no later operand
//   needs it. The sum over no entries is 0.
// The result may share the storage of a single operand, like that of permute.
//
// A wrong pattern, or one with more or fewer terms than operands, does not compile.
// Errors: an operand whose rank does not fit its term, a name with two lengths, ellipses that do
// not broadcast, a result of more than eight axes (each ShapeError).
Tensor einsum(const PatternView& pattern, const std::vector<Tensor>& operands);

template <class... T>
requires(std::same_as<T, Tensor>&&...) Tensor
    einsum(Pattern<std::type_identity_t<T>...> pattern, const T&... operands) {
    return einsum(pattern.view(), std::vector<Tensor>{operands...});
}

// The same for a pattern known only at run time: einsum(runtime_pattern(text), A, B).
// Errors also: the pattern is wrong, or has the wrong number of terms (std::invalid_argument).
template <class... T>
requires(std::same_as<T, Tensor>&&...) Tensor
    einsum(const RuntimePattern& pattern, const T&... operands) {
    return einsum(pattern.view(), std::vector<Tensor>{operands...});
}
inline Tensor einsum(const RuntimePattern& pattern, const std::vector<Tensor>& operands) {
    return einsum(pattern.view(), operands);
}

}}}  // namespace heed::tensor
