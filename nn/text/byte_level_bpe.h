// GPT-2's tokens: the text's bytes, merged within words. Any bytes become tokens and exactly these
// bytes again, be they UTF-8 or not.
// (Radford and others, Language models are unsupervised multitask learners, 2019)
#pragma once

#include "byte_pairs.h"
#include "split.h"
#include "token_model.h"

#include <array>
#include <memory>

namespace heed { inline namespace HEED_PRECISION {

// GPT-2 writes each of the 256 bytes as a letter that can be printed, so that tokens are readable
// text. A blank is Ġ, a line end Ċ; visible Latin-1 characters stand for themselves.
// The letter of a byte, in UTF-8.
const std::string& byte_letter(unsigned char byte);
// Any bytes -> their letters.
std::string letters_of(std::string_view bytes);
// Letters -> their bytes. What is not such a letter stays.
std::string bytes_of(std::string_view letters);

enum class DigitSplit { none, runs, each };

struct ByteLevelOptions {
    TextSplit split = TextSplit::gpt2;
    DigitSplit digits = DigitSplit::none;  // cut before `split`
    bool prefix_space = false;             // a blank is put before a text that has none
    bool known_words_first = false;        // a word that is a token is not merged together
    bool composed = false;                 // NFC first: then e + accent comes back as é

    bool operator==(const ByteLevelOptions&) const = default;
};

class ByteLevelBpe final : public TokenModel {
  public:
    // Error: the vocabulary lacks the letter of a byte (std::runtime_error, with the file).
    ByteLevelBpe(std::shared_ptr<const Vocabulary> vocabulary, const std::vector<Merge>& merges,
                 const ByteLevelOptions& options, const std::string& file, const CallSite& site);

    const char* kind() const override { return "byte-level BPE"; }
    void encode(std::string_view text, bool is_first,
                std::vector<std::int64_t>& ids) const override;
    void decode(std::int64_t id, bool is_first, std::string& text) const override;

    const std::vector<Merge>& merges() const { return pairs_.merges(); }
    const ByteLevelOptions& options() const { return options_; }

  private:
    void encode_part(std::string_view part, KnownWords& known, BytePairs::Workspace& work,
                     std::vector<std::int64_t>& ids) const;
    void encode_word(std::string_view word, BytePairs::Workspace& work,
                     std::vector<std::int64_t>& ids) const;

    std::shared_ptr<const Vocabulary> vocabulary_;
    BytePairs pairs_;
    ByteLevelOptions options_;
    std::array<std::int64_t, 256> ids_of_bytes_;
    std::vector<std::string> bytes_;  // of each token
};

}}  // namespace heed
