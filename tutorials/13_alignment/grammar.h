// The sentences of lessons 13 and 18: Spanish and English from a small grammar, with the Spanish
// word that each English word comes from. So a translation is right or wrong, and so is an
// alignment.
#pragma once

#include "tensor/random.h"

#include <string>
#include <vector>

struct Translation {
    std::vector<std::string> spanish;
    std::vector<std::string> english;
    std::vector<std::int64_t> source;  // of each English word: the position of its Spanish word
};

// One clause or several, joined by "y", of at least `fewest` and at most `most` Spanish words:
//     el gato negro duerme sobre la mesa      the black cat sleeps on the table
//     leemos un libro sobre perros            we read a book about dogs
//     compra el sobre blanco                  he buys the white envelope
// Adjectives follow the noun and agree with it; a pronoun may be dropped, and the verb's ending
// tells it; "sobre" is an envelope, about, or on. Error: most < fewest, or fewest < 3
// (std::invalid_argument).
Translation random_translation(std::int64_t fewest, std::int64_t most, heed::Random& random);

// All words that it has.
const std::vector<std::string>& spanish_words();
const std::vector<std::string>& english_words();
