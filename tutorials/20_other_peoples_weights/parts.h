// What the files of lesson 20 share, and its sections.
#pragma once

#include "nn/models/gpt.h"
#include "nn/text/tokenizer.h"
#include "tutorials/20_other_peoples_weights/small.h"
#include "tutorials/support/options.h"

#include <cstdint>
#include <string>
#include <vector>

const char* const sentences = "time flies like an arrow fruit flies like a banana";

using Pieces = std::vector<std::string>;

// Two neighbours that become one piece, and how often they were neighbours when it was learned.
struct LearnedPair {
    std::string left, right;
    std::int64_t times;
};

// A model that was loaded, and a text for it.
struct Loaded {
    heed::Tokenizer tokenizer;
    heed::Gpt model;
    heed::IndexTensor ids;  // of "time flies like an arrow"
    Pieces tokens;          // the same as the tokenizer writes them
    bool is_given;          // --model
};

Pieces pieces_of(const heed::Tokenizer& tokenizer, const heed::IndexTensor& ids);
// vocab.json and merges.txt of the merges, as GPT-2 has them: letters, then pairs.
void write_tokenizer(const std::string& folder, const std::vector<LearnedPair>& merges);
Loaded load(const std::string& folder, bool is_given);

std::vector<LearnedPair> byte_pairs(const Files& files);                                   // 20.1
void word_pieces(const Files& files);                                                      // 20.2
void by_bytes(const Files& files);                                                         // 20.3
void same_network(const Loaded& loaded);                                                   // 20.4
void written_out(const Published& gpt2, const Loaded& small);                              // 20.4
void wrong_loads(const Files& files, const heed::IndexTensor& ids, heed::Random& random);  // 20.5
void writes(const Loaded& loaded, const tutorial::Options& options);                       // 20.6
