// Lesson 16 on sentences of the reader's own: what --data FILE runs instead of the templates.
#pragma once

#include "tensor/random.h"

#include <string>

// Each line a label, a tab and a sentence. A pre-LN encoder learns four fifths of the lines;
// prints how often it is right on the others, and where [CLS] looks. Errors (std::runtime_error):
// those of read_two_columns(); fewer than 10 lines; one label in all lines to learn from.
void on_own_sentences(const std::string& path, heed::Random& random);
