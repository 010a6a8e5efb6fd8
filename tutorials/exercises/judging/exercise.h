// Exercise: everything needed to judge an answer, with the learner's code as functions.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <functional>
#include <string>
#include <vector>

namespace exercise {

// One input. The learner's stages are compared in order with the reference's stages of the same
// names; an exercise that exposes only its answer has a single stage.
struct Case {
    std::string name;  // "5 words in 2 batches"
    Walk walk;
    std::function<Stages()> learner;
};

// A property that must hold, checked without knowing the answer.
struct Law {
    std::string name;                      // "no word sees its future"; may be empty
    std::function<std::string()> finding;  // what is wrong; empty if it holds
    // If only one mistake breaks it: its id, its description and its hints.
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
    std::string cause_of_nan = "";  // the usual cause here

    // The number of checks run when all pass.
    int checks() const { return static_cast<int>(3 * cases.size() + laws.size()); }
};

}  // namespace exercise
