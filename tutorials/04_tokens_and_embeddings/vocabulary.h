// The part of lesson 04 on words and their ids.
#pragma once

#include <string>

// The two documents whose words are the vocabulary.
inline const std::string doc1 = "This is an example text and a random ending";
inline const std::string doc2 =
    "This is another example text with more words and the random word test";

// Sections 04.1 and 04.2.
void words_and_ids();
