// The part of lesson 08 on what the mask is for.
#pragma once

#include "tutorials/08_causal_attention/by_hand.h"

// Section 08.2.
void one_pass(const Model& model, heed::Random& random);
