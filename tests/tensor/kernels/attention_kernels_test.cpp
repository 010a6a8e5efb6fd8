// The attention kernels: each gives the same bits as the plain one for all shapes, masks, strides
// and addresses, and writes nowhere else; the plain one gives those of the definition.
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/math.h"
#include "tensor/random.h"
#include "tests/catch.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

using namespace heed;
using kernels::Table;
using Numbers = std::vector<Scalar>;

namespace {
const Table& plain() { return *kernels::available().tables[0]; }

bool same(const Numbers& a, const Numbers& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Scalar)) == 0;
}

// The same, and NaN in the same places, with any bits.
bool same_but_for_bits_of_nan(Numbers a, Numbers b) {
    for (Numbers* numbers : {&a, &b}) {
        for (Scalar& x : *numbers) x = x != x ? std::numeric_limits<Scalar>::quiet_NaN() : x;
    }
    return same(a, b);
}

Numbers draw(std::int64_t n, Random& random, double spread = 1) {
    Numbers numbers;
    for (std::int64_t i = 0; i < n; ++i) numbers.push_back(Scalar(spread * random.normal()));
    return numbers;
}

enum class Masked { no, causal, future, padding, both, holes, one_row };

struct Sizes {
    std::int64_t T_q, T_k, d_k, d_v;
    Masked masked;
    bool transposed;  // Q, K, V and G are stored column by column
    double spread;    // of the queries
    double soft_cap = 0;
    bool biased = false;
};

std::string name_of(const Sizes& s) {
    return std::to_string(s.T_q) + "x" + std::to_string(s.T_k) + " d_k " + std::to_string(s.d_k) +
           " d_v " + std::to_string(s.d_v) + " mask " + std::to_string(static_cast<int>(s.masked)) +
           (s.transposed ? " transposed" : "") + (s.soft_cap > 0 ? " capped" : "") +
           (s.biased ? " biased" : "") + "; ";
}

// The bytes of a mask, and how a task describes them.
struct AllowedTable {
    std::vector<std::uint8_t> allowed;
    std::vector<kernels::Visible> visible;

    AllowedTable(const Sizes& s, Random& random) {
        const std::int64_t rows = s.masked == Masked::one_row ? 1 : s.T_q;
        const std::int64_t length = random.below(s.T_k + 1);
        for (std::int64_t i = 0; i < rows; ++i) {
            const bool sees_nothing = s.masked == Masked::holes && random.below(8) == 0;
            for (std::int64_t j = 0; j < s.T_k; ++j) {
                const bool past = j <= i + s.T_k - s.T_q, inside = j < length;
                bool may = !sees_nothing;
                if (s.masked == Masked::causal) may = past;
                if (s.masked == Masked::future) may = j < s.T_q - i;
                if (s.masked == Masked::padding || s.masked == Masked::one_row) may = inside;
                if (s.masked == Masked::both) may = past && inside;
                if (s.masked == Masked::holes) may = may && random.below(10) > 0;
                allowed.push_back(may);
            }
            add_row(i, s.T_k);
        }
    }

    void add_row(std::int64_t i, std::int64_t T_k) {
        const std::uint8_t* row = allowed.data() + i * T_k;
        std::int64_t end = T_k, seen = 0;
        while (end > 0 && row[end - 1] == 0) --end;
        for (std::int64_t j = 0; j < end; ++j) seen += row[j];
        visible.push_back({end, seen < end});
    }
};

// A matrix in its own memory, with gaps between its lines, at an unaligned address.
struct Matrix {
    Numbers numbers;
    kernels::Matrix matrix;

    Matrix(std::int64_t rows, std::int64_t columns, bool transposed, double spread, Random& random)
        : numbers(
              draw((transposed ? columns * (rows + 3) : rows * (columns + 3)) + 1, random, spread)),
          matrix(transposed ? kernels::Matrix{numbers.data() + 1, 1, rows + 3}
                            : kernels::Matrix{numbers.data() + 1, columns + 3, 1}) {}
};

Scalar& entry(Matrix& x, std::int64_t i, std::int64_t j) {
    return x.numbers[static_cast<std::size_t>(1 + i * x.matrix.row + j * x.matrix.column)];
}

struct Inputs {
    Sizes sizes;
    Matrix Q, K, V, G, bias;
    AllowedTable table;

