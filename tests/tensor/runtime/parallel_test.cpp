// parallel_for: every index is visited once for any number of threads, and an exception in a piece
// reaches the caller.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/tensor/runtime/kept_memory.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace heed;

namespace {
// Sets the number of threads for one test.
class Threads {
  public:
    explicit Threads(int threads) { set_thread_count(threads); }
    ~Threads() { set_thread_count(before_); }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

  private:
    int before_ = thread_count();
};

struct Part {
    std::int64_t begin, end;
    bool operator<(const Part& other) const { return begin < other.begin; }
};

// The parts in which a loop ran, sorted.
std::vector<Part> parts_of(std::int64_t count, std::int64_t piece) {
    std::vector<Part> parts;
    std::mutex mutex;
    parallel_for(count, piece, [&](std::int64_t begin, std::int64_t end) {
        const std::lock_guard<std::mutex> lock(mutex);
        parts.push_back({begin, end});
    });
    std::sort(parts.begin(), parts.end());
    return parts;
}

// "" if the parts cover 0, ..., count in order without gaps, each starting at a multiple of
// `piece`.
std::string wrong_with(const std::vector<Part>& parts, std::int64_t count, std::int64_t piece) {
    std::int64_t next = 0;
    for (const Part& part : parts) {
        if (part.begin != next) return text("a part begins at ", part.begin, " and not ", next);
        if (part.begin % piece != 0) return text(part.begin, " is no multiple of ", piece);
        if (part.end <= part.begin) return text("an empty part at ", part.begin);
        next = part.end;
    }
    return next == count ? "" : text("the parts end at ", next, " and not at ", count);
}

std::int64_t sum_to(std::int64_t n) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(n));
    parallel_for(n, 10, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) numbers[static_cast<std::size_t>(i)] = i + 1;
    });
    std::int64_t sum = 0;
    for (const std::int64_t number : numbers) sum += number;
    return sum;
}

template <class Call>
std::string message(Call call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "nothing was thrown";
}

}  // namespace

TEST_CASE("the pieces of a loop cover everything once", "[tensor][parallel][threads]") {
    for (const int threads : {1, 2, 3, 7}) {
        const Threads with(threads);
        CHECK(thread_count() == threads);
        for (const std::int64_t count : {0, 1, 9, 10, 11, 99, 100, 101, 1000, 4099}) {
            for (const std::int64_t piece : {1, 10, 100, 5000}) {
                const std::string wrong = wrong_with(parts_of(count, piece), count, piece);
                if (!wrong.empty()) FAIL(threads << " threads, " << count << ": " << wrong);
            }
        }
    }
    CHECK(parts_of(-3, 10).empty());
}

TEST_CASE("a loop of one piece runs in the calling thread, in one call",
          "[tensor][parallel][threads]") {
    const Threads with(3);
    std::vector<std::thread::id> callers;
    parallel_for(100, 100, [&](std::int64_t begin, std::int64_t end) {
        callers.push_back(std::this_thread::get_id());
        CHECK(begin == 0);
        CHECK(end == 100);
    });
    CHECK(callers == std::vector<std::thread::id>{std::this_thread::get_id()});
}

TEST_CASE("several threads work on one loop", "[tensor][parallel][threads]") {
    for (const int threads : {2, 3, 7}) {
        const Threads with(threads);
        std::atomic<int> inside{0};
        // Each piece waits for the others, so each needs its own thread.
        parallel_for(threads, 1, [&](std::int64_t, std::int64_t) {
            ++inside;
            while (inside < threads) std::this_thread::yield();
        });
        CHECK(inside == threads);
    }
}

TEST_CASE("a loop inside a loop runs in the piece's own thread", "[tensor][parallel][threads]") {
    const Threads with(3);
    std::atomic<int> elsewhere{0}, calls{0}, visited{0};
    parallel_for(20, 1, [&](std::int64_t, std::int64_t) {
        const std::thread::id here = std::this_thread::get_id();
        parallel_for(50, 1, [&](std::int64_t begin, std::int64_t end) {
            ++calls;
            visited += static_cast<int>(end - begin);
            if (std::this_thread::get_id() != here) ++elsewhere;
        });
    });
    CHECK(elsewhere == 0);
    CHECK(calls == 20);
    CHECK(visited == 20 * 50);
}

