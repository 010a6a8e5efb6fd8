#include "tutorials/support/formula.h"

#include "nn/pages/display.h"
#include "nn/pages/html.h"
#include "tensor/errors.h"
#include "tensor/quote.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace tutorial {
namespace {
using heed::html_element;
using heed::html_text;
using Characters = std::vector<std::string>;

const std::map<std::string, std::string> raised = {
    {"⁰", "0"}, {"¹", "1"}, {"²", "2"}, {"³", "3"}, {"⁴", "4"}, {"⁵", "5"}, {"⁶", "6"},
    {"⁷", "7"}, {"⁸", "8"}, {"⁹", "9"}, {"⁻", "-"}, {"⁺", "+"}, {"ⁿ", "n"}, {"ᵗ", "t"},
    {"ᵀ", "T"}, {"ⁱ", "i"}, {"ˣ", "x"}, {"ᵏ", "k"}, {"ʲ", "j"}, {"ᵈ", "d"}, {"ᵃ", "a"}};
const std::map<std::string, std::string> lowered = {
    {"₀", "0"}, {"₁", "1"}, {"₂", "2"}, {"₃", "3"}, {"₄", "4"}, {"₅", "5"}, {"₆", "6"}, {"₇", "7"},
    {"₈", "8"}, {"₉", "9"}, {"ᵢ", "i"}, {"ⱼ", "j"}, {"ₖ", "k"}, {"ₜ", "t"}, {"ₙ", "n"}};
const std::map<std::string, std::string> above = {{"\u0302", "^"}, {"\u0304", "¯"}};
const std::map<std::string, std::string> sums = {{"Σ", "∑"}, {"Π", "∏"}};
// Between terms; after one of them a fraction's numerator begins anew.
const std::set<std::string> between_terms = {"+", "-", "−", "=", "≤", "≥", "<", ">", "≠", "≈", "∈",
                                             "→", "←", ",", ";", ":", "±", "∝", "≫", "≪", "↦", "…"};
const std::set<std::string> between_factors = {"·", "×", "⊙", "∘", "%", "!", "*"};

Characters characters_of(const std::string& text) {
    Characters characters;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t bytes = heed::code_point_at(text, at).bytes;
        characters.push_back(text.substr(at, bytes));
        at += bytes;
    }
    return characters;
}

bool is_digit(const std::string& c) { return c.size() == 1 && c[0] >= '0' && c[0] <= '9'; }
bool is_letter(const std::string& c) {
    return c.size() == 1 && ((c[0] >= 'a' && c[0] <= 'z') || (c[0] >= 'A' && c[0] <= 'Z'));
}

std::string element(const std::string& name, const std::string& content) {
    return "<" + name + ">" + content + "</" + name + ">";
}

std::string sign(const std::string& c) { return element("mo", c == "-" ? "−" : html_text(c)); }

// X, Q, K and V have the colours of their tables. A single Latin or Greek letter is italic.
std::string identifier(const std::string& name) {
    static const std::set<std::string> colored = {"X", "Q", "K", "V"};
    if (colored.count(name) > 0) return "<mi class=\"role-" + name + "\">" + name + "</mi>";
    const bool is_greek = name.size() == 2 && (name[0] == '\xce' || name[0] == '\xcf');
    const bool is_italic = is_letter(name) || is_greek;
    return (is_italic ? "<mi>" : "<mi class=\"upright\">") + html_text(name) + "</mi>";
}

// One that may stand above or below another.
std::string one(const std::vector<std::string>& parts) {
    if (parts.size() == 1) return parts[0];
    std::string row;
    for (const std::string& part : parts) row += part;
    return element("mrow", row);
}

class Reader {
  public:
    Reader(const std::string& formula, const heed::CallSite& site)
        : text_(formula), site_(site), in_(characters_of(formula)) {}

    std::string whole() {
        skip_spaces();
        const std::string row = row_until("");
        if (at_ < in_.size()) fail("has a " + in_[at_] + " that closes nothing");
        return row;
    }

