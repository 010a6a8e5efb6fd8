// The one function that the page calls in WebAssembly.
#include "tutorials/live/playground/answer.h"

extern "C" const char* playground_answer(const char* state) {
    static std::string kept;  // until the next call
    kept = tutorial::answer(state);
    return kept.c_str();
}
