// The frame of a tutorial: sections, prose, claims that are checked, and how the program ends.
#pragma once

#include "tutorials/support/options.h"

#include <exception>
#include <string>

namespace tutorial {

// Parses the command line, sets the colours of pictures and runs the lesson. Exit codes: 0, 1 if a
// claim was found false, 2 for a command line or input that is not understood, with the message.
// A reader who leaves at a stop or a question (q) does so with the exit code of the claims so far.
int run(const Description& description, int argc, char** argv, void (*lesson)(const Options&));

// Begins a section: what was printed before is flushed to the terminal.
void section(const std::string& title);
// Prose, broken into lines of at most 80 columns, and an empty line after it.
void say(const std::string& prose);
// A claim, printed as checked; if it is false the program goes on and exits with 1.
void check(bool holds, const std::string& claim);

// What an error says, without the line it came from.
std::string first_line(const std::exception& error);

}  // namespace tutorial
