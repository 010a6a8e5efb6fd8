#include "byte_fallback_bpe.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
constexpr std::string_view blank = "▁";

std::string byte_token(std::size_t byte) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    return text("<0x", digits[byte / 16], digits[byte % 16], ">");
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
    std::string made;
    for (std::size_t begin = 0;;) {
        const std::size_t found = text.find(from, begin);
        made += text.substr(begin, found - begin);
        if (found == text.npos) return made;
        made += to;
        begin = found + from.size();
    }
}

// Where the blanks at `begin`, and the word after them, end.
std::size_t blanks_and_word_end(std::string_view text, std::size_t begin) {
    while (text.substr(begin, blank.size()) == blank) begin += blank.size();
    return std::min(text.find(blank, begin), text.size());
}

}  // namespace

ByteFallbackBpe::ByteFallbackBpe(std::shared_ptr<const Vocabulary> vocabulary,
                                 const std::vector<Merge>& merges,
                                 const ByteFallbackOptions& options, const std::string& file,
                                 const CallSite& site)
    : vocabulary_(std::move(vocabulary)), pairs_(merges), options_(options) {
    check_enum("ByteFallbackBpe", "blank", options.blank, BlankBefore::each, site);
    for (std::int64_t id = 0; id < vocabulary_->size(); ++id) {
        const std::string& token = vocabulary_->token(id);
        texts_.push_back(vocabulary_->added(id) ? token : replaced(token, blank, " "));
    }
    for (std::size_t byte = 0; byte < 256; ++byte) {
        const std::int64_t id = vocabulary_->needed(
            byte_token(byte), "; byte fallback needs all 256 bytes", file, site);
        ids_of_bytes_[byte] = id;
        texts_[static_cast<std::size_t>(id)] = static_cast<char>(byte);
    }
    for (const Merge& merge : merges) {
        const std::string& both = vocabulary_->token(merge.both);
        if (blanks_and_word_end(both, 0) < both.size()) words_are_apart_ = false;
    }
}

void ByteFallbackBpe::encode(std::string_view text, bool is_first,
                             std::vector<std::int64_t>& ids) const {
    std::string written = replaced(text, " ", blank);
    const bool is_there = options_.unless_there && written.compare(0, blank.size(), blank) == 0;
    const bool adds =
        options_.blank == BlankBefore::each || (options_.blank == BlankBefore::first && is_first);
    if (adds && !is_there) written.insert(0, blank);
    BytePairs::Workspace work;
    if (!words_are_apart_) return encode_word(written, work, ids);
    KnownWords known(ids);
    for (std::size_t begin = 0; begin < written.size();) {
        const std::size_t end = blanks_and_word_end(written, begin);
        const std::string_view word = std::string_view(written).substr(begin, end - begin);
        known.encode(word, [&] { encode_word(word, work, ids); });
        begin = end;
    }
}

void ByteFallbackBpe::encode_word(std::string_view word, BytePairs::Workspace& work,
                                  std::vector<std::int64_t>& ids) const {
    work.letters.clear();
    for (std::size_t at = 0; at < word.size();) {
        const std::size_t bytes = code_point_at(word, at).bytes;
        const std::string_view character = word.substr(at, bytes);
        if (const std::optional<std::int64_t> id = vocabulary_->find(character)) {
            work.letters.push_back(*id);
        } else {
            for (const char byte : character) {
                work.letters.push_back(ids_of_bytes_[static_cast<unsigned char>(byte)]);
            }
        }
        at += bytes;
    }
    pairs_.merge(work, ids);
}

void ByteFallbackBpe::decode(std::int64_t id, bool is_first, std::string& text) const {
    const std::string& its = texts_[static_cast<std::size_t>(id)];
    const bool drops = options_.leaves_it_out && is_first && its[0] == ' ';
    text += drops ? its.substr(1) : its;
}

}}  // namespace heed
