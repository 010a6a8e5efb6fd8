// A row's entries are intervals side by side, of which a uniform number hits one. Sums are taken in
// double, from the left, so the same seed draws the same indices everywhere.
#include "multinomial.h"

#include "../errors.h"

#include <cmath>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
using Weights = std::vector<double>;

double total_of(const Weights& weights) {
    double total = 0;
    for (const double weight : weights) total += weight;
    return total;
}

// The index whose interval holds u·total, for u in [0, 1).
std::int64_t index_at(double u, const Weights& weights) {
    const double place = u * total_of(weights);
    std::int64_t last = 0;  // the last entry above 0, in case `place` is rounded up to the total
    double end = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] == 0) continue;
        last = static_cast<std::int64_t>(i);
        end += weights[i];
        if (place < end) break;
    }
    return last;
}

void check_entries(const Tensor& probabilities, const std::vector<Scalar>& entries,
                   const CallSite& site) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (std::isfinite(entries[i]) && entries[i] >= 0) continue;
        fail_argument("multinomial", site, "the probability at ",
                      unravelled(static_cast<std::int64_t>(i), probabilities.shape()), " is ",
                      entries[i], "; each must be a finite number of 0 or more");
    }
}

void check_row(const Weights& weights, std::int64_t row, std::int64_t count,
               Replacement replacement, const CallSite& site) {
    std::int64_t possible = 0;
    for (const double weight : weights) possible += weight > 0;
    if (possible == 0) {
        fail_argument("multinomial", site, "row ", row,
                      " of the probabilities has no entry above 0, so there is nothing to draw");
    }
    if (!std::isfinite(total_of(weights))) {
        fail_argument("multinomial", site, "row ", row,
                      " of the probabilities adds up to infinity; divide it by its largest entry");
    }
    check_enum("multinomial", "the replacement", replacement, Replacement::with, site);
    if (replacement == Replacement::without && possible < count) {
        fail_argument("multinomial", site, "row ", row, " of the probabilities has ", possible,
                      " entries above 0, too few to draw ", count,
                      " different ones; with_replacement may draw one again");
    }
}

}  // namespace

IndexTensor multinomial(const Tensor& probabilities, std::int64_t count, Random& random,
                        Replacement replacement, CallSite site) {
    const Shape& shape = probabilities.shape();
    if (shape.rank() != 1 && shape.rank() != 2) {
        fail_shape("multinomial", site, "the probabilities have shape ", shape,
                   "; they must be [C] or [rows, C]");
    }
    check_at_least("multinomial", "the count", count, 0, site);
    const std::vector<Scalar> entries = probabilities.to_vector();
    check_entries(probabilities, entries, site);
    const std::int64_t C = shape[shape.rank() - 1];
    const std::int64_t rows = shape.rank() == 1 ? 1 : shape[0];
    std::vector<Weights> weights_of_rows;
    for (std::int64_t row = 0; row < rows; ++row) {
        const Scalar* first = entries.data() + row * C;
        weights_of_rows.emplace_back(first, first + C);
        check_row(weights_of_rows.back(), row, count, replacement, site);
    }

    std::vector<std::int64_t> drawn;
    for (Weights& weights : weights_of_rows) {
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t index = index_at(random.uniform(), weights);
            drawn.push_back(index);
            if (replacement == Replacement::without) weights[static_cast<std::size_t>(index)] = 0;
        }
    }
    const Shape result = shape.rank() == 1 ? Shape({count}, site) : Shape({rows, count}, site);
    return IndexTensor(drawn, result, site);
}

}}}  // namespace heed::tensor
