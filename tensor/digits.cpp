#include "digits.h"

#include <charconv>
#include <cstdio>
#include <cstring>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// The largest double has 309 digits; then a sign, a point and 100 decimals.
constexpr std::size_t longest = 512;

}  // namespace

// What is no digit, sign or letter is the locale's point, perhaps of several bytes.
std::string digits_by_snprintf(double number, Notation notation, int decimals) {
    char buffer[longest];
    std::snprintf(buffer, sizeof buffer, notation == Notation::fixed ? "%.*f" : "%.*e", decimals,
                  number);
    std::string written;
    for (const char* next = buffer; *next; ++next) {
        const bool is_point = !std::strchr("0123456789+-einf", *next);
        if (!is_point) written += *next;
        if (is_point && written.back() != '.') written += '.';
    }
    return written;
}

#if defined(__cpp_lib_to_chars) || defined(_GLIBCXX_RELEASE)
std::string written_digits(double number, Notation notation, int decimals) {
    char buffer[longest];
    const std::chars_format format =
        notation == Notation::fixed ? std::chars_format::fixed : std::chars_format::scientific;
    const std::to_chars_result end =
        std::to_chars(buffer, buffer + sizeof buffer, number, format, decimals);
    return std::string(buffer, end.ptr);
}
#else
std::string written_digits(double number, Notation notation, int decimals) {
    return digits_by_snprintf(number, notation, decimals);
}
#endif

}}  // namespace heed