  private:
    // A part of a term: its elements, and the same without brackets around them, if it has any.
    struct Part {
        std::string elements;
        std::string inner = {};
        bool begins_run = false;       // after a space or a sign
        bool is_differential = false;  // ∂ or dx
        bool takes_next = false;  // a function's name, a sum or ∂: what follows belongs to it
        bool is_name = false;     // or a number: a space between two of them is seen
    };
    using Parts = std::vector<Part>;

    [[noreturn]] void fail(const std::string& problem) const {
        heed::fail_argument("formula", site_, heed::in_quotes(text_) + " " + problem);
    }
    bool ends() const { return at_ >= in_.size(); }
    bool next_is(const std::string& c) const { return !ends() && in_[at_] == c; }
    bool take(const std::string& c) {
        if (!next_is(c)) return false;
        ++at_;
        return true;
    }
    std::size_t skip_spaces() {
        const std::size_t before = at_;
        while (next_is(" ")) ++at_;
        return at_ - before;
    }

    static std::string joined(const Parts& parts) {
        std::string row;
        for (const Part& part : parts) row += part.elements;
        return row;
    }

    // All up to `end`, which is taken; up to the end of the text, if it is "".
    std::string row_until(const std::string& end) {
        closing_.push_back(end);
        const std::string row = row_up_to(end);
        closing_.pop_back();
        return row;
    }

    std::string row_up_to(const std::string& end) {
        std::string done;
        Parts term;
        bool separate = true;
        while (true) {
            const std::size_t spaces = skip_spaces();
            separate |= spaces > 0;
            if (spaces >= 4 && !next_is("=")) {
                done += joined(term) + "<mspace width=\"2em\"></mspace>";
                term.clear();
            }
            if (ends()) {
                if (!end.empty()) fail("lacks a " + end);
                break;
            }
            if (!end.empty() && take(end)) break;
            const std::string c = in_[at_];
            if (c == "}") fail("has a } that closes nothing");
            if (c == "/") {
                ++at_;
                divide(term);
                separate = false;
            } else if (between_terms.count(c) > 0) {
                ++at_;
                done += joined(term) + sign(c);
                term.clear();
                separate = true;
            } else if (between_factors.count(c) > 0) {
                ++at_;
                term.push_back({sign(c)});
                separate = true;
            } else {
                Part next = part();
                next.begins_run = separate;
                if (spaces > 0 && !term.empty() && term.back().is_name && next.is_name) {
                    term.push_back({"<mspace width=\"0.25em\"></mspace>"});
                }
                term.push_back(next);
                separate = false;
            }
        }
        return done + joined(term);
    }

    // The last parts of the term go above the line, the next run of parts below it.
    void divide(Parts& term) {
        std::size_t first = term.size();
        while (first > 0) {
            --first;
            if (term[first].is_differential && term[first].begins_run) break;  // 0.1·∂L/∂w
        }
        if (first == term.size()) fail("divides nothing");
        const Parts above_it(term.begin() + static_cast<std::ptrdiff_t>(first), term.end());
        term.resize(first);
        skip_spaces();
        Parts below_it;
        bool goes_on = true;
        while (goes_on && !ends() && begins_part()) {
            below_it.push_back(part());
            goes_on = !next_is(" ");
            if (below_it.back().takes_next) {
                skip_spaces();
                goes_on = true;
            }
        }
        if (below_it.empty()) fail("divides by nothing");
        term.push_back({element("mfrac", without_brackets(above_it) + without_brackets(below_it))});
    }

    static std::string without_brackets(const Parts& parts) {
        if (parts.size() == 1 && !parts[0].inner.empty()) {
            return element("mrow", parts[0].inner);
        }
        return element("mrow", joined(parts));
    }

    bool begins_part() const {
        const std::string& c = in_[at_];
        return c != closing_.back() && c != " " && c != "/" && c != ")" && c != "]" && c != "}" &&
               between_terms.count(c) == 0 && between_factors.count(c) == 0;
    }

    Part part() {
        Part made = base();
        scripts(made);
        return made;
    }

