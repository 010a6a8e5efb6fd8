// The loops of the peak and of the walk (matmul_walk.cpp), compiled once for each instruction set.
#pragma once

#include "tensor/scalar.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

// The walk's steps from the plain matrix product to a fast one. All compute C = A·B for square
// matrices and give the same bits: each entry of C stays one chain of fused multiply-adds over
// k = 0, 1, ... from +0, however the loops are arranged. A step computes rows `first` to `last` of
// C; all matrices are row-major, [n, n].
struct Square {
    long n;
    long first, last;
    const float* A;
    const float* B;
    float* C;
};

using Step = void (*)(const Square& product);

// On one thread.
struct ScalarSteps {
    Step three_loops, rows_in_order, in_blocks, packed, in_tiles;
};
struct VectorSteps {
    Step in_vectors, without_packing, without_blocks, without_tiles;
};

inline constexpr long walk_unit = 96;  // n is a multiple, so that the tiles of all sets fit

#define HEED_LOOPS_OF(set)                                                                         \
    namespace set {                                                                                \
    extern const ScalarSteps scalar_steps;                                                         \
    extern const VectorSteps vector_steps;                                                         \
    float peak_loop(long steps);                                                                   \
    float read_loop(const float* numbers, long count);                                             \
    }
HEED_LOOPS_OF(portable)
HEED_LOOPS_OF(avx2)
HEED_LOOPS_OF(avx512)

struct Loops {
    const ScalarSteps& scalar_steps;
    const VectorSteps& vector_steps;
    float (*peak_loop)(long steps);
    float (*read_loop)(const float* numbers, long count);  // adds them; a multiple of 192
    int width;                                             // of a vector, in numbers
};

// Of the widest vectors that this machine has.
Loops best_loops();

// The processor's peak: does this many operations (two per fused multiply-add) on each of `threads`
// threads, on numbers that stay in registers.
inline constexpr double peak_operations = 2e8;
void multiply_and_add(int threads);

// How fast memory is: more than caches hold is read, in a share for each of `threads` threads.
inline constexpr long bytes_to_read = 192L << 21;
class MemoryToRead {
  public:
    MemoryToRead();
    void read(int threads) const;

  private:
    std::vector<float> numbers_;
};

}}}  // namespace heed::benchmarks
