// The part of lesson 05 on word vectors learned from text.
#pragma once

#include "tutorials/support/word_vectors.h"

// The reader's vectors if given, else the compiled-in ones. Errors: those of word_vectors_of; none
// of the seven words of note 001 has a vector (UsageError).
tutorial::WordVectors vectors_for(const tutorial::Options& options);

// Sections 05.4 to 05.8.
void words_and_vectors(const tutorial::WordVectors& vectors);
