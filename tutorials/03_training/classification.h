// The part of lesson 03 in which a classifier learns.
#pragma once

#include "tutorials/03_training/moons.h"

// Sections 03.6 to 03.8.
void classification(heed::Random& random, const Moons& training);
