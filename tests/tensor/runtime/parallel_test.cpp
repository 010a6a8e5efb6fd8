// parallel_for: every index is visited once for any number of threads, and an exception in a piece
// reaches the caller.
#include "heed/tensor/runtime/parallel.h"

#include "heed/tensor/errors.h"
#include "tests/catch.h"

#include <algorithm>
#include <atomic>
#include <chrono>
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

TEST_CASE("the pieces of a loop cover everything once", "[tensor][parallel]") {
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

TEST_CASE("a loop of one piece runs in the calling thread, in one call", "[tensor][parallel]") {
    const Threads with(3);
    std::vector<std::thread::id> callers;
    parallel_for(100, 100, [&](std::int64_t begin, std::int64_t end) {
        callers.push_back(std::this_thread::get_id());
        CHECK(begin == 0);
        CHECK(end == 100);
    });
    CHECK(callers == std::vector<std::thread::id>{std::this_thread::get_id()});
}

TEST_CASE("several threads work on one loop", "[tensor][parallel]") {
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

TEST_CASE("a loop inside a loop runs in the piece's own thread", "[tensor][parallel]") {
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
          "[tensor][parallel]") {
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

TEST_CASE("pieces not started when one fails are skipped", "[tensor][parallel]") {
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

TEST_CASE("an exception in a worker's piece reaches the calling thread", "[tensor][parallel]") {
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

TEST_CASE("many short-lived threads may run loops at once", "[tensor][parallel]") {
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

TEST_CASE("the number of threads can be changed between loops", "[tensor][parallel]") {
    const Threads restore(1);
    for (int i = 0; i < 30; ++i) {
        set_thread_count(1 + i % 5);
        CHECK(thread_count() == 1 + i % 5);
        CHECK(sum_to(300) == 45'150);
    }
}

TEST_CASE("an invalid number of threads is rejected", "[tensor][parallel][errors]") {
    for (const int threads : {0, -1, 257}) {
        CHECK_THROWS_AS(set_thread_count(threads), std::invalid_argument);
        CHECK(message([&] { set_thread_count(threads); }) ==
              text("set_thread_count: ", threads, " threads were asked for; it must be 1 to 256"));
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
