// The parsed pattern of an einsum: the axes of each operand and of the result, as numbers.
// All of it is constexpr, so that a literal pattern is checked at compile time.
#pragma once

#include "../shape.h"

#include <string_view>

namespace heed { inline namespace HEED_PRECISION {

inline constexpr int max_einsum_operands = 32;

enum class PatternFault {
    none,
    unknown_character,
    half_arrow,
    second_arrow,
    comma_in_output,
    stray_dots,
    second_ellipsis,
    digit_first,
    too_many_axes,
    too_many_operands,
    names_without_arrow,
    unknown_output_axis,
    repeated_output_axis,
    unknown_output_ellipsis,
    forgotten_ellipsis,
};

// An axis is identified by a number: names count from 0 in the order in which they first appear.
// Begin, end and fault_at are positions in the text of the pattern.
struct Equation {
    struct Name {
        int begin = 0;
        int end = 0;
    };
    struct Term {
        int begin = 0;
        int end = 0;
        int axes[max_rank] = {};
        int num_axes = 0;
        int ellipsis = -1;  // comes before axes[ellipsis]; -1: none
    };

    Term inputs[max_einsum_operands] = {};
    int num_inputs = 0;
    Term output = {};
    Name names[max_einsum_operands * max_rank] = {};
    int num_names = 0;
    bool named = false;  // every word is an axis, not every letter
    PatternFault fault = PatternFault::none;
    int fault_at = 0;
};

// Reads a pattern from left to right and stops at the first fault.
class EquationReader {
  public:
    constexpr explicit EquationReader(std::string_view text)
        : text_(text), size_(static_cast<int>(text.size())) {}

    constexpr Equation read() {
        find_terms();
        find_form();
        for (int i = 0; i < equation_.num_inputs; ++i) read_term(equation_.inputs[i], false);
        if (has_arrow_) {
            read_term(equation_.output, true);
            check_ellipsis();
        } else {
            infer_output();
        }
        return equation_;
    }

  private:
    static constexpr bool is_letter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
    static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static constexpr bool is_in_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

    constexpr bool failed() const { return equation_.fault != PatternFault::none; }
    constexpr void fail(PatternFault fault, int at) {
        if (failed()) return;
        equation_.fault = fault;
        equation_.fault_at = at;
    }

    constexpr bool has_here(std::string_view part, int at) const {
        return text_.substr(static_cast<std::size_t>(at), part.size()) == part;
    }
    constexpr char at(int i) const { return text_[static_cast<std::size_t>(i)]; }

    constexpr void find_terms() {
        int begin = 0;
        for (int i = 0; i < size_ && !failed(); ++i) {
            const char c = at(i);
            if (c == ',') {
                if (has_arrow_) fail(PatternFault::comma_in_output, i);
                add_input(begin, i);
                begin = i + 1;
            } else if (c == '-' || c == '>') {
                if (!has_here("->", i)) fail(PatternFault::half_arrow, i);
                if (has_arrow_) fail(PatternFault::second_arrow, i);
                add_input(begin, i);
                has_arrow_ = true;
                ++i;
                begin = i + 1;
            } else if (c == '.') {
                if (!has_here("...", i)) fail(PatternFault::stray_dots, i);
                i += 2;
            } else if (c != ' ' && !is_in_name(c)) {
                fail(PatternFault::unknown_character, i);
            }
        }
        if (has_arrow_) {
            equation_.output.begin = begin;
            equation_.output.end = size_;
        } else {
            add_input(begin, size_);
        }
    }

    constexpr void add_input(int begin, int end) {
        if (failed()) return;
        if (equation_.num_inputs == max_einsum_operands) {
            fail(PatternFault::too_many_operands, begin);
            return;
        }
        Equation::Term& term = equation_.inputs[equation_.num_inputs];
        term.begin = begin;
        term.end = end;
        ++equation_.num_inputs;
    }

    // Names or letters: a space between two words of one term, or a digit or _, means names.
    constexpr void find_form() {
        if (failed()) return;
        for (int i = 0; i < equation_.num_inputs; ++i) look_for_names(equation_.inputs[i]);
        if (has_arrow_) look_for_names(equation_.output);
        if (equation_.named && !has_arrow_) fail(PatternFault::names_without_arrow, size_);
    }

