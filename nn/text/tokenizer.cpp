#include "tokenizer.h"

#include "../../tensor/quote.h"
#include "../argument_checks.h"
#include "../training/sequence_pairs.h"
#include "unicode.h"

#include <set>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// How many bytes at the end of the text begin a character that is not complete.
std::size_t incomplete_bytes(std::string_view text) {
    for (std::size_t length = 1; length <= 3 && length <= text.size(); ++length) {
        const unsigned char byte = static_cast<unsigned char>(text[text.size() - length]);
        if ((byte & 0xC0) == 0x80) continue;
        const std::size_t needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
        return needed > length && byte <= 0xF4 ? length : 0;
    }
    return 0;
}

bool is_space(std::string_view text, std::size_t at) {
    const CodePoint point = code_point_at(text, at);
    return point.is_valid && class_of(point.code) == CharacterClass::space;
}

std::size_t after_spaces(std::string_view text, std::size_t at) {
    while (at < text.size() && is_space(text, at)) at += code_point_at(text, at).bytes;
    return at;
}

std::size_t before_spaces(std::string_view text, std::size_t begin, std::size_t end) {
    while (end > begin) {
        std::size_t last = end - 1;
        while (last > begin && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
        if (!is_space(text, last)) break;
        end = last;
    }
    return end;
}

// Finds tokens by their length and content.
class Search {
  public:
    Search(const Vocabulary& vocabulary, bool is_normalized) {
        for (const AddedToken& one : vocabulary.added()) {
            if (one.content.empty() || one.is_normalized != is_normalized) continue;
            tokens_.emplace(one.content, &one);
            lengths_.insert(one.content.size());
            begins_[static_cast<unsigned char>(one.content[0])] = true;
        }
    }

    bool is_empty() const { return tokens_.empty(); }

    // The longest token at this place, or null.
    const AddedToken* at(std::string_view text, std::size_t place) const {
        if (!begins_[static_cast<unsigned char>(text[place])]) return nullptr;
        for (auto length = lengths_.rbegin(); length != lengths_.rend(); ++length) {
            if (*length > text.size() - place) continue;
            const auto found = tokens_.find(text.substr(place, *length));
            if (found != tokens_.end()) return found->second;
        }
        return nullptr;
    }

  private:
    std::unordered_map<std::string_view, const AddedToken*> tokens_;
    std::set<std::size_t> lengths_;
    bool begins_[256] = {};
};

// Cuts a text at the added tokens in it: at the first one, of several at one place the longest.
// Calls `text` with what stands between them, and whether it begins the whole, `token` with each
// id. White space that a token takes is in neither. A special token that is not asked for is text,
// in which no other token begins.
template <class Text, class Token>
void cut_at_added_tokens(std::string_view whole, const Search& search, bool special_too,
                         const Text& text, const Token& token) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < whole.size() && !search.is_empty();) {
        const AddedToken* const found = search.at(whole, at);
        if (!found) {
            ++at;
            continue;
        }
        if (found->is_special && !special_too) {
            at += found->content.size();
            continue;
        }
        const std::size_t end = found->strips_left ? before_spaces(whole, begin, at) : at;
        if (end > begin) text(whole.substr(begin, end - begin), begin == 0);
        token(found->id);
        at += found->content.size();
        if (found->strips_right) at = after_spaces(whole, at);
        begin = at;
    }
    if (begin < whole.size()) text(whole.substr(begin), begin == 0);
}

}  // namespace

std::vector<std::int64_t> Tokenizer::ids_of(std::string_view text, bool special_in_text) const {
    std::vector<std::int64_t> ids;
    const Search first(*parts_.vocabulary, false), second(*parts_.vocabulary, true);
    const auto add = [&](std::int64_t id) { ids.push_back(id); };
    cut_at_added_tokens(
        text, first, special_in_text,
        [&](std::string_view part, bool begins_text) {
            cut_at_added_tokens(
                part, second, special_in_text,
                [&](std::string_view rest, bool begins_part) {
                    parts_.model->encode(rest, begins_text && begins_part, ids);
                },
                add);
        },
        add);
    return ids;
}

void Tokenizer::fill(const std::vector<TemplateToken>& pattern,
                     const std::vector<std::vector<std::int64_t>>& texts,
                     std::vector<std::int64_t>& ids, std::vector<std::int64_t>& types) const {
    for (const TemplateToken& one : pattern) {
        if (one.id >= 0) {
            ids.push_back(one.id);
        } else {
            const auto& its = texts[one.id == TemplateToken::first_text ? 0 : 1];
            ids.insert(ids.end(), its.begin(), its.end());
        }
        types.resize(ids.size(), one.type);
    }
}

