#define HEED_SET portable
#include "tests/benchmarks/walk_scalars.inc"
