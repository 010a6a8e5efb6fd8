// A list of all operations on variables, with shapes to try them on, for the gradient tests.
#pragma once

#include "nn/heed.h"

#include <string>
#include <vector>

using In = std::vector<heed::Variable>;
using Shapes = std::vector<heed::Shape>;  // of the inputs of one call

// What an operation requires of its inputs to be defined and smooth.
enum class Inputs {
    any,         // of both signs, no two equal, none near 0
    positive,    // the same, and above 0
    no_repeats,  // any, but never expanded: a maximum has a kink where entries are equal
    contiguous,  // any, in one layout only: view() refuses others
};

struct CheckedOperation {
    std::string name;
    heed::CheckedFunction f;
    std::vector<Shapes> tries;
    Inputs inputs = Inputs::any;
};

std::vector<CheckedOperation> entrywise_operations();    // arithmetic, functions, choose
std::vector<CheckedOperation> rearranging_operations();  // views, join, gather
std::vector<CheckedOperation> summing_operations();      // reduce, softmax, matmul
