// From the plain matrix product to the fast one in eight steps, each measured when it runs. Steps 1
// to 5 are in walk_scalars.cpp, with the reasons, 4 in walk_panels.inc, 6 in walk_vectors.cpp; 7 is
// below; 8 is the library.
#include "tensor/factories.h"
#include "tensor/ops/matmul.h"
#include "tensor/quote.h"
#include "tensor/runtime/parallel.h"
#include "tensor/runtime/settings.h"
#include "tests/benchmarks/loops.h"
#include "tutorials/support/output.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

using namespace heed;
using namespace heed::benchmarks;

namespace {
constexpr const char* help_text =
    R"(matmul_walk [--size N]: the matrix product from three loops to what heed does, in eight steps.
  --size N  matrices of N rows and columns, a multiple of 96 up to 1920; 960 at first
)";

// 7. Threads. Rows of C are independent: each thread computes a part of them and packs its own
// panels. No sum is split, so any number of threads gives the same bits.
void in_threads(Step step, const Square& whole, int threads) {
    const long rows = (whole.n / threads + walk_unit - 1) / walk_unit * walk_unit;
    std::vector<std::thread> others;
    for (long first = rows; first < whole.n; first += rows) {
        Square part = whole;
        part.first = first;
        part.last = std::min(first + rows, whole.n);
        others.emplace_back(step, part);
    }
    Square own = whole;
    own.last = std::min(rows, whole.n);
    step(own);
    for (std::thread& other : others) other.join();
}

double now() {
    const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(since_start).count();
}

// Seconds of the best of several runs; a long one runs once.
double best_of_several(const std::function<void()>& work) {
    double best = 1e9;
    const double start = now();
    for (double end = start; end - start < 0.25; end = now()) {
        const double begin = now();
        work();
        best = std::min(best, now() - begin);
    }
    return best;
}

// Peak floating-point operations per second, measured at the first call.
double peak(int threads) {
    static std::map<int, double> known;
    double& best = known[threads];
    if (best == 0) {
        best =
            threads * peak_operations / best_of_several([threads] { multiply_and_add(threads); });
    }
    return best;
}

// Two factors and their product. The first result is kept, and all others must equal it bit for
// bit.
class Measured {
  public:
    explicit Measured(long n) : n_(n) {
        Random random(1);
        A_ = tensor::uniform({n, n}, random, -1, 1);
        B_ = tensor::uniform({n, n}, random, -1, 1);
        C_ = tensor::zeros({n, n});
    }

    // Prints a row of the table: the time of one step, and its ratio to the step before.
    void step(const char* name, Step work) {
        const Square product = square();
        report(name, best_of_several([&] { work(product); }), 1, C_);
    }

    void threads(const char* name, Step work) {
        const Square product = square();
        const int count = thread_count();
        report(name, best_of_several([&] { in_threads(work, product, count); }), count, C_);
    }

    void library(const char* name) {
        Tensor C;
        const double seconds = best_of_several([&] { C = tensor::matmul(A_, B_); });
        report(name, seconds, thread_count(), C);
    }

    bool all_the_same() const { return same_; }

  private:
    Square square() { return {n_, 0, n_, A_.data(), B_.data(), C_.writable_data()}; }

    void report(const char* name, double seconds, int threads, const Tensor& C) {
        const double n = static_cast<double>(n_);
        const double reached = 2 * n * n * n / seconds;
        std::printf("%-32s %9.2f %9.2f %8.1f%%", name, seconds * 1e3, reached / 1e9,
                    100 * reached / peak(threads));
        if (before_ > 0) std::printf(" %9.2f", before_ / seconds);
        std::printf("\n");
        std::fflush(stdout);
        before_ = seconds;
        compare(C.to_vector());
    }

    void compare(const std::vector<Scalar>& result) {
        if (first_.empty()) first_ = result;
        if (std::memcmp(first_.data(), result.data(), result.size() * sizeof(Scalar)) == 0) return;
        std::printf("  computes something else than the first\n");
        same_ = false;
    }

    long n_;
    Tensor A_, B_, C_;
    std::vector<Scalar> first_;
    double before_ = 0;
    bool same_ = true;
};

bool walk(long n) {
    const ScalarSteps& scalars = best_loops().scalar_steps;
    const VectorSteps& vectors = best_loops().vector_steps;
    std::printf("C = A B with n = %ld; at best %.0f GFLOP/s on one thread, %.0f on all (%d)\n\n", n,
                peak(1) / 1e9, peak(thread_count()) / 1e9, thread_count());
    std::printf("%-32s %9s %9s %9s %9s\n", "step", "ms", "GFLOP/s", "of best", "faster by");
    Measured steps(n);
    steps.step("1 three loops", scalars.three_loops);
    steps.step("2 loops in the order i, k, j", scalars.rows_in_order);
    steps.step("3 blocks for the caches", scalars.in_blocks);
    steps.step("4 panels copied", scalars.packed);
    steps.step("5 a tile in registers", scalars.in_tiles);
    steps.step("6 vectors", vectors.in_vectors);
    steps.threads("7 threads", vectors.in_vectors);
    steps.library("8 heed's own");
    return steps.all_the_same();
}

// Shows what steps 3 and 4 gain where arithmetic is fast and matrices are large.
bool walk_back(long n) {
    const VectorSteps& vectors = best_loops().vector_steps;
    std::printf("\nback again, on one thread with n = %ld\n", n);
    Measured steps(n);
    steps.step("6 vectors", vectors.in_vectors);
    steps.step("6 without 4", vectors.without_packing);
    steps.step("6 without 3 and 4", vectors.without_blocks);
    steps.step("6 without 3, 4 and 5", vectors.without_tiles);
    return steps.all_the_same();
}

// 0 if the text is not a valid size.
long size_in(const std::string& text) {
    if (text.empty() || text.size() > 4) return 0;
    if (text.find_first_not_of("0123456789") != std::string::npos) return 0;
    const long n = std::stol(text);
    return n % walk_unit == 0 && n <= 1920 ? n : 0;
}

int complain(const std::string& problem) {
    std::fprintf(stderr, "matmul_walk: %s\n", problem.c_str());
    return 2;
}

}  // namespace

int main(int count, char** words) {
    long n = 960;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        if (word == "--help") {
            std::printf("%s", help_text);
            return tutorial::finish_output("matmul_walk", 0);
        }
        if (word != "--size")
            return complain("there is no option " + heed::in_quotes(word) + "; see --help");
        if (++i == count) return complain("--size needs a value");
        n = size_in(words[i]);
        if (n == 0)
            return complain("--size takes a multiple of 96 up to 1920, not " +
                            heed::in_quotes(words[i]));
    }
    try {
        heed::check_settings();
        const bool same = walk(n);
        const bool same_back = walk_back(n * 8 / 5 / walk_unit * walk_unit);
        if (same && same_back) std::printf("\nAll give the same bits.\n");
        return tutorial::finish_output("matmul_walk", same && same_back ? 0 : 1);
    } catch (const std::exception& error) {
        return complain(error.what());
    }
}