    Inputs(const Sizes& s, Random& random)
        : sizes(s), Q(s.T_q, s.d_k, s.transposed, s.spread, random),
          K(s.T_k, s.d_k, s.transposed, 1, random), V(s.T_k, s.d_v, s.transposed, 1, random),
          G(s.T_q, s.d_v, s.transposed, 1, random), bias(s.T_q, s.T_k, s.transposed, 1, random),
          table(s, random) {}
};

// Rows of results, with numbers between and after them that no kernel may write.
struct KernelResults {
    Numbers numbers;
    kernels::Rows rows;

    KernelResults(std::int64_t count, std::int64_t columns)
        : numbers(static_cast<std::size_t>(count * (columns + 2) + 1), Scalar(77)),
          rows{numbers.data(), columns + 2} {}
};

// Everything one table computes, concatenated.
Numbers all_of(const Table& table, const Inputs& in) {
    const Sizes& s = in.sizes;
    KernelResults O(s.T_q, s.d_v), dQ(s.T_q, s.d_k), dK(s.T_k, s.d_k), dV(s.T_k, s.d_v);
    KernelResults dB(s.T_q, s.T_k);
    Numbers row_max(static_cast<std::size_t>(s.T_q + 1), 77), row_sum = row_max;
    Numbers scratch(static_cast<std::size_t>(kernels::attention_scratch(s.d_k, s.d_v)), 77);
    kernels::AttentionTask task = {};
    task.T_q = s.T_q;
    task.T_k = s.T_k;
    task.d_k = s.d_k;
    task.d_v = s.d_v;
    task.divisor = std::sqrt(Scalar(s.d_k));
    task.Q = in.Q.matrix;
    task.K = in.K.matrix;
    task.V = in.V.matrix;
    task.soft_cap = Scalar(s.soft_cap);
    if (s.biased) task.bias = in.bias.matrix;
    if (s.masked != Masked::no) {
        task.visible = in.table.visible.data();
        task.allowed = in.table.allowed.data();
        task.one_for_all = s.masked == Masked::one_row;
    }
    task.scratch = scratch.data();
    task.O = O.rows;
    task.row_max = row_max.data();
    task.row_sum = row_sum.data();
    table.attention(task);

    kernels::AttentionGradientTask gradients = {};
    static_cast<kernels::AttentionOperands&>(gradients) = task;
    gradients.O = {O.rows.data, O.rows.row, 1};
    gradients.row_max = row_max.data();
    gradients.row_sum = row_sum.data();
    gradients.G = in.G.matrix;
    gradients.dQ = dQ.rows;
    gradients.dK = dK.rows;
    gradients.dV = dV.rows;
    if (s.biased) gradients.dB = dB.rows;
    table.attention_gradients(gradients);

    Numbers all;
    for (const Numbers* part :
         {&O.numbers, &row_max, &row_sum, &dQ.numbers, &dK.numbers, &dV.numbers, &dB.numbers})
        all.insert(all.end(), part->begin(), part->end());
    return all;
}

std::int64_t length(bool large, Random& random) {
    const std::int64_t small_ones[] = {0, 1, 2, 3, 16, 17, 23, 24, 25, 47, 48, 49, 73, 97};
    const std::int64_t large_ones[] = {383, 384, 385, 400, 767, 768, 769, 900};
    return large ? large_ones[random.below(8)] : small_ones[random.below(14)];
}

Sizes with_features(std::int64_t T_q, std::int64_t T_k, Random& random) {
    const std::int64_t features[] = {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33};
    const std::int64_t d_k = features[random.below(13)], d_v = features[random.below(13)];
    const Masked masked = static_cast<Masked>(random.below(7));
    const bool transposed = random.below(3) == 0;
    const double spread = random.below(4) == 0 ? 20 : 1;
    const double soft_cap = random.below(3) == 0 ? 2.5 : 0;
    const bool biased = random.below(3) == 0;
    return {T_q, T_k, d_k, d_v, masked, transposed, spread, soft_cap, biased};
}

std::string difference(const Table& table, const Inputs& in) {
    return same(all_of(plain(), in), all_of(table, in)) ? "" : name_of(in.sizes);
}

std::string differences(const Table& table, int shapes, bool many_queries, bool many_keys) {
    Random random(7);
    std::string wrong;
    for (int i = 0; i < shapes; ++i) {
        const std::int64_t T_q = length(many_queries, random), T_k = length(many_keys, random);
        const Inputs in(with_features(T_q, T_k, random), random);
        wrong += difference(table, in);
    }
    return wrong;
}

