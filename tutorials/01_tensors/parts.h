// The sections of lesson 01 that are in products.cpp.
#pragma once

#include "tensor/random.h"

void matrix_product(heed::Random& random);  // 01.7
void axes_by_name(heed::Random& random);    // 01.8
