// load_tokenizer(): the tokenizer of a published model, from the files in its folder.
//     const Tokenizer tokenizer = load_tokenizer("gpt2");
#pragma once

#include "tokenizer.h"
#include "word_pieces.h"

namespace heed { inline namespace HEED_PRECISION {

// Reads what the folder has: tokenizer.json; or vocab.json and merges.txt, as GPT-2's; or
// vocab.txt, as BERT's; the last two with added_tokens.json. tokenizer_config.json and
// special_tokens_map.json, if there, say which token has which task, and whether BERT's is for
// lower case; settings that tokenizer.json also has must agree with it.
// nn/TOKENIZER_SETTINGS.md lists the settings.
//
// Errors (std::runtime_error, with the file): a file is missing, may not be read, is cut off or not
// JSON; two tokens with one id, ids with holes, no byte letters, a merge of tokens that the
// vocabulary lacks; and whatever a file asks for that is not done here (another model, normalizer,
// pre-tokenizer, decoder ...), by its name. Settings for truncation and padding are not used.
Tokenizer load_tokenizer(const std::string& folder, CallSite site = CallSite::here());

// Single files. Errors: as above.
Tokenizer read_tokenizer_json(const std::string& path, CallSite site = CallSite::here());
// vocab.json and merges.txt; <|endoftext|>, if there, is special.
Tokenizer read_byte_pairs(const std::string& vocabulary, const std::string& merges,
                          CallSite site = CallSite::here());
// vocab.txt: a token a line; [UNK] [CLS] [SEP] [PAD] [MASK], if there, are special.
Tokenizer read_word_pieces(const std::string& vocabulary, const WordPieceOptions& options = {},
                           CallSite site = CallSite::here());

}}  // namespace heed
