// explain(): writes one entry of a gradient out as a sum. Each operation that uses the variable
// contributes a part; each part is a sum over the entries of that operation's output:
// upstream gradient × local derivative.
#pragma once

#include "../variable.h"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct ExplainOptions {
    // Explain d(of)/d(variable) instead of the stored gradient; `upstream` is dL/d(of), required
    // unless `of` has exactly one entry.
    std::optional<Variable> of = {};
    std::optional<Upstream> upstream = {};
    std::string name = {};   // the variable's name in the text; by default that of set_name()
    std::int64_t terms = 6;  // largest terms to list of each part; the rest is summed
};

// upstream · local, at one entry of the operation's output.
struct ExplainedTerm {
    Dims index;
    Scalar upstream = 0;
    Scalar local = 0;    // d(output[index]) / d(the explained entry)
    double product = 0;  // upstream·local, computed in double
};

// What one use of the variable contributed to the entry.
struct ExplainedPart {
    std::string operation;  // "matmul"; "backward" for the upstream gradient of the output itself
    int input = 0;          // which of the operation's inputs the variable is
    CallSite site;          // the line that called it
    std::string scope;      // "in Linear, called at 03_training.cpp:20", or empty
    Scalar value = 0;       // the contribution
    Shape output;           // shape of the operation's output
    std::vector<ExplainedTerm> terms;  // the largest first
    std::int64_t more = 0;             // the number of further terms that are not 0,
    double rest = 0;                   // and their sum
    double sum_of_terms = 0;           // of all; equals value up to rounding
    std::string remark;                // why terms are missing, or empty
};

// What one call of backward() added.
struct ExplainedPass {
    CallSite site;
    Scalar value = 0;  // what was added
    Scalar sum = 0;    // sum of the contributions, in the engine's order
    std::vector<ExplainedPart> contributions;
    std::optional<Scalar> hooked;  // the sum after the variable's own hooks
    int hooks_above = 0;           // gradients replaced by hooks on the way here
    int hooks_left_out = 0;        // with `of`, when no hook is called
    std::string remark;            // why the contributions are not known, or empty
    bool exact = false;            // does value equal the computed sum, bit for bit?
};

// (f(x + h) - f(x - h))/2h, with f computed again from the recorded graph.
struct MeasuredSlope {
    double value = 0;
    double h = 0;
    double error = 0;  // its estimated error
};

struct Explanation {
    std::string name;  // of the entry: "W[1, 2]"
    Scalar value = 0;  // the stored gradient, or the requested derivative
    bool stored = true;
    std::optional<Scalar> before;       // the gradient before these passes, if there was one
    std::vector<ExplainedPass> passes;  // the passes that added to it
    Scalar sum = 0;                     // before, plus what the passes added, in order
    bool exact = false;  // is value this sum, and each pass the sum of its parts, bit for bit?
    std::optional<MeasuredSlope> measured;
    std::string not_measured;  // why not, or empty

    std::string text() const;
};
std::ostream& operator<<(std::ostream& out, const Explanation& explanation);

// The graph must still exist: put KeepGraph keep; (autograd/inspect/keep.h) before the
// computation, or call backward({.retain_graph = true}) and keep the output. The measured slope
// needs KeepGraph, and computes the graph four times.
//     std::cout << explain(W, {1, 2});
//     std::cout << explain(weights, {0, 3}, {.of = loss});
// No hook is called: for a stored gradient, the gradients that hooks returned are used again; with
// `of`, hooks are ignored.
// Errors: a wrong number of indices (ShapeError), one out of range (std::out_of_range); the
// variable is not recorded or has no gradient, the graph is gone, or a value that a derivative
// needs was overwritten since (std::runtime_error); with `of`, the errors of grad().
Explanation explain(const Variable& variable, const Dims& index, const ExplainOptions& options = {},
                    CallSite site = CallSite::here());

}}  // namespace heed
