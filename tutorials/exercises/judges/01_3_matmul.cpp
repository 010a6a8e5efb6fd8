#include "tutorials/exercises/judges/01_3_matmul.h"

#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/tensor/factories.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/matmul.h"
#include "heed/tensor/views.h"

using namespace heed;

namespace exercise {

namespace {

// An entry of a matrix; with the slip, of its memory read as row-major, ignoring the strides.
Scalar read(const Tensor& X, std::int64_t i, std::int64_t j, const Slips& slip) {
    const Scalar entry = X(i, j);  // throws if out of range
    return slip("ten.noncontig-data") ? X.data()[i * X.dim(1) + j] : entry;
}

Scalar term(const Tensor& A, const Tensor& B, std::int64_t i, std::int64_t j, std::int64_t k,
            const Slips& slip) {
    if (slip("mm.elementwise")) return read(A, i, j, slip) * read(B, i, j, slip);
    if (slip("mm.BA")) return read(B, i, k, slip) * read(A, k, j, slip);
    const Scalar a = slip("mm.AtB") ? read(A, k, i, slip) : read(A, i, k, slip);
    const Scalar b = slip("mm.ABt") ? read(B, j, k, slip) : read(B, k, j, slip);
    return slip("mm.plus") ? a + b : a * b;
}

Tensor product(const Tensor& A, const Tensor& B, const Slips& slip) {
    const std::int64_t n = A.dim(0);
    const std::int64_t m = B.dim(1);
    std::int64_t K = A.dim(1);
    if (slip("mm.elementwise")) K = 1;
    if (slip("mm.short-k")) K = A.dim(1) - 1;
    if (slip("mm.k-from-n")) K = n;
    std::vector<Scalar> C;
    Scalar sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < m; ++j) {
            if (!slip("mm.acc-not-reset")) sum = 0;
            for (std::int64_t k = 0; k < K; ++k) {
                const Scalar one = term(A, B, i, j, k, slip);
                sum = slip("mm.last-k") ? one : sum + one;
            }
            C.push_back(sum);
        }
    }
    if (!slip("mm.filled-by-columns")) return tensor::from_vector(C, {n, m});
    return tensor::reshape(tensor::transpose(tensor::from_vector(C, {n, m})), {n, m});
}

Tensor products(const Tensor& A, const Tensor& B, const Slips& slip) {
    std::vector<Scalar> C;
    for (std::int64_t t = 0; t < A.dim(0); ++t) {
        const std::int64_t of_A = slip("mm.batch-first-A") ? 0 : t;
        const std::int64_t of_B = slip("mm.batch-first-B") ? 0 : t;
        const Tensor one = product(tensor::select(A, 0, of_A), tensor::select(B, 0, of_B), slip);
        for (const Scalar entry : one.to_vector()) {
            C.push_back(slip("mm.batch-only-first") && t > 0 ? 0 : entry);
        }
    }
    return tensor::from_vector(C, {A.dim(0), A.dim(1), B.dim(2)});
}

MatmulByHand slipping(const Slips& slip) {
    return {[=](const Tensor& A, const Tensor& B) { return product(A, B, slip); },
            [=](const Tensor& A, const Tensor& B) {
                return products(A, B, slip.in("batched_product"));
            }};
}

struct Input {
    std::string name;
    Tensor A, B;    // [n, K], [K, m]
    Tensor As, Bs;  // [b, n, K], [b, K, m]
};

Steps steps(const MatmulByHand& f, const Input& in) {
    return {[=] {
                return Stages{{"product_by_loops", f.of_matrices(in.A, in.B)}};
            },
            [=] {
                return Stages{{"batched_product", f.of_batches(in.As, in.Bs)}};
            }};
}

Case on(const Input& in, const MatmulByHand& f) {
    return in_order(
        in.name, [=](const Slips& slip) { return steps(slipping(slip), in); }, steps(f, in));
}

std::string identity(const MatmulByHand& f) {
    const Tensor A = random({3, 4}, 21);
    return tensor::all_close(f.of_matrices(A, tensor::eye(4)), A) ? "" : "A·I is not A.";
}

std::string one_after_the_other(const MatmulByHand& f) {
    const Tensor A = random({2, 3}, 22);
    const Tensor B = random({3, 4}, 23);
    const Tensor C = random({4, 5}, 24);
    const Tensor left = f.of_matrices(f.of_matrices(A, B), C);
    const Tensor right = f.of_matrices(A, f.of_matrices(B, C));
    return tensor::all_close(left, right, 1e-6, 1e-8) ? "" : "(A·B)·C is not A·(B·C).";
}