// softmax(Q·Kᵀ/√d_k)·V in the definition's order of operations, for one query and no mask.
Numbers by_definition(const Inputs& in, std::int64_t i) {
    const Sizes& s = in.sizes;
    const kernels::Matrix &Q = in.Q.matrix, &K = in.K.matrix, &V = in.V.matrix;
    Numbers scores, o;
    for (std::int64_t j = 0; j < s.T_k; ++j) {
        Scalar sum = 0;
        for (std::int64_t c = 0; c < s.d_k; ++c) {
            sum = std::fma(Q.data[i * Q.row + c * Q.column], K.data[j * K.row + c * K.column], sum);
        }
        scores.push_back(sum / std::sqrt(Scalar(s.d_k)));
    }
    Numbers weights(scores.size());
    plain().softmax(s.T_k, scores.data(), weights.data());
    for (std::int64_t c = 0; c < s.d_v; ++c) {
        Scalar sum = 0;
        for (std::int64_t j = 0; j < s.T_k; ++j) {
            sum = std::fma(weights[static_cast<std::size_t>(j)], V.data[j * V.row + c * V.column],
                           sum);
        }
        o.push_back(sum);
    }
    return o;
}

}  // namespace

TEST_CASE("every attention kernel has the bits of the plain loops",
          "[tensor][kernels][attention][slow]") {
    const kernels::Available found = kernels::available();
    REQUIRE(found.count >= 2);
    Random random(8);
    for (int i = 1; i < found.count; ++i) {
        const Table& table = *found.tables[i];
        INFO(table.name);
        CHECK(differences(table, 120, false, false) == "");
        CHECK(differences(table, 15, true, false) == "");
        CHECK(differences(table, 15, false, true) == "");
        CHECK(differences(table, 12, true, true) == "");
        for (const std::int64_t T : {97, 400}) {  // heads as large as GPT's
            CHECK(difference(table, Inputs({T, T, 64, 64, Masked::causal, false, 1}, random)) ==
                  "");
        }
        // Several blocks of queries, also without several tiles of keys, and of features
        CHECK(difference(table, Inputs({385, 7, 3, 5, Masked::no, false, 1}, random)) == "");
        CHECK(difference(table, Inputs({800, 500, 4, 2, Masked::holes, true, 1}, random)) == "");
        CHECK(difference(table, Inputs({770, 800, 5, 3, Masked::causal, false, 1}, random)) == "");
        CHECK(difference(table, Inputs({50, 30, 400, 385, Masked::causal, false, 1}, random)) ==
              "");
        CHECK(difference(table, Inputs({30, 400, 769, 1000, Masked::no, true, 1}, random)) == "");
    }
}

TEST_CASE("scores are divided by √d_k, also where that is a whole number",
          "[tensor][kernels][attention]") {
    Random random(14);
    const kernels::Available found = kernels::available();
    for (const std::int64_t d_k : {1, 4, 9, 16, 25, 36, 64, 144}) {  // by 4 = multiplied by 1/4
        const Inputs in({30, 40, d_k, 3, Masked::causal, false, 2}, random);
        for (int t = 1; t < found.count; ++t) {
            INFO(found.tables[t]->name);
            CHECK(difference(*found.tables[t], in) == "");
        }
    }
}

TEST_CASE("attention in one tile is softmax between two products", "[tensor][kernels][attention]") {
    Random random(9);
    for (const std::int64_t T_k : {1, 5, 48, 383, 384}) {
        const Inputs in({3, T_k, 5, 3, Masked::no, false, 2}, random);
        const Numbers all = all_of(plain(), in);
        bool equal = true;
        for (std::int64_t i = 0; i < 3; ++i) {
            const auto row = all.begin() + i * 5;  // d_v numbers and a gap of two
            equal = equal && same(Numbers(row, row + 3), by_definition(in, i));
        }
        CHECK(equal);
    }
}

TEST_CASE("attention in several tiles is the same but for its last bits",
          "[tensor][kernels][attention]") {
    Random random(10);
    const Inputs in({3, 1000, 5, 3, Masked::no, false, 2}, random);
    const Numbers all = all_of(plain(), in);
    double largest = 0;
    for (std::int64_t i = 0; i < 3; ++i) {
        const Numbers expected = by_definition(in, i);
        for (std::size_t c = 0; c < 3; ++c) {
            const Scalar difference = all[static_cast<std::size_t>(i) * 5 + c] - expected[c];
            largest = std::fmax(largest, std::fabs(static_cast<double>(difference)));
        }
    }
    CHECK(largest > 0);
    CHECK(largest < 8 * static_cast<double>(std::numeric_limits<Scalar>::epsilon()));
}

