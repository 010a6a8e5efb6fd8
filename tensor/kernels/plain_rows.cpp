// Sums of rows and of columns, as plain loops in the order of lanes.h.
#include "lanes.h"
#include "plain.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::plain {

// Σ of n entries that are x_step apart
static Scalar sum_of_every(std::int64_t x_step, std::int64_t n, const Scalar* x) {
    Scalar lane[lanes] = {};
    for (std::int64_t i = 0; i < n; ++i) {
        lane[i % lanes] = lane[i % lanes] + x[i * x_step];
    }
    return sum_of_lanes(lane);
}

Scalar sum(std::int64_t n, const Scalar* x) { return sum_of_every(1, n, x); }

// y[j] = Σ_i x[i, j]
void sum_columns(std::int64_t rows, std::int64_t columns, const Scalar* x, std::int64_t x_row,
                 Scalar* y) {
    for (std::int64_t j = 0; j < columns; ++j) y[j] = sum_of_every(x_row, rows, x + j);
}

// Σ (x - mean)²
Scalar squared_deviations(std::int64_t n, const Scalar* x, Scalar mean) {
    Scalar lane[lanes] = {};
    for (std::int64_t i = 0; i < n; ++i) {
        const Scalar deviation = x[i] - mean;
        lane[i % lanes] = lane[i % lanes] + deviation * deviation;
    }
    return sum_of_lanes(lane);
}

}}}  // namespace heed::kernels::plain
