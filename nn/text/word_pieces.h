// BERT's tokens (WordPiece): the text is cleaned and cut into words and punctuation marks, each
// word into the longest pieces that the vocabulary has, from the left; ## begins what continues a
// word. Text is lost on the way, by design: white space, control characters, for uncased models
// case and accents, and words without pieces, which become [UNK].
// (Devlin and others, BERT, 2019; Wu and others, Google's neural machine translation system, 2016)
#pragma once

#include "token_model.h"

#include <memory>

namespace heed { inline namespace HEED_PRECISION {

struct WordPieceOptions {
    bool lower_case = true;     // character by character
    bool strip_accents = true;  // decompose, and drop marks
    bool clean = true;          // drop control characters and what is not UTF-8
    bool cjk_apart = true;      // each Chinese character is a word
    bool joins_marks = true;    // when decoding, no blank before . ? ! , and n't 'm 's 've 're
    std::string continues = "##";
    std::string unknown = "[UNK]";
    std::int64_t longest_word = 100;  // in characters; a longer word is unknown
};

// Finds the longest token that a text begins with. Tokens are paths from a root, a byte a step; the
// steps are in a hash table.
class PieceTree {
  public:
    static constexpr std::uint32_t root = 0;
    static constexpr std::uint32_t no_node = 0xFFFFFFFF;

    // Room for tokens of so many bytes together.
    explicit PieceTree(std::size_t bytes);

    void add(std::string_view token, std::int64_t id);
    // Where this path ends, or no_node.
    std::uint32_t node(std::string_view path) const;

    struct Found {
        std::int64_t id = -1;  // none
        std::size_t bytes = 0;
    };
    // The longest token that goes on from this node with what the text begins with.
    Found longest(std::uint32_t from, std::string_view text) const;

  private:
    struct Slot {
        std::uint64_t step = 0;  // a node and a byte
        std::uint32_t to = no_node;
    };
    std::size_t slot(std::uint32_t from, char byte) const;

    std::vector<Slot> slots_;
    std::vector<std::int64_t> ids_;  // of the tokens that end at each node
    int shift_ = 0;
};

class WordPieces final : public TokenModel {
  public:
    // Error: the vocabulary lacks the unknown token (std::runtime_error, with the file).
    WordPieces(std::shared_ptr<const Vocabulary> vocabulary, const WordPieceOptions& options,
               const std::string& file, const CallSite& site);

    const char* kind() const override { return "WordPiece"; }
    void encode(std::string_view text, bool is_first,
                std::vector<std::int64_t>& ids) const override;
    void decode(std::int64_t id, bool is_first, std::string& text) const override;

  private:
    using Codes = std::vector<std::uint32_t>;

    std::string normalized(std::string_view text) const;
    Codes normalized(Codes codes) const;
    void encode_word(std::string_view word, std::vector<std::int64_t>& ids) const;

    std::shared_ptr<const Vocabulary> vocabulary_;
    WordPieceOptions options_;
    std::int64_t unknown_ = 0;
    PieceTree pieces_;
    std::uint32_t continuing_ = PieceTree::no_node;  // where pieces with ## begin
};

}}  // namespace heed
