// The thread pool. Workers help if they can, but no loop waits for one to arrive: the calling
// thread takes pieces too, and when none are left it waits only for workers still inside the loop.
// So a worker that sleeps, or whose processor is busy, costs nothing. Workers are started by the
// first loop that is long enough for them: a program of small tensors has one thread.
#include "parallel.h"

#include "../errors.h"
#include "../quote.h"

#ifdef __linux__
#include <sched.h>
#endif
#ifndef _WIN32
#include <pthread.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {
namespace {
void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

struct Loop {
    std::int64_t count = 0, piece = 0, pieces = 0;
    LoopBody body = nullptr;
    const void* context = nullptr;
    std::atomic<std::int64_t> next{0};  // a piece: counting entries could overflow
    std::atomic<bool> failed{false};
    std::exception_ptr failure;  // of the piece that set `failed`

    void run_pieces() {
        for (;;) {
            const std::int64_t i = next.fetch_add(1, std::memory_order_relaxed);
            if (i >= pieces || failed.load(std::memory_order_relaxed)) return;
            const std::int64_t begin = i * piece;
            run_piece(begin, count - begin < piece ? count : begin + piece);
        }
    }

    void run_piece(std::int64_t begin, std::int64_t end) {
        try {
            body(context, begin, end);
        } catch (...) {
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    }
};

thread_local bool inside_a_loop = false;

struct Inside {
    Inside() { inside_a_loop = true; }
    ~Inside() { inside_a_loop = false; }
};

class Pool {
  public:
    explicit Pool(int threads) : threads_(threads) {}

    // False if another thread of the program is using the workers.
    bool run(std::int64_t count, std::int64_t piece, LoopBody body, const void* context) {
        const std::unique_lock<std::mutex> lock(in_use_, std::try_to_lock);
        if (!lock.owns_lock()) return false;
        if (!started_) start();
        loop_.count = count;
        loop_.piece = piece;
        loop_.pieces = (count - 1) / piece + 1;
        loop_.body = body;
        loop_.context = context;
        loop_.next.store(0, std::memory_order_relaxed);
        loop_.failed.store(false, std::memory_order_relaxed);
        open();
        {
            const Inside inside;
            loop_.run_pieces();
        }
        close();
        if (loop_.failed) std::rethrow_exception(std::exchange(loop_.failure, nullptr));
        return true;
    }

    void resize(int threads) {
        const std::lock_guard<std::mutex> lock(in_use_);
        stop();
        threads_ = threads;
    }

    int threads() const { return threads_.load(std::memory_order_relaxed); }

    // In a child after fork(), which has none of the workers: none is inside a loop any more.
    void forget_workers() { state_.fetch_and(~inside_mask, std::memory_order_relaxed); }

  private:
    // One word: whether a loop is open, how many workers are inside, and which loop it is.
    using State = std::uint32_t;
    static constexpr State is_open = 1;
    static constexpr State one_inside = 2;
    static constexpr State inside_mask = 0x3fe;  // up to 511, more than max_threads
    static constexpr State one_loop = 0x400;

    void open() {
        state_.store((state_.load(std::memory_order_relaxed) + one_loop) | is_open,
                     std::memory_order_release);
        state_.notify_all();
    }

    // Spins for a while, then yields, since pieces may be long and processors few.
    void close() {
        state_.fetch_and(~is_open, std::memory_order_acq_rel);
        for (int turn = 0; (state_.load(std::memory_order_acquire) & inside_mask) != 0; ++turn) {
            turn < 2000 ? pause_briefly() : std::this_thread::yield();
        }
    }

    void start() {
        started_ = true;
        stopping_ = false;
        try {
            while (static_cast<int>(workers_.size()) + 1 < threads()) {
                workers_.emplace_back(&Pool::work, this, loop_of(state_.load()));
            }
        } catch (const std::exception&) {
            // No more threads or memory: the workers that were started do the work.
        }
    }

    void stop() {
        stopping_ = true;
        state_.fetch_add(one_loop, std::memory_order_release);
        state_.notify_all();
        for (std::thread& worker : workers_) worker.join();
        workers_.clear();
        started_ = false;
    }

    static State loop_of(State state) { return state & ~(is_open | inside_mask); }

