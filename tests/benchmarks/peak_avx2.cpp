#define HEED_SET avx2
#define HEED_VECTOR_BYTES 32
#include "tests/benchmarks/peak_loop.inc"
