// gradcheck: compares the derivative of a function with finite differences, and if it is wrong,
// says which mistake it looks like. For your own operations and layers.
// It needs double (heed_double): in float the differences are too coarse.
#pragma once

#include "../variable.h"

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// The function to check. It gets the inputs as leaves, is called many times, and must return the
// same result each time. A layer's parameters are inputs too:
//     [&](const std::vector<Variable>& in) { return matmul(in[0], in[1]) + in[2]; }
using CheckedFunction = std::function<Variable(const std::vector<Variable>& inputs)>;

struct GradcheckOptions {
    int order = 1;           // 2: also the second derivative, with respect to inputs and upstream
    std::uint64_t seed = 0;  // of the random upstream gradient
    double step = 1e-3;  // differences are taken at 1 and 2 steps on both sides, error O(step⁴)
    double absolute = 1e-8;  // right where |received - expected| <= absolute + relative·|expected|
    double relative = 1e-7;
    std::vector<std::string> names = {};  // of the inputs, for messages
};

// What a wrong gradient looks like. A match is evidence, not proof.
enum class GradientFault {
    unknown,
    not_finite,         // NaN or infinity
    zero,               // 0 everywhere
    sign,               // -1 times the right gradient
    constant_factor,    // the right gradient times another number
    transposed,         // the right values with two axes exchanged
    swapped,            // the gradient of another input
    ignores_upstream,   // right only for an upstream gradient of ones
    missing_sum,        // one row, or the mean, where a broadcast axis must be summed
    wrong_axis,         // summed over the other axis
    overwritten,        // only one of several contributions: = instead of +=
    diagonal_only,      // as if output entry i depended on input entry i alone
    value_itself,       // G times an input or the output, where it must be times a derivative
    some_entries_zero,  // 0 at some entries and right at the others
    some_entries,       // wrong at some entries and right at the others
};
// "transposed", "a constant factor", ...
const char* name_of(GradientFault fault, CallSite site = CallSite::here());

struct GradcheckFailure {
    int order = 1;              // 2: the second derivative is wrong
    int input = 0;              // which input; in order 2, the one after the last is the upstream
    std::string input_name;     // "input 1 (W)"
    bool only_formula = false;  // right in training, wrong with create_graph
    std::string operation;      // that computed the function's result: "add at layer_test.cpp:12"
    std::string blamed;         // the first operation whose own derivative is wrong, if found
    Dims index;                 // the worst entry
    double received = 0;        // at the worst entry
    double expected = 0;        // at the worst entry
    std::int64_t wrong = 0;     // number of wrong entries
    std::int64_t entries = 0;   // number of all entries
    GradientFault fault = GradientFault::unknown;
    std::string looks_like;  // the fault in words, with numbers

    std::string text() const;
};

struct GradcheckResult {
    std::int64_t checked = 0;                // derivatives compared: every entry of every input
    double worst = 0;                        // the largest |received - expected| / (1 + |expected|)
    std::vector<GradcheckFailure> failures;  // one for each input that is wrong
    std::string problem;                     // why the function could not be checked, or empty

    bool ok() const { return failures.empty() && problem.empty(); }
    std::string text() const;
};

// Checks all entries of all inputs with a random upstream gradient (with ones, a softmax without
// any gradient would pass): both the gradients computed in training and those from the formulas,
// which create_graph uses. The inputs keep their strides and are not written to. Kinks (relu at 0)
// must be more than two steps away. Errors: in float (std::runtime_error, names heed_double); an
// order other than 1 or 2, a step that is not positive, a negative tolerance, NaN or infinity for
// these, more or fewer names than inputs, an empty f (std::invalid_argument); whatever f throws.
// If nothing can be compared (no inputs, or no entries in any of them or in the result), the result
// is not ok and says so.
GradcheckResult gradcheck(const CheckedFunction& f, const std::vector<Tensor>& inputs,
                          const GradcheckOptions& options = {}, CallSite site = CallSite::here());

class GradcheckError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The same, but throws a GradcheckError with the result's text if it is not ok.
GradcheckResult require_gradcheck(const CheckedFunction& f, const std::vector<Tensor>& inputs,
                                  const GradcheckOptions& options = {},
                                  CallSite site = CallSite::here());

// Checks gradients computed elsewhere, by hand or by your own engine: `received` holds one for each
// input, for this upstream gradient. f's forward pass must be right; its own derivatives are used
// only to tell contributions apart. Errors as above, and shapes that differ (ShapeError).
GradcheckResult check_gradients(const CheckedFunction& f, const std::vector<Tensor>& inputs,
                                const Tensor& upstream, const std::vector<Tensor>& received,
                                const GradcheckOptions& options = {},
                                CallSite site = CallSite::here());

}}  // namespace heed
