#include "tutorials/support/predict.h"

#include "tensor/errors.h"
#include "tensor/print.h"
#include "tutorials/support/formula.h"
#include "tutorials/support/output.h"
#include "tutorials/support/page.h"
#include "tutorials/support/reader.h"
#include "tutorials/support/text_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>
#include <ostream>
#include <string_view>
#include <vector>

namespace tutorial {
namespace {
bool predicting = false;
int asked = 0;
int right_answers = 0;

// In the terminal or on a page.
bool is_asked() { return predicting || page_is_written(); }

struct Question {
    PageQuestion said;
    std::function<std::optional<bool>(const std::string& answer)> is_right;  // nullopt: no answer
};

void tell(const std::string& verdict, const Question& question, const std::string& why) {
    print_wrapped(to_reader(), "  ", verdict + question.said.truth + ". " + without_marks(why),
                  prose_width());
    to_reader() << "\n";
}

// Asks until there is an answer, a bare Enter, or the end of input.
void ask(const std::string& text, Question question, const std::string& why) {
    question.said.why = why;
    add_to_page({.kind = PageEvent::Kind::question, .text = text, .question = question.said});
    if (!predicting || reader_is_gone()) return;
    print_wrapped(to_reader(), "? ", without_marks(text), prose_width());
    print_wrapped(to_reader(), "  ", "(" + question.said.takes + "; Enter alone: tell me)",
                  prose_width());
    while (true) {
        const std::optional<std::string> answer = line_from_reader();
        if (!answer) return;
        const std::optional<bool> right =
            answer->empty() ? std::optional<bool>(false) : question.is_right(*answer);
        if (right) {
            ++asked;
            right_answers += *right;
            return tell(answer->empty() ? "The answer is "
                        : *right        ? "Right: "
                                        : "No, the answer is ",
                        question, why);
        }
        print_wrapped(to_reader(), "  ", "\"" + visible(*answer) + "\" " + question.said.refusal,
                      prose_width());
    }
}

std::optional<double> parsed_number(const std::string& text) {
    double number = 0;
    const std::size_t begin = text.size() > 1 && text[0] == '+' && text[1] != '-';
    if (!parse_number(std::string_view(text).substr(begin), number)) return std::nullopt;
    return number;
}

// Parses "[2, 3]", "2, 3", "2 3", "2x3" or "2×3" into lengths; none may be negative.
std::optional<std::vector<std::int64_t>> lengths_in(std::string text) {
    const bool in_brackets = text.size() > 1 && text.front() == '[' && text.back() == ']';
    if (in_brackets) text = text.substr(1, text.size() - 2);
    for (std::size_t at = text.find("×"); at != std::string::npos; at = text.find("×")) {
        text.replace(at, std::string("×").size(), "x");
    }
    std::vector<std::int64_t> lengths;
    bool separated = true;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == ' ' || c == ',' || c == 'x') {
            separated = true;
            ++at;
            continue;
        }
        std::int64_t length = 0;
        const std::from_chars_result result =
            std::from_chars(text.data() + at, text.data() + text.size(), length);
        if (!separated || result.ec != std::errc() || length < 0) return std::nullopt;
        lengths.push_back(length);
        separated = false;
        at = static_cast<std::size_t>(result.ptr - text.data());
    }
    if (lengths.empty() && !in_brackets) return std::nullopt;
    return lengths;
}

// With as few decimals as needed, at most four.
std::string short_text(double number) {
    std::string text = heed::fixed(number);
    if (text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string in_lower_case(std::string text) {
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
}

std::string joined(const Words& words, const std::string& between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

Question about_shape(const heed::Shape& shape) {
    const auto is_right = [shape](const std::string& answer) -> std::optional<bool> {
        const std::optional<std::vector<std::int64_t>> lengths = lengths_in(answer);
        if (!lengths) return std::nullopt;
        return *lengths == std::vector<std::int64_t>(shape.begin(), shape.end());
    };
    return {{.kind = "shape",
             .takes = "a shape, such as 2, 3",
             .refusal = "is not a shape: give the length of each axis, such as 2, 3, or [] for one "
                        "number",
             .truth = shape.text(),
             .lengths = {shape.begin(), shape.end()}},
            is_right};
}

Question about_number(double value, double tolerance) {
    const auto is_right = [=](const std::string& answer) -> std::optional<bool> {
        const std::optional<double> number = parsed_number(answer);
        if (!number) return std::nullopt;
        if (!std::isfinite(value)) return *number == value;
        const double rounding = 1e-6 * (tolerance + std::fabs(value));
        return std::fabs(*number - value) <= tolerance + rounding;
    };
    return {{.kind = "number",
             .takes = tolerance == 0 ? "a number" : "a number, right to " + short_text(tolerance),
             .refusal = "is not a number: give one such as 3 or 0.25 or -1e-3",
             .truth = short_text(value),
             .value = value,
             .tolerance = tolerance},
            is_right};
}

// Of which one or, in a tie, several are `right`.
Question about_choice(const Words& choices, const std::vector<bool>& right) {
    Words true_ones;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (right[i]) true_ones.push_back(choices[i]);
    }
    const auto is_right = [=](const std::string& answer) {
        std::optional<bool> found;
        for (std::size_t i = 0; i < choices.size(); ++i) {
            if (in_lower_case(choices[i]) != in_lower_case(answer)) continue;
            found = found.value_or(false) || right[i];
        }
        return found;
    };
    return {{.kind = "choice",
             .takes = joined(choices, " or "),
             .refusal = "is none of these: " + joined(choices, ", "),
             .truth = joined(true_ones, " or "),
             .choices = choices,
             .right = right},
            is_right};
}

}  // namespace

void ask_for_predictions() { predicting = true; }

void no_predictions() {
    predicting = false;
    asked = right_answers = 0;
}

void print_score() {
    if (asked > 0) to_reader() << "\nyou predicted " << right_answers << " of " << asked << "\n";
}

void predict_shape(const std::string& question, const heed::Shape& shape, const std::string& why) {
    if (is_asked()) ask(question, about_shape(shape), why);
}

void predict_number(const std::string& question, double value, double tolerance,
                    const std::string& why) {
    if (is_asked()) ask(question, about_number(value, tolerance), why);
}

void predict_choice(const std::string& question, const Words& choices, const std::string& right,
                    const std::string& why, heed::CallSite site) {
    if (!is_asked()) return;
    std::vector<bool> is_right;
    for (const std::string& choice : choices) is_right.push_back(choice == right);
    if (std::count(is_right.begin(), is_right.end(), true) == 0) {
        heed::fail_argument("predict_choice", site,
                            "\"" + right + "\" is none of the choices: " + joined(choices, ", "));
    }
    ask(question, about_choice(choices, is_right), why);
}

void predict_largest(const std::string& question, const Words& names, const heed::Tensor& x,
                     const std::string& why, heed::CallSite site) {
    if (!is_asked()) return;
    const std::vector<heed::Scalar> entries = x.to_vector();
    if (names.size() != entries.size() || x.rank() != 1) {
        heed::fail_shape("predict_largest", site,
                         heed::text(names.size(), " names for a tensor of shape ", x.shape(),
                                    "; give one axis, and a name for each of its entries"));
    }
    std::vector<bool> is_right;
    for (const heed::Scalar entry : entries) {
        bool largest = true;
        for (const heed::Scalar other : entries) largest = largest && !(other > entry);
        is_right.push_back(largest);
    }
    ask(question, about_choice(names, is_right), why);
}

}  // namespace tutorial
