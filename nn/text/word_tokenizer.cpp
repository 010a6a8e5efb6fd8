#include "word_tokenizer.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "../argument_checks.h"
#include "../training/sequence_pairs.h"

#include <algorithm>
#include <unordered_set>

namespace heed { inline namespace HEED_PRECISION {
namespace {
std::string listed(const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "" : ", ") + in_quotes(word);
    return list;
}

// `what` is "the unknown token" or "word 3 of the vocabulary".
void check_word(const std::string& what, const std::string& word, const CallSite& site) {
    if (word.empty()) fail_argument("WordTokenizer", site, what + " is empty");
    if (holds_space(word, what, site)) {
        fail_argument("WordTokenizer", site,
                      what + ", " + in_quotes(word) + ", contains a space; words must not");
    }
}

}  // namespace

WordTokenizer::WordTokenizer(const std::vector<std::string>& documents,
                             const WordTokenizerOptions& options, CallSite site)
    : options_(options) {
    check_enum("WordTokenizer", "the order", options.order, WordOrder::sorted, site);
    std::vector<std::string> all;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        const std::vector<std::string> words = split_words(
            documents[i], options.lower_case, options.punctuation, text("document ", i), site);
        all.insert(all.end(), words.begin(), words.end());
    }
    if (all.empty()) {
        fail_argument("WordTokenizer", site,
                      documents.empty() ? "there are no documents"
                                        : "the documents contain no words",
                      ", and a vocabulary needs at least one");
    }
    if (options.order == WordOrder::sorted) std::sort(all.begin(), all.end());
    if (options.unknown) {
        check_word("the unknown token", *options.unknown, site);
        add(*options.unknown);
    }
    for (const std::string& word : all) {
        if (!add(word) && options.unknown == word) {
            fail_argument(
                "WordTokenizer", site, "the unknown token ", in_quotes(word),
                " is a word in the documents; choose one that no text contains, such as \"[UNK]\"");
        }
    }
}

WordTokenizer WordTokenizer::from_vocabulary(const std::vector<std::string>& vocabulary,
                                             const WordTokenizerOptions& options, CallSite site) {
    return WordTokenizer(Listed(), vocabulary, options, site);
}

WordTokenizer::WordTokenizer(Listed, const std::vector<std::string>& vocabulary,
                             const WordTokenizerOptions& options, const CallSite& site)
    : options_(options) {
    if (vocabulary.empty()) {
        fail_argument("WordTokenizer", site, "the vocabulary is empty; it needs at least one word");
    }
    for (std::size_t id = 0; id < vocabulary.size(); ++id) {
        const std::string& word = vocabulary[id];
        check_word(text("word ", id, " of the vocabulary"), word, site);
        if (!add(word)) {
            fail_argument("WordTokenizer", site, in_quotes(word),
                          " is in the vocabulary twice, with the ids ", ids_.at(word), " and ", id,
                          "; each word has one id");
        }
    }
    if (options.unknown && ids_.count(*options.unknown) == 0) {
        fail_argument("WordTokenizer", site, "the unknown token ", in_quotes(*options.unknown),
                      " is not in the vocabulary; add it to the list, at the index that is its id");
    }
}

std::vector<std::string> WordTokenizer::words(const std::string& text, CallSite site) const {
    return split_words(text, options_.lower_case, options_.punctuation, "the text", site);
}

std::vector<std::string> WordTokenizer::unknown_words(const std::string& text,
                                                      CallSite site) const {
    return missing(words(text, site));
}

IndexTensor WordTokenizer::encode(const std::string& text, CallSite site) const {
    const std::vector<std::string> found = words(text, site);
    refuse_missing(found, site);
    return IndexTensor(ids_of(found), site);
}

TokenBatch WordTokenizer::encode_batch(const std::vector<std::string>& texts,
                                       std::int64_t padding_id, CallSite site) const {
    return encode_batch(texts, padding_id, PaddingSide::right, site);
}

