// A loop over rows with several threads, each row computed whole by one of them.
#pragma once

#include "tensor/walk_in_parallel.h"

namespace heed::inline HEED_PRECISION {

// body(row) for row = 0, 1, ... of `rows` rows of `length` numbers, in any order.
template <class Body>
void rows_in_parallel(std::int64_t rows, std::int64_t length, const Body& body) {
    const std::int64_t at_a_time =
        length < numbers_at_a_time ? numbers_at_a_time / (length + 1) : 1;
    in_parallel(rows, at_a_time < 1 ? 1 : at_a_time, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) body(row);
    });
}

}  // namespace heed::inline HEED_PRECISION
