// The matrix product: ∂L/∂A = G·Bᵀ and ∂L/∂B = Aᵀ·G, for vectors, matrices and batches.
#include "nn/heed.h"

#include "tests/autograd/gradients.h"
#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;
using tensor::of;

TEST_CASE("a matrix product has the gradients worked out by hand", "[autograd][matmul]") {
    const Variable A = leaf({{1, 2, 3}, {4, 5, 6}});
    const Variable B = leaf({{1, 0}, {2, -1}, {0, 3}});
    const Variable C = matmul(A, B);
    CHECK(close(C.value(), of({{5, 7}, {14, 13}})));
    const std::vector<Tensor> found = gradients(C, {A, B}, of({{1, 2}, {3, 4}}));
    CHECK(close(found[0], of({{1, 0, 6}, {3, 2, 12}})));
    CHECK(close(found[1], of({{13, 18}, {17, 24}, {21, 30}})));
}

TEST_CASE("products with vectors have the gradients worked out by hand", "[autograd][matmul]") {
    const Variable a = leaf({1, 2});
    const Variable b = leaf({3, -4});
    const std::vector<Tensor> of_dot = gradients(matmul(a, b), {a, b}, of(10));
    CHECK(close(of_dot[0], of({30, -40})));
    CHECK(close(of_dot[1], of({10, 20})));

    const Variable M = leaf({{1, 2, 3}, {4, 5, 6}});
    const Variable v = leaf({1, 0, -1});
    const std::vector<Tensor> of_left = gradients(matmul(a, M), {a, M}, of({1, 10, 100}));
    CHECK(close(of_left[0], of({321, 654})));
    CHECK(close(of_left[1], of({{1, 10, 100}, {2, 20, 200}})));
    const std::vector<Tensor> of_right = gradients(matmul(M, v), {M, v}, of({1, 10}));
    CHECK(close(of_right[0], of({{1, 0, -1}, {10, 0, -10}})));
    CHECK(close(of_right[1], of({41, 52, 63})));
}

namespace {
struct Ranks {
    Shape A, B;
};

// A batched product must have the gradients of its matrices computed one by one.
const Ranks with_batches[] = {
    {{5, 2, 3}, {5, 3, 4}}, {{5, 2, 3}, {3, 4}},    {{2, 3}, {5, 3, 4}},
    {{1, 2, 3}, {5, 3, 4}}, {{5, 2, 3}, {1, 3, 4}}, {{5, 2, 3}, {1, 3, 3}},
};

Variable batch_of(const Variable& X, std::int64_t i) {
    if (X.rank() == 2) return X;
    return select(X, 0, X.dim(0) == 1 ? 0 : i);
}

}  // namespace

TEST_CASE("batches have the gradients of their matrices taken one by one", "[autograd][matmul]") {
    for (const Ranks& ranks : with_batches) {
        INFO("A " << ranks.A << ", B " << ranks.B);
        const Variable A = leaf(ranks.A, 1);
        const Variable B = leaf(ranks.B, 2);
        std::vector<Variable> products;
        for (std::int64_t i = 0; i < 5; ++i) {
            products.push_back(matmul(batch_of(A, i), batch_of(B, i)));
        }
        const Variable C = matmul(A, B);
        const Variable expected = stack(products);
        CHECK(close(C.value(), expected.value()));
        const Tensor G = random(C.shape(), 3);
        const std::vector<Tensor> found = gradients(C, {A, B}, G);
        const std::vector<Tensor> one_by_one = gradients(expected, {A, B}, G);
        CHECK(close(found[0], one_by_one[0]));
        CHECK(close(found[1], one_by_one[1]));
    }
}

TEST_CASE("a matrix used for a whole batch gets its gradient from one product",
          "[autograd][matmul]") {
    // The order of summation shows it: over all rows of the batch in sequence.
    const Variable X = leaf({3, 4, 5}, 1);
    const Variable W = leaf({5, 2}, 2);
    const Tensor G = random({3, 4, 2}, 3);
    const Tensor all_rows = tensor::reshape(X.value(), {12, 5});
    const Tensor expected =
        tensor::matmul(tensor::transpose(all_rows), tensor::reshape(G, {12, 2}));
    CHECK(tensor::same_bits(gradient(matmul(X, W), W, G), expected));
    const Variable strided = transpose(leaf({3, 5, 4}, 4));
    const Tensor strided_rows = tensor::reshape(strided.value(), {12, 5});
    CHECK(tensor::same_bits(
        gradient(matmul(strided, W), W, G),
        tensor::matmul(tensor::transpose(strided_rows), tensor::reshape(G, {12, 2}))));
}

