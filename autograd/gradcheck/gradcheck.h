// gradcheck: is the derivative of this function right? Compares it with finite differences, and
// where it is not, says what kind of wrong it looks like. For readers' own operations and layers.
// It needs double (heed_double): in float the differences are too coarse to tell.
#pragma once

#include "heed/autograd/variable.h"

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

// The function to check. It gets the inputs as leaves, is called many times, and must give the
// same result each time. A layer's parameters are inputs too:
//     [&](const std::vector<Variable>& in) { return matmul(in[0], in[1]) + in[2]; }
using CheckedFunction = std::function<Variable(const std::vector<Variable>& inputs)>;

struct GradcheckOptions {
    int order = 1;           // 2: also the derivative of the derivative, for inputs and upstream
    std::uint64_t seed = 0;  // of the random upstream gradient
    double step = 1e-3;  // differences are taken at 1 and 2 steps to both sides, error O(step⁴)
    double absolute = 1e-8;  // right where |received - expected| <= absolute + relative·|expected|
    double relative = 1e-7;
    std::vector<std::string> names = {};  // of the inputs, for messages
};

// What a wrong gradient looks like. A match is evidence, not proof.
enum class GradientFault {
    unknown,
    not_finite,         // NaN or infinity
    zero,               // nothing arrives
    sign,               // -1 times
    constant_factor,    // some other number times
    transposed,         // the right numbers, rows and columns exchanged
    swapped,            // what another input should get
    ignores_upstream,   // what it should be for an upstream gradient of ones
    missing_sum,        // one row, or the mean, where a broadcast axis must be summed
    wrong_axis,         // summed over the other axis
    overwritten,        // one contribution of several: = for +=
    diagonal_only,      // as if each output entry depended on the input entry in its place alone
    some_entries_zero,  // zero at some entries and right at the others
    some_entries,       // wrong at some entries and right at the others
};
const char* name_of(GradientFault fault);  // "transposed", "a constant factor", ...

struct GradcheckFailure {
    int order = 1;              // 2: it is the derivative of the derivative that is wrong
    int input = 0;              // which input; one more than there are is the upstream, in order 2
    std::string input_name;     // "input 1 (W)"
    bool only_formula = false;  // right as training computes it, wrong where the graph is created
    std::string operation;      // that made the function's result: "add at layer_test.cpp:12"
    std::string blamed;         // the first operation whose own derivative is wrong, if found
    Dims index;                 // the worst entry
    double received = 0;        // there
    double expected = 0;        // there
    std::int64_t wrong = 0;     // entries that are wrong
    std::int64_t entries = 0;   // of so many
    GradientFault fault = GradientFault::unknown;
    std::string looks_like;  // that in words, with numbers

    std::string text() const;
};

struct GradcheckResult {
    std::int64_t checked = 0;                // derivatives compared: every entry of every input
    double worst = 0;                        // the largest |received - expected| / (1 + |expected|)
    std::vector<GradcheckFailure> failures;  // one for each input that is wrong
    std::string problem;                     // why it could not be checked, if so

    bool ok() const { return failures.empty() && problem.empty(); }
    std::string text() const;
};

// Checks all entries of all inputs with a random upstream gradient (with ones, a softmax that
// gives no gradient at all would pass): the gradients that training computes, and those that the
// formulas of the derivatives give, which are used with create_graph. The inputs keep their strides
// and are not written to. Kinks (relu at 0) must be further than two steps away. Errors: in float
// (std::runtime_error, names heed_double); an order other than 1 or 2, a step that is not positive,
// another number of names than inputs (std::invalid_argument); whatever f throws.
GradcheckResult gradcheck(const CheckedFunction& f, const std::vector<Tensor>& inputs,
                          const GradcheckOptions& options = {}, CallSite site = CallSite::here());

class GradcheckError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The same, with an error (GradcheckError) that holds the result's text where it is not ok.
GradcheckResult require_gradcheck(const CheckedFunction& f, const std::vector<Tensor>& inputs,
                                  const GradcheckOptions& options = {},
                                  CallSite site = CallSite::here());

// Checks gradients from elsewhere, worked out by hand or by an engine of your own: `received` holds
// one for each input, for this upstream gradient. f must be right forward; its own derivatives are
// used only to tell contributions apart. Errors as above, and shapes that differ (ShapeError).
GradcheckResult check_gradients(const CheckedFunction& f, const std::vector<Tensor>& inputs,
                                const Tensor& upstream, const std::vector<Tensor>& received,
                                const GradcheckOptions& options = {},
                                CallSite site = CallSite::here());

}  // namespace HEED_PRECISION
}  // namespace heed
