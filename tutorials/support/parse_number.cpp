#include "tutorials/support/parse_number.h"

#include <charconv>
#include <locale>
#include <sstream>
#include <string>

namespace tutorial {

#ifdef __cpp_lib_to_chars
bool parse_number(std::string_view text, double& number) {
    const char* const end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, number);
    return result.ec == std::errc() && result.ptr == end;
}
#else
// Some versions of libc++ have std::from_chars for whole numbers only. A stream would also take
// what std::from_chars refuses: a "+", and hexadecimal digits.
bool parse_number(std::string_view text, double& number) {
    if (text.empty() || text.front() == '+' || text.find_first_of("xX") != text.npos) return false;
    std::istringstream stream{std::string(text)};
    stream.imbue(std::locale::classic());
    stream >> std::noskipws >> number;
    return !stream.fail() && stream.peek() == std::istringstream::traits_type::eof();
}
#endif

}  // namespace tutorial
