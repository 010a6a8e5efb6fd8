#define HEED_SET avx2
#include "tests/benchmarks/walk_scalars.inc"
