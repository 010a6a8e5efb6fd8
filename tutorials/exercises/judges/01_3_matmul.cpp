#include "tutorials/exercises/judges/01_3_matmul.h"

#include "tutorials/exercises/judges/01_3_matmul_mistakes.h"
#include "tutorials/exercises/judges/common_holes.h"
#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/inputs.h"

#include "tensor/factories.h"
#include "tensor/ops/matmul.h"
#include "tensor/views.h"

using namespace heed;

namespace exercise {

namespace {

struct Factors {
    Tensor A, B;
};

Case on(const std::string& of, const Factors& in, Product MatmulByHand::*product,
        const std::string& stage, const MatmulByHand& f) {
    return {of + in.A.shape().text() + "·" + in.B.shape().text(),
            [=](const Slips& slip) {
                return Stages{{stage, (matmul_walked(slip).*product)(in.A, in.B)}};
            },
            [=] {
                return Stages{{stage, (f.*product)(in.A, in.B)}};
            },
            {{"A", in.A}, {"B", in.B}}};
}

Case calls(const std::string& how, const Factors& first, const Factors& second,
           Product MatmulByHand::*product, const std::string& stage, const MatmulByHand& f) {
    const auto stages = [=](const MatmulByHand& by) {
        return three_calls(first, second, [&](const Factors& in) {
            return Stages{{stage, (by.*product)(in.A, in.B)}};
        });
    };
    return {"three calls, looked at after the last, " + first.A.shape().text() + "·" +
                first.B.shape().text() + how,
            [=](const Slips& slip) { return stages(matmul_walked(slip)); },
            [=] { return stages(f); },
            {{"A", first.A}, {"B", first.B}, {"A", second.A}, {"B", second.B}}};
}

Factors randoms(const Shape& of_A, const Shape& of_B, std::uint64_t seed) {
    return {random(of_A, seed), random(of_B, seed + 1)};
}

// A part of a larger tensor: it begins behind the start of its storage.
Tensor part(const Shape& shape, std::uint64_t seed) {
    Tensor x = random(Shape{shape[0] + 1, shape[1] + 2}, seed);
    return tensor::slice(tensor::slice(x, 0, 1), 1, 2);
}

// Sums that a float or an int cannot hold.
Factors large() {
    return {tensor::of({{1e8 + 1, 1e8, 3}, {1e100, 2, 0.5}}),
            tensor::of({{1, 1e100}, {-1, 5}, {0.25, 1}})};
}

std::vector<Case> of_matrices(const MatmulByHand& f) {
    const auto with = [&](const std::string& of, const Factors& in) {
        return on(of, in, &MatmulByHand::of_matrices, "product_by_loops", f);
    };
    const auto thrice = [&](const std::string& how, const Factors& first, const Factors& second) {
        return calls(how, first, second, &MatmulByHand::of_matrices, "product_by_loops", f);
    };
    const Tensor A = random({4, 5}, 9), B = random({3, 4}, 10), square = random({3, 3}, 65);
    const Factors once = randoms({2, 3}, {3, 4}, 27), again = randoms({2, 3}, {3, 4}, 29);
    return {
        with("", randoms({2, 3}, {3, 4}, 1)),
        with("", randoms({3, 3}, {3, 3}, 5)),
        with("", randoms({2, 3}, {3, 3}, 67)),
        with("", randoms({3, 3}, {3, 4}, 69)),
        with("a matrix with itself, ", {square, square}),
        with("a transposed A, ", {tensor::transpose(A), random({4, 2}, 11)}),
        with("a transposed B, ", {random({2, 4}, 12), tensor::transpose(B)}),
        with("every second column, ",
             {tensor::slice(random({3, 8}, 13), 1, 1, 8, 2), random({4, 3}, 14)}),
        with("", randoms({1, 1}, {1, 1}, 15)),
        with("", randoms({1, 4}, {4, 1}, 17)),
        with("", randoms({4, 1}, {1, 3}, 19)),
        with("", randoms({2, 3}, {3, 1}, 21)),
        with("", randoms({2, 67}, {67, 3}, 23)),
        with("no terms, ", randoms({2, 0}, {0, 3}, 25)),
        with("a tiny A and a huge B, ", {1e-12 * random({2, 3}, 26), 1e12 * random({3, 2}, 27)}),
        with("large numbers, ", large()),
        with("parts of larger matrices, ", {part({2, 3}, 61), part({3, 4}, 62)}),
        with("zeros among the entries, ", {tensor::of({{1, 0, 2, 3}, {0, -1, 4, 2}}),
                                           tensor::of({{5, 0}, {2, 3}, {0, 1}, {4, -2}})}),
        thrice("", once, again),
        thrice(", the second with another B", once, {once.A, again.B}),
        thrice(", the second with another A", once, {again.A, once.B}),
    };
}

std::vector<Case> of_batches(const MatmulByHand& f) {
    const auto with = [&](const std::string& of, const Factors& in) {
        return on(of, in, &MatmulByHand::of_batches, "batched_product", f);
    };
    const auto thrice = [&](const std::string& how, const Factors& first, const Factors& second) {
        return calls(how, first, second, &MatmulByHand::of_batches, "batched_product", f);
    };
    const Tensor A = random({4, 2, 3}, 41), B = random({3, 5, 2}, 42);
    const Tensor squares = random({2, 3, 3}, 66);
    const Factors once = randoms({2, 4, 3}, {2, 3, 5}, 54),
                  again = randoms({2, 4, 3}, {2, 3, 5}, 56);
    return {
        with("", randoms({2, 4, 3}, {2, 3, 5}, 31)),
        with("", randoms({3, 3, 3}, {3, 3, 3}, 33)),
        with("", randoms({2, 4, 3}, {2, 3, 3}, 71)),
        with("", randoms({2, 3, 3}, {2, 3, 4}, 73)),
        with("a batch with itself, ", {squares, squares}),
        with("a transposed A, ", {tensor::transpose(random({3, 2, 4}, 35)), random({3, 2, 5}, 36)}),
        with("a transposed B, ", {random({3, 4, 2}, 37), tensor::transpose(B)}),
        with("a batch that is not the first axis in memory, ",
             {tensor::permute(A, {1, 0, 2}), random({2, 3, 5}, 43)}),
        with("every second text, ",
             {tensor::slice(random({6, 2, 3}, 44), 0, 1, 6, 2), random({3, 3, 2}, 45)}),
        with("", randoms({1, 2, 3}, {1, 3, 4}, 46)),
        with("", randoms({2, 1, 1}, {2, 1, 1}, 48)),
        with("", randoms({5, 1, 3}, {5, 3, 1}, 50)),
        with("no terms, ", randoms({2, 3, 0}, {2, 0, 4}, 52)),
        with("large numbers, ", {tensor::unsqueeze(large().A, 0), tensor::unsqueeze(large().B, 0)}),
        with("every second B, ",
             {random({3, 2, 3}, 63), tensor::slice(random({6, 3, 2}, 64), 0, 1, 6, 2)}),
        thrice("", once, again),
        thrice(", the second with another B", once, {once.A, again.B}),
        thrice(", the second with another A", once, {again.A, once.B}),
    };
}

std::vector<Hole> holes() {
    return {
        {"product_by_loops",
         in_all_calls({"product_by_loops"}),
         {"Which numbers of A and of B does the entry C[0, 1] need?",
          "Work out C[0, 1] of a [2, 3] and a [3, 2] on paper, then stop your loop there",
          "C[i, j] = Σ_k A[i, k]·B[k, j], with i < n, j < m, k < K",
          "for (k = 0; k < A.dim(1); ++k) sum += A(i, k) * B(k, j); and sum = 0 before it"}},
        {"batched_product",
         in_all_calls({"batched_product"}),
         {"Which A and which B does C[1] need, and does it need any other?",
          "Compare C[1] with product_by_loops of A[1] and B[1]",
          "C[t] = A[t]·B[t] for each t < b, each with a sum of its own",
          "product_by_loops(tensor::select(A, 0, t), tensor::select(B, 0, t)) for each t, and all "
          "their entries in one list, in the order of t"}},
    };
}

}  // namespace

Exercise matmul(const MatmulByHand& f) {
    Exercise exercise;
    exercise.number = "01.3";
    exercise.title = "The matrix product by loops";
    exercise.cases = hole_by_hole({of_matrices(f), of_batches(f)});
    exercise.mistakes = matmul_mistakes();
    exercise.holes = holes();
    exercise.hints = {
        "Which numbers of A and of B does the entry C[0, 1] need?",
        "Work out C[0, 1] of a [2, 3] and a [3, 2] on paper, then stop your loop there",
        "C[i, j] = Σ_k A[i, k]·B[k, j], with i < n, j < m, k < K",
        "Try product_by_loops on one pair of matrices alone, before a batch of them"};
    return exercise;
}

static Tensor by_library(const Tensor& A, const Tensor& B) { return tensor::matmul(A, B); }

Trials matmul_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return matmul(matmul_walked(slip)); };
    trials.right["by the library"] = [] { return matmul({by_library, by_library}); };
    trials.right["with k in the outermost loop"] = [] {
        MatmulByHand f = matmul_walked({});
        f.of_matrices = [](const Tensor& A, const Tensor& B) {
            Tensor C = tensor::zeros({A.dim(0), B.dim(1)});
            Scalar* const entries = C.writable_data();
            for (std::int64_t k = 0; k < A.dim(1); ++k) {
                for (std::int64_t i = 0; i < A.dim(0); ++i) {
                    for (std::int64_t j = 0; j < B.dim(1); ++j) {
                        entries[i * B.dim(1) + j] += A(i, k) * B(k, j);
                    }
                }
            }
            return C;
        };
        return matmul(f);
    };
    return trials;
}

}  // namespace exercise
