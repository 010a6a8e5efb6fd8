// What the parts of lesson 04 share, and its sections that are in vocabulary.cpp, positions.cpp and
// counted_vectors.cpp.
#pragma once

#include "tensor/random.h"
#include "tensor/tensor.h"

#include <string>

inline constexpr std::int64_t d = 6;  // the dimension of an embedding

// The two documents of 04.1, whose words are the vocabulary.
inline const std::string doc1 = "This is an example text and a random ending";
inline const std::string doc2 =
    "This is another example text with more words and the random word test";
inline const std::string chicken =
    "The chicken crossed the road because it wanted to get to the other side";

bool same_row(const heed::Tensor& X, std::int64_t t, const heed::Tensor& Y, std::int64_t u);

void a_vocabulary();                       // 04.1
void unknown_words();                      // 04.2
void positions(heed::Random& random);      // 04.5
void order_matters(heed::Random& random);  // 04.6
void batches(heed::Random& random);        // 04.8
void counted_vectors();                    // 04.9
