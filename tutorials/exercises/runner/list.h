// The list of exercises, which the build makes from their solutions.
#pragma once

#include <string>
#include <vector>

namespace exercise {

struct Entry {
    std::string number;  // "08.1"
    std::string name;    // "08_1_causal_mask", the file and the program
    std::string kind;    // fill, predict, extend, hunt, catch or measure
    int minutes = 0;
    std::string function;  // where the debugger stops
    std::string title;
};

// Error: the file cannot be read (std::runtime_error).
std::vector<Entry> read_list(const std::string& file);

// Finds an entry by number, "08.1" or "8.1", or by name. Error: there is none
// (std::invalid_argument).
const Entry& find(const std::vector<Entry>& list, const std::string& which);

}  // namespace exercise
