// The fast kernels for any processor: the compiler's own choice of instructions.
#include "kernels.h"

#define HEED_KERNEL_SET portable
#define HEED_VECTOR_BYTES 16
#define HEED_TILE_ROWS 4
#include "fast.inc"
