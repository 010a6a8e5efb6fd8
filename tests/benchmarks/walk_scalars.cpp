// Steps 1 to 5, one number at a time, compiled for the instruction set HEED_SET, which names the
// namespace. The compiler is told not to vectorise (CMakeLists.txt), so that the gain from vectors
// shows in the step that introduces them. As in the library's kernels, nothing here has external
// linkage except the list at the end.
#include "tests/benchmarks/loops.h"

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks::HEED_SET {

#define HEED_PANEL_COLUMNS 64
#include "tests/benchmarks/walk_panels.inc"

// 1. The definition, C[i, j] = Σ_k A[i, k]·B[k, j], written as three loops. The inner loop goes
// down a column of B. A processor fetches memory in cache lines of 16 numbers; the loop uses one
// number of each line, and when it needs the next the line has long been evicted. And each step of
// the sum waits four or five cycles for the one before.
static void three_loops(const Square& s) {
    for (long i = s.first; i < s.last; ++i) {
        for (long j = 0; j < s.n; ++j) {
            float sum = 0;
            for (long k = 0; k < s.n; ++k) sum = fma(s.A[i * s.n + k], s.B[k * s.n + j], sum);
            s.C[i * s.n + j] = sum;
        }
    }
}

// 2. The same loops in the order i, k, j. Now the inner loop goes along a row of B and a row of C,
// so every number of a cache line is used while it is cached, and n independent sums proceed side
// by side. Each is still summed over k in order: the same bits.
static void rows_in_order(const Square& s) {
    clear(s);
    for (long i = s.first; i < s.last; ++i) {
        for (long k = 0; k < s.n; ++k) {
            const float a = s.A[i * s.n + k];
            float* c = s.C + i * s.n;
            for (long j = 0; j < s.n; ++j) c[j] = fma(a, s.B[k * s.n + j], c[j]);
        }
    }
}

// 3. Blocks. Each row of C reads all of B, which is larger than the near caches. A block of B that
// fits (192 KiB in the second level) is used for all rows of C before the next is fetched. C is
// stored after each block of the sum and reloaded for the next, which is exact.
static void in_blocks(const Square& s) {
    const long depth = 192;
    const long columns = 256;
    clear(s);
    for (long block_k = 0; block_k < s.n; block_k += depth) {
        const long k_end = smaller(block_k + depth, s.n);
        for (long block_j = 0; block_j < s.n; block_j += columns) {
            const long j_end = smaller(block_j + columns, s.n);
            for (long i = s.first; i < s.last; ++i) {
                for (long k = block_k; k < k_end; ++k) {
                    const float a = s.A[i * s.n + k];
                    float* c = s.C + i * s.n;
                    for (long j = block_j; j < j_end; ++j) c[j] = fma(a, s.B[k * s.n + j], c[j]);
                }
            }
        }
    }
}

// 4. Packing, explained in walk_panels.inc; here each row of C uses the panel's rows in turn.
static void rows_of_panel(const Square& s, long k, long j, long steps, const float* panel) {
    for (long i = s.first; i < s.last; ++i) {
        const float* a = s.A + i * s.n + k;
        float* c = s.C + i * s.n + j;
        for (long step = 0; step < steps; ++step) {
            const float* b = panel + step * panel_columns;
            for (long l = 0; l < panel_columns; ++l) c[l] = fma(a[step], b[l], c[l]);
        }
    }
}

static void packed(const Square& s) { for_panels<rows_of_panel>(s); }

// 5. Register tiles. So far each step of a sum loads C and stores it again: two memory accesses for
// one multiply-add. A tile of 3 x 4 entries of C is small enough to stay in registers for the whole
// block: 12 multiply-adds then need 7 numbers from memory, and C is loaded once.
static void scalar_tile(const Square& s, long i, long k, long j, long steps, const float* b) {
    float tile[3][4];
    HEED_UNROLL
    for (int r = 0; r < 3; ++r) {
        HEED_UNROLL
        for (int l = 0; l < 4; ++l) tile[r][l] = s.C[(i + r) * s.n + j + l];
    }
    for (long step = 0; step < steps; ++step, b += panel_columns) {
        HEED_UNROLL
        for (int r = 0; r < 3; ++r) {
            const float a = s.A[(i + r) * s.n + k + step];
            HEED_UNROLL
            for (int l = 0; l < 4; ++l) tile[r][l] = fma(a, b[l], tile[r][l]);
        }
    }
    HEED_UNROLL
    for (int r = 0; r < 3; ++r) {
        HEED_UNROLL
        for (int l = 0; l < 4; ++l) s.C[(i + r) * s.n + j + l] = tile[r][l];
    }
}

static void scalar_tiles(const Square& s, long k, long j, long steps, const float* panel) {
    for (long i = s.first; i < s.last; i += 3) {
        for (long l = 0; l < panel_columns; l += 4) scalar_tile(s, i, k, j + l, steps, panel + l);
    }
}

static void in_tiles(const Square& s) { for_panels<scalar_tiles>(s); }

const ScalarSteps scalar_steps = {three_loops, rows_in_order, in_blocks, packed, in_tiles};

}}}  // namespace heed::benchmarks::HEED_SET
