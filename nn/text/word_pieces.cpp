#include "word_pieces.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "unicode.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {
namespace {
using Codes = std::vector<std::uint32_t>;

// BERT's choice of blocks: no kana, no Hangul.
constexpr CodeRange cjk[] = {{0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xF900, 0xFAFF},
                             {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F}, {0x2B740, 0x2B81F},
                             {0x2B820, 0x2CEAF}, {0x2F800, 0x2FA1F}};

// All of ASCII that is neither letter nor digit, too: Unicode calls $ or + symbols.
bool is_punctuation(std::uint32_t code) {
    const bool is_ascii_symbol =
        code > ' ' && code < 0x7F && class_of(code) == CharacterClass::other;
    return is_ascii_symbol || class_of(code) == CharacterClass::punctuation;
}

bool is_space(std::uint32_t code) { return class_of(code) == CharacterClass::space; }

// What cleaning drops: the control characters that are white space, too, but for \t \n \r.
bool is_dropped(std::uint32_t code) {
    if (code == 0xFFFD || code == 0x0B || code == 0x0C || code == 0x85) return true;
    return class_of(code) == CharacterClass::control;
}

Codes cleaned(const Codes& codes) {
    Codes kept;
    for (const std::uint32_t code : codes) {
        if (!is_dropped(code)) kept.push_back(is_space(code) ? ' ' : code);
    }
    return kept;
}

Codes with_cjk_apart(const Codes& codes) {
    Codes apart;
    for (const std::uint32_t code : codes) {
        if (is_in(cjk, code)) {
            apart.insert(apart.end(), {' ', code, ' '});
        } else {
            apart.push_back(code);
        }
    }
    return apart;
}

Codes without_marks(const Codes& codes) {
    Codes kept = decomposed(codes);
    std::erase_if(kept, [](std::uint32_t code) { return class_of(code) == CharacterClass::mark; });
    return kept;
}

Codes in_lower_case(const Codes& codes) {
    Codes lower;
    for (const std::uint32_t code : codes) append_lower_case(code, lower);
    return lower;
}

// Where the characters from `begin` on that are not ASCII end.
std::size_t other_end(std::string_view text, std::size_t begin) {
    while (begin < text.size() && static_cast<unsigned char>(text[begin]) >= 0x80) ++begin;
    return begin;
}

// Where the word or the punctuation mark at `begin` ends.
std::size_t end_of_word(std::string_view text, std::size_t begin) {
    std::size_t end = begin;
    while (end < text.size()) {
        const CodePoint point = code_point_at(text, end);
        if (point.is_valid && is_punctuation(point.code)) {
            return end == begin ? end + point.bytes : end;
        }
        if (point.is_valid && is_space(point.code)) break;
        end += point.bytes;
    }
    return end;
}

std::int64_t number_of_characters(std::string_view text) {
    std::int64_t number = 0;
    for (std::size_t at = 0; at < text.size(); at += code_point_at(text, at).bytes) ++number;
    return number;
}

std::size_t bytes_of_all(const Vocabulary& vocabulary) {
    std::size_t bytes = 0;
    for (std::int64_t id = 0; id < vocabulary.size(); ++id) bytes += vocabulary.token(id).size();
    return bytes;
}

}  // namespace

PieceTree::PieceTree(std::size_t bytes) : ids_{-1} {
    int bits = 1;
    while ((std::size_t(1) << bits) < 2 * bytes) ++bits;
    shift_ = 64 - bits;
    slots_.resize(std::size_t(1) << bits);
}

std::size_t PieceTree::slot(std::uint32_t from, char byte) const {
    const std::uint64_t step = std::uint64_t(from) << 8 | static_cast<unsigned char>(byte);
    std::size_t at = static_cast<std::size_t>(step * 0x9E3779B97F4A7C15u >> shift_);
    while (slots_[at].to != no_node && slots_[at].step != step) {
        at = (at + 1) & (slots_.size() - 1);
    }
    return at;
}

void PieceTree::add(std::string_view token, std::int64_t id) {
    std::uint32_t at = root;
    for (const char byte : token) {
        Slot& its = slots_[slot(at, byte)];
        if (its.to == no_node) {
            its = {std::uint64_t(at) << 8 | static_cast<unsigned char>(byte),
                   static_cast<std::uint32_t>(ids_.size())};
            ids_.push_back(-1);
        }
        at = its.to;
    }
    ids_[at] = id;
}

