// The part of lesson 08 on padding, queries that see nothing, and fewer queries than keys.
#pragma once

#include "tutorials/08_causal_attention/by_hand.h"

// Sections 08.6 to 08.9.
void other_masks(const Model& model, heed::Random& random);