    Part base() {
        const std::string c = in_[at_++];
        if (is_digit(c)) return {number(c), "", false, false, false, true};
        if (is_letter(c)) return word(c);
        if (c == "√") return root();
        if (c == "∂") return {sign(c), "", false, true, true};
        if (sums.count(c) > 0) return {element("mo", sums.at(c)), "", false, false, true};
        if (c == "(") return bracketed(c, ")");
        if (c == "[") return bracketed(c, "]");
        if (c == "{") return cases();
        if (c == "|" || c == "‖") return bracketed(c, c);
        if (c == "½" || c == "¼" || c == "∞") return {element("mn", c)};
        if (c == "_" || c == "^" || raised.count(c) + lowered.count(c) + above.count(c) > 0) {
            fail("has a script of nothing, " + c);
        }
        if (c == "'" || c == "\"" || c == "." || c == ")" || c == "]") return {sign(c)};
        return {identifier(c)};
    }

    std::string number(std::string digits) {
        while (!ends() && (is_digit(in_[at_]) || is_point())) digits += in_[at_++];
        if (next_is("e") && at_ + 1 < in_.size() &&
            (is_digit(in_[at_ + 1]) || in_[at_ + 1] == "-")) {
            digits += in_[at_++];
            digits += in_[at_++];
            while (!ends() && is_digit(in_[at_])) digits += in_[at_++];
        }
        return element("mn", digits);
    }
    bool is_point() const {
        return in_[at_] == "." && at_ + 1 < in_.size() && is_digit(in_[at_ + 1]);
    }

    std::string letters(std::string word) {
        while (!ends() && is_letter(in_[at_])) word += in_[at_++];
        return word;
    }

    Part word(const std::string& first) {
        static const std::set<std::string> functions = {"exp", "log",  "ln", "cos",
                                                        "sin", "tanh", "max"};
        static const std::set<std::string> prose = {"if", "otherwise", "for", "with", "and", "or"};
        const std::string name = letters(first);
        if (prose.count(name) > 0) return {element("mtext", "\u00a0" + name + "\u00a0")};
        const bool is_differential = name.size() == 2 && name[0] == 'd';
        const bool takes_next = functions.count(name) > 0 || (name.size() > 1 && next_is("("));
        return {identifier(name), "", false, is_differential, takes_next, true};
    }

    // No <msqrt>: Chromium draws its sign only if the first font of the formula has one. The sign
    // is drawn by lesson_page.css, over a transparent √, which screen readers read.
    Part root() {
        if (ends() || !begins_part()) fail("has a root of nothing");
        const Part under = part();
        const std::string inner = under.inner.empty() ? under.elements : under.inner;
        return {"<mrow class=\"root\" intent=\"square-root($x)\"><mpadded width=\"0.6em\" "
                "height=\"0.9em\" depth=\"0.2em\"><mtext>√</mtext></mpadded><mrow arg=\"x\">" +
                inner + "</mrow></mrow>"};
    }

    Part bracketed(const std::string& open, const std::string& close) {
        const std::string inner = row_until(close);
        return {element("mrow", sign(open) + inner + sign(close)), open == "(" ? inner : ""};
    }

    // {a if x > 0; b otherwise}: the first { is taken.
    Part cases() {
        std::string rows;
        std::size_t depth = 1, end = at_;
        while (end < in_.size() && depth > 0) {
            depth += in_[end] == "{";
            depth -= in_[end] == "}";
            ++end;
        }
        if (depth > 0) fail("lacks a }");
        std::string line;
        std::size_t lines = 0;
        for (; at_ < end; ++at_) {
            if (at_ + 1 < end && in_[at_] != ";") {
                line += in_[at_];
                continue;
            }
            rows += element("mtr", element("mtd", Reader(line, site_).whole()));
            line.clear();
            ++lines;
        }
        if (lines < 2) fail("has braces that are neither a script nor cases such as {a if b; c}");
        return {element("mrow", sign("{") + element("mtable", rows))};
    }

