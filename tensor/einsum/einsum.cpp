// The messages for wrong patterns, the plan of an einsum, and einsum for tensors;
// autograd/ops/einsum.cpp has it for variables.
#include "einsum.h"

#include "../errors.h"
#include "contract.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {
namespace {
const char* words_for(PatternFault fault) {
    switch (fault) {
    case PatternFault::none:
        break;
    case PatternFault::unknown_character:
        return "axis names are made of letters, digits and underscores; terms are "
               "separated by commas, and -> comes before the output";
    case PatternFault::half_arrow:
        return "half an arrow: the output follows ->";
    case PatternFault::second_arrow:
        return "a second arrow: a pattern has one output";
    case PatternFault::comma_in_output:
        return "a comma after the arrow: a pattern has one output";
    case PatternFault::stray_dots:
        return "an ellipsis is three dots: ...";
    case PatternFault::second_ellipsis:
        return "a second ellipsis in one term";
    case PatternFault::digit_first:
        return "an axis name must begin with a letter or _";
    case PatternFault::too_many_axes:
        return "more than eight axes in one term";
    case PatternFault::too_many_operands:
        return "more than 32 operands";
    case PatternFault::names_without_arrow:
        return "a pattern in which words are names needs an arrow and an output: \"... -> ...\"";
    case PatternFault::unknown_output_axis:
        return "the output names an axis that no input has";
    case PatternFault::repeated_output_axis:
        return "the output names an axis twice";
    case PatternFault::unknown_output_ellipsis:
        return "the output has an ellipsis, but no input has one";
    case PatternFault::forgotten_ellipsis:
        return "an input has an ellipsis, so the output needs one; only named axes can be summed";
    }
    return "";
}

}  // namespace

RuntimePattern::RuntimePattern(const std::string& text, const CallSite& site)
    : text_(text), equation_(EquationReader(text).read()), site_(site) {
    if (equation_.fault == PatternFault::none) return;
    const std::string spaces(static_cast<std::size_t>(equation_.fault_at), ' ');
    fail_argument("einsum", site,
                  std::string(words_for(equation_.fault)) + "\n    " + text + "\n    " + spaces +
                      "^");
}

RuntimePattern runtime_pattern(const std::string& text, CallSite site) {
    return RuntimePattern(text, site);
}

namespace tensor {
namespace {
class Planner {
  public:
    Planner(const PatternView& pattern, const std::vector<Shape>& shapes)
        : pattern_(pattern), equation_(pattern.equation), shapes_(shapes) {}

    EinsumPlan plan() {
        check_number_of_operands();
        for (int i = 0; i < num_operands(); ++i) check_rank(i);
        for (int i = 0; i < num_operands(); ++i) {
            ellipsis_rank_ = std::max(ellipsis_rank_, ellipsis_rank_of(i));
        }
        const std::size_t num_axes = static_cast<std::size_t>(equation_.num_names + ellipsis_rank_);
        owner_.assign(num_axes, -1);
        plan_.lengths.assign(num_axes, 1);
        for (int i = 0; i < num_operands(); ++i) find_lengths(i);
        for (int i = 0; i < num_operands(); ++i) plan_.operands.push_back(axes_of_operand(i));
        plan_output();
        find_uses();
        return plan_;
    }

  private:
    int num_operands() const { return static_cast<int>(shapes_.size()); }
    const Shape& shape(int operand) const { return shapes_[static_cast<std::size_t>(operand)]; }
    std::int64_t& length(int axis) { return plan_.lengths[static_cast<std::size_t>(axis)]; }
    int& owner(int axis) { return owner_[static_cast<std::size_t>(axis)]; }
    bool is_named(int axis) const { return axis < equation_.num_names; }

    std::string quoted(int begin, int end) const {
        const std::string_view part = pattern_.text.substr(static_cast<std::size_t>(begin),
                                                           static_cast<std::size_t>(end - begin));
        const std::size_t first = part.find_first_not_of(' ');
        if (first == std::string_view::npos) return "\"\"";
        const std::size_t last = part.find_last_not_of(' ');
        return '"' + std::string(part.substr(first, last - first + 1)) + '"';
    }
    std::string in_pattern() const { return "\n    in \"" + std::string(pattern_.text) + '"'; }
    std::string operand_text(int i) const { return text("operand ", i + 1, ' ', shape(i)); }

    void check_number_of_operands() const {
        if (num_operands() == equation_.num_inputs) return;
        fail_argument("einsum", pattern_.site, "the pattern has terms for ", equation_.num_inputs,
                      equation_.num_inputs == 1 ? " operand, but " : " operands, but ",
                      num_operands(), num_operands() == 1 ? " was given" : " were given",
                      in_pattern());
    }

