// The part of lesson 07 that trains W^Q, W^K and W^V.
#pragma once

#include "tensor/random.h"

// Sections 07.5 to 07.8.
void learned_lookup(heed::Random& random);
