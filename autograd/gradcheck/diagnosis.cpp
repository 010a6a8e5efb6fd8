#include "diagnosis.h"

#include "patterns.h"

#include <limits>

namespace heed { inline namespace HEED_PRECISION {
namespace {
using Found = std::optional<Diagnosis>;

Found not_finite(const GradientPattern& wrong) {
    if (wrong.count_not_finite(wrong.expected()) > 0) {
        return Diagnosis{GradientFault::not_finite,
                         "the function itself gives NaN or infinity near these inputs"};
    }
    const std::int64_t found = wrong.count_not_finite(wrong.received());
    if (found == 0) return {};
    return Diagnosis{GradientFault::not_finite, text(found, " entries are NaN or infinite")};
}

Found zero(const GradientPattern& wrong) {
    if (!wrong.received_is_multiple(0)) return {};
    if (!wrong.evidence().recorded) {
        return Diagnosis{GradientFault::zero,
                         "zero: nothing was recorded, the function's result does not require grad; "
                         "value(), detach() or NoGrad cuts the graph"};
    }
    return Diagnosis{GradientFault::zero, "zero: no gradient arrives at this input"};
}

Found ignores_upstream(const GradientPattern& wrong) {
    const Numbers ones(wrong.evidence().upstream.size(), 1.0);
    if (!wrong.received_is(wrong.expected_for(ones))) return {};
    return Diagnosis{GradientFault::ignores_upstream,
                     "what it should be for an upstream gradient of ones: G is not used"};
}

Found sign(const GradientPattern& wrong) {
    if (!wrong.received_is_multiple(-1)) return {};
    return Diagnosis{GradientFault::sign, "exactly -1 times what it should be: a sign is wrong"};
}

// One row of a broadcast axis instead of the sum over all rows, or their mean.
Found missing_sum(const GradientPattern& wrong) {
    if (!wrong.is_broadcast()) return {};
    const Shape& output = wrong.evidence().output_shapes.front();
    std::int64_t repeats = 1;
    for (int axis = 0; axis < output.rank(); ++axis) {
        if (!wrong.is_broadcast_along(axis)) continue;
        repeats *= output[axis];
        const std::int64_t row = wrong.only_slice(axis);
        if (row < 0) continue;
        const char* const place = row == 0 ? "first" : row == output[axis] - 1 ? "last" : "one";
        return Diagnosis{GradientFault::missing_sum,
                         text("only the ", place, " entry (", row, " of ", output[axis],
                              ") along axis ", axis, " of the output ", output,
                              ", along which the input is broadcast: sum over that axis")};
    }
    if (repeats < 2 || !wrong.received_is_multiple(1.0 / static_cast<double>(repeats))) return {};
    return Diagnosis{GradientFault::missing_sum, text("the mean over the broadcast axes (", repeats,
                                                      " entries) where it must be their sum")};
}

Found constant_factor(const GradientPattern& wrong) {
    const std::optional<double> factor = wrong.factor();
    if (!factor) return {};
    return Diagnosis{
        GradientFault::constant_factor,
        text("exactly ", factor_in_words(*factor, wrong.evidence()), " times what it should be")};
}

Found transposed(const GradientPattern& wrong) {
    const Shape& shape = wrong.shape();
    for (int a = 0; a < shape.rank(); ++a) {
        for (int b = a + 1; b < shape.rank(); ++b) {
            if (!wrong.received_is(exchanged(wrong.expected(), shape, a, b))) continue;
            return Diagnosis{GradientFault::transposed,
                             text("transposed: the right numbers with axes ", a, " and ", b,
                                  " exchanged",
                                  shape[a] == shape[b] ? "" : ", then forced into the shape")};
        }
    }
    return {};
}

Found swapped(const GradientPattern& wrong) {
    const Evidence& evidence = wrong.evidence();
    for (std::size_t other = 0; other < evidence.expected.size(); ++other) {
        if (static_cast<int>(other) == evidence.input) continue;
        if (!wrong.received_is(evidence.expected[other])) continue;
        return Diagnosis{GradientFault::swapped,
                         "what " + evidence.input_names[other] + " should get"};
    }
    return {};
}

// As if the upstream gradient were transposed: for a bias, summed over columns instead of rows.
Found wrong_axis(const GradientPattern& wrong) {
    const Evidence& evidence = wrong.evidence();
    if (evidence.output_shapes.size() != 1) return {};
    const Shape& output = evidence.output_shapes.front();
    const int rank = output.rank();
    if (rank < 2 || output[rank - 1] != output[rank - 2]) return {};
    const Numbers turned = exchanged(evidence.upstream, output, rank - 2, rank - 1);
    if (!wrong.received_is(wrong.expected_for(turned))) return {};
    return Diagnosis{GradientFault::wrong_axis,
                     "what it should be if the upstream gradient were transposed: summed over the "
                     "wrong axis, or G not transposed back"};
}

Found diagonal_only(const GradientPattern& wrong) {
    if (!wrong.received_is(wrong.diagonal())) return {};
    return Diagnosis{GradientFault::diagonal_only,
                     "as if each output entry depended only on the input entry in its own place: "
                     "the other terms of the sum are missing"};
}

// G·x or G·y where a derivative belongs, such as G·σ(x): of an elementwise function.
Found value_itself(const GradientPattern& wrong) {
    const Evidence& evidence = wrong.evidence();
    for (std::size_t i = 0; i < evidence.input_values.size(); ++i) {
        if (!wrong.received_is_upstream_times(evidence.input_values[i])) continue;
        return Diagnosis{GradientFault::value_itself,
                         text("G times ", evidence.input_names[i],
                              " itself: G must be multiplied by the derivative there")};
    }
    if (!wrong.received_is_upstream_times(evidence.output_values)) return {};
    return Diagnosis{GradientFault::value_itself,
                     "G times the output itself: G must be multiplied by the derivative there"};
}

// Tried first: for x·x, the gradient from one of the two uses is also half of the whole.
Found only_one_use(const GradientPattern& wrong) {
    const std::vector<Contribution>& uses = wrong.evidence().contributions;
    Numbers sum(wrong.received().size(), 0.0);
    for (const Contribution& use : uses) {
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += use.numbers[i];
    }
    if (uses.size() < 2 || wrong.received_is(sum)) return {};
    for (const Contribution& use : uses) {
        if (!wrong.received_is(use.numbers)) continue;
        return Diagnosis{GradientFault::overwritten,
                         text("only what its use in ", use.operation, " contributes, one of ",
                              uses.size(), " uses: contributions must be added, += and not =")};
    }
    return {};
}

Found only_one_output(const GradientPattern& wrong) {
    const Evidence& evidence = wrong.evidence();
    if (evidence.output_shapes.size() != 1) return {};
    const Shape& output = evidence.output_shapes.front();
    for (int axis = 0; axis < output.rank(); ++axis) {
        const std::int64_t slice = wrong.only_slice(axis);
        if (slice < 0 && !wrong.only_one_slice_each(axis)) continue;
        const std::string which = slice < 0 ? "one entry" : text("entry ", slice);
        return Diagnosis{GradientFault::overwritten,
                         text("only what ", which, " along axis ", axis, " of the output ", output,
                              " contributes: contributions must be added, += and not =")};
    }
    return {};
}

Found some_entries(const GradientPattern& wrong) {
    const std::int64_t right = wrong.count_right();
    const std::int64_t all = wrong.shape().numel();
    if (right == 0) return {};
    const std::string how_many = text("right at ", right, " of ", all, " entries and ");
    if (wrong.is_zero_where_wrong()) {
        return Diagnosis{GradientFault::some_entries_zero, how_many + "zero at the others"};
    }
    return Diagnosis{GradientFault::some_entries, how_many + "wrong at the others"};
}

}  // namespace

// False for NaN and infinity on either side, since their difference is not finite.
bool is_right(double received, double expected, double absolute, double relative) {
    if (!(std::fabs(expected) < std::numeric_limits<double>::infinity())) return false;
    return std::fabs(received - expected) <= absolute + relative * std::fabs(expected);
}

Diagnosis diagnose(const Evidence& evidence) {
    const GradientPattern wrong(evidence);
    if (wrong.received_is(wrong.expected())) {
        return {GradientFault::unknown, "only just outside the tolerance: a constant with too few "
                                        "digits, or a function too steep for this step"};
    }
    for (Found (*look)(const GradientPattern&) :
         {not_finite, zero, only_one_use, ignores_upstream, sign, missing_sum, constant_factor,
          transposed, swapped, wrong_axis, diagonal_only, only_one_output, value_itself,
          some_entries}) {
        if (const Found found = look(wrong)) return *found;
    }
    return {GradientFault::unknown, "none of the usual mistakes"};
}

}}  // namespace heed
