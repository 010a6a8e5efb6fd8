#include "json.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "../text/unicode.h"
#include "file_bytes.h"

#include <charconv>
#include <iomanip>
#include <locale>
#include <sstream>
#include <unordered_set>

namespace heed { inline namespace HEED_PRECISION {
namespace {
constexpr int most_nested = 100;

bool is_digit(char c) { return '0' <= c && c <= '9'; }

}  // namespace

class JsonParser {
  public:
    JsonParser(std::string_view its_text, const std::string& file, const CallSite& site)
        : text_(its_text), source_(std::make_shared<const Json::Source>(Json::Source{file, site})) {
    }

    Json whole_text() {
        if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;  // a byte order mark
        Json json = value();
        skip_blanks();
        if (at_ < text_.size()) fail("something follows the end of the value");
        return json;
    }

  private:
    Json value() {
        skip_blanks();
        Json json;
        json.source_ = source_;
        const char c = peek();
        if (c == '{') {
            json.value_ = members();
        } else if (c == '[') {
            json.value_ = items();
        } else if (c == '"') {
            json.value_ = string();
        } else if (c == '-' || is_digit(c)) {
            json.value_ = number();
        } else if (takes("true")) {
            json.value_ = true;
        } else if (takes("false")) {
            json.value_ = false;
        } else if (!takes("null")) {
            fail("no value begins here");
        }
        return json;
    }

    Json::Members members() {
        Json::Members members;
        std::unordered_set<std::string> names;
        each('{', '}', [&] {
            if (peek() != '"') fail("a name in quotes must be here");
            const std::size_t begin = at_;
            std::string name = string();
            if (!names.insert(name).second) {
                at_ = begin;
                fail("the name " + in_quotes(name) + " is there already");
            }
            skip_blanks();
            if (!takes(":")) fail("a colon must be here");
            members.emplace_back(std::move(name), value());
        });
        return members;
    }

    std::vector<Json> items() {
        std::vector<Json> items;
        each('[', ']', [&] { items.push_back(value()); });
        return items;
    }

    // One after the other, with commas between them.
    template <class One>
    void each(char open, char close, const One& one) {
        if (++depth_ > most_nested) {
            fail(text("more than ", most_nested, " arrays and objects are inside each other"));
        }
        ++at_;
        skip_blanks();
        if (peek() != close) {
            do {
                skip_blanks();
                one();
                skip_blanks();
            } while (takes(","));
        }
        if (peek() != close) {
            fail(text("a comma or the end of what began with ", open, " must be here"));
        }
        ++at_;
        --depth_;
    }

    std::string string() {
        std::string string;
        ++at_;
        while (peek() != '"') {
            const CodePoint character = code_point_at(text_, at_);
            if (!character.is_valid) fail("this is not UTF-8");
            if (character.code < 0x20) fail("a control character in a string must be escaped");
            if (character.code == '\\') {
                escape(string);
            } else {
                string += text_.substr(at_, character.bytes);
                at_ += character.bytes;
            }
        }
        ++at_;
        return string;
    }

    void escape(std::string& string) {
        constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
        ++at_;
        const std::size_t i = letters.find(peek());
        if (i != letters.npos) {
            ++at_;
            string += meant[i];
            return;
        }
        std::uint32_t code = escaped_unit();
        if (0xD800 <= code && code < 0xDC00 && text_.substr(at_, 1) == "\\") {
            ++at_;
            const std::uint32_t low = escaped_unit();
            if (low < 0xDC00 || low > 0xDFFF)
                fail("the second half of a surrogate pair is missing");
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        if (0xD800 <= code && code <= 0xDFFF) fail("half of a surrogate pair stands alone");
        append_utf8(code, string);
    }

    // What is written u00e9 after a backslash.
    std::uint32_t escaped_unit() {
        if (!takes("u")) fail("after a backslash there must be one of \"\\/bfnrtu");
        std::uint32_t code = 0;
        const std::string_view digits = text_.substr(at_, 4);
        const char* const end = digits.data() + digits.size();
        const std::from_chars_result read = std::from_chars(digits.data(), end, code, 16);
        if (digits.size() < 4 || read.ptr != end || digits[0] == '-') {
            fail("\\u must be followed by four hexadecimal digits");
        }
        at_ += 4;
        return code;
    }

    Json::Number number() {
        const std::size_t begin = at_;
        takes("-");
        if (!takes("0")) digits();
        const std::size_t end_of_whole = at_;
        if (takes(".")) digits();
        if (takes("e") || takes("E")) {
            if (!takes("+")) takes("-");
            digits();
        }
        Json::Number number{0, std::nullopt};
        const std::string_view written = text_.substr(begin, at_ - begin);
        if (at_ == end_of_whole) {
            std::int64_t whole = 0;
            const auto read =
                std::from_chars(written.data(), written.data() + written.size(), whole);
            if (read.ec == std::errc()) number.whole = whole;
            if (number.whole && whole != 0) {  // the stream is slow, and makes -0 of "-0"
                number.value = static_cast<double>(whole);
                return number;
            }
        }
        std::istringstream in{std::string(written)};
        in.imbue(std::locale::classic());
        in >> number.value;
        if (in.fail() && number.value != 0) {
            at_ = begin;
            fail("this number is beyond the largest of 64 bits");
        }
        return number;
    }

    void digits() {
        if (at_ >= text_.size() || !is_digit(text_[at_])) fail("a digit must be here");
        while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    }

    void skip_blanks() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos)
            ++at_;
    }

