// Workshop: where the exercises lie and where they are built, and one attempt at one of them.
#pragma once

#include "tutorials/exercises/judging/report.h"
#include "tutorials/exercises/runner/list.h"

#include <string>
#include <vector>

namespace exercise {

struct Workshop {
    std::string folder;     // of the learner's files
    std::string solutions;  // of the sources of both
    std::string build;      // CMake's folder
    std::string prefix;     // of the targets: "exercise_"
    std::string progress;   // the file
    std::string debugger;   // the init file for gdb
    double seconds = 20;    // how long an attempt may take

    std::string file(const Entry& entry) const { return folder + "/" + entry.name + ".cpp"; }
    std::string program(const Entry& entry) const;
};

struct Attempt {
    Outcome outcome = Outcome::passed;
    std::string text;              // as a person reads it
    std::vector<std::string> ids;  // the mistakes it looks like
    std::vector<std::string> hints;
};

// Builds the exercise if anything has changed, and runs it.
// Error: a tool is missing, the learner's file is not there (std::runtime_error).
Attempt attempt(const Workshop& workshop, const Entry& entry);
// Builds it only; the compiler's words if it does not compile, else nothing.
std::string build(const Workshop& workshop, const Entry& entry);

// The learner's file as it was at first. What was there, if it was another, is kept as .bak: true.
bool reset(const Workshop& workshop, const Entry& entry);

}  // namespace exercise
