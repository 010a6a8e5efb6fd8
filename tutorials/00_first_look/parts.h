// What the parts of lesson 00 share.
#pragma once

#include "nn/attention/attention.h"
#include "tutorials/support/options.h"

// softmax(Q·Kᵀ / √d_k)·V, where each query sees the keys up to its own place.
heed::Attention attend(const heed::Variable& Q, const heed::Variable& K, const heed::Variable& V);

void a_sentence();                                  // 00.1
void one_word_two_sentences();                      // 00.2
void your_words(const tutorial::Options& options);  // in place of all sections
