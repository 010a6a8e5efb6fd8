// The part of lesson 15 that trains.
#pragma once

#include "tensor/random.h"

// Sections 15.3 and 15.4: two layers learn to copy, and a task that only seems to show it.
void learned_induction(heed::Random& random);
