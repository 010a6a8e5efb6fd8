// Loops in parallel: the library's one pool of threads.
// Every result is computed whole by one thread, in the order it would have without threads, so any
// number of them gives the same bits.
#pragma once

#include "heed/tensor/scalar.h"

#include <cstdint>

namespace heed {
inline namespace HEED_PRECISION {

inline constexpr int max_threads = 256;

// How many threads a loop may use, the caller's included: HEED_THREADS, else as many as this
// process may run on processors, but one in a Debug build, where one wants to step.
// Error: HEED_THREADS is no whole number from 1 to 256 (std::invalid_argument), at the first call
// of any operation.
int thread_count();

// The same for the rest of the program; to be called while no operation runs.
// Error: not from 1 to 256 (std::invalid_argument).
void set_thread_count(int threads);

// The number of threads HEED_THREADS=text asks for; for none or "", the default.
int threads_named(const char* text);

// Does such a loop run in this thread, all in one call?
bool runs_alone(std::int64_t count, std::int64_t grain);

using LoopBody = void (*)(const void* context, std::int64_t begin, std::int64_t end);
void run_parallel_for(std::int64_t count, std::int64_t grain, LoopBody body, const void* context);

// body(begin, end) for parts of 0, ..., count that begin at multiples of `grain`. All in one call
// in this thread where there is one piece, inside another such loop, and while another thread of
// the program is in one. An exception in a piece is thrown here when the others are done; pieces
// that have not begun by then are left out.
template <class Body>
void parallel_for(std::int64_t count, std::int64_t grain, const Body& body) {
    if (count <= 0) return;
    if (runs_alone(count, grain)) return body(0, count);  // one steps straight into the body
    const LoopBody call = [](const void* context, std::int64_t begin, std::int64_t end) {
        (*static_cast<const Body*>(context))(begin, end);
    };
    run_parallel_for(count, grain, call, &body);
}

// A grain of numbers: some microseconds of the simplest work on them.
inline constexpr std::int64_t grain_of_numbers = 16 * 1024;

// body(row) for each of `rows` rows of `length` numbers, in any order, each whole in one thread.
template <class Body>
void parallel_for_rows(std::int64_t rows, std::int64_t length, const Body& body) {
    const std::int64_t grain = length < grain_of_numbers ? grain_of_numbers / (length + 1) : 1;
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) body(row);
    });
}

}  // namespace HEED_PRECISION
}  // namespace heed
