// Step 6, compiled once for each instruction set: HEED_SET is its namespace, HEED_VECTOR_BYTES its
// register size. Also variants without some of the earlier steps, to show what those gain.
#include "tests/benchmarks/loops.h"

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks::HEED_SET {

typedef float Vector __attribute__((vector_size(HEED_VECTOR_BYTES)));
static constexpr int width = HEED_VECTOR_BYTES / sizeof(float);
static constexpr int tile_rows = width == 16 ? 8 : width == 8 ? 6 : 4;  // as registers hold
#define HEED_PANEL_COLUMNS 2 * width
#include "tests/benchmarks/walk_panels.inc"

static inline Vector load(const float* from) {
    Vector x;
    __builtin_memcpy(&x, from, sizeof x);
    return x;
}
static inline void store(const Vector& x, float* to) { __builtin_memcpy(to, &x, sizeof x); }

// a·b + c in every lane, each rounded once: written lane by lane, which the compiler turns into one
// instruction.
template <int... l>
struct Lanes {};
template <int n, int... l>
struct CountTo : CountTo<n - 1, n - 1, l...> {};
template <int... l>
struct CountTo<0, l...> {
    using List = Lanes<l...>;
};
template <int... l>
static inline Vector fused(float a, const Vector& b, const Vector& c, Lanes<l...>) {
    return Vector{fma(a, b[l], c[l])...};
}
static inline Vector fused(float a, const Vector& b, const Vector& c) {
    return fused(a, b, c, CountTo<width>::List());
}

// 6. Vectors: the same tile with vectors in place of numbers, two per row and as many rows as the
// registers hold. One instruction now does `width` multiply-adds, and there are enough independent
// sums that none has to wait.
static void vector_tile(const Square& s, long i, long k, long j, long steps, const float* b,
                        long b_row) {
    Vector tile[tile_rows][2];
    HEED_UNROLL
    for (int r = 0; r < tile_rows; ++r) {
        tile[r][0] = load(s.C + (i + r) * s.n + j);
        tile[r][1] = load(s.C + (i + r) * s.n + j + width);
    }
    const float* a = s.A + i * s.n + k;
    for (long step = 0; step < steps; ++step, ++a, b += b_row) {
        const Vector left = load(b);
        const Vector right = load(b + width);
        HEED_UNROLL
        for (int r = 0; r < tile_rows; ++r) {
            tile[r][0] = fused(a[r * s.n], left, tile[r][0]);
            tile[r][1] = fused(a[r * s.n], right, tile[r][1]);
        }
    }
    HEED_UNROLL
    for (int r = 0; r < tile_rows; ++r) {
        store(tile[r][0], s.C + (i + r) * s.n + j);
        store(tile[r][1], s.C + (i + r) * s.n + j + width);
    }
}

static void vector_tiles(const Square& s, long k, long j, long steps, const float* panel) {
    for (long i = s.first; i < s.last; i += tile_rows) {
        vector_tile(s, i, k, j, steps, panel, panel_columns);
    }
}

static void in_vectors(const Square& s) { for_panels<vector_tiles>(s); }

// Without 4: the tile reads B where it is.
static void tiles_in_place(const Square& s, long k, long j, long steps) {
    for (long i = s.first; i < s.last; i += tile_rows) {
        vector_tile(s, i, k, j, steps, s.B + k * s.n + j, s.n);
    }
}

static void without_packing(const Square& s) {
    clear(s);
    for (long k = 0; k < s.n; k += panel_depth) {
        const long steps = smaller(panel_depth, s.n - k);
        for (long j = 0; j < s.n; j += panel_columns) tiles_in_place(s, k, j, steps);
    }
}

// Without 3 and 4: each sum is completed in one pass.
static void without_blocks(const Square& s) {
    clear(s);
    for (long j = 0; j < s.n; j += panel_columns) tiles_in_place(s, 0, j, s.n);
}

// Without 3, 4 and 5: step 2 with vectors.
static void without_tiles(const Square& s) {
    clear(s);
    for (long i = s.first; i < s.last; ++i) {
        for (long k = 0; k < s.n; ++k) {
            const float a = s.A[i * s.n + k];
            float* c = s.C + i * s.n;
            for (long j = 0; j < s.n; j += width) {
                store(fused(a, load(s.B + k * s.n + j), load(c + j)), c + j);
            }
        }
    }
}

const VectorSteps vector_steps = {in_vectors, without_packing, without_blocks, without_tiles};

}}}  // namespace heed::benchmarks::HEED_SET
