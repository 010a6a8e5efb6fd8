// Diagnoses a wrong gradient by comparing it with what known mistakes would give, and finds the
// operation to blame for it.
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
    std::vector<Numbers> input_values;
    std::vector<Shape> output_shapes;
    Numbers output_values;  // of all outputs, concatenated
    Numbers upstream;       // the same
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

// Names the first recorded operation whose own derivative is wrong, or else the first with a
// constant input whose value depends on the function's inputs. Empty if there is neither.
// An operation y = f(a, b) is tested in one random direction of the function's inputs, in which
// a, b and y change by da, db and dy: for any G, <∂(G·y)/∂a, da> + <∂(G·y)/∂b, db> = <G, dy>.
std::string blamed_operation(const CheckedOutputs& f, const std::vector<Tensor>& inputs,
                             double step, std::uint64_t seed);

// What each use of one input contributes to its gradient, according to the recorded derivatives.
std::vector<Contribution> contributions_to(const CheckedOutputs& f,
                                           const std::vector<Tensor>& inputs, int input,
                                           const std::vector<Tensor>& upstream);

}}  // namespace heed