    void check_rank(int i) const {
        const Equation::Term& term = equation_.inputs[i];
        const bool has_ellipsis = term.ellipsis >= 0;
        const int rank = shape(i).rank();
        if (rank == term.num_axes || (has_ellipsis && rank > term.num_axes)) return;
        std::string hint;
        if (!equation_.named && !has_ellipsis && term.num_axes > rank) {
            hint = "; here every letter is an axis, since no term has two words";
        }
        fail_shape("einsum", pattern_.site, operand_text(i), " has ", rank,
                   rank == 1 ? " axis" : " axes", ", but its term ", quoted(term.begin, term.end),
                   " names ", has_ellipsis ? "at least " : "", term.num_axes, hint, in_pattern());
    }

    int ellipsis_rank_of(int i) const { return shape(i).rank() - equation_.inputs[i].num_axes; }

    // The axis numbers of a term whose ellipsis stands for so many axes. These come after the named
    // ones and are aligned at the last axis.
    Axes numbers(const Equation::Term& term, int ellipsis_rank) const {
        const int end = equation_.num_names + ellipsis_rank_;
        Axes axes;
        for (int k = 0; k <= term.num_axes; ++k) {
            if (k == term.ellipsis) {
                for (int axis = end - ellipsis_rank; axis < end; ++axis) axes.push_back(axis);
            }
            if (k < term.num_axes) axes.push_back(term.axes[k]);
        }
        return axes;
    }

    Axes numbers(int i) const { return numbers(equation_.inputs[i], ellipsis_rank_of(i)); }

    void find_lengths(int i) {
        const Axes axes = numbers(i);
        for (int k = 0; k < shape(i).rank(); ++k) {
            const int axis = axes[static_cast<std::size_t>(k)];
            const std::int64_t here = shape(i)[k];
            const bool stretches = !is_named(axis) && length(axis) == 1;
            if (owner(axis) < 0 || stretches) {
                length(axis) = here;
                owner(axis) = i;
            } else if (length(axis) != here && (is_named(axis) || here != 1)) {
                fail_length(axis, i, here);
            }
        }
    }

    [[noreturn]] void fail_length(int axis, int i, std::int64_t here) {
        const std::string lengths =
            text(" has length ", length(axis), " in ", operand_text(owner(axis)), " but ", here,
                 " in ", operand_text(i));
        if (!is_named(axis)) {
            fail_shape("einsum", pattern_.site, "an axis of the ellipsis", lengths,
                       "; aligned at the last axis, lengths must be equal or one of them 1",
                       in_pattern());
        }
        const Equation::Name& name = equation_.names[axis];
        const bool one = length(axis) == 1 || here == 1;
        fail_shape("einsum", pattern_.site, "axis ", quoted(name.begin, name.end), lengths,
                   one ? "; a length of 1 is broadcast only in an ellipsis"
                       : "; it must have one length everywhere",
                   in_pattern());
    }

    Axes axes_of_operand(int i) {
        Axes axes = numbers(i);
        for (int k = 0; k < shape(i).rank(); ++k) {
            int& axis = axes[static_cast<std::size_t>(k)];
            if (shape(i)[k] != length(axis)) axis = EinsumPlan::stretched;
        }
        return axes;
    }

    void plan_output() {
        plan_.output = numbers(equation_.output, ellipsis_rank_);
        if (plan_.output.size() > max_rank) {
            fail_shape("einsum", pattern_.site, "the result would have ", plan_.output.size(),
                       " axes, ", ellipsis_rank_,
                       " of them from the ellipsis; a tensor has at most ", max_rank, in_pattern());
        }
    }

    void find_uses() {
        plan_.first_use.assign(plan_.lengths.size(), num_operands());
        plan_.last_use.assign(plan_.lengths.size(), 0);
        for (int i = 0; i < num_operands(); ++i) {
            note_use(plan_.operands[static_cast<std::size_t>(i)], i);
        }
        note_use(plan_.output, num_operands());
    }

    void note_use(const Axes& axes, int user) {
        for (const int axis : axes) {
            if (axis == EinsumPlan::stretched) continue;
            int& first = plan_.first_use[static_cast<std::size_t>(axis)];
            first = std::min(first, user);
            plan_.last_use[static_cast<std::size_t>(axis)] = user;
        }
    }

    const PatternView& pattern_;
    const Equation& equation_;
    const std::vector<Shape>& shapes_;
    int ellipsis_rank_ = 0;
    std::vector<int> owner_;  // the operand that determined the length of each axis
    EinsumPlan plan_;
};

}  // namespace

EinsumPlan plan_einsum(const PatternView& pattern, const std::vector<Shape>& shapes) {
    return Planner(pattern, shapes).plan();
}

Tensor einsum(const PatternView& pattern, const std::vector<Tensor>& operands) {
    return einsum_of(pattern, operands);
}

}  // namespace tensor
}}  // namespace heed
