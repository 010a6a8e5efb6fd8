// The end of a program: is all that it printed really written?
#pragma once

#include <string>

namespace tutorial {

// Flushes the standard output. Returns `code`; but if the output could not be written (a full
// disk), says so on the error stream, in the name of the program, and returns 2 in place of 0. A
// reader who has gone, such as `head`, is no error.
int finish_output(const std::string& program, int code);

}  // namespace tutorial
