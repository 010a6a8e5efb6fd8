// The fast kernels compiled for AVX2: sixteen registers of eight floats.
#include "kernels.h"

#define HEED_KERNEL_SET avx2
#define HEED_VECTOR_BYTES 32
#define HEED_TILE_ROWS 6
#include "fast.inc"
