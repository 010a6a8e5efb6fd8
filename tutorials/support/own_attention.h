// Running a lesson on the reader's own attention: it replaces nn's, and exact comparisons become
// comparisons within a tolerance, which the lesson's claims then mention.
#pragma once

#include "nn/attention/own_attention.h"

#include <string>

namespace tutorial {

// Makes a user-supplied attention function; a program declares it before main. It is called when
// the lesson starts; if it throws, the program ends with the message.
using OwnAttentionMaker = heed::OwnAttention::Function (*)();
// `what` is its name, a file. nullptr switches back to nn's attention.
void lessons_run_on(OwnAttentionMaker maker, const std::string& what);

// The declared maker, and its name; nullptr if there is none.
OwnAttentionMaker own_attention();
const std::string& own_attention_is_called();

// The tolerance for "the same": |a - b| ≤ own_tolerance·(1 + |b|).
inline constexpr double own_tolerance = 1e-5;
// Did any comparison since the last call pass only within the tolerance, not bitwise?
bool took_close_for_same();
void take_close_for_same();

}  // namespace tutorial
