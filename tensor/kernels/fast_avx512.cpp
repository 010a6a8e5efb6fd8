// The fast kernels compiled for AVX-512: thirty-two registers of sixteen floats.
#include "kernels.h"

#define HEED_KERNEL_SET avx512
#define HEED_VECTOR_BYTES 64
#define HEED_TILE_ROWS 12
#include "fast.inc"
