// WordTokenizer: maps the distinct words of some documents to integer ids, and back. Words are
// split by nn/text/words.h. An id is not an embedding: it is the index of the word's row in a
// learned table (nn/embedding.h).
#pragma once

#include "../../tensor/index_tensor.h"
#include "token_batch.h"
#include "words.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

enum class WordOrder {
    first_seen,  // ids in order of first occurrence
    sorted,      // ids in byte order of the words, whatever the order of the documents
};

struct WordTokenizerOptions {
    bool lower_case = true;
    Punctuation punctuation = Punctuation::separate;
    // The token for all words outside the vocabulary, such as "[UNK]". It gets id 0 and is not
    // lower-cased. Without one, such words are an error.
    std::optional<std::string> unknown = std::nullopt;
    WordOrder order = WordOrder::first_seen;
};

class WordTokenizer {
  public:
    // The vocabulary consists of all words of the documents. The same documents and options give
    // the same ids in every run. Errors (std::invalid_argument): no documents, or no words in them;
    // an unknown token that is empty, contains white space or is a word of the documents; invalid
    // UTF-8.
    explicit WordTokenizer(const std::vector<std::string>& documents,
                           const WordTokenizerOptions& options = {},
                           CallSite site = CallSite::here());
    // The vocabulary is this list, and ids are indices into it. This recreates a tokenizer from its
    // saved vocabulary() and options. The list may hold words that no text produces ("[PAD]"); the
    // unknown token, if given, keeps its position in the list. `order` is ignored. Errors
    // (std::invalid_argument): an empty list; a word that is empty, contains white space or is
    // given twice; an unknown token that is not in the list; invalid UTF-8.
    static WordTokenizer from_vocabulary(const std::vector<std::string>& vocabulary,
                                         const WordTokenizerOptions& options = {},
                                         CallSite site = CallSite::here());

    // The words that encode() looks up, in order. Error: invalid UTF-8 (std::invalid_argument).
    std::vector<std::string> words(const std::string& text, CallSite site = CallSite::here()) const;
    // The words that are not in the vocabulary, each once, in order.
    std::vector<std::string> unknown_words(const std::string& text,
                                           CallSite site = CallSite::here()) const;
    // text -> ids [T]; [0] for a text without words. Error: without an unknown token, words outside
    // the vocabulary, which are all listed (std::out_of_range).
    IndexTensor encode(const std::string& text, CallSite site = CallSite::here()) const;
    // Encodes B texts, padding shorter ones with `padding_id`, to the right or on the given side.
    // It may be the id of a word, since a mask hides it, or size(), which needs one more row in the
    // embedding table. Errors: no texts, a padding_id outside 0 ... size() (std::invalid_argument).
    TokenBatch encode_batch(const std::vector<std::string>& texts, std::int64_t padding_id,
                            CallSite site = CallSite::here()) const;
    TokenBatch encode_batch(const std::vector<std::string>& texts, std::int64_t padding_id,
                            PaddingSide side, CallSite site = CallSite::here()) const;
    // ids [T] -> words; text_of() joins them with spaces. Errors: another rank (ShapeError), an id
    // outside the vocabulary (std::out_of_range).
    std::vector<std::string> decode(const IndexTensor& ids, CallSite site = CallSite::here()) const;
    std::string text_of(const IndexTensor& ids, CallSite site = CallSite::here()) const;

    // A single word: looked up as written, then, if the options say so, lower-cased; unknown words
    // as in encode().
    std::int64_t id(const std::string& word, CallSite site = CallSite::here()) const;
    const std::string& word(std::int64_t id, CallSite site = CallSite::here()) const;
    // Is the word, as written or lower-cased, in the vocabulary?
    bool contains(const std::string& word, CallSite site = CallSite::here()) const;

    std::int64_t size() const { return static_cast<std::int64_t>(vocabulary_.size()); }
    const std::vector<std::string>& vocabulary() const { return vocabulary_; }  // in id order
    const WordTokenizerOptions& options() const { return options_; }

  private:
    // Four parameters, so that no braced list can select this constructor.
    struct Listed {};
    WordTokenizer(Listed, const std::vector<std::string>& vocabulary,
                  const WordTokenizerOptions& options, const CallSite& site);

    bool add(const std::string& word);  // false if already there
    std::optional<std::int64_t> find(const std::string& word, const CallSite& site) const;
    std::vector<std::string> missing(const std::vector<std::string>& words) const;
    std::vector<std::int64_t> ids_of(const std::vector<std::string>& words) const;
    void refuse_missing(const std::vector<std::string>& words, const CallSite& site) const;

    WordTokenizerOptions options_;
    std::vector<std::string> vocabulary_;
    std::unordered_map<std::string, std::int64_t> ids_;
};

}}  // namespace heed
