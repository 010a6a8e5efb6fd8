// The exceptions the library throws, and the form of their messages.
// A message names the operation, what it was given, the rule in words, and the caller's line:
//   matmul: the last axis of A [2, 3] is 3 long, the second-to-last of B [4, 5] is 4; ...
//     at 01_tensors.cpp:57, in views
//     in Linear, called at 03_training.cpp:20
#pragma once

#include "call_site.h"
#include "scope.h"

#include <cstdint>
#include <memory>
#include <new>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace heed { inline namespace HEED_PRECISION {

// Shapes that do not fit an operation or each other.
class ShapeError : public std::invalid_argument {
  public:
    using std::invalid_argument::invalid_argument;
};

// Out of memory; what() names what needed it and the caller's line.
class OutOfMemory : public std::bad_alloc {
  public:
    explicit OutOfMemory(const std::string& message) : text_(message) {}
    const char* what() const noexcept override { return text_.what(); }

  private:
    std::runtime_error text_;  // a copy of it cannot throw
};

// "operation: problem", the caller's line, and the open scopes.
inline std::string error_text(const std::string& operation, const std::string& problem,
                              const CallSite& site) {
    return operation + ": " + problem + "\n  at " + site.text() + ", in " + site.function +
           Scope::trail();
}

// A stream into a string. (Its own <sstream> would be compiled again for each kind of message.)
class TextBuilder {
  public:
    TextBuilder();
    ~TextBuilder();
    TextBuilder(const TextBuilder&) = delete;
    TextBuilder& operator=(const TextBuilder&) = delete;

    std::ostream& out();
    std::string text() const;

  private:
    std::unique_ptr<std::ostringstream> stream_;
};

// text("axis ", axis, " of ", shape): the parts concatenated; 1.5 is "1.5" in any locale.
template <class... Parts>
std::string text(const Parts&... parts) {
    TextBuilder builder;
    (builder.out() << ... << parts);
    return builder.text();
}

// fail_shape("sum", site, "axis ", axis, " of ", shape) throws a ShapeError, and so on: the parts
// after the call site are concatenated.
template <class... Parts>
[[noreturn]] void fail_shape(const std::string& operation, const CallSite& site,
                             const Parts&... parts) {
    throw ShapeError(error_text(operation, text(parts...), site));
}
template <class... Parts>
[[noreturn]] void fail_argument(const std::string& operation, const CallSite& site,
                                const Parts&... parts) {
    throw std::invalid_argument(error_text(operation, text(parts...), site));
}
template <class... Parts>
[[noreturn]] void fail_range(const std::string& operation, const CallSite& site,
                             const Parts&... parts) {
    throw std::out_of_range(error_text(operation, text(parts...), site));
}
template <class... Parts>
[[noreturn]] void fail_runtime(const std::string& operation, const CallSite& site,
                               const Parts&... parts) {
    throw std::runtime_error(error_text(operation, text(parts...), site));
}
template <class... Parts>
[[noreturn]] void fail_memory(const std::string& operation, const CallSite& site,
                              const Parts&... parts) {
    throw OutOfMemory(error_text(operation, text(parts...), site));
}

// Error: "the step is 0; it must be 1 or more" (std::invalid_argument).
template <class Number>
void check_at_least(const char* operation, const char* what, Number number,
                    std::type_identity_t<Number> least, const CallSite& site) {
    if (number >= least) return;
    fail_argument(operation, site, what, " is ", number, "; it must be ", least, " or more");
}

// Error: a value that its enum does not have, as a cast can make, "the activation is 99"
// (std::invalid_argument). `last` is the enum's last value.
template <class Enum>
void check_enum(const char* operation, const char* what, Enum value, Enum last,
                const CallSite& site) {
    const std::int64_t number = static_cast<std::int64_t>(value);
    const std::int64_t largest = static_cast<std::int64_t>(last);
    if (number >= 0 && number <= largest) return;
    fail_argument(operation, site, what, " is ", number, "; its enum has only the values 0 to ",
                  largest);
}

}}  // namespace heed
