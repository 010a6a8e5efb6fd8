// The sections of lesson 05 that are in arrows.cpp, word_vectors.cpp and in_context.cpp.
#pragma once

#include "tutorials/support/word_vectors.h"

inline constexpr double temperature = 0.25;

// The reader's vectors if given, else the compiled-in ones. Errors: those of word_vectors_of; none
// of the seven words of 05.5 has a vector (UsageError).
tutorial::WordVectors vectors_for(const tutorial::Options& options);

void two_arrows();                                            // 05.1
void softmax_by_hand();                                       // 05.1
void seven_real_words(const tutorial::WordVectors& vectors);  // 05.5
void two_measures(const tutorial::WordVectors& vectors);      // 05.6
void labels(const tutorial::WordVectors& vectors);            // 05.7
void in_context(const tutorial::WordVectors& vectors);        // 05.8
