// The messages for wrong patterns, and patterns read at run time.
#include "pattern.h"

#include "../errors.h"

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

}}  // namespace heed
