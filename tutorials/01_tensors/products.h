// The part of lesson 01 about products.
#pragma once

#include "tensor/random.h"

// Sections 01.7 and 01.8: the matrix product, and einsum with named axes.
void products(heed::Random& random);
