// The sections of lesson 13 that are in measured.cpp, and what --data runs.
#pragma once

#include "tensor/random.h"

#include <string>

void measure_translators(heed::Random& random);  // 13.3 to 13.5

// Sentences of the reader's own in place of the grammar's: a translator that remembers where it
// looked learns nine of ten pairs and is asked for the others. Errors: those of read_own_pairs().
void on_own_pairs(const std::string& path, heed::Random& random);
