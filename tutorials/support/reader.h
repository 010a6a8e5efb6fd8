// The reader at the terminal: what --stop and --predict say to him, and what he types.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

namespace tutorial {

// Thrown where the reader types q: it ends the lesson. No std::exception, so that no lesson takes
// it for an error that it expects.
struct Quit {};

// From where his lines come, and where he reads: at first std::cin and std::cout.
void talk_to_reader(std::istream& in, std::ostream& out);
std::ostream& to_reader();

// His next line, without spaces around it; nothing where the input is at its end, then and ever
// after. All that was said is flushed before. Throws Quit.
std::optional<std::string> line_from_reader();
bool reader_is_gone();

}  // namespace tutorial
