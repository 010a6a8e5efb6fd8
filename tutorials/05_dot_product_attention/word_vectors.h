// The parts of lesson 05 on word vectors learned from text.
#pragma once

#include "tutorials/support/word_vectors.h"

// The reader's vectors if given, else the compiled-in ones. Errors: those of word_vectors_of; none
// of the seven words of 05.5 has a vector (UsageError).
tutorial::WordVectors vectors_for(const tutorial::Options& options);

const double temperature = 0.25;

void words_and_vectors(const tutorial::WordVectors& vectors);  // sections 05.5 to 05.7
void in_context(const tutorial::WordVectors& vectors);         // section 05.8
