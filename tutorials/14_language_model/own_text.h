// Lesson 14 on a text of the reader's own: what --text FILE runs instead of the sentences.
#pragma once

#include "tensor/random.h"

#include <string>

// Letter by letter: counts of letters and of pairs, then a GPT as it learns, with samples. Errors
// (std::runtime_error): those of read_text_file(); a file that is not UTF-8, or too short.
void on_own_text(const std::string& path, heed::Random& random);