    constexpr void look_for_names(const Equation::Term& term) {
        bool after_word = false;
        bool after_space = false;
        for (int i = term.begin; i < term.end; ++i) {
            const char c = at(i);
            if (c == ' ') after_space = after_word;
            if (!is_in_name(c)) continue;
            if (after_space || !is_letter(c)) equation_.named = true;
            after_word = true;
        }
    }

    constexpr void read_term(Equation::Term& term, bool is_output) {
        int i = term.begin;
        while (i < term.end && !failed()) {
            if (at(i) == ' ') {
                ++i;
            } else if (at(i) == '.') {
                if (term.ellipsis >= 0) fail(PatternFault::second_ellipsis, i);
                term.ellipsis = term.num_axes;
                i += 3;
            } else {
                const Equation::Name name{i, end_of_name(i, term.end)};
                add_axis(term, name, is_output);
                i = name.end;
            }
        }
    }

    constexpr int end_of_name(int begin, int limit) const {
        int end = begin + 1;
        while (equation_.named && end < limit && is_in_name(at(end))) ++end;
        return end;
    }

    constexpr void add_axis(Equation::Term& term, const Equation::Name& name, bool is_output) {
        if (is_digit(at(name.begin))) fail(PatternFault::digit_first, name.begin);
        int axis = number_of(name);
        if (is_output && axis < 0) fail(PatternFault::unknown_output_axis, name.begin);
        if (is_output && contains(term, axis)) fail(PatternFault::repeated_output_axis, name.begin);
        if (term.num_axes == max_rank) fail(PatternFault::too_many_axes, name.begin);
        if (failed()) return;
        if (axis < 0) {
            axis = equation_.num_names++;
            equation_.names[axis] = name;
        }
        term.axes[term.num_axes++] = axis;
    }

    constexpr int number_of(const Equation::Name& name) const {
        for (int i = 0; i < equation_.num_names; ++i) {
            if (text_of(equation_.names[i]) == text_of(name)) return i;
        }
        return -1;
    }
    constexpr std::string_view text_of(const Equation::Name& name) const {
        return text_.substr(static_cast<std::size_t>(name.begin),
                            static_cast<std::size_t>(name.end - name.begin));
    }
    static constexpr bool contains(const Equation::Term& term, int axis) {
        for (int i = 0; i < term.num_axes; ++i) {
            if (term.axes[i] == axis) return true;
        }
        return false;
    }

    constexpr bool any_input_has_ellipsis() const {
        for (int i = 0; i < equation_.num_inputs; ++i) {
            if (equation_.inputs[i].ellipsis >= 0) return true;
        }
        return false;
    }

    constexpr void check_ellipsis() {
        const bool given = any_input_has_ellipsis();
        const bool returned = equation_.output.ellipsis >= 0;
        if (returned && !given) fail(PatternFault::unknown_output_ellipsis, equation_.output.begin);
        if (given && !returned) fail(PatternFault::forgotten_ellipsis, equation_.output.begin);
    }

    // NumPy's rule without an arrow: the ellipsis first, then the letters that occur once, in
    // alphabetical order (upper case before lower case).
    constexpr void infer_output() {
        if (failed()) return;
        Equation::Term& output = equation_.output;
        output.begin = output.end = size_;
        if (any_input_has_ellipsis()) output.ellipsis = 0;
        for (char letter = 'A'; letter <= 'z'; ++letter) {
            const int axis = number_of_letter(letter);
            if (axis < 0 || occurrences(axis) != 1) continue;
            if (output.num_axes == max_rank) {
                fail(PatternFault::too_many_axes, size_);
                return;
            }
            output.axes[output.num_axes++] = axis;
        }
    }

    constexpr int number_of_letter(char letter) const {
        for (int i = 0; i < equation_.num_names; ++i) {
            if (at(equation_.names[i].begin) == letter) return i;
        }
        return -1;
    }
    constexpr int occurrences(int axis) const {
        int count = 0;
        for (int i = 0; i < equation_.num_inputs; ++i) {
            const Equation::Term& term = equation_.inputs[i];
            for (int j = 0; j < term.num_axes; ++j) count += term.axes[j] == axis;
        }
        return count;
    }

    std::string_view text_;
    int size_;
    bool has_arrow_ = false;
    Equation equation_;
};

}}  // namespace heed
