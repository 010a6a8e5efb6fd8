// Formulas as the lessons write them, in a line of text, drawn as MathML for a page.
//     y_i = Σ_{j≤i} a_ij·x_j        softmax(Q·Kᵀ/√d_k)·V        ∂L/∂x = {G if x > 0; 0 otherwise}
// In prose a formula stands between dollars; the terminal prints it without them.
#pragma once

#include "tensor/call_site.h"

#include <string>

namespace tutorial {

// The text without its dollars.
std::string without_marks(const std::string& prose);

// MathML of one formula. `block`: on a line of its own. What is understood:
//     a_ij  d_model  x_{i+1}  W^Q  e^{-x}  x²  Kᵀ  0.9ⁿ  W₂      scripts
//     m̂  x̄                                                       marks over a letter
//     a/b  ∂L/∂A  (a + b) / c                                     fractions; a·b/c has a·b above
//     √x  √(x·x)  Σ_j  Π_t  |x|  ‖x‖  (…)  […]                    roots, sums, brackets
//     {a if x > 0; b otherwise}                                   cases
//     u = a·b    v = u + c                                        four spaces keep two apart
// Two letters below are two indices; a longer word is a name, as it is elsewhere. The text itself
// is kept as alttext. Errors (std::invalid_argument): braces that do not match, and a script, root
// or fraction of nothing.
std::string formula_as_mathml(const std::string& formula, bool block = false,
                              heed::CallSite site = heed::CallSite::here());

// HTML of prose: text as text, and what stands between dollars as MathML; a long one scrolls where
// the window is narrow. Errors
// (std::invalid_argument): a dollar without another; those of a formula.
std::string prose_as_html(const std::string& prose, heed::CallSite site = heed::CallSite::here());

}  // namespace tutorial