TEST_CASE("an exception in a piece reaches the caller, and later loops work",
          "[tensor][parallel][threads]") {
    for (const int threads : {1, 2, 3, 7}) {
        const Threads with(threads);
        for (const std::int64_t bad : {0, 1, 500, 999}) {
            const std::string said = message([&] {
                parallel_for(1000, 1, [&](std::int64_t begin, std::int64_t end) {
                    if (begin <= bad && bad < end) throw std::runtime_error(text("at ", bad));
                });
            });
            CHECK(said == text("at ", bad));
            CHECK(sum_to(1000) == 500'500);
        }
        CHECK(message([] {
                  parallel_for(100, 1, [](std::int64_t begin, std::int64_t) {
                      throw std::out_of_range(text("piece ", begin));
                  });
              }).substr(0, 6) == "piece ");
        CHECK(sum_to(100) == 5050);
    }
}

TEST_CASE("pieces not started when one fails are skipped", "[tensor][parallel][threads]") {
    const Threads with(2);
    std::atomic<int> begun{0};
    const std::string said = message([&] {
        parallel_for(100'000, 1, [&](std::int64_t begin, std::int64_t) {
            ++begun;
            if (begin == 0) throw std::runtime_error("the first");
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        });
    });
    CHECK(said == "the first");
    CHECK(begun < 50'000);
}

TEST_CASE("an exception in a worker's piece reaches the calling thread",
          "[tensor][parallel][threads]") {
    const Threads with(2);
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<bool> a_worker_came{false};
    const std::string said = message([&] {
        parallel_for(2, 1, [&](std::int64_t, std::int64_t) {
            if (std::this_thread::get_id() == caller) {
                while (!a_worker_came) std::this_thread::yield();
            } else {
                a_worker_came = true;
                throw std::runtime_error("from a worker");
            }
        });
    });
    CHECK(said == "from a worker");
    CHECK(sum_to(200) == 20'100);
}

TEST_CASE("many short-lived threads may run loops at once", "[tensor][parallel][threads]") {
    const Threads with(3);
    std::atomic<int> right{0};
    for (int round = 0; round < 20; ++round) {
        std::vector<std::thread> callers;
        for (int i = 0; i < 10; ++i) {
            callers.emplace_back([&right, i] {
                const std::int64_t n = 100 + i;
                if (sum_to(n) == n * (n + 1) / 2) ++right;
            });
        }
        for (std::thread& caller : callers) caller.join();
    }
    CHECK(right == 200);
}

TEST_CASE("the number of threads can be changed between loops", "[tensor][parallel][threads]") {
    const Threads restore(1);
    for (int i = 0; i < 30; ++i) {
        set_thread_count(1 + i % 5);
        CHECK(thread_count() == 1 + i % 5);
        CHECK(sum_to(300) == 45'150);
    }
}

TEST_CASE("pieces of nothing, rows of a negative length and empty functions are refused",
          "[tensor][parallel][threads][errors]") {
    const auto nothing = [](std::int64_t, std::int64_t) {};
    const auto no_row = [](std::int64_t) {};
    for (const int threads : {1, 3}) {
        const Threads with(threads);
        for (const std::int64_t grain : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN}) {
            for (const std::int64_t count : {-1, 0, 1, 100}) {
                CHECK(message_of<std::invalid_argument>(
                          [&] { parallel_for(count, grain, nothing); }) ==
                      text("parallel_for: the grain is ", grain,
                           "; it must be 1 or more, grain_of_numbers for simple work on numbers"));
            }
        }
        for (const std::int64_t length : {std::int64_t{-1}, std::int64_t{-2}, INT64_MIN}) {
            CHECK(message_of<std::invalid_argument>([&] {
                      parallel_for_rows(10, length, no_row);
                  }) == text("parallel_for_rows: the length of a row is ", length,
                             "; it must be 0 or more"));
        }
        const std::function<void(std::int64_t, std::int64_t)> empty;
        CHECK(message_of<std::invalid_argument>([&] { parallel_for(10, 1, empty); }) ==
              "parallel_for: the body is an empty std::function");
        const std::function<void(std::int64_t)> no_function;
        CHECK(message_of<std::invalid_argument>([&] { parallel_for_rows(10, 1, no_function); }) ==
              "parallel_for_rows: the body is an empty std::function");
        std::atomic<std::int64_t> entries{0};
        const std::function<void(std::int64_t, std::int64_t)> counts =
            [&entries](std::int64_t begin, std::int64_t end) { entries += end - begin; };
        parallel_for(100, 7, counts);
        CHECK(entries == 100);
    }
}

TEST_CASE("a negative count is no loop", "[tensor][parallel][threads]") {
    const Threads with(3);
    CHECK(parts_of(-1, 1).empty());
    CHECK(parts_of(INT64_MIN, 5).empty());
}

TEST_CASE("loops as long as a number can count end where they should",
          "[tensor][parallel][threads]") {
    for (const int threads : {1, 2, 7}) {
        const Threads with(threads);
        const std::int64_t most = INT64_MAX;
        for (const std::int64_t piece : {most, most - 1, most / 2, most / 2 + 1, most / 100}) {
            for (const std::int64_t count : {most, most - 1, most - 50}) {
                const std::string wrong = wrong_with(parts_of(count, piece), count, piece);
                if (!wrong.empty())
                    FAIL(threads << " threads, pieces of " << piece << ": " << wrong);
            }
        }
        const std::string said = message([&] {  // it cannot be walked to its end, but left
            parallel_for(most, 1, [](std::int64_t begin, std::int64_t) {
                throw std::out_of_range(text("piece ", begin));
            });
        });
        CHECK(said.substr(0, 6) == "piece ");
    }
}

TEST_CASE("the number of threads cannot be changed inside a loop",
          "[tensor][parallel][threads][threads][errors]") {
    const Threads with(3);
    std::atomic<int> refused{0};
    parallel_for(20, 1, [&](std::int64_t, std::int64_t) {
        const std::string said = message([] { set_thread_count(2); });
        if (said == "set_thread_count: it was called inside a parallel loop, which uses the "
                    "threads; call it before or after") {
            ++refused;
        }
    });
    CHECK(refused == 20);
    CHECK(thread_count() == 3);
    set_thread_count(2);
    CHECK(thread_count() == 2);
    CHECK(sum_to(300) == 45'150);
}

TEST_CASE("another thread changes the number of threads when the loop is done",
          "[tensor][parallel][threads][threads]") {
    const Threads with(3);
    std::atomic<bool> running{false}, ends{false};
    std::thread other([&] {
        while (!running) std::this_thread::yield();
        ends = true;
        set_thread_count(2);
    });
    parallel_for(3, 1, [&](std::int64_t, std::int64_t) {
        running = true;
        while (!ends) std::this_thread::yield();
    });
    other.join();
    CHECK(thread_count() == 2);
    CHECK(sum_to(300) == 45'150);
}

namespace {
// Runs `child` in a child of this process; true if it returned true within a minute.
template <class Child>
bool true_in_child(Child child) {
    const pid_t process = fork();
    if (process == 0) {
        alarm(60);  // a child that hangs ends by this signal
        _exit(child() ? 0 : 1);
    }
    int status = 0;
    return process > 0 && waitpid(process, &status, 0) == process && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("a child after fork has threads of its own", "[tensor][parallel][threads]") {
    if (sanitized) return;  // the thread sanitizer ends a child that starts threads
    const Threads with(3);
    CHECK(sum_to(1000) == 500'500);  // the workers of this process run by now
    CHECK(true_in_child([] {
        if (thread_count() != 3 || sum_to(1000) != 500'500) return false;
        std::atomic<int> inside{0};
        parallel_for(3, 1, [&](std::int64_t, std::int64_t) {  // each piece needs its own thread
            ++inside;
            while (inside < 3) std::this_thread::yield();
        });
        set_thread_count(2);
        return thread_count() == 2 && sum_to(1000) == 500'500;
    }));
    CHECK(sum_to(1000) == 500'500);
}

TEST_CASE("a child may take memory, whatever another thread was doing with it",
          "[tensor][parallel][threads]") {
    if (sanitized) return;
    std::atomic<bool> done{false};
    std::thread busy([&] {
        while (!done) Tensor::uninitialized({100'000});  // from the store, and back to it
    });
    int working = 0;
    for (int i = 0; i < 200 && working == i; ++i) {
        working +=
            true_in_child([] { return Tensor::uninitialized({300'000}).numel() == 300'000; });
    }
    done = true;
    busy.join();
    CHECK(working == 200);
}

TEST_CASE("a child that was forked inside a loop comes to the loop's end",
          "[tensor][parallel][threads]") {
    if (sanitized) return;
    const Threads with(2);
    const pid_t parent = getpid();
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<bool> a_worker_came{false};
    std::atomic<bool> done{false};
    bool worked = false;
    parallel_for(2, 1, [&](std::int64_t, std::int64_t) {
        if (std::this_thread::get_id() != caller) {
            a_worker_came = true;
            while (!done) std::this_thread::yield();
            return;
        }
        while (!a_worker_came) std::this_thread::yield();
        const pid_t process = fork();  // while the worker is inside the loop
        if (process == 0) {
            alarm(60);
            return;
        }
        int status = 0;
        waitpid(process, &status, 0);
        worked = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        done = true;
    });
    if (getpid() != parent) _exit(sum_to(1000) == 500'500 ? 0 : 1);
    CHECK(worked);
}

TEST_CASE("an invalid number of threads is rejected", "[tensor][parallel][threads][errors]") {
    for (const int threads : {0, -1, 257}) {
        CHECK_THROWS_AS(set_thread_count(threads), std::invalid_argument);
        CHECK(message([&] { set_thread_count(threads); }) ==
              text("set_thread_count: ", threads, " threads were requested; it must be 1 to 256"));
    }
    CHECK(threads_named("1") == 1);
    CHECK(threads_named("7") == 7);
    CHECK(threads_named("256") == 256);
    CHECK(threads_named(nullptr) == threads_named(""));
    CHECK(threads_named("") >= 1);
    for (const char* name :
         {"0", "257", "-1", "two", "2.0", " 2", "2 ", "1000", "99999999999999"}) {
        CHECK_THROWS_AS(threads_named(name), std::invalid_argument);
        CHECK(message([&] { threads_named(name); }) ==
              text("HEED_THREADS is \"", name, "\"; it must be a whole number from 1 to 256"));
    }
}
