// The part of lesson 07 that trains W^Q, W^K and W^V.
#pragma once

#include "heed/tensor/random.h"
#include "tutorials/support/display.h"

// Prints one line, with each cell right-aligned in `width` columns.
void print_columns(const tutorial::Words& cells, std::size_t width);

// Sections 07.5 to 07.7.
void learned_lookup(heed::Random& random);
