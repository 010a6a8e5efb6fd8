// Exercises in which the learner writes queries, keys and values that expose impostors, 07.4 and
// 08.4.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"

#include <functional>
#include <string>
#include <vector>

namespace exercise::impostors {

struct Input {
    heed::Tensor Q, K, V;
};

// An input with this flaw lets some impostors pass, whatever its numbers.
struct Flaw {
    Mistake mistake;
    bool (*seen)(const Input&);
    // The input with this flaw, for one that has no other than those of its shape.
    Input (*imposed)(const Input&);
};

struct Lineup {
    std::vector<std::string> who;  // "one that does not divide by √d"
    // Is impostor number i caught on this input?
    std::function<bool(std::size_t i, const Input&)> caught;
    std::vector<Flaw> flaws;
    // What is against the rules, or "".
    std::function<std::string(const Input&)> unusable;
};

// Adds the case, the laws and the mistakes. The learner's function is called once. A flaw is named
// if the impostors that pass are those that it lets pass, and no others.
void add_to(Exercise& exercise, const Lineup& lineup, const std::function<Input()>& input);

}  // namespace exercise::impostors