IndexTensor Tokenizer::encode(const std::string& text, const EncodeOptions& options,
                              CallSite site) const {
    std::vector<std::int64_t> of_text = ids_of(text, options.special_in_text);
    if (!options.add_special) return IndexTensor(of_text, site);
    std::vector<std::int64_t> ids, types;
    fill(parts_.one_text, {of_text}, ids, types);
    return IndexTensor(ids, site);
}

TokenPair Tokenizer::encode_pair(const std::string& first, const std::string& second,
                                 CallSite site) const {
    std::vector<std::int64_t> ids, types;
    fill(parts_.two_texts, {ids_of(first, false), ids_of(second, false)}, ids, types);
    return {IndexTensor(ids, site), IndexTensor(types, site)};
}

TokenBatch Tokenizer::encode_batch(const std::vector<std::string>& texts,
                                   std::optional<std::int64_t> padding_id,
                                   const EncodeOptions& options, CallSite site) const {
    if (texts.empty()) fail_argument("Tokenizer", site, "there are no texts to encode");
    if (!padding_id) padding_id = parts_.special.pad;
    if (!padding_id) {
        fail_argument("Tokenizer", site, in_quotes(name()),
                      " has no padding token; give padding_id: any token's id, since a mask hides "
                      "it");
    }
    if (*padding_id < 0 || *padding_id > size()) {
        fail_argument("Tokenizer", site, "padding_id is ", *padding_id,
                      "; it must be a token's id, 0 to ", size() - 1, ", or ", size(),
                      " for a row of its own");
    }
    std::vector<IndexTensor> sequences;
    for (const std::string& text : texts) sequences.push_back(encode(text, options, site));
    return pad_sequences(sequences, *padding_id, options.padding, site);
}

std::string Tokenizer::text_of(const IndexTensor& ids, const DecodeOptions& options,
                               CallSite site) const {
    if (ids.rank() != 1) {
        fail_shape("Tokenizer", site, "ids has shape ", ids.shape(),
                   "; text_of takes one row of ids, [T]: ids.select(b) is row b");
    }
    check_labels("Tokenizer", "id", ids, size(), "tokens", site);
    std::string text;
    bool is_first = true;
    for (std::int64_t t = 0; t < ids.numel(); ++t) append(ids.data()[t], options, is_first, text);
    return text;
}

void Tokenizer::append(std::int64_t id, const DecodeOptions& options, bool& is_first,
                       std::string& text) const {
    if (options.skip_special && is_special(id)) return;
    parts_.model->decode(id, is_first, text);
    is_first = false;
}

const std::string& Tokenizer::token(std::int64_t id, CallSite site) const {
    if (id < 0 || id >= size()) {
        fail_range("Tokenizer", site, "id ", id, " is out of range: ", numbered(size(), "tokens"));
    }
    return parts_.vocabulary->token(id);
}

std::int64_t Tokenizer::id(const std::string& token, CallSite site) const {
    if (const std::optional<std::int64_t> id = parts_.vocabulary->find(token)) return *id;
    if (parts_.special.unk) return *parts_.special.unk;
    fail_range("Tokenizer", site, in_quotes(token), " is not one of the ", size(), " tokens of ",
               in_quotes(name()), ", which has no unknown token");
}

bool Tokenizer::contains(const std::string& token) const {
    return parts_.vocabulary->find(token).has_value();
}

bool Tokenizer::is_special(std::int64_t id) const {
    const AddedToken* const added = parts_.vocabulary->added(id);
    return added && added->is_special;
}

void Tokenizer::check_fits(std::int64_t vocab_size, CallSite site) const {
    if (size() <= vocab_size && vocab_size <= size() + size() / 8) return;
    fail_argument("Tokenizer", site, in_quotes(name()), " has ", size(), " tokens, the model ",
                  vocab_size, size() > vocab_size ? "" : ", far more",
                  "; is it the tokenizer of another model?");
}

std::string TextStream::add(std::int64_t id, CallSite site) {
    tokenizer_.token(id, site);  // checks the id
    tokenizer_.append(id, options_, is_first_, waiting_);
    const std::size_t ready = waiting_.size() - incomplete_bytes(waiting_);
    const std::string text = waiting_.substr(0, ready);
    waiting_.erase(0, ready);
    return text;
}

std::string TextStream::rest() { return std::exchange(waiting_, ""); }

}}  // namespace heed
