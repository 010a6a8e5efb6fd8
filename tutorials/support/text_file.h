// Reading a text file that the user named: the one place that does. What is no text file is refused
// at once, where reading would wait for ever (a pipe), not end (/dev/zero) or give nonsense.
#pragma once

#include <cstdint>
#include <string>

namespace tutorial {

inline constexpr std::uintmax_t most_text_bytes = std::uintmax_t{2} << 30;  // 2 GiB

// The whole text; it may be empty, and may lack the last end of line. Errors (std::runtime_error,
// with the file's name, for a NUL byte with the line): there is no such file; it is a directory, a
// pipe or a device; it may not be read, or reading fails; it is longer than `most_bytes`; it holds
// a NUL byte.
std::string read_text_file(const std::string& path, std::uintmax_t most_bytes = most_text_bytes);

}  // namespace tutorial
