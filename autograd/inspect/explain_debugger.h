// The door through which a debugger calls explain(): it takes addresses, and answers in words, even
// where there is an error. tutorials/debugger/heed_debug/why.py writes the question and calls it.
#pragma once

#include "heed/tensor/scalar.h"

#include <cstdint>

namespace heed {
inline namespace HEED_PRECISION {

struct WhyQuestion {
    const void* variable;  // a Variable
    const void* of;        // a Variable, or none: the gradient that is stored
    std::int64_t rank;     // how many indices
    std::int64_t index[8];
    std::int64_t of_rank;  // how many indices say which entry of `of`; 0: it has only one
    std::int64_t of_index[8];
    char name[256];  // as the reader wrote it
};
extern WhyQuestion why_question;

// The answer stays there until the next call.
const char* why_at_breakpoint();

}  // namespace HEED_PRECISION
}  // namespace heed
