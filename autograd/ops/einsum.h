// einsum of variables: patterns and errors as on the tensor floor (tensor/einsum/einsum.h).
// It is composed of recorded operations (permute, reshape, matmul, multiply, sum, slice), which
// appear in the graph, so it needs no derivative of its own.
#pragma once

#include "../../tensor/einsum/pattern.h"
#include "../variable.h"

#include <concepts>
#include <type_traits>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Operands are variables, or of a class derived from Variable (a layer's Parameter).
Variable einsum(const PatternView& pattern, const std::vector<Variable>& operands);

template <class... T>
requires(std::derived_from<T, Variable>&&...) Variable
    einsum(Pattern<std::type_identity_t<T>...> pattern, const T&... operands) {
    return einsum(pattern.view(), std::vector<Variable>{operands...});
}

template <class... T>
requires(std::derived_from<T, Variable>&&...) Variable
    einsum(const RuntimePattern& pattern, const T&... operands) {
    return einsum(pattern.view(), std::vector<Variable>{operands...});
}
inline Variable einsum(const RuntimePattern& pattern, const std::vector<Variable>& operands) {
    return einsum(pattern.view(), operands);
}

}}  // namespace heed
