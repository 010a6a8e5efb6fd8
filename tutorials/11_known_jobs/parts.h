// The sections of lesson 11 that are in absent.cpp.
#pragma once

#include "tensor/random.h"

void absent_items(heed::Random& random);  // 11.5 and 11.6