    bool takes(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    char peek() const {
        if (at_ >= text_.size()) fail("the text ends in the middle of a value");
        return text_[at_];
    }

    [[noreturn]] void fail(const std::string& problem) const {
        std::size_t line = 1, column = 1;
        for (std::size_t i = 0; i < at_ && i < text_.size(); i += code_point_at(text_, i).bytes) {
            column = text_[i] == '\n' ? 1 : column + 1;
            if (text_[i] == '\n') ++line;
        }
        fail_runtime("json", source_->site, in_quotes(source_->file), ", line ", line, ", column ",
                     column, ": ", problem);
    }

    std::string_view text_;
    std::shared_ptr<const Json::Source> source_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

Json Json::parse(std::string_view text, const std::string& file, CallSite site) {
    return JsonParser(text, file, site).whole_text();
}

Json read_json(const std::string& path, CallSite site) {
    const FileBytes bytes(path, site);
    return Json::parse(bytes.text(), path, site);
}

void Json::fail(const std::string& problem) const {
    fail_runtime("json", source_->site, in_quotes(source_->file), ": ", problem);
}

template <class T>
const T& Json::as(const std::string& name, const char* kind) const {
    if (const T* const value = std::get_if<T>(&value_)) return *value;
    fail(text(in_quotes(name), " must be ", kind));
}

bool Json::boolean(const std::string& name) const { return as<bool>(name, "true or false"); }
double Json::number(const std::string& name) const { return as<Number>(name, "a number").value; }
const std::string& Json::string(const std::string& name) const {
    return as<std::string>(name, "a string");
}
const std::vector<Json>& Json::items(const std::string& name) const {
    return as<std::vector<Json>>(name, "an array");
}
const Json::Members& Json::members(const std::string& name) const {
    return as<Members>(name, "an object");
}

std::int64_t Json::whole(const std::string& name) const {
    const std::optional<std::int64_t>& whole = as<Number>(name, "a whole number").whole;
    if (whole) return *whole;
    fail(text(in_quotes(name), " must be a whole number of 64 bits"));
}

const Json* Json::find(std::string_view name) const {
    const Members* const members = std::get_if<Members>(&value_);
    if (!members) return nullptr;
    for (const auto& [its_name, value] : *members) {
        if (its_name == name) return &value;
    }
    return nullptr;
}

const Json& Json::at(const std::string& name) const {
    if (const Json* const value = find(name)) return *value;
    fail(text("there is no ", in_quotes(name)));
}

const Json* Json::given(const std::string& name) const {
    const Json* const value = find(name);
    return value && !value->is_null() ? value : nullptr;
}

bool Json::is_true(const std::string& name, bool otherwise) const {
    const Json* const value = given(name);
    return value ? value->boolean(name) : otherwise;
}

std::int64_t Json::whole_or(const std::string& name, std::int64_t otherwise) const {
    const Json* const value = given(name);
    return value ? value->whole(name) : otherwise;
}

double Json::number_or(const std::string& name, double otherwise) const {
    const Json* const value = given(name);
    return value ? value->number(name) : otherwise;
}

std::string Json::string_or(const std::string& name, const std::string& otherwise) const {
    const Json* const value = given(name);
    return value ? value->string(name) : otherwise;
}

std::string json_number(double number) {
    if (!(number - number == 0)) return "null";
    return text(std::setprecision(17), number);
}

std::string json_string(std::string_view text) {
    std::string json = "\"";
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint character = code_point_at(text, at);
        if (!character.is_valid) {
            json += "\uFFFD";
        } else if (character.code < 0x20) {
            json += "\\u00";
            json += "0123456789abcdef"[character.code / 16];
            json += "0123456789abcdef"[character.code % 16];
        } else {
            if (character.code == '"' || character.code == '\\') json += '\\';
            json += text.substr(at, character.bytes);
        }
        at += character.bytes;
    }
    return json + "\"";
}

}}  // namespace heed
