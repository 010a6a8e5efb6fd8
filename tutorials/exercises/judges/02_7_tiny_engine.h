// Judges exercise 02.7.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace exercise {

// One entry of a computation: 'x' is a leaf with this value, + - * combine the entries a and b.
struct Instruction {
    char operation;
    double value;
    std::size_t a, b;
};
using Program = std::vector<Instruction>;

// The engine runs the program, then `passes` backward passes from its last entry. Returns the
// gradients of the leaves, in order.
using TinyEngine = std::function<std::vector<double>(const Program& program, int passes)>;

Exercise tiny_engine(const TinyEngine& leaf_gradients);
Trials tiny_engine_trials();

}  // namespace exercise
