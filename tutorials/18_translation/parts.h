// The sections of lesson 18 that are in padding.cpp, longer.cpp, cross_attention.cpp and
// decoding.cpp, and what --data runs.
#pragma once

#include "tutorials/13_alignment/held_out.h"
#include "tutorials/18_translation/model.h"

#include <string>
#include <vector>

// The sizes of the translators that are put together by hand.
inline const heed::TransformerSizes small = {
    .d_model = 8, .num_heads = 1, .num_encoder_layers = 1, .num_decoder_layers = 1, .d_hidden = 16};

// Translators trained on the same sentences, and what none of them has learned.
struct Orders {
    Figure1 by_waves;
    std::vector<Figure1> by_bias;  // everywhere, from different random numbers
    Material material;             // asked: for each of curve_lengths
};

void padded(heed::Random& random);                                             // 18.2
Orders longer_sentences(heed::Random& random);                                 // 18.3
void where_cross_attention_looks(const Orders& models, heed::Random& random);  // 18.4
void dependent_steps(const Figure1& model, heed::Random& random);              // 18.5
void search(const std::vector<Figure1>& models, heed::Random& random);         // 18.6

// Sentences of the reader's own in place of the grammar's: a transformer learns nine of ten pairs
// and is asked for the others. Errors: those of read_own_pairs().
void translate_own_pairs(const std::string& path, heed::Random& random);