std::vector<Mistake> of_products() {
    return {
        {"mm.elementwise",
         "entries that stand at the same place were multiplied",
         {"How many terms has the sum for one entry of C?", "Where does your code sum over k?"}},
        {"mm.BA",
         "it was B·A",
         {"Is A·B the same as B·A?", "Whose rows and whose columns meet in C[i, j]?"}},
        {"mm.ABt",
         "it was A·Bᵀ",
         {"Does row i of A meet a row or a column of B?", "Look at the two indices of B."}},
        {"mm.AtB",
         "it was Aᵀ·B",
         {"Does a row or a column of A meet column j of B?", "Look at the two indices of A."}},
        {"mm.plus",
         "A[i, k] and B[k, j] were added and not multiplied",
         {"What happens to the two entries that meet?", "Look at one term of your sum."}},
        {"mm.acc-not-reset",
         "the sum was not set back to 0 for each entry",
         {"With what does the sum for C[0, 1] begin?",
          "Stop in the loop over k at the second entry and look at the sum."}},
        {"mm.last-k",
         "only the last term was kept",
         {"How many terms go into one entry?",
          "Stop in the loop over k and watch the sum as k grows."}},
        {"mm.short-k",
         "the last term was left out",
         {"Which values does k take?", "Where does your loop over k end?"}},
        {"mm.k-from-n",
         "k ran as far as there are rows in A",
         {"How many columns has A?", "Where does your loop over k end?"}},
        {"mm.filled-by-columns",
         "the right entries were written down column after column",
         {"In which order does from_vector read its list?",
          "Which of your loops is the outer one, i or j?"}},
        {"ten.noncontig-data",
         "memory was read row after row, though a transposed tensor lies otherwise",
         {"What does a transpose do to memory?", "How does your code find entry (i, k)?"}},
    };
}

std::vector<Mistake> of_batches() {
    return {
        {"mm.batch-first-A",
         "every product used the first A",
         {"Which A belongs to product 1?", "Look at the index t of A."}},
        {"mm.batch-first-B",
         "every product used the first B",
         {"Which B belongs to product 1?", "Look at the index t of B."}},
        {"mm.batch-only-first",
         "only the first product was worked out, the others left at 0",
         {"How many products are there?", "Where does your loop over t end?"}},
    };
}

}  // namespace

Exercise matmul(const MatmulByHand& f) {
    Exercise exercise;
    exercise.number = "01.3";
    exercise.title = "The matrix product by loops";
    exercise.cases = {
        on({"[2, 3]·[3, 4]", random({2, 3}, 1), random({3, 4}, 2), random({2, 4, 3}, 3),
            random({2, 3, 5}, 4)},
           f),
        on({"[3, 3]·[3, 3]", random({3, 3}, 5), random({3, 3}, 6), random({2, 3, 3}, 7),
            random({2, 3, 3}, 8)},
           f),
        on({"transposed views", tensor::transpose(random({4, 5}, 9)),
            tensor::transpose(random({3, 4}, 10)), tensor::transpose(random({3, 2, 4}, 11)),
            tensor::transpose(random({3, 5, 2}, 12))},
           f),
        on({"[1, 1]·[1, 1]", random({1, 1}, 13), random({1, 1}, 14), random({2, 1, 1}, 15),
            random({2, 1, 1}, 16)},
           f),
    };
    exercise.laws = {
        {"A·I = A", [=] { return identity(f); }},
        {"(A·B)·C = A·(B·C)", [=] { return one_after_the_other(f); }},
    };
    exercise.mistakes = joined(of_products(), of_batches());
    exercise.mistakes = joined(exercise.mistakes, made_in("batched_product", of_products()));
    exercise.hints = {
        "Which numbers of A and of B does the entry C[0, 1] need?",
        "Work out C[0, 1] of a [2, 3] and a [3, 2] on paper, then stop your loop there",
        "C[i, j] = Σ_k A[i, k]·B[k, j], with i < n, j < m, k < K",
        "for (k = 0; k < A.dim(1); ++k) sum += A(i, k) * B(k, j); and sum = 0 before it"};
    return exercise;
}

static Tensor by_library(const Tensor& A, const Tensor& B) { return tensor::matmul(A, B); }

Trials matmul_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return matmul(slipping(slip)); };
    trials.right["by the library"] = [] { return matmul({by_library, by_library}); };
    trials.right["with k in the outermost loop"] = [] {
        MatmulByHand f = slipping({});
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
