// Runs another program, with a time limit.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace exercise {

struct Job {
    std::vector<std::string> command;
    double seconds = 0;            // time limit; 0 for none
    std::size_t most = 16 << 10;   // bytes of output kept from its beginning, and from its end
    std::size_t most_lines = 100;  // and lines
    bool is_tool = false;          // gets SIGTERM before SIGKILL; speaks English
    std::function<void(const std::string&)> line = {};  // each line of its output, as it comes
    std::function<bool()> stop = {};                    // polled: end it?
};

struct Ended {
    int exit_code = 0;
    int signal = 0;          // the one that killed it, else 0
    bool timed_out = false;  // and so was killed
    std::string output;      // stdout and stderr
};

// Runs it with its children in a process group of their own, without input; none of them outlives
// the call, but for what a tool leaves in the background. Ctrl-Z suspends them and their time
// limit, too. Throws Stopped if a signal or a key asks for it. Error: the program cannot be started
// (std::runtime_error).
Ended run(const Job& job);
// Runs in the foreground on the terminal, to which Ctrl-C and Ctrl-Z then belong; returns the exit
// code. The terminal is afterwards as it was before.
int run_here(const std::vector<std::string>& command);

// "it used memory that is not its own (segmentation fault)"
std::string signal_text(int signal);

}  // namespace exercise
