// The sections of lesson 18 that are in padding.cpp, measured.cpp and decoding.cpp, and what --data
// runs.
#pragma once

#include "tutorials/18_translation/model.h"

// The sizes of the translators that are put together by hand.
inline const heed::TransformerSizes small = {
    .d_model = 8, .num_heads = 1, .num_encoder_layers = 1, .num_decoder_layers = 1, .d_hidden = 16};

void padded(heed::Random& random);                                 // 18.2
Figure1 measured_translator(heed::Random& random);                 // 18.3 and 18.4; the best one
void dependent_steps(const Figure1& model, heed::Random& random);  // 18.5
void search(const Figure1& model, heed::Random& random);           // 18.6

// Sentences of the reader's own in place of the grammar's: a transformer learns nine of ten pairs
// and is asked for the others. Errors: those of read_own_pairs().
void translate_own_pairs(const std::string& path, heed::Random& random);
