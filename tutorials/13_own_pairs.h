// Lesson 13 on sentences of the reader's own: what --data FILE runs instead of the grammar's.
#pragma once

#include "heed/tensor/random.h"

#include <string>

// A sentence and its translation on each line, with a tab between them: a translator with attention
// learns nine of ten pairs and is asked for the others. Errors (std::runtime_error): those of
// read_two_columns(); fewer than 20 pairs of at most 60 words.
void on_own_pairs(const std::string& path, heed::Random& random);
