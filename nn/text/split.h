// How byte-level BPE cuts a text into words, within which it merges: at the patterns (regular
// expressions) that tokenizer.json names. Every byte of the text is in one word.
#pragma once

#include "../../tensor/call_site.h"

#include <cstddef>
#include <string_view>

namespace heed { inline namespace HEED_PRECISION {

enum class TextSplit {
    gpt2,    // 's 't 're …, letters, numbers, other characters, each with a blank before; blanks
    llama3,  // any one character before letters; numbers of at most three digits; line ends apart
    qwen2,   // the same, with each digit apart
};

// The regular expression, as a file has it.
std::string_view pattern_of(TextSplit split, CallSite site = CallSite::here());

// Where the word that begins at `begin` ends. Bytes that are not UTF-8 count as symbols.
std::size_t word_end(std::string_view text, std::size_t begin, TextSplit split);

// Where the digits (or what is not digits) that begin at `begin` end; each digit alone if asked.
std::size_t digits_end(std::string_view text, std::size_t begin, bool each_alone);

}}  // namespace heed
