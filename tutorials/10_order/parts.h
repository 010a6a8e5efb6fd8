// The sections of lesson 10 that are in sinusoids.cpp and copy_task.cpp.
#pragma once

#include "tensor/random.h"

void sinusoids();                      // 10.3
void previous_token();                 // 10.6
void copy_task(heed::Random& random);  // 10.7
