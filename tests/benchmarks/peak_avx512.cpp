#define HEED_SET avx512
#define HEED_VECTOR_BYTES 64
#include "tests/benchmarks/peak_loop.inc"
