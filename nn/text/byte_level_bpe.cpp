#include "byte_level_bpe.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "unicode.h"

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

std::string composed_text(std::string_view text) {
    std::string made;
    for (const std::uint32_t code : composed(decomposed(codes_of(text)))) append_utf8(code, made);
    return made;
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

ByteLevelBpe::ByteLevelBpe(std::shared_ptr<const Vocabulary> vocabulary,
                           const std::vector<Merge>& merges, const ByteLevelOptions& options,
                           const std::string& file, const CallSite& site)
    : vocabulary_(std::move(vocabulary)), pairs_(merges), options_(options) {
    check_enum("ByteLevelBpe", "split", options.split, TextSplit::qwen2, site);
    check_enum("ByteLevelBpe", "digits", options.digits, DigitSplit::each, site);
    for (std::size_t byte = 0; byte < 256; ++byte) {
        const std::string& letter = byte_letter(static_cast<unsigned char>(byte));
        const std::string what_for =
            text(", the letter of byte ", byte, "; byte-level BPE needs all 256");
        ids_of_bytes_[byte] = vocabulary_->needed(letter, what_for, file, site);
    }
    for (std::int64_t id = 0; id < vocabulary_->size(); ++id) {
        const std::string& token = vocabulary_->token(id);
        bytes_.push_back(vocabulary_->added(id) ? token : bytes_of(token));
    }
}

void ByteLevelBpe::encode(std::string_view text, bool, std::vector<std::int64_t>& ids) const {
    std::string changed;
    if (options_.composed) {
        changed = composed_text(text);
        text = changed;
    }
    if (options_.prefix_space && text[0] != ' ') {
        changed = " " + std::string(text);
        text = changed;
    }
    KnownWords known(ids);
    BytePairs::Workspace work;
    if (options_.digits == DigitSplit::none) return encode_part(text, known, work, ids);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = digits_end(text, begin, options_.digits == DigitSplit::each);
        encode_part(text.substr(begin, end - begin), known, work, ids);
        begin = end;
    }
}

void ByteLevelBpe::encode_part(std::string_view part, KnownWords& known, BytePairs::Workspace& work,
                               std::vector<std::int64_t>& ids) const {
    for (std::size_t begin = 0; begin < part.size();) {
        const std::size_t end = word_end(part, begin, options_.split);
        const std::string_view word = part.substr(begin, end - begin);
        known.encode(word, [&] { encode_word(word, work, ids); });
        begin = end;
    }
}

void ByteLevelBpe::encode_word(std::string_view word, BytePairs::Workspace& work,
                               std::vector<std::int64_t>& ids) const {
    if (options_.known_words_first) {
        const std::optional<std::int64_t> id = vocabulary_->find(letters_of(word));
        if (id && !vocabulary_->added(*id)) {
            ids.push_back(*id);
            return;
        }
    }
    work.letters.clear();
    for (const char byte : word) {
        work.letters.push_back(ids_of_bytes_[static_cast<unsigned char>(byte)]);
    }
    pairs_.merge(work, ids);
}

void ByteLevelBpe::decode(std::int64_t id, bool, std::string& text) const {
    text += bytes_[static_cast<std::size_t>(id)];
}

}}  // namespace heed
