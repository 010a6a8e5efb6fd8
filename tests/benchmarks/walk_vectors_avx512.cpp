#define HEED_SET avx512
#define HEED_VECTOR_BYTES 64
#define HEED_TILE_ROWS 8
#include "tests/benchmarks/walk_vectors.inc"
