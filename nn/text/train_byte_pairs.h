// Byte-level BPE from a text of one's own, as GPT-2's was made; and its files.
//     const Tokenizer tokenizer = train_byte_pairs(text, 1000);
//     write_tokenizer_json("tokenizer.json", tokenizer);
#pragma once

#include "tokenizer.h"

#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// The vocabulary: the 256 bytes in GPT-2's order, then a token for each merge, then the special
// tokens. Within words (split.h, as GPT-2's), the most frequent pair of neighbours becomes a token,
// again and again until there are vocab_size tokens; it is smaller if no pair is left that occurs
// twice. Of pairs that are equally frequent, the one whose left token has the smaller id is first,
// then whose right one has. The first special token is both bos and eos.
// Errors (std::invalid_argument): vocab_size is too small for the bytes and special tokens, or over
// a million; a special token that is empty, not UTF-8, given twice, or a letter of a byte.
Tokenizer train_byte_pairs(const std::string& text, std::int64_t vocab_size,
                           const std::vector<std::string>& special = {"<|endoftext|>"},
                           CallSite site = CallSite::here());

// Files that load_tokenizer() and others read, each written whole or not at all. Errors: this is
// not byte-level BPE as GPT-2 has it (std::invalid_argument); a file cannot be written
// (std::runtime_error).
void write_tokenizer_json(const std::string& path, const Tokenizer& tokenizer,
                          CallSite site = CallSite::here());
// vocab.json and merges.txt. That a token is special is not in them.
void write_byte_pairs(const std::string& vocabulary, const std::string& merges,
                      const Tokenizer& tokenizer, CallSite site = CallSite::here());

}}  // namespace heed
