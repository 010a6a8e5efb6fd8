#include "quote.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
struct Range {
    std::uint32_t first, last;
};

constexpr Range invisible[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F}, {0x00AD, 0x00AD},   {0x061C, 0x061C},
    {0x180B, 0x180F}, {0x200B, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F},
    {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE00FF},
};

constexpr std::size_t most_bytes_shown = 200;

std::string hexadecimal(std::uint32_t number, std::size_t digits) {
    std::string text;
    for (; number > 0 || text.size() < digits; number /= 16) {
        text.insert(text.begin(), "0123456789abcdef"[number % 16]);
    }
    return text;
}

}  // namespace

bool is_invisible(std::uint32_t code) {
    for (const Range& range : invisible) {
        if (range.first <= code && code <= range.last) return true;
    }
    return false;
}

CodePoint code_point_at(std::string_view text, std::size_t at) {
    const std::uint32_t lead = static_cast<unsigned char>(text[at]);
    if (lead < 0x80) return {lead, 1, true};
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC0 || lead > 0xF4 || at + bytes > text.size()) return {lead, 1, false};
    std::uint32_t code = lead & (0x7Fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        const std::uint32_t byte = static_cast<unsigned char>(text[at + i]);
        if ((byte & 0xC0) != 0x80) return {lead, 1, false};
        code = (code << 6) | (byte & 0x3F);
    }
    const std::uint32_t smallest = bytes == 2 ? 0x80 : bytes == 3 ? 0x800 : 0x10000;
    const bool is_surrogate = 0xD800 <= code && code <= 0xDFFF;
    if (code < smallest || is_surrogate || code > 0x10FFFF) return {lead, 1, false};
    return {code, bytes, true};
}

std::string printable(std::string_view text) {
    std::string shown;
    std::size_t at = 0;
    while (at < text.size() && at < most_bytes_shown) {
        const CodePoint character = code_point_at(text, at);
        if (!character.is_valid || character.code < 0x20 || character.code == 0x7F) {
            shown += "\\x" + hexadecimal(character.code, 2);
        } else if (is_invisible(character.code)) {
            shown += "\\u" + hexadecimal(character.code, 4);
        } else {
            shown += text.substr(at, character.bytes);
        }
        at += character.bytes;
    }
    return shown + (at < text.size() ? "…" : "");
}

std::string in_quotes(std::string_view text) { return "\"" + printable(text) + "\""; }

}}  // namespace heed
