// Tokenizer: text to token ids and back, as published models have it: byte-level BPE (GPT-2), BPE
// with byte fallback (Llama), WordPiece (BERT). load_tokenizer() (load_tokenizer.h) makes one of a
// folder's files, train_byte_pairs() (train_byte_pairs.h) of a text.
//     const Tokenizer tokenizer = load_tokenizer("gpt2");
//     const IndexTensor ids = tokenizer.encode("time flies like an arrow");  // [T]
//     tokenizer.text_of(ids);
// WordTokenizer (word_tokenizer.h) is the simpler one of the lessons, whose tokens are whole words.
#pragma once

#include "token_batch.h"
#include "token_model.h"

#include <memory>
#include <optional>

namespace heed { inline namespace HEED_PRECISION {

// The ids of the tokens that have these tasks, if there are such.
struct SpecialTokens {
    std::optional<std::int64_t> bos, eos, unk, pad, cls, sep, mask;
};

struct EncodeOptions {
    // Adds what the tokenizer's files say: <s> before a text, [CLS] and [SEP] around it, or
    // nothing.
    bool add_special = false;
    // "<s>" in the text is the token, not three characters. Not for texts of strangers.
    bool special_in_text = false;
    // Of encode_batch(): left for texts that a model is to continue (generate()).
    PaddingSide padding = PaddingSide::right;
};

struct DecodeOptions {
    bool skip_special = false;
};

// A text, or two with what stands between them, and to which of the two each token belongs.
struct TokenPair {
    IndexTensor ids;    // [T]
    IndexTensor types;  // [T]: 0 or 1, BERT's token types
};

// A token of a template: a special one, or all of the first or the second text (`id` is -1 or -2).
struct TemplateToken {
    static constexpr std::int64_t first_text = -1, second_text = -2;
    std::int64_t id = first_text;
    std::int64_t type = 0;
};

// What a Tokenizer is made of.
struct TokenizerParts {
    std::string name;  // of the file or folder, for messages
    std::shared_ptr<const Vocabulary> vocabulary;
    std::shared_ptr<const TokenModel> model;
    SpecialTokens special;
    std::vector<TemplateToken> one_text = {{TemplateToken::first_text, 0}};
    std::vector<TemplateToken> two_texts = {{TemplateToken::first_text, 0},
                                            {TemplateToken::second_text, 1}};
};

// A copy shares the vocabulary. All is const, so several threads may use one.
class Tokenizer {
  public:
    explicit Tokenizer(TokenizerParts parts) : parts_(std::move(parts)) {}

    // text -> ids [T]; [0] for an empty text. The text need not be UTF-8; what comes back from
    // text_of() is said in byte_level_bpe.h, byte_fallback_bpe.h and word_pieces.h.
    IndexTensor encode(const std::string& text, const EncodeOptions& options = {},
                       CallSite site = CallSite::here()) const;
    // Two texts as one sequence, with the special tokens that belong to it: [CLS] a [SEP] b [SEP].
    TokenPair encode_pair(const std::string& first, const std::string& second,
                          CallSite site = CallSite::here()) const;
    // B texts, padded with special().pad or another id; size() is one for a row of its own. Errors:
    // no texts, an id outside 0 ... size(), none given and no padding token
    // (std::invalid_argument).
    TokenBatch encode_batch(const std::vector<std::string>& texts,
                            std::optional<std::int64_t> padding_id = std::nullopt,
                            const EncodeOptions& options = {},
                            CallSite site = CallSite::here()) const;
    // ids [T] -> text, exactly the bytes of the tokens: a part of a character stays a part. Errors:
    // another rank (ShapeError), an id outside the vocabulary (std::out_of_range).
    std::string text_of(const IndexTensor& ids, const DecodeOptions& options = {},
                        CallSite site = CallSite::here()) const;

    // A token as the vocabulary has it: "Ġtime", "▁time", "##es". Errors (std::out_of_range): an id
    // outside the vocabulary; a token that is not in it, if there is no unknown token.
    const std::string& token(std::int64_t id, CallSite site = CallSite::here()) const;
    std::int64_t id(const std::string& token, CallSite site = CallSite::here()) const;
    bool contains(const std::string& token) const;
    std::int64_t size() const { return parts_.vocabulary->size(); }

    const SpecialTokens& special() const { return parts_.special; }
    bool is_special(std::int64_t id) const;
    const std::string& name() const { return parts_.name; }
    const char* kind() const { return parts_.model->kind(); }  // "byte-level BPE"

    // For a model whose tables have `vocab_size` rows; an eighth more than tokens is allowed, since
    // tables are rounded up. Error (std::invalid_argument): it has fewer, or more than that.
    void check_fits(std::int64_t vocab_size, CallSite site = CallSite::here()) const;

    const TokenizerParts& parts() const { return parts_; }

  private:
    friend class TextStream;
    std::vector<std::int64_t> ids_of(std::string_view text, bool special_in_text) const;
    void fill(const std::vector<TemplateToken>& pattern,
              const std::vector<std::vector<std::int64_t>>& texts, std::vector<std::int64_t>& ids,
              std::vector<std::int64_t>& types) const;
    void append(std::int64_t id, const DecodeOptions& options, bool& is_first,
                std::string& text) const;

    TokenizerParts parts_;
};

// The text of a sequence that is still growing, in whole characters: a token may be a part of one.
//     TextStream stream(tokenizer);
//     while (...) std::cout << stream.add(id) << std::flush;
//     std::cout << stream.rest();
// What it gives is together what text_of() gives.
class TextStream {
  public:
    explicit TextStream(const Tokenizer& tokenizer, const DecodeOptions& options = {})
        : tokenizer_(tokenizer), options_(options) {}

    // What is complete with this token. Error: an id outside the vocabulary (std::out_of_range).
    std::string add(std::int64_t id, CallSite site = CallSite::here());
    // What is left at the end: the beginning of a character, or nothing.
    std::string rest();

  private:
    Tokenizer tokenizer_;
    DecodeOptions options_;
    bool is_first_ = true;
    std::string waiting_;
};

}}  // namespace heed
