#define HEED_SET avx2
#define HEED_VECTOR_BYTES 32
#define HEED_TILE_ROWS 6
#include "tests/benchmarks/walk_vectors.inc"
