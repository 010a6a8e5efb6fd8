// The learner's progress, in a text file that people can read and edit:
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
        int shown = 0;   // number of hints shown
        std::string of;  // the diagnosis they belong to
    };
    std::map<std::string, Hints> hints;
};

// Empty if there is no file. Error: an invalid line, with its number and what to do
// (std::runtime_error).
Progress read_progress(const std::string& file);
// Error: it cannot be written (std::runtime_error).
void write_progress(const std::string& file, const Progress& progress);

}  // namespace exercise
