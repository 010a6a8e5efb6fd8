// The sections of lesson 15 that are in trained.cpp.
#pragma once

#include "tensor/random.h"

void learned_induction(heed::Random& random);  // 15.3 and 15.4
