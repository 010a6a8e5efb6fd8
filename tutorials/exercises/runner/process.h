// Running another program, with an end to patience.
#pragma once

#include <string>
#include <vector>

namespace exercise {

struct Ended {
    int exit_code = 0;
    int signal = 0;          // that killed it, or 0
    bool timed_out = false;  // and was killed for it
    std::string output;      // both of its streams
};

// Its output is kept, up to 1 MiB. Error: it cannot be started (std::runtime_error).
Ended run(const std::vector<std::string>& command, double seconds);
// In the foreground, with the terminal; the exit code.
int run_here(const std::vector<std::string>& command);

// "was killed by SIGSEGV: it used memory that is not its own"
std::string signal_text(int signal);

}  // namespace exercise
