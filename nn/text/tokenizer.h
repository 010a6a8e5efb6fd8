// WordTokenizer: a number, its id, for every different word of some documents, and back.
// A word is what nn/text/words.h makes of a text. Ids are no embeddings: they say which row of a
// table is a word's, and the table is learned (nn/text/token_embedding.h).
#pragma once

#include "heed/nn/text/words.h"
#include "heed/tensor/index_tensor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

enum class WordOrder {
    first_seen,  // ids in the order in which the words are first met
    sorted,      // ids in the order of the words' bytes, whatever the order of the documents
};

struct WordTokenizerOptions {
    bool lower_case = true;
    Punctuation punctuation = Punctuation::separate;
    // The word that stands for all that are not in the vocabulary, "[UNK]" say, with id 0. It is
    // not lower-cased. Without one, such words are refused.
    std::optional<std::string> unknown = std::nullopt;
    WordOrder order = WordOrder::first_seen;
};

// Texts of different length in one table.
struct TokenBatch {
    IndexTensor ids;                    // [B, T], T the length of the longest
    std::vector<std::int64_t> lengths;  // [B]: Mask::padding(lengths, T) hides what was filled up
};

class WordTokenizer {
  public:
    // The vocabulary is all words of the documents. The same documents and options give the same
    // ids in every run. Errors (std::invalid_argument): no documents, or no word in them; an
    // unknown token that is empty, holds space or is a word of the documents; no UTF-8.
    explicit WordTokenizer(const std::vector<std::string>& documents,
                           const WordTokenizerOptions& options = {},
                           CallSite site = CallSite::here());
    // The vocabulary is this list, and ids are places in it: so a tokenizer is made again from its
    // saved vocabulary() and options. Words that come out of no text ("[PAD]") may be among them;
    // the unknown token, if given, stands where it stands. `order` has no meaning here.
    // Errors (std::invalid_argument): an empty list; a word that is empty, holds space or is given
    // twice; an unknown token that is not in the list; no UTF-8.
    static WordTokenizer from_vocabulary(const std::vector<std::string>& vocabulary,
                                         const WordTokenizerOptions& options = {},
                                         CallSite site = CallSite::here());

    // The words that encode() looks up, in order. Error: no UTF-8 (std::invalid_argument).
    std::vector<std::string> words(const std::string& text, CallSite site = CallSite::here()) const;
    // Those of them that are not in the vocabulary, each once, in order.
    std::vector<std::string> unknown_words(const std::string& text,
                                           CallSite site = CallSite::here()) const;
    // text -> ids [T]; [0] for a text without words. Error: words that are not in the vocabulary,
    // which are all listed, where there is no unknown token (std::out_of_range).
    IndexTensor encode(const std::string& text, CallSite site = CallSite::here()) const;
    // The same of B texts, shorter ones filled up with `padding_id`. It may be the id of a word,
    // since a mask hides it, or size(): one more row in the table of embeddings.
    // Errors: no texts, a padding_id that is not 0 ... size() (std::invalid_argument).
    TokenBatch encode_batch(const std::vector<std::string>& texts, std::int64_t padding_id,
                            CallSite site = CallSite::here()) const;
    // ids [T] -> words, and these joined by spaces. Errors: another rank (ShapeError), an id that
    // is no word's (std::out_of_range).
    std::vector<std::string> decode(const IndexTensor& ids, CallSite site = CallSite::here()) const;
    std::string text_of(const IndexTensor& ids, CallSite site = CallSite::here()) const;

    // One word: as it is written or, if that is the rule, lower-cased; unknown ones as in encode().
    std::int64_t id(const std::string& word, CallSite site = CallSite::here()) const;
    const std::string& word(std::int64_t id, CallSite site = CallSite::here()) const;
    // Is the word, so written or so lower-cased, in the vocabulary?
    bool contains(const std::string& word, CallSite site = CallSite::here()) const;

    std::int64_t size() const { return static_cast<std::int64_t>(vocabulary_.size()); }
    const std::vector<std::string>& vocabulary() const { return vocabulary_; }  // in order of ids
    const WordTokenizerOptions& options() const { return options_; }

  private:
    // Four parameters, so that no list in braces can mean this one.
    struct Listed {};
    WordTokenizer(Listed, const std::vector<std::string>& vocabulary,
                  const WordTokenizerOptions& options, const CallSite& site);

    bool add(const std::string& word);  // false where it is there
    std::optional<std::int64_t> find(const std::string& word, const CallSite& site) const;
    std::vector<std::string> missing(const std::vector<std::string>& words) const;
    std::vector<std::int64_t> ids_of(const std::vector<std::string>& words) const;
    void refuse_missing(const std::vector<std::string>& words, const CallSite& site) const;

    WordTokenizerOptions options_;
    std::vector<std::string> vocabulary_;
    std::unordered_map<std::string, std::int64_t> ids_;
};

}  // namespace HEED_PRECISION
}  // namespace heed
