// The part of lesson 07 that shows what projections are for.
#pragma once

#include "tutorials/07_scaled_attention/lookup.h"

// Section 07.7.
void why_projections(heed::Random& random);
