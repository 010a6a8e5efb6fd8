// What the parts of lesson 14 share, its sections that are in mistakes.cpp, and what --text runs.
#pragma once

#include "tutorials/14_language_model/models.h"

inline constexpr std::int64_t T = 24;               // tokens of a text
inline constexpr double ln_19 = 2.944438979166440;  // of the number of words

double loss_of(const LanguageModel& model, const Texts& texts);

void unshifted(heed::Random& random);      // 14.4
void softmax_twice(heed::Random& random);  // 14.5

// A text of the reader's own in place of the sentences, letter by letter: counts of letters and of
// pairs, then a GPT as it learns, with samples. Errors (std::runtime_error): those of
// read_text_file(); a file that is not UTF-8, or too short.
void on_own_text(const std::string& path, heed::Random& random);