    // What is raised or lowered after _ or ^.
    std::string script() {
        if (take("{")) return element("mrow", row_until("}"));
        if (take("(")) return element("mrow", row_until(")"));
        std::vector<std::string> parts;
        if (next_is("-")) {
            parts.push_back(sign("-"));
            ++at_;
        }
        std::string name;
        while (!ends() && is_letter(in_[at_])) name += in_[at_++];
        if (name.size() == 2) {
            parts.push_back(identifier(name.substr(0, 1)));
            parts.push_back(identifier(name.substr(1)));
        } else if (!name.empty()) {
            parts.push_back(identifier(name));
        }
        if (!ends() && is_digit(in_[at_])) {
            const std::string digit = in_[at_++];
            parts.push_back(number(digit));
        }
        if (parts.empty() && !ends() && begins_part() && in_[at_].size() > 1) {
            parts.push_back(identifier(in_[at_++]));  // a Greek letter
        }
        if (parts.empty()) fail("has an empty script");
        return one(parts);
    }

    // A run of small characters, such as ⁻¹.
    std::string small(const std::map<std::string, std::string>& which) {
        std::vector<std::string> parts;
        while (!ends() && which.count(in_[at_]) > 0) {
            const std::string c = which.at(in_[at_++]);
            parts.push_back(is_digit(c)    ? element("mn", c)
                            : is_letter(c) ? element("mi", c)
                                           : sign(c));
        }
        return one(parts);
    }

    void scripts(Part& made) {
        std::vector<std::string> up, down;
        while (!ends()) {
            if (above.count(in_[at_]) > 0) {
                made.elements = element("mover", made.elements + sign(above.at(in_[at_++])));
            } else if (take("_")) {
                down.push_back(script());
            } else if (take("^")) {
                up.push_back(script());
            } else if (raised.count(in_[at_]) > 0) {
                up.push_back(small(raised));
            } else if (lowered.count(in_[at_]) > 0) {
                down.push_back(small(lowered));
            } else {
                break;
            }
        }
        if (up.empty() && down.empty()) return;
        const bool is_sum = made.elements == "<mo>∑</mo>" || made.elements == "<mo>∏</mo>";
        const std::string name = up.empty()     ? (is_sum ? "munder" : "msub")
                                 : down.empty() ? (is_sum ? "mover" : "msup")
                                                : (is_sum ? "munderover" : "msubsup");
        made.elements = element(name, made.elements + (down.empty() ? "" : one(down)) +
                                          (up.empty() ? "" : one(up)));
        made.inner.clear();
    }

    std::string text_;
    heed::CallSite site_;
    Characters in_;
    std::size_t at_ = 0;
    Characters closing_;  // what ends the rows that are being read; |x| has the same at both ends
};

}  // namespace

std::string without_marks(const std::string& prose) {
    std::string text;
    for (const char c : prose) {
        if (c != '$') text += c;
    }
    return text;
}

std::string formula_as_mathml(const std::string& formula, bool block, heed::CallSite site) {
    return "<math alttext=\"" + html_text(formula) + "\"" + (block ? " display=\"block\"" : "") +
           ">" + element("mrow", Reader(formula, site).whole()) + "</math>";
}

std::string prose_as_html(const std::string& prose, heed::CallSite site) {
    std::string html;
    for (std::size_t at = 0; at < prose.size();) {
        const std::size_t begin = prose.find('$', at);
        html += html_text(prose.substr(at, begin - at));
        if (begin == std::string::npos) break;
        const std::size_t end = prose.find('$', begin + 1);
        if (end == std::string::npos) {
            heed::fail_argument("prose", site,
                                "one dollar has no other after it: " +
                                    heed::in_quotes(prose.substr(begin)));
        }
        const std::string formula = prose.substr(begin + 1, end - begin - 1);
        const std::string math = formula_as_mathml(formula, false, site);
        // No browser breaks a formula over two lines, but each between it and a full stop.
        at = std::min(prose.find_first_of(" $", end + 1), prose.size());
        const std::string tail = prose.substr(end + 1, at - end - 1);
        const bool is_long = heed::terminal::display_width(formula) > 24;
        const std::string kind = is_long ? "class=\"long\" tabindex=\"0\"" : "class=\"joined\"";
        html +=
            is_long || !tail.empty() ? html_element("span", kind, math + html_text(tail)) : math;
    }
    return html;
}

}  // namespace tutorial
