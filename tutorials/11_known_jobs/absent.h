// The part of lesson 11 that trains.
#pragma once

#include "tensor/random.h"

// Sections 11.5 and 11.6: a lookup whose item may be absent, without and with a key to rest on.
void absent_items(heed::Random& random);
