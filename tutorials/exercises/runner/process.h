// Runs another program, with a time limit.
#pragma once

#include <string>
#include <vector>

namespace exercise {

struct Ended {
    int exit_code = 0;
    int signal = 0;          // that killed it, else 0
    bool timed_out = false;  // and was killed
    std::string output;      // stdout and stderr
};

// Captures up to 1 MiB of output. Error: the program cannot be started (std::runtime_error).
Ended run(const std::vector<std::string>& command, double seconds);
// Runs in the foreground on the terminal; returns the exit code.
int run_here(const std::vector<std::string>& command);

// "was killed by SIGSEGV: it used memory that is not its own"
std::string signal_text(int signal);

}  // namespace exercise
