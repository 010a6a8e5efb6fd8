// Diagnoses a wrong gradient by comparing it with what known mistakes would give.
#pragma once

#include "differences.h"
#include "gradcheck.h"

#include <optional>

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

// The comparisons behind a diagnosis (patterns.cpp).
class GradientPattern {
  public:
    explicit GradientPattern(const Evidence& evidence) : evidence_(evidence) {}

    const Evidence& evidence() const { return evidence_; }
    const Numbers& received() const { return of_input(evidence_.received); }
    const Numbers& expected() const { return of_input(evidence_.expected); }
    const Shape& shape() const {
        return evidence_.input_shapes[static_cast<std::size_t>(evidence_.input)];
    }

    bool received_is(const Numbers& candidate) const;
    bool received_is_multiple(double factor) const;
    // Is it, entry by entry, a constant times the upstream gradient times `values`, which differ?
    bool received_is_upstream_times(const Numbers& values) const;
    // The number c with received = c·expected, other than 1. Empty if there is none, or if only one
    // entry supports it and neither c² nor 1/c² is a whole number.
    std::optional<double> factor() const;
    std::int64_t count_not_finite(const Numbers& numbers) const;
    std::int64_t count_right() const;
    bool is_zero_where_wrong() const;

    // These need the Jacobian and return nothing without it.
    Numbers expected_for(const Numbers& upstream) const;  // for another upstream gradient
    Numbers diagonal() const;  // d(output entry i)/d(input entry i), if both have the same size
    // The index along an output axis whose slice alone gives the received gradient, or -1.
    std::int64_t only_slice(int axis) const;
    // The same, but each wrong entry may have its own index.
    bool only_one_slice_each(int axis) const;

    bool is_broadcast() const;  // does the input broadcast to the only output, of another shape?
    bool is_broadcast_along(int output_axis) const;

  private:
    const Numbers& of_input(const std::vector<Numbers>& all) const {
        return all[static_cast<std::size_t>(evidence_.input)];
    }
    bool close(double received, double candidate) const;
    // slices[k][e]: what the output entries with index k along `axis` contribute to input entry e.
    std::vector<Numbers> slices(int axis) const;

    const Evidence& evidence_;
};

// The row-major entries of a tensor of this shape, reordered as if axes a and b were exchanged.
Numbers exchanged(const Numbers& numbers, const Shape& shape, int a, int b);

// "0.25 = 1/4", "1.732050808 = √3, the root of an axis length"
std::string factor_in_words(double factor, const Evidence& evidence);

}}  // namespace heed
