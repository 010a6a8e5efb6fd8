// The matrix product kernels: each gives the same bits as the plain one for every shape, stride and
// address, whichever factors it copies, and writes nowhere else; the plain one gives those of the
// definition.
#include "tensor/kernels/kernels.h"
#include "tensor/random.h"
#include "tests/catch.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

using namespace heed;
using kernels::Table;
using Numbers = std::vector<Scalar>;

namespace {
constexpr Scalar inf = std::numeric_limits<Scalar>::infinity();
constexpr Scalar not_a_number = std::numeric_limits<Scalar>::quiet_NaN();

const Table& plain() { return *kernels::available().tables[0]; }

// All NaNs count as equal.
bool same(Scalar a, Scalar b) {
    if (a != a || b != b) return a != a && b != b;
    return std::memcmp(&a, &b, sizeof a) == 0;
}

bool same(const Numbers& a, const Numbers& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!same(a[i], b[i])) return false;
    }
    return a.size() == b.size();
}

// Numbers of many magnitudes, so that another order of summation gives other bits.
Numbers draw(std::int64_t n, Random& random) {
    Numbers numbers;
    for (std::int64_t i = 0; i < n; ++i) {
        const double size = std::exp(3 * random.normal());
        numbers.push_back(Scalar(random.uniform() < 0.5 ? -size : size));
    }
    return numbers;
}

// Replaces about one number in `one_in` by one of `special`.
Numbers sprinkled(Numbers numbers, const Numbers& special, std::int64_t one_in, Random& random) {
    const std::int64_t kinds = static_cast<std::int64_t>(special.size());
    for (Scalar& number : numbers) {
        if (random.below(one_in) == 0) {
            number = special[static_cast<std::size_t>(random.below(kinds))];
        }
    }
    return numbers;
}

// The memory layout of a matrix: its strides, and the numbers from its first entry to its last.
struct Layout {
    std::int64_t row, column, size;
};

Layout with_strides(std::int64_t rows, std::int64_t columns, std::int64_t row,
                    std::int64_t column) {
    const bool empty = rows == 0 || columns == 0;
    return {row, column, empty ? 0 : (rows - 1) * row + (columns - 1) * column + 1};
}

Layout layout(std::int64_t rows, std::int64_t columns, bool transposed, std::int64_t gap) {
    return transposed ? with_strides(rows, columns, 1, rows + gap)
                      : with_strides(rows, columns, columns + gap, 1);
}

// Rows, columns or both repeat one number (stride 0), or all entries have gaps between them.
Layout unusual(std::int64_t rows, std::int64_t columns, Random& random) {
    const Layout usual = layout(rows, columns, random.below(2) == 0, 0);
    const std::int64_t kind = random.below(4);
    if (kind == 0) return with_strides(rows, columns, 0, usual.column);
    if (kind == 1) return with_strides(rows, columns, usual.row, 0);
    if (kind == 2) return with_strides(rows, columns, 0, 0);
    return with_strides(rows, columns, 3 * usual.row, 3 * usual.column);
}

struct Product {
    std::int64_t rows, columns, inner;
    Layout A, B;
    std::int64_t C_gap;  // numbers between rows that do not belong to C
    bool with_bias = false;
};

Numbers product_by(const Table& table, const Product& p, const Scalar* A, const Scalar* B) {
    const std::int64_t C_row = p.columns + p.C_gap;
    Numbers C(static_cast<std::size_t>(p.rows * C_row + 1), Scalar(77));
    kernels::MatmulTask task = {p.rows, p.columns, p.inner,    A,        p.A.row, p.A.column,
                                B,      p.B.row,   p.B.column, C.data(), C_row};
    if (p.with_bias) task.bias = A;  // any numbers serve
    table.matmul(task);
    return C;
}

std::string name_of(const Product& p) {
    return std::to_string(p.rows) + "x" + std::to_string(p.inner) + "x" +
           std::to_string(p.columns) + " A " + std::to_string(p.A.row) + "," +
           std::to_string(p.A.column) + " B " + std::to_string(p.B.row) + "," +
           std::to_string(p.B.column) + "; ";
}

// At a random offset in the pool, so at any address; or at its end, where the address sanitizer
// catches reads beyond it.
const Scalar* place(const Layout& layout, const Numbers& pool, Random& random) {
    const std::int64_t last = static_cast<std::int64_t>(pool.size()) - layout.size;
    return pool.data() + (random.below(2) == 0 ? last : random.below(last + 1));
}

