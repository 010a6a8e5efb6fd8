// The text of an explanation: each contribution with the line it comes from, and their sum.
#include "../../tensor/errors.h"
#include "explain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <ostream>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// Six digits, for reading; the sums are checked in full precision.
std::string short_text(double x) {
    if (x != x) return "nan";
    return text(x);
}

// One digit is enough for an expected error.
std::string rough_text(double x) { return text(std::setprecision(1), x); }

// y[1, 2], or y alone for a scalar.
std::string entry_text(const ExplainedTerm& term) {
    return term.index.empty() ? "y" : "y" + term.index.text();
}

std::string padded(const std::string& what, std::size_t width) {
    return what.size() < width ? std::string(width - what.size(), ' ') + what : what;
}

std::string counted(std::size_t count, const char* thing) {
    return text(count, " ", thing, count == 1 ? "" : "s");
}

// In columns, so that numbers and signs are aligned.
std::string terms_text(const ExplainedPart& part, std::size_t indent) {
    const std::string margin(indent, ' ');
    std::vector<std::array<std::string, 4>> rows;
    std::array<std::size_t, 4> widths = {};
    for (const ExplainedTerm& term : part.terms) {
        rows.push_back({entry_text(term), short_text(term.upstream), short_text(term.local),
                        short_text(term.product)});
        for (std::size_t k = 0; k < 4; ++k) widths[k] = std::max(widths[k], rows.back()[k].size());
    }
    std::string lines;
    for (const std::array<std::string, 4>& row : rows) {
        lines += margin + row[0] + std::string(widths[0] - row[0].size(), ' ') + "  " +
                 padded(row[1], widths[1]) + " × " + padded(row[2], widths[2]) + " = " +
                 padded(row[3], widths[3]) + "\n";
    }
    if (part.more > 0) {
        lines += margin + text("and ", part.more, " more, together ", short_text(part.rest), "\n");
    }
    if (!part.remark.empty()) lines += margin + "(" + part.remark + ")\n";
    return lines;
}

std::string part_text(const ExplainedPart& part, std::size_t width) {
    std::string line = "  " + padded(short_text(part.value), width) + "  " + part.operation;
    if (part.site.line > 0) line += " at " + part.site.text();
    if (part.operation != "backward") line += text(", as its input ", part.input);
    if (!part.scope.empty()) line += ", " + part.scope;
    return line + "\n" + terms_text(part, width + 6);
}

std::string hooks_text(const ExplainedPass& pass) {
    std::string lines;
    if (pass.hooked) {
        lines += text("  a hook on it made ", short_text(*pass.hooked), " of ",
                      short_text(pass.sum), "\n");
    }
    if (pass.hooks_above > 0) {
        lines += text("  on the way, hooks replaced ",
                      counted(static_cast<std::size_t>(pass.hooks_above), "gradient"),
                      ", which the parts above are made of\n");
    }
    if (pass.hooks_left_out > 0) {
        lines += text("  without ", counted(static_cast<std::size_t>(pass.hooks_left_out), "hook"),
                      ", which backward() and grad() call\n");
    }
    return lines;
}

std::string parts_text(const ExplainedPass& pass) {
    std::size_t width = short_text(pass.sum).size();
    for (const ExplainedPart& part : pass.contributions) {
        width = std::max(width, short_text(part.value).size());
    }
    std::string lines;
    for (const ExplainedPart& part : pass.contributions) lines += part_text(part, width);
    if (pass.contributions.size() > 1) {
        lines += "  " + std::string(width, '-') + "\n  " + padded(short_text(pass.sum), width) +
                 "  their sum, in this order\n";
    }
    return lines + hooks_text(pass);
}

std::string of_its_uses(const ExplainedPass& pass) {
    if (pass.contributions.empty()) return ": nothing that leads there uses it\n";
    const std::size_t uses = pass.contributions.size();
    if (uses == 1) return ", from its one use:\n";
    return text(", the sum of what its ", uses, " uses gave:\n");
}

std::string passes_text(const Explanation& all) {
    std::string lines =
        text(", the sum of ", all.before ? "what was there before and " : "", "what ",
             counted(all.passes.size(), "call"), " of backward() added:\n");
    if (all.before) lines += text("\n", short_text(*all.before), " was there before\n");
    for (const ExplainedPass& pass : all.passes) {
        lines += "\nbackward()";
        if (pass.site.line > 0) lines += " at " + pass.site.text();
        lines += " added " + short_text(pass.value);
        lines += pass.remark.empty() ? of_its_uses(pass) + parts_text(pass)
                                     : "; how it came about is not known: " + pass.remark + "\n";
    }
    return lines;
}

std::string verdict(const Explanation& all) {
    if (all.exact) {
        return all.stored ? "To the last bit, this is the gradient that is stored.\n"
                          : "To the last bit, this is what the backward pass gives.\n";
    }
    return text("This makes ", short_text(all.sum), ", but ", short_text(all.value),
                all.stored ? " is stored" : " came out",
                ": something was changed since the pass.\n");
}

std::string measurement(const Explanation& all) {
    if (!all.not_measured.empty()) return "Not measured: " + all.not_measured + "\n";
    if (!all.measured) return "";
    const double value = all.measured->value;
    const bool tells = all.measured->error <= std::fabs(value) || (value == 0 && all.value == 0);
    const char* const scalar = sizeof(Scalar) == sizeof(float) ? "float" : "double";
    return text("Measured: ", tells ? "" : text("too small to tell in ", scalar, ", "),
                "(L(x + h) - L(x - h))/2h = ", short_text(value),
                " with h = ", short_text(all.measured->h), ", good to about ",
                rough_text(all.measured->error), tells ? ".\n" : " only.\n");
}

bool has_terms(const Explanation& all) {
    for (const ExplainedPass& pass : all.passes) {
        for (const ExplainedPart& part : pass.contributions) {
            if (!part.terms.empty()) return true;
        }
    }
    return false;
}

}  // namespace

std::string Explanation::text() const {
    std::string lines = heed::text(stored ? "The gradient of " : "The derivative with respect to ",
                                   name, " is ", short_text(value));
    if (passes.size() == 1 && !before) {
        lines += of_its_uses(passes.front()) + parts_text(passes.front());
    } else {
        lines += passes_text(*this);
    }
    if (has_terms(*this)) {
        lines += "y is the operation's output: upstream gradient there × local derivative.\n";
    }
    return lines + verdict(*this) + measurement(*this);
}

std::ostream& operator<<(std::ostream& out, const Explanation& explanation) {
    return out << explanation.text();
}

}}  // namespace heed
