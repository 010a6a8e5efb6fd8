// Diagnoses a wrong gradient by comparing it with what known mistakes would give.
#pragma once

#include "differences.h"
#include "gradcheck.h"

namespace heed { inline namespace HEED_PRECISION {

// What one use of an input contributes to its gradient.
struct Contribution {
    std::string operation;
    Numbers numbers;
};

struct Evidence {
    int input = 0;                  // the one whose gradient is wrong
    std::vector<Numbers> received;  // the gradients of all inputs
    std::vector<Numbers> expected;
    std::vector<Shape> input_shapes;
    std::vector<std::string> input_names;
    std::vector<Shape> output_shapes;
    Numbers upstream;  // of all outputs, concatenated
    // For each entry of this input, the derivative of each output entry. Empty if too large.
    std::vector<Numbers> jacobian;
    std::vector<Contribution> contributions;  // of its uses, according to the graph
    bool recorded = true;                     // does the function's result require grad?
    double absolute = 0;
    double relative = 0;
};

bool is_right(double received, double expected, double absolute, double relative);

struct Diagnosis {
    GradientFault fault = GradientFault::unknown;
    std::string words;
};

Diagnosis diagnose(const Evidence& evidence);

}}  // namespace heed
