// The matrix product: by hand, and every combination of ranks against chains of multiply-adds.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>

using namespace heed;
using Numbers = std::vector<Scalar>;

namespace {
// Σ_k a[k]·b[k] as every entry of a product is defined: a chain for every 384 k, added in order.
Scalar blocks_of_384(const Tensor& a, const Tensor& b) {
    Scalar total = 0, chain = 0;
    for (std::int64_t k = 0; k < a.dim(0); ++k) {
        chain = std::fma(a(k), b(k), chain);
        if (k % 384 < 383 && k + 1 < a.dim(0)) continue;
        total = k < 384 ? chain : total + chain;
        chain = 0;
    }
    return total;
}

// C[i, j] of two matrices.
Tensor matrix_product(const Tensor& A, const Tensor& B) {
    Numbers C;
    for (std::int64_t i = 0; i < A.dim(0); ++i) {
        for (std::int64_t j = 0; j < B.dim(1); ++j) {
            C.push_back(blocks_of_384(tensor::select(A, 0, i), tensor::select(B, 1, j)));
        }
    }
    return tensor::from_vector(C, {A.dim(0), B.dim(1)});
}

// The same for each index of the batch axes, whose broadcast shape is `batch`.
Tensor batched_product(const Tensor& A, const Tensor& B, const std::vector<std::int64_t>& batch) {
    const auto with = [&](std::int64_t rows, std::int64_t columns) {
        std::vector<std::int64_t> dims = batch;
        dims.push_back(rows);
        dims.push_back(columns);
        return Dims(dims);
    };
    const std::int64_t m = A.dim(-2), k = A.dim(-1), n = B.dim(-1);
    const Tensor all_A = tensor::reshape(tensor::expand(A, with(m, k)), {-1, m, k});
    const Tensor all_B = tensor::reshape(tensor::expand(B, with(k, n)), {-1, k, n});
    Numbers C;
    for (std::int64_t b = 0; b < all_A.dim(0); ++b) {
        const Tensor one = matrix_product(tensor::select(all_A, 0, b), tensor::select(all_B, 0, b));
        for (Scalar entry : one.to_vector()) C.push_back(entry);
    }
    return tensor::from_vector(C, Shape(with(m, n)));
}

bool equal(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && tensor::same_bits(a, b);
}

}  // namespace

TEST_CASE("a product worked by hand", "[tensor][matmul]") {
    const Tensor A = tensor::of({{1, 2, 3}, {4, 5, 6}});
    const Tensor B = tensor::of({{7, -1}, {0, 2}, {1, 3}});
    CHECK(tensor::matmul(A, B).to_vector() == Numbers{10, 12, 34, 24});
    CHECK(tensor::matmul(B, A).to_vector() == Numbers{3, 9, 15, 8, 10, 12, 13, 17, 21});
    const Tensor P = tensor::of({{1, 2}, {3, 4}}), Q = tensor::of({{0, 1}, {5, 2}});
    CHECK(tensor::matmul(P, Q).to_vector() == Numbers{10, 5, 20, 11});
    CHECK(tensor::matmul(Q, P).to_vector() == Numbers{3, 4, 11, 18});
    CHECK(tensor::matmul(P, tensor::transpose(Q)).to_vector() == Numbers{2, 9, 4, 23});
}

TEST_CASE("vectors count as a row on the left and as a column on the right", "[tensor][matmul]") {
    const Tensor v = tensor::of({1, 2, 3});
    const Tensor A = tensor::of({{1, 0, 2}, {0, 3, 1}});
    const Tensor dot = tensor::matmul(v, tensor::of({4, 5, 6}));
    CHECK(dot.rank() == 0);
    CHECK(dot.item() == 32);
    const Tensor column = tensor::matmul(A, v);
    CHECK(column.shape() == Shape{2});
    CHECK(column.to_vector() == Numbers{7, 9});
    const Tensor row = tensor::matmul(tensor::of({1, 10}), A);
    CHECK(row.shape() == Shape{3});
    CHECK(row.to_vector() == Numbers{1, 30, 12});
}

TEST_CASE("vectors against batches drop their axis", "[tensor][matmul]") {
    Random random(1);
    const Tensor v = tensor::normal({4}, random);
    const Tensor X = tensor::normal({2, 3, 5, 4}, random);
    const Tensor Y = tensor::normal({2, 3, 4, 5}, random);
    const Tensor as_column = batched_product(X, tensor::reshape(v, {4, 1}), {2, 3});
    const Tensor as_row = batched_product(tensor::reshape(v, {1, 4}), Y, {2, 3});
    CHECK(equal(tensor::matmul(X, v), tensor::reshape(as_column, {2, 3, 5})));
    CHECK(equal(tensor::matmul(v, Y), tensor::reshape(as_row, {2, 3, 5})));
}

