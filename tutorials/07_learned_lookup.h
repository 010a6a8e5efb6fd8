// The part of lesson 07 in which W^Q, W^K and W^V are learned.
#pragma once

#include "heed/tensor/random.h"
#include "tutorials/support/display.h"

// One line, each cell at the right end of `width` columns.
void print_columns(const tutorial::Words& cells, std::size_t width);

// Sections 07.5 to 07.7.
void learned_lookup(heed::Random& random);
