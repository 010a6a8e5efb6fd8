// The learner's progress, in a text file that people can read and edit:
//     current 08.2
//     done 08.1
//     hint 08.2 2 mask.strict
#pragma once

#include "tutorials/exercises/runner/list.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace exercise {

struct Progress {
    std::string current;
    std::set<std::string> done;

    struct Hints {
        int shown = 0;   // number of hints shown
        std::string of;  // the diagnosis they belong to
    };
    std::map<std::string, Hints> hints;

    // Unused lines: those of exercises that are not in the list, and those not understood. They
    // stay in the file, except a current exercise that another replaces.
    std::vector<std::string> others;
    std::vector<std::string> remarks;  // a sentence on each kind of them
    bool is_readable = true;           // else the file is left alone
};

// Empty if there is no file. Its problems are remarks, not errors.
Progress read_progress(const std::string& file, const std::vector<Entry>& list);

// Reads, changes and writes the progress under a lock, so that nothing another runner wrote is
// lost. Afterwards `progress` is what the file holds; if that cannot be written, it is changed all
// the same. Returns "", or why it could not be kept.
std::string change_progress(const std::string& file, const std::vector<Entry>& list,
                            Progress& progress, const std::function<void(Progress&)>& change);

}  // namespace exercise
