// Lesson 13, sections 13.3 to 13.5: three translators, trained, how well they do over the length of
// the sentences, and where they look.
#pragma once

#include "tensor/random.h"

void measure_translators(heed::Random& random);
