// What the learner has done so far, in a text file that a person can read and mend:
//     current 08.2
//     done 08.1
//     hint 08.2 2 mask.strict
#pragma once

#include <map>
#include <set>
#include <string>

namespace exercise {

struct Progress {
    std::string current;
    std::set<std::string> done;

    struct Hints {
        int shown = 0;   // steps
        std::string of;  // the diagnosis they hang on
    };
    std::map<std::string, Hints> hints;
};

// An empty one where there is no file. Error: a line is not understood, with its number and what
// to do (std::runtime_error).
Progress read_progress(const std::string& file);
// Error: it cannot be written (std::runtime_error).
void write_progress(const std::string& file, const Progress& progress);

}  // namespace exercise
