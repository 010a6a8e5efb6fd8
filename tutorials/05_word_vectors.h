// The parts of lesson 05 on word vectors learned from text.
#pragma once

#include "tutorials/support/word_vectors.h"

#include "heed/tensor/tensor.h"

// The reader's vectors if given, else the compiled-in ones. Errors: those of word_vectors_of; none
// of the seven words of 05.6 has a vector (UsageError).
tutorial::WordVectors vectors_for(const tutorial::Options& options);

const double temperature = 0.25;

// The rows divided by their norms; a row of zeros stays zero.
heed::Tensor at_norm_1(const heed::Tensor& X);

void words_and_vectors(const tutorial::WordVectors& vectors);  // sections 05.5 to 05.8
void in_context(const tutorial::WordVectors& vectors);         // section 05.9
