// Lesson 13, sections 13.3 to 13.6: three translators, trained, and how well they do.
#pragma once

#include "heed/tensor/random.h"

void measure_translators(heed::Random& random);
