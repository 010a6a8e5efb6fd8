// The steps of the walk (matmul_walk.cpp) from the plain matrix product to a fast one. All compute
// C = A·B for square matrices and give the same bits: each entry of C stays one chain of fused
// multiply-adds over k = 0, 1, ... from +0, however the loops are arranged.
#pragma once

#include "tensor/scalar.h"

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

// Computes rows `first` to `last` of C; all matrices are row-major, [n, n].
struct Square {
    long n;
    long first, last;
    const float* A;
    const float* B;
    float* C;
};

using Step = void (*)(const Square& product);

// Steps on one thread, compiled for one instruction set.
struct ScalarSteps {
    Step three_loops, rows_in_order, in_blocks, packed, in_tiles;
};
struct VectorSteps {
    Step in_vectors, without_packing, without_blocks, without_tiles;
};

inline constexpr long walk_unit = 96;  // n is a multiple, so that the tiles of all sets fit

namespace portable {
extern const ScalarSteps scalar_steps;
extern const VectorSteps vector_steps;
}  // namespace portable
namespace avx2 {
extern const ScalarSteps scalar_steps;
extern const VectorSteps vector_steps;
}  // namespace avx2
namespace avx512 {
extern const VectorSteps vector_steps;
}

}}}  // namespace heed::benchmarks
