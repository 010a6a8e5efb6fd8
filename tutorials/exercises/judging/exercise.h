// Exercise: all that is needed to judge an answer, with the learner's code inside as functions.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <functional>
#include <string>
#include <vector>

namespace exercise {

// One input. The learner's stages are compared with those of the same name in the walk, in their
// order: where only the answer can be seen, it is the only one.
struct Case {
    std::string name;  // "5 words in 2 batches"
    Walk walk;
    std::function<Stages()> learner;
};

// What must hold of the learner's code without knowing the answer.
struct Law {
    std::string name;                      // "no word sees its future"; may be empty
    std::function<std::string()> finding;  // what is seen where it is broken; empty where it holds
    // Where only one mistake breaks it: its id, what it says, and its hints.
    std::vector<Mistake> mistake = {};
};

// A factor that may have been forgotten or added: {"1/√d_k", 0.5}.
struct Factor {
    std::string name;
    double value;
};

struct Exercise {
    std::string number;  // "08.1"
    std::string title;   // "The causal mask"
    std::vector<Case> cases;
    std::vector<Law> laws;
    std::vector<Mistake> mistakes;
    std::vector<std::string> hints;  // four: a question, where to look, the formula, the change
    std::vector<Factor> factors = {};
    std::string cause_of_nan = "";  // the usual one here

    // How many checks run when all pass.
    int checks() const { return static_cast<int>(3 * cases.size() + laws.size()); }
};

}  // namespace exercise
