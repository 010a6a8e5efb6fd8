// Terminal input and output for --stop and --predict.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

namespace tutorial {

// Thrown when the reader types q, to end the lesson. Not derived from std::exception, so that no
// lesson catches it as an expected error.
struct Quit {};

// Sets the streams to read from and write to; the defaults are std::cin and std::cout.
void talk_to_reader(std::istream& in, std::ostream& out);
std::ostream& to_reader();

// The reader's next line, trimmed; nullopt at end of input and from then on. Flushes pending output
// first. Throws Quit.
std::optional<std::string> line_from_reader();
bool reader_is_gone();

}  // namespace tutorial
