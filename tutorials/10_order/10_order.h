// The part of lesson 10 that trains.
#pragma once

#include "tensor/random.h"

// Section 10.7: a head learns to copy the token three places back, with each kind of positions.
void copy_task(heed::Random& random);
