// The standard output of a program: how wide it is, and whether all of it was written.
#pragma once

#include <cstddef>
#include <string>

namespace tutorial {

// The columns to wrap prose at: 80, or those of a narrower terminal.
std::size_t prose_width();

// Flushes the standard output. Returns `code`; but if the output could not be written (a full
// disk), says so on the error stream, in the name of the program, and returns 2 in place of 0. A
// reader who has gone, such as `head`, is no error.
int finish_output(const std::string& program, int code);

}  // namespace tutorial
