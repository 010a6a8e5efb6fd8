// The part of lesson 19 that lets a trained model speak.
#pragma once

#include "tensor/random.h"

// Sections 19.3 to 19.6: the same bits, choosing the next token, a beginning that is shared, and
// positions that start again at 0.
void speaking(heed::Random& random);