    // `done`: the last loop before this worker was started. The next may be open already.
    void work(State done) {
        const Inside inside;  // never reset: loops in a piece run in that piece
        while (!stopping_.load(std::memory_order_acquire)) {
            State state = wait_for_another(done);
            if ((state & is_open) == 0) {
                done = loop_of(state);
                continue;
            }
            if (!state_.compare_exchange_weak(state, state + one_inside,
                                              std::memory_order_acq_rel)) {
                continue;
            }
            done = loop_of(state);
            loop_.run_pieces();
            state_.fetch_sub(one_inside, std::memory_order_acq_rel);
        }
    }

    // Waking from sleep takes 25 µs or more, as long as a small product, so spin for a while first.
    State wait_for_another(State done) const {
        using Clock = std::chrono::steady_clock;
        const Clock::time_point sleepy = Clock::now() + std::chrono::microseconds(60);
        for (int turn = 1;; ++turn) {
            const State state = state_.load(std::memory_order_acquire);
            if (loop_of(state) != done) return state;
            if (turn % 64 == 0 && Clock::now() > sleepy) {
                state_.wait(state, std::memory_order_acquire);
            } else {
                pause_briefly();
            }
        }
    }

    std::mutex in_use_;
    Loop loop_;
    std::atomic<State> state_{0};
    std::atomic<bool> stopping_{false};
    std::atomic<int> threads_;
    bool started_ = false;
    std::vector<std::thread> workers_;
};

std::atomic<Pool*> the_pool{nullptr};

// A child after fork() has no workers, and what they were doing is unknown: it gets a pool of its
// own, which starts its workers when they are needed.
[[maybe_unused]] void reset_in_child() {
    Pool* const of_parent = the_pool.load();
    of_parent->forget_workers();  // a loop may be open, if this thread forked inside it
    the_pool.store(new Pool(of_parent->threads()));
}

// Never destroyed, since objects that outlive main() may compute in their destructors.
Pool& pool() {
    [[maybe_unused]] static const bool made = [] {  // once, by one thread
        the_pool.store(new Pool(threads_named(std::getenv("HEED_THREADS"))));
#ifndef _WIN32
        pthread_atfork(nullptr, nullptr, reset_in_child);
#endif
        return true;
    }();
    return *the_pool.load(std::memory_order_relaxed);
}

int default_threads() {
#ifdef HEED_PLAIN_BY_DEFAULT
    return 1;
#else
    int processors = static_cast<int>(std::thread::hardware_concurrency());  // 0 if not known
#ifdef __linux__
    // Of them, those this process may use: taskset and containers limit them.
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) processors = CPU_COUNT(&allowed);
#endif
    return std::clamp(processors, 1, max_threads);
#endif
}

}  // namespace

int threads_named(const char* name) {
    const std::string wanted = name ? name : "";
    if (wanted.empty()) return default_threads();
    const bool digits = wanted.find_first_not_of("0123456789") == std::string::npos;
    const int threads = digits && wanted.size() <= 3 ? std::stoi(wanted) : 0;
    if (threads < 1 || threads > max_threads) {
        throw std::invalid_argument(text("HEED_THREADS is ", in_quotes(wanted),
                                         "; it must be a whole number from 1 to ", max_threads));
    }
    return threads;
}

int thread_count() { return pool().threads(); }

void set_thread_count(int threads) {
    if (threads < 1 || threads > max_threads) {
        throw std::invalid_argument(text("set_thread_count: ", threads,
                                         " threads were requested; it must be 1 to ", max_threads));
    }
    if (inside_a_loop) {
        throw std::runtime_error(text("set_thread_count: it was called inside a parallel loop, "
                                      "which uses the threads; call it before or after"));
    }
    pool().resize(threads);
}

void check_pieces(std::int64_t grain, bool has_body, const CallSite& site) {
    if (grain < 1) {
        fail_argument("parallel_for", site, "the grain is ", grain,
                      "; it must be 1 or more, grain_of_numbers for simple work on numbers");
    }
    if (!has_body) fail_argument("parallel_for", site, "the body is an empty std::function");
}

void check_rows(std::int64_t length, bool has_body, const CallSite& site) {
    check_at_least("parallel_for_rows", "the length of a row", length, 0, site);
    if (!has_body) fail_argument("parallel_for_rows", site, "the body is an empty std::function");
}

bool runs_alone(std::int64_t count, std::int64_t piece) {
    return count <= piece || inside_a_loop || thread_count() == 1;
}

void run_parallel_for(std::int64_t count, std::int64_t piece, LoopBody body, const void* context) {
    if (!pool().run(count, piece, body, context)) body(context, 0, count);
}

}}  // namespace heed
