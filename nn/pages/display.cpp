#include "display.h"

#include "../../tensor/quote.h"
#include "../text/unicode.h"

#include <locale>
#include <ostream>
#include <sstream>

namespace heed { inline namespace HEED_PRECISION { namespace terminal {
namespace {
// From Unicode's tables: scripts in common use, not every character.
constexpr CodeRange combining[] = {
    {0x0300, 0x036F},   {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C2},
    {0x05C4, 0x05C5},   {0x0610, 0x061A}, {0x064B, 0x065F}, {0x0670, 0x0670}, {0x06D6, 0x06DC},
    {0x06DF, 0x06E4},   {0x06E7, 0x06E8}, {0x06EA, 0x06ED}, {0x0900, 0x0902}, {0x093A, 0x093A},
    {0x093C, 0x093C},   {0x0941, 0x0948}, {0x094D, 0x094D}, {0x0951, 0x0957}, {0x0E31, 0x0E31},
    {0x0E34, 0x0E3A},   {0x0E47, 0x0E4E}, {0x1161, 0x11FF}, {0x1AB0, 0x1ACE}, {0x1DC0, 0x1DFF},
    {0x20D0, 0x20F0},   {0x302A, 0x302D}, {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
    {0xE0100, 0xE01EF},
};

constexpr CodeRange wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
    {0x23F0, 0x23F0},   {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},
    {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},
    {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},
    {0x2728, 0x2728},   {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27B0, 0x27B0},   {0x27BF, 0x27BF},
    {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x3247},   {0x3250, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},
    {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x18CFF}, {0x1AFF0, 0x1B2FF},
    {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A},
    {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393},
    {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4},
    {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D},
    {0x1F54B, 0x1F54E}, {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596},
    {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC},
    {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6DF}, {0x1F6EB, 0x1F6EF}, {0x1F6F4, 0x1F6FF},
    {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF},
    {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
};

// Characters that look like a space but are not U+0020.
constexpr CodeRange blank[] = {
    {0x00A0, 0x00A0}, {0x115F, 0x1160}, {0x1680, 0x1680}, {0x2000, 0x200A}, {0x202F, 0x202F},
    {0x205F, 0x205F}, {0x2800, 0x2800}, {0x3000, 0x3000}, {0x3164, 0x3164}, {0xFFA0, 0xFFA0},
};

std::size_t width_of(const CodePoint& character) {
    const std::uint32_t code = character.code;
    if (!character.is_valid) return 1;
    if (is_invisible(code) || is_in(combining, code)) return 0;
    return is_in(wide, code) ? 2 : 1;
}

std::string hexadecimal(std::uint32_t number, std::size_t digits) {
    std::string text;
    for (; number > 0 || text.size() < digits; number /= 16) {
        text.insert(text.begin(), "0123456789ABCDEF"[number % 16]);
    }
    return text;
}

std::string cut(const std::string& text, std::size_t width) {
    if (width == 0) return "";
    std::size_t end = 0;
    std::size_t used = 0;
    while (end < text.size()) {
        const CodePoint character = code_point_at(text, end);
        if (used + width_of(character) > width - 1) break;
        used += width_of(character);
        end += character.bytes;
    }
    return text.substr(0, end) + "…";
}

}  // namespace

// The symbols start at U+2400.
std::string control_symbol(std::uint32_t code) {
    const std::uint32_t last = code == 0x7F ? 0x21 : code;
    return std::string("\xE2\x90") + static_cast<char>(0x80 + last);
}

std::string visible(const std::string& text) {
    if (text.empty()) return "\"\"";
    const std::size_t first = text.find_first_not_of(' ');
    const std::size_t last = text.find_last_not_of(' ');
    std::string shown;
    std::size_t bytes = 0;
    for (std::size_t at = 0; at < text.size(); at += bytes) {
        const CodePoint character = code_point_at(text, at);
        const std::uint32_t code = character.code;
        bytes = character.bytes;
        const bool outer_space =
            code == ' ' && (first == std::string::npos || at < first || at > last);
        if (!character.is_valid) {
            shown += "<0x" + hexadecimal(code, 2) + ">";
        } else if (code < 0x20 || code == 0x7F || outer_space) {
            shown += control_symbol(code);
        } else if (is_invisible(code) || is_in(blank, code)) {
            shown += "<U+" + hexadecimal(code, 4) + ">";
        } else {
            if (at == 0 && is_in(combining, code)) shown += "◌";  // a base for the combining mark
            shown += text.substr(at, bytes);
        }
    }
    return shown;
}

std::size_t display_width(const std::string& text) {
    std::size_t width = 0;
    std::size_t bytes = 0;
    for (std::size_t at = 0; at < text.size(); at += bytes) {
        const CodePoint character = code_point_at(text, at);
        bytes = character.bytes;
        width += width_of(character);
    }
    return width;
}

std::string fit(const std::string& text, std::size_t width, Align align) {
    std::string shown = visible(text);
    if (display_width(shown) > width) shown = cut(shown, width);
    const std::string space(width - display_width(shown), ' ');
    return align == Align::right ? space + shown : shown + space;
}

std::string in_quotes(const Words& words) {
    std::string list;
    for (const std::string& word : words) {
        list += (list.empty() ? "\"" : " \"") + visible(word) + "\"";
    }
    return list;
}

void print_wrapped(std::ostream& out, const std::string& first, const std::string& prose,
                   std::size_t width) {
    print_wrapped(out, first, std::string(first.size(), ' '), prose, width);
}

void print_wrapped(std::ostream& out, const std::string& first, const std::string& others,
                   const std::string& prose, std::size_t width) {
    std::istringstream words(prose);
    words.imbue(std::locale::classic());
    std::string word;
    std::size_t used = first.size();
    bool line_is_empty = true;
    out << first;
    while (words >> word) {
        if (!line_is_empty && used + 1 + display_width(word) > width) {
            out << "\n" << others;
            used = others.size();
            line_is_empty = true;
        }
        out << (line_is_empty ? "" : " ") << word;
        used += display_width(word) + (line_is_empty ? 0 : 1);
        line_is_empty = false;
    }
    out << "\n";
}

}}}  // namespace heed::terminal
