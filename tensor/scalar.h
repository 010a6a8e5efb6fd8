// The element type of all tensors, chosen when the library is compiled.
// The same sources make heed (float) and heed_double, so that gradients can be checked to nine
// digits without a template over the element type in every message and debugger view.
#pragma once

#include "version.h"

#if __cplusplus < 202002L
#error "heed needs C++20: compile with -std=c++20"
#endif

// Masks hold -infinity. Here it would count as a number, and a weight of 0 could become a third.
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "heed needs infinities: after -ffast-math or -Ofast, compile with -fno-finite-math-only too"
#endif

#ifdef HEED_DOUBLE
#define HEED_PRECISION f64
#else
#define HEED_PRECISION f32
#endif

namespace heed { inline namespace HEED_PRECISION {

#ifdef HEED_DOUBLE
using Scalar = double;
inline constexpr const char* scalar_name = "double";
#else
using Scalar = float;
inline constexpr const char* scalar_name = "float";
#endif

inline constexpr double infinity = __builtin_huge_val();

// For a static_assert in a template that exists to say what to write in its place.
template <class>
inline constexpr bool always_false = false;

}}  // namespace heed