TEST_CASE("a product is a chain of multiply-adds for every 384 steps, whatever its shape",
          "[tensor][matmul]") {
    Random random(2);
    const std::int64_t sizes[][3] = {
        {1, 1, 1},   {2, 3, 4},   {5, 7, 1},   {1, 9, 17},  {8, 16, 16}, {9, 31, 17}, {17, 5, 33},
        {3, 400, 2}, {48, 2, 65}, {2, 384, 1}, {2, 385, 3}, {1, 768, 2}, {3, 1600, 2}};
    for (const auto& size : sizes) {
        INFO(size[0] << " x " << size[1] << " x " << size[2]);
        const Tensor A = tensor::normal({size[0], size[1]}, random);
        const Tensor B = tensor::normal({size[1], size[2]}, random);
        const Tensor C = tensor::matmul(A, B);
        CHECK(equal(C, matrix_product(A, B)));
        const Tensor A_turned = tensor::transpose(tensor::contiguous(tensor::transpose(A)));
        const Tensor B_turned = tensor::transpose(tensor::contiguous(tensor::transpose(B)));
        CHECK(equal(tensor::matmul(A_turned, B), C));
        CHECK(equal(tensor::matmul(A, B_turned), C));
        CHECK(equal(tensor::matmul(A_turned, B_turned), C));
    }
}

TEST_CASE("a sum over more than 64 blocks of 384 is that of its two parts", "[tensor][matmul]") {
    Random random(5);
    const std::int64_t n = 64 * 384;
    const Tensor A = tensor::normal({2, 2, 3 * n + 5}, random);
    const Tensor B = tensor::normal({3 * n + 5, 3}, random);
    const auto part = [&](std::int64_t begin, std::int64_t end) {
        return tensor::matmul(tensor::slice(A, -1, begin, end), tensor::slice(B, 0, begin, end));
    };
    CHECK(equal(part(0, n + 1), part(0, n) + part(n, n + 1)));
    CHECK(equal(part(0, 2 * n), part(0, n) + part(n, 2 * n)));
    CHECK(equal(part(0, 3 * n), part(0, 2 * n) + part(2 * n, 3 * n)));
    CHECK(equal(tensor::matmul(A, B),
                part(0, 2 * n) + (part(2 * n, 3 * n) + part(3 * n, 3 * n + 5))));
    const Tensor b = tensor::normal({3}, random);
    CHECK(equal(tensor::linear(A, tensor::transpose(B), b), tensor::matmul(A, B) + b));
}

TEST_CASE("batch axes are broadcast", "[tensor][matmul]") {
    Random random(3);
    const Tensor X = tensor::normal({2, 3, 4, 5}, random);
    for (const Shape& shape : {Shape{2, 3, 5, 6}, Shape{3, 5, 6}, Shape{2, 1, 5, 6},
                               Shape{1, 3, 5, 6}, Shape{5, 6}, Shape{1, 1, 5, 6}}) {
        INFO("B " << shape);
        const Tensor Y = tensor::normal(shape, random);
        CHECK(equal(tensor::matmul(X, Y), batched_product(X, Y, {2, 3})));
    }
    const Tensor Y = tensor::normal({7, 1, 3, 5, 2}, random);
    CHECK(equal(tensor::matmul(X, Y), batched_product(X, Y, {7, 2, 3})));
    const Tensor M = tensor::normal({6, 4}, random);
    CHECK(equal(tensor::matmul(M, X), batched_product(M, X, {2, 3})));
}

TEST_CASE("a product of windows equals the product of their copies", "[tensor][matmul]") {
    Random random(4);
    const Tensor heads = tensor::normal({2, 6, 3, 5}, random);  // [B, T, h, d]
    const Tensor Q = tensor::transpose(heads, 1, 2);            // [B, h, T, d]
    CHECK(equal(tensor::matmul(Q, tensor::transpose(Q)),
                batched_product(Q, tensor::transpose(Q), {2, 3})));
    const Tensor B = tensor::normal({5, 4}, random);
    CHECK(equal(tensor::matmul(Q, B), batched_product(Q, B, {2, 3})));
    const Tensor every_second = tensor::slice(tensor::normal({8, 10}, random), 1, 0, 10, 2);
    CHECK(equal(tensor::matmul(every_second, B), matrix_product(every_second, B)));
    const Tensor repeated = tensor::expand(tensor::normal({1, 5}, random), {7, 5});
    CHECK(equal(tensor::matmul(repeated, B), matrix_product(repeated, B)));
    CHECK(equal(tensor::matmul(tensor::transpose(every_second), every_second),
                matrix_product(tensor::transpose(every_second), every_second)));
}

TEST_CASE("a sum of no terms is zero", "[tensor][matmul]") {
    const Tensor C = tensor::matmul(tensor::ones({2, 0}), tensor::ones({0, 3}));
    CHECK(C.shape() == Shape{2, 3});
    CHECK(C.to_vector() == Numbers{0, 0, 0, 0, 0, 0});
    CHECK(tensor::matmul(tensor::zeros({0}), tensor::zeros({0})).item() == 0);
    CHECK(tensor::matmul(tensor::ones({4, 2, 0}), tensor::ones({0, 17})).to_vector() ==
          Numbers(136, 0));
}

