#define HEED_SET portable
#define HEED_VECTOR_BYTES 16
#include "tests/benchmarks/peak_loop.inc"
