// The sections of lesson 16 that are in meaning.cpp, cue.cpp and vectors.cpp, and what --data runs.
#pragma once

#include "tensor/random.h"
#include "tutorials/16_which_bar/readers.h"

#include <string>

// Of the encoders of 16.4 those that 16.5 and 16.6 look into, each trained several times.
struct Trained {
    std::vector<ByFirst> by_first;
    std::vector<ByWord> by_word;
};

Trained who_can_tell(heed::Random& random);                              // 16.4
void weight_on_cue(const Trained& trained, heed::Random& random);        // 16.5
void vectors_of_the_word(const Trained& trained, heed::Random& random);  // 16.6

// Sentences of the reader's own in place of the templates: each line a label, a tab and a sentence.
// A pre-LN encoder learns four fifths of the lines; prints how often it is right on the others, and
// where [CLS] looks. Errors (std::runtime_error): those of read_two_columns(); fewer than 10 lines;
// one label in all lines to learn from.
void on_own_sentences(const std::string& path, heed::Random& random);
