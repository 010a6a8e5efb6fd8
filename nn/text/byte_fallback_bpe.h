// Llama's tokens: the text's characters, merged; blanks are written ▁. A character that is not in
// the vocabulary becomes its bytes, the tokens <0x00> to <0xFF>, so any bytes come back exactly;
// except that a ▁ in the text comes back as a blank.
// (Kudo and Richardson, SentencePiece, 2018; Touvron and others, Llama 2, 2023)
#pragma once

#include "byte_pairs.h"
#include "token_model.h"

#include <array>
#include <memory>

namespace heed { inline namespace HEED_PRECISION {

enum class BlankBefore { never, first, each };

struct ByteFallbackOptions {
    // A blank is put before the text, or before each part of it that stands between added tokens.
    BlankBefore blank = BlankBefore::each;
    bool unless_there = false;  // but not where one is already: then that one is lost
    bool leaves_it_out = true;  // a blank at the beginning is left out when decoding
};

class ByteFallbackBpe final : public TokenModel {
  public:
    // Error: the vocabulary lacks the token of a byte (std::runtime_error, with the file).
    ByteFallbackBpe(std::shared_ptr<const Vocabulary> vocabulary, const std::vector<Merge>& merges,
                    const ByteFallbackOptions& options, const std::string& file,
                    const CallSite& site);

    const char* kind() const override { return "BPE with byte fallback"; }
    void encode(std::string_view text, bool is_first,
                std::vector<std::int64_t>& ids) const override;
    void decode(std::int64_t id, bool is_first, std::string& text) const override;

  private:
    void encode_word(std::string_view word, BytePairs::Workspace& work,
                     std::vector<std::int64_t>& ids) const;

    std::shared_ptr<const Vocabulary> vocabulary_;
    BytePairs pairs_;
    ByteFallbackOptions options_;
    bool words_are_apart_ = true;  // no merge joins the end of a word with a blank after it
    std::array<std::int64_t, 256> ids_of_bytes_;
    std::vector<std::string> texts_;  // what each token stands for
};

}}  // namespace heed
