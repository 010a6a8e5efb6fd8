// A lesson on the reader's own attention: nn's is replaced by it, and what the lesson compares to
// the last bit is compared within a tolerance, which its claims then say.
#pragma once

#include "heed/nn/attention/own_attention.h"

#include <string>

namespace tutorial {

// What a program with somebody's own attention declares before main begins. It is asked for when
// the lesson does; what it throws ends the program with the message.
using OwnAttentionMaker = heed::OwnAttention::Function (*)();
// `what` is how it is called, a file. nullptr: the lessons run on nn's again.
void lessons_run_on(OwnAttentionMaker maker, const std::string& what);

// The declared one, and how it is called; nullptr if there is none.
OwnAttentionMaker own_attention();
const std::string& own_attention_is_called();

// For |a - b| ≤ own_tolerance·(1 + |b|), which is what "the same" then means.
inline constexpr double own_tolerance = 1e-5;
// Was anything taken for the same that is not, to the last bit, since this was asked last?
bool took_close_for_same();
void take_close_for_same();

}  // namespace tutorial
