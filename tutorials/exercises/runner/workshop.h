// Workshop: the directories of the exercises and of their build, and one attempt at an exercise.
#pragma once

#include "tutorials/exercises/judging/report.h"
#include "tutorials/exercises/runner/files.h"
#include "tutorials/exercises/runner/list.h"

#include <functional>
#include <string>
#include <vector>

namespace exercise {

// What a learner sees, and may do, while something is built or runs.
struct Waiting {
    std::function<void(const std::string&)> say = [](const std::string&) {};     // a line
    std::function<void(const std::string&)> status = [](const std::string&) {};  // a passing one
    std::function<bool()> stop = [] { return false; };                           // end it?
};

struct Workshop {
    std::string folder;     // directory of the learner's files
    std::string solutions;  // directory of the combined sources
    std::string build;      // CMake's build directory
    std::string prefix;     // of the targets: "exercise_"
    std::string progress;   // the progress file
    std::string debugger;   // the init file for gdb
    double seconds = 20;    // time limit of an attempt
    Waiting waiting;

    std::string file(const Entry& entry) const { return folder + "/" + entry.name + ".cpp"; }
    std::string program(const Entry& entry) const;
    std::string stub(const Entry& entry) const;      // the file's text as it was at first
    std::string solution(const Entry& entry) const;  // ours
};

struct Attempt {
    Outcome outcome = Outcome::passed;
    std::string text;              // for people
    std::vector<std::string> ids;  // the mistakes it resembles
    std::vector<std::string> hints;
    Stamp judged;  // the file's stamp when it was built
};

// Builds the exercise if needed, and runs it; again if the file was saved meanwhile. No other
// runner builds or runs there at the same time. Errors: a tool or the learner's file is missing
// (std::runtime_error).
Attempt attempt(const Workshop& workshop, const Entry& entry);
// Only builds it; returns what there is to say if it does not compile, else "".
std::string build(const Workshop& workshop, const Entry& entry);
// Is the learner's file still as it was at first?
bool is_untouched(const Workshop& workshop, const Entry& entry);

// Restores the learner's original file. If there was another, puts that aside and returns its new
// name.
std::string reset(const Workshop& workshop, const Entry& entry);

}  // namespace exercise
