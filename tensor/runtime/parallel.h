// Parallel loops, on the library's one thread pool.
// Every result is computed by one thread, in the order it would have without threads, so any number
// of threads gives the same bits.
#pragma once

#include "../call_site.h"
#include "../scalar.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION {

inline constexpr int max_threads = 256;

// The number of threads a loop may use, including the caller's: HEED_THREADS, else the number of
// processors this process may run on, but 1 in a Debug build, for stepping.
// Error: HEED_THREADS is not a whole number from 1 to 256 (std::invalid_argument), at the first
// call of any operation.
int thread_count();

// Sets it for the rest of the program, after any loop that another thread is running.
// Errors: not from 1 to 256 (std::invalid_argument); inside a parallel loop (std::runtime_error).
void set_thread_count(int threads);

// The number of threads that HEED_THREADS=text sets; the default for null and "".
int threads_named(const char* text);

// Whether such a loop runs in the calling thread, as a single call of its body. grain >= 1
bool runs_alone(std::int64_t count, std::int64_t grain);

using LoopBody = void (*)(const void* context, std::int64_t begin, std::int64_t end);
void run_parallel_for(std::int64_t count, std::int64_t grain, LoopBody body, const void* context);

// The errors of the loops below; `has_body` is false for an empty std::function.
void check_pieces(std::int64_t grain, bool has_body, const CallSite& site);
void check_rows(std::int64_t length, bool has_body, const CallSite& site);

template <class Body>
bool is_callable(const Body& body) {
    if constexpr (requires { body.target_type(); }) return static_cast<bool>(body);
    return true;
}

// Calls body(begin, end) for pieces of [0, count) that start at multiples of `grain`; not at all if
// count <= 0. There is a single call, in this thread, if there is one piece or one thread, inside
// another such loop, and while another thread of the program runs one. An exception in a piece is
// rethrown here when the other running pieces are done; pieces not begun by then are skipped.
// A child after fork() has threads of its own for loops; a loop in which the program forked is not
// completed there. Errors: a grain below 1, an empty std::function (std::invalid_argument).
template <class Body>
void parallel_for(std::int64_t count, std::int64_t grain, const Body& body,
                  CallSite site = CallSite::here()) {
    check_pieces(grain, is_callable(body), site);
    if (count <= 0) return;
    if (runs_alone(count, grain)) return body(0, count);  // a debugger steps into the body
    const LoopBody call = [](const void* context, std::int64_t begin, std::int64_t end) {
        (*static_cast<const Body*>(context))(begin, end);
    };
    run_parallel_for(count, grain, call, &body);
}

// A grain in entries: a few microseconds of the simplest work on them.
inline constexpr std::int64_t grain_of_numbers = 16 * 1024;

// Calls body(row) for each of `rows` rows of `length` entries, in any order, each in one thread.
// Errors: a negative length, an empty std::function (std::invalid_argument).
template <class Body>
void parallel_for_rows(std::int64_t rows, std::int64_t length, const Body& body,
                       CallSite site = CallSite::here()) {
    check_rows(length, is_callable(body), site);
    const std::int64_t grain = length < grain_of_numbers ? grain_of_numbers / (length + 1) : 1;
    parallel_for(
        rows, grain,
        [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row) body(row);
        },
        site);
}

}}  // namespace heed