std::string difference(const Table& table, const Product& p, const Numbers& pool, Random& random) {
    const Scalar* A = place(p.A, pool, random);
    const Scalar* B = place(p.B, pool, random);
    const bool equal = same(product_by(plain(), p, A, B), product_by(table, p, A, B));
    return equal ? "" : name_of(p);
}

Product with_random_layouts(std::int64_t rows, std::int64_t columns, std::int64_t inner,
                            Random& random) {
    const bool A_transposed = random.below(2) == 0, B_transposed = random.below(2) == 0;
    const std::int64_t A_gap = random.below(3), B_gap = random.below(3);
    const std::int64_t C_gap = random.below(3);
    return {rows,
            columns,
            inner,
            layout(rows, inner, A_transposed, A_gap),
            layout(inner, columns, B_transposed, B_gap),
            C_gap};
}

// 0, 1, primes, and lengths around every tile size and around the thresholds for copying a factor.
std::int64_t random_length(Random& random) {
    const std::int64_t lengths[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  11, 12, 13, 15,  16, 17,
                                    23, 24, 25, 31, 32, 33, 47, 48, 49, 63, 64, 65, 97, 127, 129};
    return lengths[random.below(31)];
}

std::string differences(const Table& table, const Numbers& pool, int shapes, bool usual) {
    Random random(4);
    std::string wrong;
    for (int i = 0; i < shapes; ++i) {
        const std::int64_t rows = random_length(random);
        const std::int64_t columns = random_length(random);
        const std::int64_t inner = random_length(random);
        Product p = with_random_layouts(rows, columns, inner, random);
        if (!usual && random.below(3) > 0) p.A = unusual(rows, inner, random);
        if (!usual && random.below(3) > 0) p.B = unusual(inner, columns, random);
        wrong += difference(table, p, pool, random);
    }
    return wrong;
}

// Lengths around the block sizes for rows, columns and the sum, of every table and both precisions:
// one length is large and the others are as small as copying both factors allows.
std::string differences_at_blocks(const Table& table, const Numbers& pool) {
    Random random(5);
    std::string wrong;
    for (std::int64_t border :
         {60, 120, 126, 128, 132, 192, 252, 256, 264, 384, 512, 768, 1024, 1536, 2048}) {
        for (std::int64_t length : {border - 1, border, border + 1, 2 * border + 1}) {
            const Product products[] = {with_random_layouts(5, 3, length, random),
                                        with_random_layouts(67, 35, length, random),
                                        with_random_layouts(length, 9, 14, random),
                                        with_random_layouts(length, 131, 3, random),
                                        with_random_layouts(7, length, 5, random),
                                        with_random_layouts(66, length, 3, random)};
            for (const Product& p : products) wrong += difference(table, p, pool, random);
        }
    }
    // Several blocks in all three directions.
    wrong += difference(table, with_random_layouts(257, 141, 395, random), pool, random);
    wrong += difference(table, with_random_layouts(13, 2113, 389, random), pool, random);
    wrong += difference(table, with_random_layouts(269, 1057, 389, random), pool, random);
    wrong += difference(table, with_random_layouts(265, 141, 1537, random), pool, random);
    // The largest blocks, whose panels are all kept for the next block of rows.
    const std::int64_t columns = sizeof(Scalar) == 4 ? 1024 : 512;
    wrong += difference(table, with_random_layouts(265, columns, 384, random), pool, random);
    wrong += difference(table, with_random_layouts(265, 2 * columns, 389, random), pool, random);
    return wrong;
}

// What one token or a few need: x·Wᵀ, where W does not fit into the second-level cache. Row n of W
// is column n of B.
std::string differences_of_few_rows(const Table& table, const Numbers& pool) {
    Random random(6);
    std::string wrong;
    for (int i = 0; i < 30; ++i) {
        const std::int64_t rows = i % 6, inner = i < 3 ? 17 - i : 380 + random.below(300);
        const std::int64_t columns = 140000 / inner + random.below(40);
        Product p = with_random_layouts(rows, columns, inner, random);
        p.B = layout(inner, columns, true, random.below(3));
        p.with_bias = random.below(2) == 0 && p.A.size >= columns;
        wrong += difference(table, p, pool, random);
        const Product of_column = {columns,
                                   1,
                                   inner,
                                   layout(columns, inner, false, i % 3),
                                   layout(inner, 1, i % 2 == 0, i % 3),
                                   0};
        wrong += difference(table, of_column, pool, random);
    }
    return wrong;
}