TokenBatch WordTokenizer::encode_batch(const std::vector<std::string>& texts,
                                       std::int64_t padding_id, PaddingSide side,
                                       CallSite site) const {
    if (texts.empty()) fail_argument("WordTokenizer", site, "there are no texts to encode");
    if (padding_id < 0 || padding_id > size()) {
        fail_argument("WordTokenizer", site, "padding_id is ", padding_id,
                      "; it must be a word's id, 0 to ", size() - 1, ", or ", size(),
                      " for a row of its own");
    }
    std::vector<std::vector<std::string>> split;
    std::vector<std::string> all;
    for (std::size_t b = 0; b < texts.size(); ++b) {
        split.push_back(split_words(texts[b], options_.lower_case, options_.punctuation,
                                    text("text ", b), site));
        all.insert(all.end(), split[b].begin(), split[b].end());
    }
    refuse_missing(all, site);
    std::vector<IndexTensor> sequences;
    for (const std::vector<std::string>& one : split) sequences.emplace_back(ids_of(one), site);
    return pad_sequences(sequences, padding_id, side, site);
}

std::vector<std::string> WordTokenizer::decode(const IndexTensor& ids, CallSite site) const {
    if (ids.rank() != 1) {
        fail_shape("WordTokenizer", site, "ids has shape ", ids.shape(),
                   "; decode takes one row of ids, [T]: ", "ids.select(b) is row b");
    }
    check_labels("WordTokenizer", "id", ids, size(), "words", site);
    std::vector<std::string> found;
    for (std::int64_t t = 0; t < ids.numel(); ++t) {
        found.push_back(vocabulary_[static_cast<std::size_t>(ids.data()[t])]);
    }
    return found;
}

std::string WordTokenizer::text_of(const IndexTensor& ids, CallSite site) const {
    std::string joined;
    for (const std::string& word : decode(ids, site)) joined += (joined.empty() ? "" : " ") + word;
    return joined;
}

std::int64_t WordTokenizer::id(const std::string& word, CallSite site) const {
    const std::optional<std::int64_t> found = find(word, site);
    if (found) return *found;
    refuse_missing({word}, site);
    return ids_.at(*options_.unknown);
}

const std::string& WordTokenizer::word(std::int64_t id, CallSite site) const {
    if (id < 0 || id >= size()) {
        fail_range("WordTokenizer", site, "id ", id,
                   " is out of range: ", numbered(size(), "words"));
    }
    return vocabulary_[static_cast<std::size_t>(id)];
}

bool WordTokenizer::contains(const std::string& word, CallSite site) const {
    return find(word, site).has_value();
}

bool WordTokenizer::add(const std::string& word) {
    const bool is_new = ids_.emplace(word, size()).second;
    if (is_new) vocabulary_.push_back(word);
    return is_new;
}

// Tries the word as written first: the unknown token and other special tokens are not lower-cased.
std::optional<std::int64_t> WordTokenizer::find(const std::string& word,
                                                const CallSite& site) const {
    auto found = ids_.find(word);
    if (found == ids_.end() && options_.lower_case) {
        found = ids_.find(to_lower_case(word, "the word", site));
    }
    if (found == ids_.end()) return std::nullopt;
    return found->second;
}

std::vector<std::string> WordTokenizer::missing(const std::vector<std::string>& words) const {
    std::vector<std::string> found;
    std::unordered_set<std::string> met;
    for (const std::string& word : words) {
        if (ids_.count(word) == 0 && met.insert(word).second) found.push_back(word);
    }
    return found;
}

std::vector<std::int64_t> WordTokenizer::ids_of(const std::vector<std::string>& words) const {
    std::vector<std::int64_t> ids;
    for (const std::string& word : words) {
        const auto found = ids_.find(word);
        ids.push_back(found != ids_.end() ? found->second : ids_.at(*options_.unknown));
    }
    return ids;
}

void WordTokenizer::refuse_missing(const std::vector<std::string>& words,
                                   const CallSite& site) const {
    if (options_.unknown) return;
    const std::vector<std::string> unknown = missing(words);
    if (unknown.empty()) return;
    fail_range("WordTokenizer", site, listed(unknown), unknown.size() == 1 ? " is" : " are",
               " not in the vocabulary of ", size(), size() == 1 ? " word" : " words",
               "; build it from documents that contain ", unknown.size() == 1 ? "it" : "them",
               ", or give it an unknown token (.unknown = \"[UNK]\")");
}

}}  // namespace heed
