// The sections of lesson 13 that are in measured.cpp, forgetting.cpp and looked.cpp, and what
// --data runs.
#pragma once

#include "tutorials/13_alignment/held_out.h"
#include "tutorials/13_alignment/pictures.h"
#include "tutorials/13_alignment/translator.h"

// Three translators, trained on the same sentences, and what none of them has learned.
struct Translators {
    Translator one_vector, attention, with_place;
    Material material;
};

Material known_alignments(heed::Random& random);                                      // 13.3
Translators the_longer_the_sentence(const Material& material, heed::Random& random);  // 13.4
void see_it_forget(const Translators& models);                                        // 13.4, too
void where_it_looked(const Translators& models);                                      // 13.5

// Sentences of the reader's own in place of the grammar's: a translator that remembers where it
// looked learns nine of ten pairs and is asked for the others. Errors: those of read_own_pairs().
void on_own_pairs(const std::string& path, heed::Random& random);
