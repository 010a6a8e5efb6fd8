// What the parts of lesson 14 share, its sections that are in other files, and what --text runs.
#pragma once

#include "tutorials/14_language_model/measures.h"

#include <string>
#include <vector>

inline constexpr std::int64_t T = 24;               // tokens of a text
inline constexpr double ln_19 = 2.944438979166440;  // of the number of words

// A kind of model, and what became of its runs from several seeds.
struct Kind {
    const char* name;
    std::vector<LanguageModel> models;
    std::vector<std::vector<double>> losses;  // [runs][steps_shown], if it was trained in steps
    // Of the first: twenty texts after each of steps_shown.
    std::vector<std::vector<std::vector<std::int64_t>>> texts;
};

struct Trained {
    Kind untrained, pairs, head, head_and_X, gpt;
    Texts fresh;
};

Texts least_loss(heed::Random& random);                        // 14.2: texts that are held out
Trained staircase(const Texts& fresh, heed::Random& random);   // 14.3
void while_it_learns(const Trained& trained);                  // 14.4
void it_speaks(const Trained& trained, heed::Random& random);  // 14.5
void unshifted(heed::Random& random);                          // 14.6
void softmax_twice(heed::Random& random);                      // 14.7

// A text of the reader's own in place of the sentences, letter by letter: counts of letters and of
// pairs, then a GPT as it learns, with samples. Errors (std::runtime_error): those of
// read_text_file(); a file that is not UTF-8, or too short.
void on_own_text(const std::string& path, heed::Random& random);
