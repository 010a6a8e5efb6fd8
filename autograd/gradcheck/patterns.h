// The comparisons a diagnosis is made of (autograd/gradcheck/diagnosis.h).
#pragma once

#include "heed/autograd/gradcheck/diagnosis.h"

#include <optional>

namespace heed {
inline namespace HEED_PRECISION {

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
    // The number c with received = c·expected; none where there is no such number, or where a
    // single entry would make any number fit.
    std::optional<double> factor() const;
    std::int64_t count_not_finite(const Numbers& numbers) const;
    std::int64_t count_right() const;
    bool is_zero_where_wrong() const;

    // These need the Jacobian and give nothing without it.
    Numbers expected_for(const Numbers& upstream) const;  // for another upstream gradient
    Numbers diagonal() const;  // of output entry i to input entry i alone, where there are as many
    // The one index along an axis of the output which alone gives what was received, or -1.
    std::int64_t only_slice(int axis) const;
    // The same with an index of its own for each wrong entry.
    bool only_one_slice_each(int axis) const;

    bool is_broadcast() const;  // is the one output larger than the input, and fits?
    bool is_broadcast_along(int output_axis) const;

  private:
    const Numbers& of_input(const std::vector<Numbers>& all) const {
        return all[static_cast<std::size_t>(evidence_.input)];
    }
    bool close(double received, double candidate) const;
    // slices[k][e]: what the output entries with index k along `axis` give input entry e.
    std::vector<Numbers> slices(int axis) const;

    const Evidence& evidence_;
};

// Row-major numbers of `shape`, in the order they have when axes a and b are exchanged.
Numbers exchanged(const Numbers& numbers, const Shape& shape, int a, int b);

// "0.25 = 1/4", "1.732050808 = √3, the root of an axis length"
std::string factor_in_words(double factor, const Evidence& evidence);

}  // namespace HEED_PRECISION
}  // namespace heed