TEST_CASE("one variable on both sides gets both contributions", "[autograd][matmul]") {
    const Variable X = leaf({{1, 2}, {3, 4}});
    const Tensor G = of({{1, 0}, {0, 0}});
    // L = x₀₀² + x₀₁·x₁₀
    CHECK(close(gradient(matmul(X, X), X, G), of({{2, 3}, {2, 0}})));
    // L = x₀₀² + x₀₁²
    CHECK(close(gradient(matmul(X, transpose(X)), X, G), of({{2, 4}, {0, 0}})));
}

TEST_CASE("second derivatives go through a matrix product", "[autograd][matmul]") {
    // L = Σ (A·B)², so ∂L/∂A = 2·A·B·Bᵀ, and that, weighted with H, has the gradients
    // 2·H·B·Bᵀ for A, and 2·(Aᵀ·H + Hᵀ·A)·B for B.
    for (const Shape& of_A : {Shape{2, 3}, Shape{4, 2, 3}}) {
        const Variable A = leaf(of_A, 1);
        const Variable B = leaf({3, 5}, 2);
        const Variable C = matmul(A, B);
        const Variable first = grad(sum(C * C), A, {.create_graph = true});
        const Tensor B_Bt = tensor::matmul(B.value(), tensor::transpose(B.value()));
        CHECK(close(first.value(), tensor::matmul(A.value(), B_Bt) * 2));
        const Tensor H = random(of_A, 3);
        const std::vector<Tensor> second = gradients(first, {A, B}, H);
        CHECK(close(second[0], tensor::matmul(H, B_Bt) * 2));
        const Tensor rows_A = tensor::reshape(A.value(), {-1, 3});
        const Tensor At_H = tensor::matmul(tensor::transpose(rows_A), tensor::reshape(H, {-1, 3}));
        const Tensor both = At_H + tensor::transpose(At_H);
        CHECK(close(second[1], tensor::matmul(both, B.value()) * 2));
    }
}

TEST_CASE("products over no entries are 0 and have gradients of 0", "[autograd][matmul]") {
    const Variable A(tensor::zeros({2, 0}), requires_grad);
    const Variable B(tensor::zeros({0, 3}), requires_grad);
    const Variable C = matmul(A, B);
    CHECK(close(C.value(), tensor::zeros({2, 3})));
    CHECK(gradient(C, A, tensor::ones({2, 3})).shape() == Shape({2, 0}));
    const Variable no_rows(tensor::zeros({4, 0, 3}), requires_grad);
    const Variable W = leaf({3, 2}, 1);
    CHECK(close(gradient(matmul(no_rows, W), W, tensor::zeros({4, 0, 2})), tensor::zeros({3, 2})));
}

TEST_CASE("an input that no derivative needs is not kept", "[autograd][matmul]") {
    // A is a constant, so ∂L/∂A = G·Bᵀ is never needed: B may be freed or overwritten.
    const Tensor vector = of({1, 2});
    const Tensor row = of({{1, 2}});
    const Tensor batch = of({{{1, 2}}});
    for (const Tensor& A : {vector, row, batch}) {
        Tensor numbers = of({{3}, {4}});
        const Variable B(numbers, requires_grad);
        const long holders = numbers.storage().use_count();
        const Variable C = matmul(Variable(A), B);
        CHECK(numbers.storage().use_count() == holders);
        tensor::overwrite(numbers, of({{0}, {0}}));
        CHECK(close(gradient(C, B, tensor::full(C.shape(), 10)), of({{10}, {20}})));
    }
}

TEST_CASE("matmul of variables fails like that of tensors, with the shapes as given",
          "[autograd][matmul]") {
    const Variable A = leaf({2, 3, 4}, 1);
    const Variable B = leaf({5, 6}, 2);
    CHECK(message_of<ShapeError>([&] { matmul(A, B); }) ==
          message_of<ShapeError>([&] { tensor::matmul(A.value(), B.value()); }));
    CHECK_THAT(message_of<ShapeError>([&] { matmul(A, B); }), Contains("[2, 3, 4]"));
    CHECK(message_of<ShapeError>([&] { matmul(leaf(1), B); }) ==
          message_of<ShapeError>([&] { tensor::matmul(of(1), B.value()); }));
}