// One to three columns more than fill vectors, for few rows and for more than are taken at a time.
std::string differences_of_last_columns(const Table& table, const Numbers& pool) {
    Random random(7);
    std::string wrong;
    for (const std::int64_t rows : {2, 4, 15, 16, 17, 200, 4096, 4097, 8201}) {
        for (std::int64_t last = 1; last <= 3; ++last) {
            const std::int64_t inner = 1 + random.below(40), columns = 32 + last;
            Product p = with_random_layouts(rows, columns, inner, random);
            p.A = layout(rows, inner, false, random.below(3));
            p.with_bias = random.below(2) == 0 && p.A.size >= columns;
            wrong += difference(table, p, pool, random);
        }
    }
    return wrong;
}

// Sums of these lie beside the middle between two floats, by less than a double has: what rounds to
// double and then to float goes wrong there. Among normal floats, and below.
const Scalar u = Scalar(0x1p-23);
const Numbers beside_middles = {1, 1 + u, (1 + u) * Scalar(0x1p-12), (1 - u) * Scalar(0x1p-12), -1};
const Numbers beside_small_middles = {(1 + 2 * u) * Scalar(0x1p-63), Scalar(0x1p-64),
                                      (1 + u) * Scalar(0x1p-75), (1 - u) * Scalar(0x1p-75)};

}  // namespace

TEST_CASE("every product has the bits of the plain loops", "[tensor][kernels][matmul][slow]") {
    Random random(1);
    const Numbers pool = draw(900000, random);
    const Numbers specials = sprinkled(
        pool, {0, Scalar(-0.0), inf, -inf, not_a_number, Scalar(1e-40), Scalar(3e38)}, 100, random);
    const Numbers zeros = sprinkled(Numbers(60000, Scalar(-0.0)), {0, 1, -1}, 3, random);
    const Numbers middles = sprinkled(Numbers(30000, 1), beside_middles, 1, random);
    const Numbers small_middles = sprinkled(Numbers(30000, 1), beside_small_middles, 1, random);
    const kernels::Available found = kernels::available();
    REQUIRE(found.count >= 2);
    for (int i = 1; i < found.count; ++i) {
        INFO(found.tables[i]->name);
        CHECK(differences(*found.tables[i], middles, 200, true) == "");
        CHECK(differences(*found.tables[i], small_middles, 200, true) == "");
        CHECK(differences(*found.tables[i], pool, 500, true) == "");
        CHECK(differences(*found.tables[i], pool, 200, false) == "");
        CHECK(differences(*found.tables[i], specials, 200, false) == "");
        CHECK(differences(*found.tables[i], zeros, 100, true) == "");
        CHECK(differences_at_blocks(*found.tables[i], pool) == "");
        CHECK(differences_of_few_rows(*found.tables[i], pool) == "");
        CHECK(differences_of_few_rows(*found.tables[i], specials) == "");
        CHECK(differences_of_last_columns(*found.tables[i], pool) == "");
        CHECK(differences_of_last_columns(*found.tables[i], specials) == "");
    }
}

TEST_CASE("products on several threads do not disturb each other",
          "[tensor][kernels][matmul][threads]") {
    const kernels::Available found = kernels::available();
    const Table& table = *found.tables[found.count - 1];
    Random random(2);
    const Numbers pool = draw(100000, random);
    const int count = 6;
    std::string wrong[count];
    std::vector<std::thread> threads;
    for (int t = 0; t < count; ++t) {
        threads.emplace_back([&, t] {
            Random own(static_cast<std::uint64_t>(10 + t));
            for (int i = 0; i < 20; ++i) {
                const Product p = with_random_layouts(70 + t, 140 - i, 100 + i, own);
                wrong[t] += difference(table, p, pool, own);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::string& differences_of_thread : wrong) CHECK(differences_of_thread == "");
}

TEST_CASE("a product is one chain of fused multiply-adds", "[tensor][kernels][matmul]") {
    Random random(6);
    const Product p = {4, 3, 50, layout(4, 50, false, 0), layout(50, 3, false, 0), 0};
    const Numbers A = draw(200, random), B = draw(150, random);
    const Numbers C = product_by(plain(), p, A.data(), B.data());
    bool fused = true, rounded_twice = true;
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            Scalar chain = 0, twice = 0;
            for (std::size_t k = 0; k < 50; ++k) {
                chain = std::fma(A[i * 50 + k], B[k * 3 + j], chain);
                twice = twice + A[i * 50 + k] * B[k * 3 + j];
            }
            fused = fused && same(C[i * 3 + j], chain);
            rounded_twice = rounded_twice && same(C[i * 3 + j], twice);
        }
    }
    CHECK(fused);
    CHECK_FALSE(rounded_twice);
}
