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
    // The hole it is about, where there are several: the cases of a later hole are not run before
    // those of the earlier ones are right, so that no function is blamed for another's mistake.
    std::size_t hole = 0;
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

// The hints for one of several holes: while it is open, while the first wrong stage is its, or
// while the first wrong case is (holes[one.hole]).
struct Hole {
    std::string function;             // "split_heads"
    std::vector<std::string> stages;  // that it computes
    std::vector<std::string> hints;   // four
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
