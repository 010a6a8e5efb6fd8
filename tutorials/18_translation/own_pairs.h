// Lesson 18 on sentences of the reader's own: what --data FILE runs instead of the grammar's.
#pragma once

#include "tensor/random.h"

#include <string>

// A transformer learns nine of ten pairs and is asked for the others. Errors: those of
// read_own_pairs().
void translate_own_pairs(const std::string& path, heed::Random& random);
