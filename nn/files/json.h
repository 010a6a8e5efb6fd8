// Json: what a JSON text says (RFC 8259): config.json, tokenizer.json, the header of safetensors.
#pragma once

#include "../../tensor/call_site.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

class Json {
  public:
    using Members = std::vector<std::pair<std::string, Json>>;

    // Strict: UTF-8, one value, no comments, no comma at the end, each name once in its object, at
    // most 100 arrays and objects inside each other. Errors (std::runtime_error): the file, the
    // line and column, and what is wrong there.
    static Json parse(std::string_view text, const std::string& file,
                      CallSite site = CallSite::here());

    bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
    bool is_boolean() const { return std::holds_alternative<bool>(value_); }
    bool is_number() const { return std::holds_alternative<Number>(value_); }
    bool is_object() const { return std::holds_alternative<Members>(value_); }
    bool is_array() const { return std::holds_alternative<std::vector<Json>>(value_); }
    bool is_string() const { return std::holds_alternative<std::string>(value_); }

    // The value, which `name` is the name of. Errors (std::runtime_error, with file and name): it
    // is of another kind; it is not a whole number of 64 bits.
    bool boolean(const std::string& name) const;
    double number(const std::string& name) const;
    std::int64_t whole(const std::string& name) const;
    const std::string& string(const std::string& name) const;
    const std::vector<Json>& items(const std::string& name) const;
    const Members& members(const std::string& name) const;  // in the order of the text

    // The member of this name; null if there is none, or this is not an object. It looks at one
    // after the other: for many names, go through members().
    const Json* find(std::string_view name) const;
    // The same. Error: there is none (std::runtime_error).
    const Json& at(const std::string& name) const;

    // The member of this name, if it is not null, either.
    const Json* given(const std::string& name) const;
    // Its value, or `otherwise` if it is not given.
    bool is_true(const std::string& name, bool otherwise = false) const;
    std::int64_t whole_or(const std::string& name, std::int64_t otherwise) const;
    double number_or(const std::string& name, double otherwise) const;
    std::string string_or(const std::string& name, const std::string& otherwise) const;

    const std::string& file() const { return source_->file; }

  private:
    friend class JsonParser;
    struct Number {
        double value;
        std::optional<std::int64_t> whole;
    };

    struct Source {
        std::string file;
        CallSite site;  // who had it read
    };

    [[noreturn]] void fail(const std::string& problem) const;
    template <class T>
    const T& as(const std::string& name, const char* kind) const;

    std::variant<std::nullptr_t, bool, Number, std::string, std::vector<Json>, Members> value_;
    std::shared_ptr<const Source> source_;
};

// What Json::parse() makes of a file. Errors: those of FileBytes (file_bytes.h), too.
Json read_json(const std::string& path, CallSite site = CallSite::here());

// A text as a JSON string, in quotes. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);
// A number as JSON, exact and the same in every locale; null if it is not finite.
std::string json_number(double number);

}}  // namespace heed
