// The part of lesson 02 about the derivatives of single operations.
#pragma once

#include "tensor/random.h"

// Sections 02.5 to 02.8: a matrix product's derivative, derivatives of derivatives, how to check
// one, and softmax's.
void derivatives(heed::Random& random);
