// The part of lesson 16 that trains.
#pragma once

#include "tensor/random.h"
#include "tutorials/16_which_bar/readers.h"

// Section 16.4: who can tell the senses apart, and who cannot. The two encoders go on.
struct Trained {
    ByFirst by_first;
    ByWord by_word;
};
Trained who_can_tell(heed::Random& random);

// Section 16.5: the word's weight on its cue.
void weight_on_cue(const Trained& trained, heed::Random& random);

// Section 16.6, in 16_vectors.cpp: the word's vector before and after.
void vectors_of_the_word(const Trained& trained, heed::Random& random);
