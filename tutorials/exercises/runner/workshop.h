// Workshop: the folders of the exercises and of their build, and one attempt at an exercise.
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
    std::string folder = HEED_EXERCISES_FOLDER;                      // of the learner's files
    std::string build = HEED_EXERCISES_BUILD;                        // CMake's build folder
    std::string prefix = "exercise_";                                // of the targets
    std::string made = HEED_EXERCISES_BUILD "/tutorials/exercises";  // list, stubs and solutions
    std::string progress = {};                                       // the progress file
    double seconds = 20;                                             // time limit of an attempt
    Waiting waiting = {};

    std::string file(const Entry& entry) const { return folder + "/" + entry.name + ".cpp"; }
    std::string program(const Entry& entry) const;
    std::string stub(const Entry& entry) const;      // the file's text as it was at first
    std::string solution(const Entry& entry) const;  // ours
};

std::string in_words(Outcome outcome);

struct Attempt {
    Outcome outcome = Outcome::passed;
    std::string text = {};  // for people
    std::string ids = {};   // the mistakes it resembles: "mask.strict"
    std::vector<std::string> hints = {};
    Stamp judged = {};  // the file's stamp when it was built
};

// The stamp of the learner's file. Editors that save by renaming or rewriting remove or empty it
// for a moment, so it is waited for a second. Error: it is not there, empty, or cannot be read
// (std::runtime_error).
Stamp stamp_when_there(const Workshop& workshop, const Entry& entry);
// Builds the exercise if needed, and runs it; again if the file was saved meanwhile. No other
// runner builds or runs there at the same time. Errors: a tool is missing; those of
// stamp_when_there() (std::runtime_error).
Attempt attempt(const Workshop& workshop, const Entry& entry);
// Only builds it; returns what there is to say if it does not compile, else "".
std::string build(const Workshop& workshop, const Entry& entry);
// The same, with the build folder locked already (build.cpp). A program that is there afterwards is
// that of the file as it was when this began, unless the file was saved meanwhile. Errors: there is
// no build folder, or the build failed for a reason that is not in the file, such as a full disk
// (std::runtime_error).
std::string build_program(const Workshop& workshop, const Entry& entry);

// Does the learner's file say nothing, or cannot be read?
bool is_blank(const Workshop& workshop, const Entry& entry);
// Is the learner's file still as it was at first?
bool is_untouched(const Workshop& workshop, const Entry& entry);
// Restores the learner's original file. If there was another, puts that aside and returns its new
// name.
std::string reset(const Workshop& workshop, const Entry& entry);

}  // namespace exercise
