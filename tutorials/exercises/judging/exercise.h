// Exercise: everything needed to judge an answer, with the learner's code as functions.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <functional>
#include <string>
#include <vector>

namespace exercise {

// One input. The learner's stages are compared in order with the reference's stages of the same
// names; an exercise that exposes only its answer has a single stage. The reference runs first.
struct Case {
    std::string name;  // "5 words in 2 batches"
    Walk walk;
    std::function<Stages()> learner;
    // What the learner's code is given, which it must leave as it is to the last bit.
    Stages inputs = {};
};

// A property that must hold, checked without knowing the answer.
struct Law {
    // "no word sees its future"; empty if the finding says all, and better than the numbers would.
    std::string name;
    std::function<std::string()> finding;  // what is wrong; empty if it holds
};

// A factor that may have been forgotten or added: {"1/√d_k", 0.5}.
struct Factor {
    std::string name;
    double value;
};

// One of several holes. A case is about the first hole that computes one of its stages, and is not
// run before the cases of the holes before are right, so that no function is blamed for another's
// mistake.
struct Hole {
    std::string function;             // "split_heads"
    std::vector<std::string> stages;  // that it computes
    // Four, shown while it is open, or while the first wrong stage or the first wrong case is its.
    std::vector<std::string> hints;
};

struct Exercise {
    std::string number;  // "08.1"
    std::string title;   // "The causal mask"
    std::vector<Case> cases;
    std::vector<Law> laws;
    std::vector<Mistake> mistakes;
    std::vector<std::string> hints;  // four: a question, where to look, the formula, the change
    std::vector<Hole> holes = {};    // where there are several
    std::vector<Factor> factors = {};
    std::string cause_of_nan = "";  // the usual cause here
    // For predictions: never say what was expected, nor how an answer differs from it.
    bool secret = false;

    // The number of checks run when all pass.
    int checks() const { return static_cast<int>(4 * cases.size() + laws.size()); }
};

}  // namespace exercise
