// What the files of lesson 20 share, and its sections.
#pragma once

#include "nn/attention/attention_record.h"
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

// One head's query at position t, and what it makes of each key: q∘k, q·k, score and weight.
void print_neuron_view(const heed::AttentionRecord& record, std::int64_t head, std::int64_t t,
                       const Pieces& tokens);

std::vector<LearnedPair> byte_pairs();                                              // 20.1
void word_pieces();                                                                 // 20.2
void by_bytes(const Files& files);                                                  // 20.3
void same_network(const Files& files, const Published& gpt2, const Pieces& tokens,  // 20.4
                  const heed::IndexTensor& ids);
void wrong_loads(const Files& files, const heed::IndexTensor& ids, heed::Random& random);  // 20.5
void given_model(const tutorial::Options& options);                                        // 20.6
