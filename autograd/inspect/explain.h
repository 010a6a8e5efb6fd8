// explain(): one entry of a gradient written out as the sum it is. Each operation that uses the
// variable adds a part; each part is a sum over the entries of that operation's output:
// the upstream gradient there × the local derivative.
#pragma once

#include "heed/autograd/variable.h"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

struct ExplainOptions {
    // Explain d(of)/d(variable) rather than the gradient that is stored; `upstream` is dL/d(of),
    // needed unless `of` holds exactly one number.
    std::optional<Variable> of = {};
    std::optional<Tensor> upstream = {};
    std::string name = {};   // of the variable, in the text; by default the one it was given
    std::int64_t terms = 6;  // the largest so many of each part are listed, the rest summed
    bool measure = true;     // with the finite difference, which computes the graph four times
};

// upstream · local, at one entry of the output of the operation.
struct ExplainedTerm {
    Dims index;
    Scalar upstream = 0;
    Scalar local = 0;    // d(output[index]) / d(the entry that is explained)
    double product = 0;  // of the two, rounded to double only
};

// What one use of the variable gave to the entry.
struct ExplainedPart {
    std::string operation;  // "matmul"; "backward" for the upstream gradient of the output itself
    int input = 0;          // which of its inputs the variable is
    CallSite site;          // the reader's line
    std::string scope;      // "in Linear, called at 03_training.cpp:20", or nothing
    Scalar value = 0;       // what it gave
    Shape output;           // of its output
    std::vector<ExplainedTerm> terms;  // the largest first
    std::int64_t more = 0;             // so many further terms that are not 0,
    double rest = 0;                   // and their sum
    double sum_of_terms = 0;           // of all; value but for rounding
    std::string remark;                // why there are no terms, or not all
};

// What one call of backward() added.
struct ExplainedPass {
    CallSite site;
    Scalar value = 0;  // what was added
    Scalar sum = 0;    // of the contributions, in the order of the engine
    std::vector<ExplainedPart> contributions;
    std::optional<Scalar> hooked;  // what the variable's own hooks made of the sum
    int hooks_above = 0;           // gradients on the way that hooks have replaced
    int hooks_left_out = 0;        // where `of` is given: no hook is called then
    std::string remark;            // where the contributions are not known: why
    bool exact = false;            // is value what was found, to the last bit?
};

// (f(x + h) - f(x - h))/2h, f computed again from the recorded graph.
struct MeasuredSlope {
    double value = 0;
    double h = 0;
    double error = 0;  // about what to expect of it
};

struct Explanation {
    std::string name;  // of the entry: "W[1, 2]"
    Scalar value = 0;  // the gradient that is stored, or the derivative that was asked for
    bool stored = true;
    std::optional<Scalar> before;       // what stood there before the passes, if anything
    std::vector<ExplainedPass> passes;  // the sum of these
    Scalar sum = 0;                     // before and what the passes added, in order
    bool exact = false;  // is value that sum, and each pass that of its parts, to the last bit?
    std::optional<MeasuredSlope> measured;
    std::string not_measured;  // why not

    std::string text() const;
};
std::ostream& operator<<(std::ostream& out, const Explanation& explanation);

// The graph must still be there: put KeepGraph keep; (autograd/inspect/keep.h) before the
// computation, or call backward({.retain_graph = true}) and keep the output. The measured slope
// needs KeepGraph.
//     std::cout << explain(W, {1, 2});
//     std::cout << explain(weights, {0, 3}, {.of = loss});
// No hook is called: for a stored gradient, what hooks made of gradients then is used again; with
// `of`, they are left out.
// Errors: a wrong number of indices (ShapeError), one out of range (std::out_of_range); nothing is
// recorded of the variable, it has no gradient, or the graph is gone, or a value that a derivative
// needs was overwritten since (std::runtime_error); errors of grad() where `of` is given.
Explanation explain(const Variable& variable, const Dims& index, const ExplainOptions& options = {},
                    CallSite site = CallSite::here());

}  // namespace HEED_PRECISION
}  // namespace heed
