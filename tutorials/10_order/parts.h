// The sections of lesson 10 that are in the other files.
#pragma once

#include "tensor/random.h"

void sinusoids();                           // 10.3
void biases();                              // 10.4
void turned_vectors(heed::Random& random);  // 10.5
void previous_token();                      // 10.6
void copy_task(heed::Random& random);       // 10.7
