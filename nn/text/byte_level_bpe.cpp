#include "byte_level_bpe.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "byte_letters.h"
#include "unicode.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
std::string composed_text(std::string_view text) {
    std::string made;
    for (const std::uint32_t code : composed(decomposed(codes_of(text)))) append_utf8(code, made);
    return made;
}

}  // namespace

ByteLevelBpe::ByteLevelBpe(std::shared_ptr<const Vocabulary> vocabulary,
                           const std::vector<Merge>& merges, const ByteLevelOptions& options,
                           const std::string& file, const CallSite& site)
    : vocabulary_(std::move(vocabulary)), pairs_(merges), options_(options) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
        const std::string& letter = byte_letter(static_cast<unsigned char>(byte));
        const std::optional<std::int64_t> id = vocabulary_->find(letter);
        if (!id) {
            fail_runtime("load_tokenizer", site, in_quotes(file), ": the vocabulary lacks ",
                         in_quotes(letter), ", the letter of byte ", byte,
                         "; byte-level BPE needs all 256");
        }
        ids_of_bytes_[byte] = *id;
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
    Work work;
    if (options_.digits == DigitSplit::none) return encode_part(text, known, work, ids);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = digits_end(text, begin, options_.digits == DigitSplit::each);
        encode_part(text.substr(begin, end - begin), known, work, ids);
        begin = end;
    }
}

void ByteLevelBpe::encode_part(std::string_view part, KnownWords& known, Work& work,
                               std::vector<std::int64_t>& ids) const {
    for (std::size_t begin = 0; begin < part.size();) {
        const std::size_t end = word_end(part, begin, options_.split);
        const std::string_view word = part.substr(begin, end - begin);
        known.encode(word, [&] { encode_word(word, work, ids); });
        begin = end;
    }
}

void ByteLevelBpe::encode_word(std::string_view word, Work& work,
                               std::vector<std::int64_t>& ids) const {
    if (options_.known_words_first) {
        const std::optional<std::int64_t> id = vocabulary_->find(letters_of(word));
        if (id && !vocabulary_->added(*id)) {
            ids.push_back(*id);
            return;
        }
    }
    std::vector<std::int64_t>& symbols = work.symbols;
    symbols.clear();
    for (const char byte : word) {
        symbols.push_back(ids_of_bytes_[static_cast<unsigned char>(byte)]);
    }
    pairs_.merge(symbols, work.merging);
    ids.insert(ids.end(), symbols.begin(), symbols.end());
}

void ByteLevelBpe::decode(std::int64_t id, bool, std::string& text) const {
    text += bytes_[static_cast<std::size_t>(id)];
}

}}  // namespace heed