TEST_CASE("products without entries keep their shape", "[tensor][matmul]") {
    CHECK(tensor::matmul(tensor::zeros({0, 3}), tensor::zeros({3, 4})).shape() == Shape{0, 4});
    CHECK(tensor::matmul(tensor::zeros({2, 3}), tensor::zeros({3, 0})).shape() == Shape{2, 0});
    CHECK(tensor::matmul(tensor::zeros({0, 2, 3}), tensor::zeros({3, 4})).shape() ==
          Shape{0, 2, 4});
    CHECK(tensor::matmul(tensor::zeros({0, 2, 3}), tensor::zeros({1, 3, 4})).shape() ==
          Shape{0, 2, 4});
}

TEST_CASE("infinities and NaN are not lost in a product", "[tensor][matmul]") {
    const Tensor A = tensor::of({{0, 1}, {1, 1}});
    const Tensor B = tensor::of({{infinity, 1}, {2, std::nan("")}});
    const Tensor C = tensor::matmul(A, B);
    CHECK(std::isnan(C(0, 0)));
    CHECK(std::isnan(C(0, 1)));
    CHECK(C(1, 0) == infinity);
}

TEST_CASE("a mismatched product reports the two lengths", "[tensor][matmul]") {
    const auto message = [](const Shape& a, const Shape& b) {
        return message_of<ShapeError>([&] { tensor::matmul(tensor::zeros(a), tensor::zeros(b)); });
    };
    CHECK(message({2, 3}, {4, 5}) ==
          "matmul: the last axis of A [2, 3] has length 3, but the second-to-last of B [4, 5] has "
          "4; these are summed over and must be equal");
    CHECK(message({2, 3}, {4, 3}) ==
          "matmul: the last axis of A [2, 3] has length 3, but the second-to-last of B [4, 3] has "
          "4; these are summed over and must be equal; did you mean transpose(B)?");
    CHECK(message({2, 3}, {2}) == "matmul: the last axis of A [2, 3] has length 3, but the only of "
                                  "B [2] has 2; these are summed over and must be equal");
    CHECK(message({}, {2}) == "matmul: shapes [] and [2]; a single number (rank 0) has no axis to "
                              "sum over; multiply it with *");
    CHECK(message({2, 4, 3}, {5, 3, 4}) ==
          "matmul: batch axes: shapes [2] and [5] cannot be broadcast together: axis -1 has length "
          "2 in one and 5 in the other; aligned at the last axis, lengths must be equal or 1");
}

TEST_CASE("a layer's product has the bits of matmul and then a sum", "[tensor][matmul]") {
    Random random(7);
    const std::int64_t sizes[][3] = {{1, 1, 1},      {3, 5, 4},       {1, 7, 300},   {9, 1, 17},
                                     {2, 0, 3},      {0, 4, 3},       {100, 70, 33}, {193, 385, 65},
                                     {300, 64, 130}, {700, 200, 1030}};
    for (const std::int64_t(&size)[3] : sizes) {
        const Tensor x = tensor::normal({size[0], size[1]}, random);
        const Tensor W = tensor::normal({size[2], size[1]}, random);
        const Tensor b = tensor::normal({size[2]}, random);
        CAPTURE(size[0], size[1], size[2]);
        CHECK(equal(tensor::linear(x, W, b), tensor::matmul(x, tensor::transpose(W)) + b));
    }
    const Tensor x = tensor::normal({4, 3, 6}, random);
    const Tensor W = tensor::transpose(tensor::normal({6, 5}, random));
    const Tensor b = tensor::slice(tensor::normal({10}, random), 0, 0, 10, 2);
    const Tensor flipped = tensor::transpose(x, 0, 1);
    CHECK(equal(tensor::linear(x, W, b), tensor::matmul(x, tensor::transpose(W)) + b));
    CHECK(equal(tensor::linear(flipped, W, b), tensor::matmul(flipped, tensor::transpose(W)) + b));
    const Tensor v = tensor::normal({6}, random);
    CHECK(equal(tensor::linear(v, W, b), tensor::matmul(W, v) + b));
}

TEST_CASE("a mismatched layer product reports the three shapes", "[tensor][matmul]") {
    const std::string rule = "; they must be [..., in], [out, in] and [out]";
    const Tensor x = tensor::ones({2, 3}), W = tensor::ones({4, 3}), b = tensor::ones({4});
    CHECK(message_of<ShapeError>([&] {
              tensor::linear(x, tensor::ones({3, 4}), b);
          }) == "linear: x has shape [2, 3], W [3, 4] and b [4]" + rule);
    CHECK(message_of<ShapeError>([&] { tensor::linear(x, W, tensor::ones({3})); }) ==
          "linear: x has shape [2, 3], W [4, 3] and b [3]" + rule);
    CHECK(message_of<ShapeError>([&] { tensor::linear(x, b, b); }) ==
          "linear: x has shape [2, 3], W [4] and b [4]" + rule);
    CHECK(message_of<ShapeError>([&] { tensor::linear(tensor::of(1), W, b); }) ==
          "linear: x has shape [], W [4, 3] and b [4]" + rule);
}
