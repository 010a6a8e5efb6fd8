// The sum of a row as a plain loop, in the order of rows.h.
#pragma once

#include "rows.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::plain {

// Sets the lanes to the sums of term(first), ..., term(end - 1).
template <class Term>
void sum_lanes(std::int64_t first, std::int64_t end, const Term& term, Scalar (&lane)[lanes]) {
    if (end - first > sum_block) {
        const std::int64_t middle = first + first_part(end - first);
        Scalar second[lanes];
        sum_lanes(first, middle, term, lane);
        sum_lanes(middle, end, term, second);
        for (int l = 0; l < lanes; ++l) lane[l] = lane[l] + second[l];
        return;
    }
    for (int l = 0; l < lanes; ++l) lane[l] = 0;
    for (std::int64_t i = first; i < end; ++i) {
        lane[i % lanes] = lane[i % lanes] + term(i);
    }
}

// Σ_i term(i) for i < n
template <class Term>
Scalar sum_of(std::int64_t n, const Term& term) {
    Scalar lane[lanes];
    sum_lanes(0, n, term, lane);
    return sum_of_lanes(lane);
}

}}}  // namespace heed::kernels::plain
