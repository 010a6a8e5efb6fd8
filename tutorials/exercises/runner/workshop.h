// Workshop: the directories of the exercises and of their build, and one attempt at an exercise.
#pragma once

#include "tutorials/exercises/judging/report.h"
#include "tutorials/exercises/runner/list.h"

#include <string>
#include <vector>

namespace exercise {

struct Workshop {
    std::string folder;     // directory of the learner's files
    std::string solutions;  // directory of the combined sources
    std::string build;      // CMake's build directory
    std::string prefix;     // of the targets: "exercise_"
    std::string progress;   // the progress file
    std::string debugger;   // the init file for gdb
    double seconds = 20;    // time limit of an attempt

    std::string file(const Entry& entry) const { return folder + "/" + entry.name + ".cpp"; }
    std::string program(const Entry& entry) const;
};

struct Attempt {
    Outcome outcome = Outcome::passed;
    std::string text;              // for people
    std::vector<std::string> ids;  // the mistakes it resembles
    std::vector<std::string> hints;
};

// Builds the exercise if needed, and runs it. Error: a tool or the learner's file is missing
// (std::runtime_error).
Attempt attempt(const Workshop& workshop, const Entry& entry);
// Only builds it; returns the compiler's messages if it does not compile, else "".
std::string build(const Workshop& workshop, const Entry& entry);

// Restores the learner's original file. If the current one differs, keeps it as .bak and returns
// true.
bool reset(const Workshop& workshop, const Entry& entry);

}  // namespace exercise
