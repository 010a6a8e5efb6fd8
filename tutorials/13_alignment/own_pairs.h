// Lesson 13 on sentences of the reader's own: what --data FILE runs instead of the grammar's.
#pragma once

#include "tensor/random.h"

#include <string>

// A translator that remembers where it looked learns nine of ten pairs and is asked for the others.
// Errors: those of read_own_pairs().
void on_own_pairs(const std::string& path, heed::Random& random);
