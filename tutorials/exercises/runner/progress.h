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

    // Lines that are not used: of exercises that are not in the list, or not understood. They stay
    // in the file as they are, but for a current exercise that is replaced by another.
    std::vector<std::string> others;
    std::vector<std::string> remarks;  // a sentence on each kind of them
    bool is_readable = true;           // else the file is left alone
};

// Empty if there is no file. What is wrong with it is in the remarks, and is no error.
Progress read_progress(const std::string& file, const std::vector<Entry>& list);

// Reads the progress, changes it and writes it, while no other runner can: what others have written
// meanwhile is not lost. `progress` is afterwards as it is in the file; if it cannot be written, it
// is changed all the same. Returns "", or what to say if it could not be kept.
std::string change_progress(const std::string& file, const std::vector<Entry>& list,
                            Progress& progress, const std::function<void(Progress&)>& change);

}  // namespace exercise
