#define HEED_SET portable
#define HEED_VECTOR_BYTES 16
#define HEED_TILE_ROWS 4
#include "tests/benchmarks/walk_vectors.inc"
