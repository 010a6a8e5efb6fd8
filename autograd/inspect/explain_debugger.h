// The entry point through which a debugger calls explain() and way_back(): it takes addresses and
// returns text, also for errors. tutorials/debugger/heed_debug/why.py writes the question and calls
// it.
#pragma once

#include "../../tensor/scalar.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION {

struct WhyQuestion {
    const void* variable;  // a Variable, or null: the way back from `of`
    const void* of;        // a Variable, or null for the stored gradient
    std::int64_t rank;     // the number of indices
    std::int64_t index[8];
    std::int64_t of_rank;  // the number of indices into `of`; 0: it has one entry
    std::int64_t of_index[8];
    char name[256];      // as the user wrote it
    const char* answer;  // where a debugger finds it if its call of the function below fails
};
extern WhyQuestion why_question;

// The answer is valid until the next call.
const char* why_at_breakpoint();

}}  // namespace heed
