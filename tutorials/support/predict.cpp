#include "tutorials/support/predict.h"

#include "tensor/errors.h"
#include "tensor/print.h"
#include "tutorials/support/parse_number.h"
#include "tutorials/support/reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <ostream>
#include <string_view>
#include <vector>

namespace tutorial {

namespace {

bool predicting = false;
int asked = 0;
int foreseen = 0;

// A kind of question: how to describe, parse and check its answer.
class Question {
  public:
    virtual ~Question() = default;
    virtual std::string takes() const = 0;  // "a shape, such as 2, 3"
    virtual std::optional<bool> is_right(const std::string& answer) const = 0;  // nullopt: invalid
    virtual std::string what_is_no_answer() const = 0;
    virtual std::string truth() const = 0;
};

void tell(const std::string& verdict, const Question& question, const std::string& why) {
    print_wrapped(to_reader(), "  ", verdict + question.truth() + ". " + why);
    to_reader() << "\n";
}

// Asks until there is an answer, a bare Enter, or the end of input.
void ask(const std::string& text, const Question& question, const std::string& why) {
    if (reader_is_gone()) return;
    print_wrapped(to_reader(), "? ", text);
    print_wrapped(to_reader(), "  ", "(" + question.takes() + "; Enter alone: tell me)");
    while (true) {
        const std::optional<std::string> answer = line_from_reader();
        if (!answer) return;
        const std::optional<bool> right =
            answer->empty() ? std::optional<bool>(false) : question.is_right(*answer);
        if (right) {
            ++asked;
            foreseen += *right;
            return tell(answer->empty() ? "The answer is "
                        : *right        ? "Right: "
                                        : "No, the answer is ",
                        question, why);
        }
        print_wrapped(to_reader(), "  ",
                      "\"" + visible(*answer) + "\" " + question.what_is_no_answer());
    }
}

std::optional<double> number_in(const std::string& text) {
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

class ShapeQuestion final : public Question {
  public:
    explicit ShapeQuestion(const heed::Shape& shape) : shape_(shape) {}
    std::string takes() const override { return "a shape, such as 2, 3"; }
    std::optional<bool> is_right(const std::string& answer) const override {
        const std::optional<std::vector<std::int64_t>> lengths = lengths_in(answer);
        if (!lengths) return std::nullopt;
        return *lengths == std::vector<std::int64_t>(shape_.begin(), shape_.end());
    }
    std::string what_is_no_answer() const override {
        return "is no shape: give the length of each axis, such as 2, 3, or [] for one number";
    }
    std::string truth() const override { return shape_.text(); }

  private:
    heed::Shape shape_;
};

class NumberQuestion final : public Question {
  public:
    NumberQuestion(double value, double tolerance) : value_(value), tolerance_(tolerance) {}
    std::string takes() const override {
        if (tolerance_ == 0) return "a number";
        return "a number, right to " + short_text(tolerance_);
    }
    std::optional<bool> is_right(const std::string& answer) const override {
        const std::optional<double> number = number_in(answer);
        if (!number) return std::nullopt;
        if (!std::isfinite(value_)) return *number == value_;
        const double rounding = 1e-6 * (tolerance_ + std::fabs(value_));
        return std::fabs(*number - value_) <= tolerance_ + rounding;
    }
    std::string what_is_no_answer() const override {
        return "is no number: give one such as 3 or 0.25 or -1e-3";
    }
    std::string truth() const override { return short_text(value_); }

  private:
    double value_;
    double tolerance_;
};

class ChoiceQuestion final : public Question {
  public:
    ChoiceQuestion(const Words& choices, const std::vector<bool>& right)
        : choices_(choices), right_(right) {}
    std::string takes() const override { return joined(choices_, " or "); }
    std::optional<bool> is_right(const std::string& answer) const override {
        std::optional<bool> right;
        for (std::size_t i = 0; i < choices_.size(); ++i) {
            if (in_lower_case(choices_[i]) != in_lower_case(answer)) continue;
            right = right.value_or(false) || right_[i];
        }
        return right;
    }
    std::string what_is_no_answer() const override {
        return "is none of these: " + joined(choices_, ", ");
    }
    std::string truth() const override {
        Words true_ones;
        for (std::size_t i = 0; i < choices_.size(); ++i) {
            if (right_[i]) true_ones.push_back(choices_[i]);
        }
        return joined(true_ones, " or ");
    }

  private:
    Words choices_;
    std::vector<bool> right_;
};

}  // namespace

void ask_for_predictions() { predicting = true; }

void no_predictions() {
    predicting = false;
    asked = foreseen = 0;
}

void print_foreseen() {
    if (asked > 0) to_reader() << "\nyou foresaw " << foreseen << " of " << asked << "\n";
}

void predict_shape(const std::string& question, const heed::Shape& shape, const std::string& why) {
    if (predicting) ask(question, ShapeQuestion(shape), why);
}

void predict_number(const std::string& question, double value, double tolerance,
                    const std::string& why) {
    if (predicting) ask(question, NumberQuestion(value, tolerance), why);
}

void predict_choice(const std::string& question, const Words& choices, const std::string& right,
                    const std::string& why, heed::CallSite site) {
    if (!predicting) return;
    std::vector<bool> is_right;
    for (const std::string& choice : choices) is_right.push_back(choice == right);
    if (std::count(is_right.begin(), is_right.end(), true) == 0) {
        heed::fail_argument("predict_choice", site,
                            "\"" + right + "\" is none of the choices: " + joined(choices, ", "));
    }
    ask(question, ChoiceQuestion(choices, is_right), why);
}

void predict_largest(const std::string& question, const Words& names, const heed::Tensor& x,
                     const std::string& why, heed::CallSite site) {
    if (!predicting) return;
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
    ask(question, ChoiceQuestion(names, is_right), why);
}

}  // namespace tutorial
