// The state of the playground as a C++ program of the reader's own: what the page computes is what
// this program prints.
#pragma once

#include "tutorials/live/playground/state.h"

#include <string>
#include <string_view>

namespace tutorial {

std::string program_of(const PlaygroundState& state);

// The line of the program that has these words, for errors: they name the line the reader sees.
// The words must be there.
heed::CallSite line_of(const std::string& program, std::string_view words);

}  // namespace tutorial
