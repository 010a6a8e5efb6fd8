// Attentions as learners write them for exercise 08.3: wrong ones, and right ones that look
// unusual.
#pragma once

#include "tutorials/exercises/judges/lesson_08.h"

#include <string>

namespace own_answers {

struct OwnAnswer {
    std::string what;  // a word
    exercise::MaskedAttention attention;
};

}  // namespace own_answers
