// Pattern and RuntimePattern: the first argument of einsum, checked before anything is computed.
// A literal pattern is checked by the compiler: a wrong one is an error at a call of one of the
// functions below, whose name says what is wrong.
#pragma once

#include "equation.h"

#include <string>

namespace heed { inline namespace HEED_PRECISION {

// Not constexpr and never defined: calling one at compile time is the error.
void einsum_pattern_has_a_character_other_than_letters_digits_and_underscores();
void einsum_pattern_has_only_half_of_an_arrow();
void einsum_pattern_has_two_arrows();
void einsum_pattern_has_a_comma_after_the_arrow();
void einsum_pattern_has_dots_that_are_not_an_ellipsis();
void einsum_term_has_two_ellipses();
void einsum_name_of_an_axis_begins_with_a_digit();
void einsum_term_has_more_than_eight_axes();
void einsum_pattern_has_more_than_32_operands();
void einsum_pattern_with_names_needs_an_arrow();
void einsum_output_names_an_axis_that_no_input_has();
void einsum_output_names_an_axis_twice();
void einsum_output_has_an_ellipsis_that_no_input_has();
void einsum_output_leaves_out_the_ellipsis();
void einsum_pattern_has_a_different_number_of_terms_than_operands();

consteval void stop_compiling_at(PatternFault fault) {
    switch (fault) {
    case PatternFault::none:
        return;
    case PatternFault::unknown_character:
        return einsum_pattern_has_a_character_other_than_letters_digits_and_underscores();
    case PatternFault::half_arrow:
        return einsum_pattern_has_only_half_of_an_arrow();
    case PatternFault::second_arrow:
        return einsum_pattern_has_two_arrows();
    case PatternFault::comma_in_output:
        return einsum_pattern_has_a_comma_after_the_arrow();
    case PatternFault::stray_dots:
        return einsum_pattern_has_dots_that_are_not_an_ellipsis();
    case PatternFault::second_ellipsis:
        return einsum_term_has_two_ellipses();
    case PatternFault::digit_first:
        return einsum_name_of_an_axis_begins_with_a_digit();
    case PatternFault::too_many_axes:
        return einsum_term_has_more_than_eight_axes();
    case PatternFault::too_many_operands:
        return einsum_pattern_has_more_than_32_operands();
    case PatternFault::names_without_arrow:
        return einsum_pattern_with_names_needs_an_arrow();
    case PatternFault::unknown_output_axis:
        return einsum_output_names_an_axis_that_no_input_has();
    case PatternFault::repeated_output_axis:
        return einsum_output_names_an_axis_twice();
    case PatternFault::unknown_output_ellipsis:
        return einsum_output_has_an_ellipsis_that_no_input_has();
    case PatternFault::forgotten_ellipsis:
        return einsum_output_leaves_out_the_ellipsis();
    }
}

// A non-owning view of either kind of pattern.
struct PatternView {
    std::string_view text;
    const Equation& equation;
    CallSite site;
};

// A string literal for operands of the types T (deduced by einsum), and the caller's line.
template <class... T>
class Pattern {
  public:
    consteval Pattern(const char* text, CallSite site = CallSite::here())
        : text_(text), equation_(EquationReader(text).read()), site_(site) {
        stop_compiling_at(equation_.fault);
        if (equation_.num_inputs != static_cast<int>(sizeof...(T))) {
            einsum_pattern_has_a_different_number_of_terms_than_operands();
        }
    }

    PatternView view() const { return {text_, equation_, site_}; }

  private:
    const char* text_;
    Equation equation_;
    CallSite site_;
};

// A pattern known only at run time. Error: it is wrong (std::invalid_argument, which says what is
// wrong and points at the position).
class RuntimePattern {
  public:
    RuntimePattern(const std::string& text, const CallSite& site);

    PatternView view() const { return {text_, equation_, site_}; }

  private:
    std::string text_;
    Equation equation_;
    CallSite site_;
};

RuntimePattern runtime_pattern(const std::string& text, CallSite site = CallSite::here());

}}  // namespace heed
