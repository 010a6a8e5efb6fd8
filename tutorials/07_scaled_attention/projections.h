// The part of lesson 07 on what W^Q, W^K and W^V are.
#pragma once

#include "tensor/random.h"

// Section 07.4.
void projections(heed::Random& random);
