// Loops in parallel: the library's one pool of threads.
// Every result is computed whole by one thread, in the order it would have without threads, so any
// number of them gives the same bits.
#pragma once

#include "tensor/scalar.h"

#include <cstdint>

namespace heed::inline HEED_PRECISION {

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
bool runs_alone(std::int64_t count, std::int64_t piece);

using LoopBody = void (*)(const void* context, std::int64_t begin, std::int64_t end);
void run_in_parallel(std::int64_t count, std::int64_t piece, LoopBody body, const void* context);

// body(begin, end) for parts of 0, ..., count that begin at multiples of `piece`. All in one call
// in this thread where there is one piece, inside another such loop, and while another thread of
// the program is in one. An exception in a piece is thrown here when the others are done; pieces
// that have not begun by then are left out.
template <class Body>
void in_parallel(std::int64_t count, std::int64_t piece, const Body& body) {
    if (count <= 0) return;
    if (runs_alone(count, piece)) return body(0, count);  // one steps straight into the body
    const LoopBody call = [](const void* context, std::int64_t begin, std::int64_t end) {
        (*static_cast<const Body*>(context))(begin, end);
    };
    run_in_parallel(count, piece, call, &body);
}

}  // namespace heed::inline HEED_PRECISION
