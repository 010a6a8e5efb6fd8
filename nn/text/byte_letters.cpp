#include "byte_letters.h"

#include "../../tensor/quote.h"
#include "unicode.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace heed { inline namespace HEED_PRECISION {
namespace {
bool is_visible(std::uint32_t byte) {
    return ('!' <= byte && byte <= '~') || (0xA1 <= byte && byte != 0xAD);
}

// All others, in their order, become U+0100, U+0101 ...
constexpr std::uint32_t first_other = 0x100, num_others = 68;

struct Letters {
    std::array<std::string, 256> of_byte;
    std::array<char, first_other + num_others> byte_of{};

    Letters() {
        std::uint32_t other = first_other;
        for (std::uint32_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t letter = is_visible(byte) ? byte : other++;
            append_utf8(letter, of_byte[byte]);
            byte_of[letter] = static_cast<char>(byte);
        }
    }
};

const Letters& letters() {
    static const Letters all;
    return all;
}

}  // namespace

const std::string& byte_letter(unsigned char byte) { return letters().of_byte[byte]; }

std::string letters_of(std::string_view bytes) {
    std::string written;
    for (const char byte : bytes) written += byte_letter(static_cast<unsigned char>(byte));
    return written;
}

std::string bytes_of(std::string_view text) {
    std::string bytes;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint letter = code_point_at(text, at);
        const bool is_letter = letter.is_valid && letter.code < letters().byte_of.size() &&
                               (letter.code >= first_other || is_visible(letter.code));
        if (is_letter) {
            bytes += letters().byte_of[letter.code];
        } else {
            bytes += text.substr(at, letter.bytes);
        }
        at += letter.bytes;
    }
    return bytes;
}

}}  // namespace heed