TEST_CASE("a query whose scores are all -infinity of themselves gives zeros in every kernel",
          "[tensor][kernels][attention]") {
    const Scalar infinite = std::numeric_limits<Scalar>::infinity();
    Random random(12);
    for (const std::int64_t T_k : {5, 384, 385, 900}) {
        Inputs in({20, T_k, 4, 3, Masked::no, false, 1, 0, true}, random);
        for (std::int64_t j = 0; j < T_k; ++j) entry(in.bias, 2, j) = -infinite;
        const Numbers expected = all_of(plain(), in);
        for (std::size_t c = 0; c < 3; ++c) CHECK(expected[2 * 5 + c] == 0);
        bool no_nan = true;
        for (const Scalar x : expected) no_nan = no_nan && x == x;
        CHECK(no_nan);
        const kernels::Available found = kernels::available();
        for (int t = 1; t < found.count; ++t) {
            INFO(found.tables[t]->name << ", " << T_k << " keys");
            CHECK(same(all_of(*found.tables[t], in), expected));
        }
    }
}

TEST_CASE("every attention kernel reads the values of the same keys",
          "[tensor][kernels][attention]") {
    Random random(13);
    const kernels::Available found = kernels::available();
    for (const Masked masked :
         {Masked::no, Masked::causal, Masked::future, Masked::padding, Masked::both}) {
        for (const std::int64_t T : {5, 20, 97, 500}) {
            Inputs in({T, T, 4, 3, masked, false, 1}, random);
            // Weight 0 times an infinite value would be NaN, where the value is read.
            entry(in.V, random.below(T), 1) = std::numeric_limits<Scalar>::infinity();
            const auto output = [&](const Table& table) {
                Numbers all = all_of(table, in);
                all.resize(static_cast<std::size_t>(T * 5));  // rows of O: 3 numbers, a gap of 2
                return all;
            };
            const Numbers expected = output(plain());
            for (int t = 1; t < found.count; ++t) {
                INFO(found.tables[t]->name << ", " << name_of(in.sizes));
                CHECK(same_but_for_bits_of_nan(output(*found.tables[t]), expected));
            }
        }
    }
}

TEST_CASE("gradients that nobody asks for are not written", "[tensor][kernels][attention]") {
    Random random(11);
    const Inputs in({50, 60, 6, 7, Masked::causal, false, 1}, random);
    const kernels::Available found = kernels::available();
    for (int t = 0; t < found.count; ++t) {
        INFO(found.tables[t]->name);
        KernelResults all[] = {KernelResults(50, 6), KernelResults(60, 6), KernelResults(60, 7)};
        KernelResults O(50, 7);
        Numbers row_max(50), row_sum(50);
        Numbers scratch(static_cast<std::size_t>(kernels::attention_scratch(6, 7)));
        kernels::AttentionTask task = {{50, 60, 6, 7, Scalar(2), in.Q.matrix, in.K.matrix,
                                        in.V.matrix, in.table.visible.data(),
                                        in.table.allowed.data(), false, scratch.data()},
                                       O.rows,
                                       row_max.data(),
                                       row_sum.data()};
        found.tables[t]->attention(task);
        for (int wanted = 0; wanted < 8; ++wanted) {
            KernelResults some[] = {KernelResults(50, 6), KernelResults(60, 6),
                                    KernelResults(60, 7)};
            kernels::Rows rows[3];
            for (int i = 0; i < 3; ++i) rows[i] = wanted >> i & 1 ? some[i].rows : kernels::Rows{};
            kernels::AttentionGradientTask gradients = {
                task,           {O.rows.data, O.rows.row, 1},
                row_max.data(), row_sum.data(),
                in.G.matrix,    rows[0],
                rows[1],        rows[2]};
            found.tables[t]->attention_gradients(gradients);
            gradients.dQ = all[0].rows;
            gradients.dK = all[1].rows;
            gradients.dV = all[2].rows;
            found.tables[t]->attention_gradients(gradients);
            for (int i = 0; i < 3; ++i) {
                if (wanted >> i & 1) CHECK(same(some[i].numbers, all[i].numbers));
            }
        }
    }
}