std::uint32_t PieceTree::node(std::string_view path) const {
    std::uint32_t at = root;
    for (const char byte : path) {
        at = slots_[slot(at, byte)].to;
        if (at == no_node) break;
    }
    return at;
}

PieceTree::Found PieceTree::longest(std::uint32_t from, std::string_view text) const {
    Found found;
    std::uint32_t at = from;
    for (std::size_t i = 0; i < text.size() && at != no_node; ++i) {
        at = slots_[slot(at, text[i])].to;
        if (at != no_node && ids_[at] >= 0) found = {ids_[at], i + 1};
    }
    return found;
}

WordPieces::WordPieces(std::shared_ptr<const Vocabulary> vocabulary,
                       const WordPieceOptions& options, const std::string& file,
                       const CallSite& site)
    : vocabulary_(std::move(vocabulary)), options_(options), pieces_(bytes_of_all(*vocabulary_)) {
    unknown_ = vocabulary_->needed(options_.unknown, ", the token for words that have no pieces",
                                   file, site);
    for (std::int64_t id = 0; id < vocabulary_->size(); ++id) {
        pieces_.add(vocabulary_->token(id), id);
    }
    continuing_ = pieces_.node(options_.continues);
}

std::string WordPieces::normalized(std::string_view text) const {
    std::string made;
    for (std::size_t begin = 0; begin < text.size();) {
        const char byte = text[begin];
        const std::size_t end = other_end(text, begin);
        if (end > begin) {
            for (const std::uint32_t code : normalized(codes_of(text.substr(begin, end - begin)))) {
                append_utf8(code, made);
            }
            begin = end;
            continue;
        }
        ++begin;
        if (options_.clean && is_dropped(static_cast<unsigned char>(byte))) continue;
        const bool is_upper = options_.lower_case && 'A' <= byte && byte <= 'Z';
        const bool is_space = options_.clean && '\t' <= byte && byte <= '\r';
        made += is_space ? ' ' : is_upper ? static_cast<char>(byte + 32) : byte;
    }
    return made;
}

WordPieces::Codes WordPieces::normalized(Codes codes) const {
    if (options_.clean) codes = cleaned(codes);
    if (options_.cjk_apart) codes = with_cjk_apart(codes);
    if (options_.strip_accents) codes = without_marks(codes);
    if (options_.lower_case) codes = in_lower_case(codes);
    return codes;
}

void WordPieces::encode(std::string_view text, bool, std::vector<std::int64_t>& ids) const {
    const std::string written = normalized(text);
    KnownWords known(ids);
    for (std::size_t begin = 0; begin < written.size();) {
        const std::size_t end = end_of_word(written, begin);
        if (end == begin) {  // white space
            begin += code_point_at(written, begin).bytes;
            continue;
        }
        const std::string_view word = std::string_view(written).substr(begin, end - begin);
        known.encode(word, [&] { encode_word(word, ids); });
        begin = end;
    }
}

void WordPieces::encode_word(std::string_view word, std::vector<std::int64_t>& ids) const {
    const std::size_t before = ids.size();
    const bool is_too_long = number_of_characters(word) > options_.longest_word;
    std::uint32_t from = PieceTree::root;
    while (!word.empty() && !is_too_long) {
        const PieceTree::Found piece = pieces_.longest(from, word);
        if (piece.bytes == 0) {
            ids.resize(before);
            break;
        }
        ids.push_back(piece.id);
        word.remove_prefix(piece.bytes);
        from = continuing_;
    }
    if (ids.size() == before) ids.push_back(unknown_);
}

void WordPieces::decode(std::int64_t id, bool is_first, std::string& text) const {
    const std::string& token = vocabulary_->token(id);
    const bool continues = !vocabulary_->added(id) &&
                           token.compare(0, options_.continues.size(), options_.continues) == 0;
    const std::string_view its =
        std::string_view(token).substr(continues && !is_first ? options_.continues.size() : 0);
    bool joins = continues;
    if (options_.joins_marks) {
        for (const char* mark : {".", "?", "!", ",", "n't", "'m", "'s", "'ve", "'re"}) {
            joins = joins || its.compare(0, std::string_view(mark).size(), mark) == 0;
        }
    }
    if (!is_first && !joins) text += ' ';
    text += its;
}

}}  // namespace heed
