// Tests of lesson 08 that nothing leaks.
#pragma once

#include "tutorials/08_causal_attention/by_hand.h"

// The end of section 08.3: every word is exchanged.
void every_word_changes(const Model& model);
// The end of section 08.4: gradients from upstream that are not ones.
void random_upstream(const Model& model, heed::Random& random);
