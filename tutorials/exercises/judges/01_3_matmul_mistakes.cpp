#include "tutorials/exercises/judges/01_3_matmul_mistakes.h"

#include "tutorials/exercises/judges/common_steps.h"

#include "tensor/factories.h"
#include "tensor/views.h"

using namespace heed;

namespace exercise {

namespace {

// The mistakes in one term of a sum, looked up once and not for each term.
struct Term {
    explicit Term(const Slips& slip)
        : in_memory(slip("ten.noncontig-data")), elementwise(slip("mm.elementwise")),
          BA(slip("mm.BA")), AtB(slip("mm.AtB")), ABt(slip("mm.ABt")), plus(slip("mm.plus")) {}

    // An entry of a matrix; with the slip, of its memory read as row-major, ignoring the strides.
    Scalar read(const Tensor& X, std::int64_t i, std::int64_t j) const {
        const Scalar entry = X(i, j);  // throws if out of range
        return in_memory ? X.data()[i * X.dim(1) + j] : entry;
    }

    Scalar operator()(const Tensor& A, const Tensor& B, std::int64_t i, std::int64_t j,
                      std::int64_t k) const {
        if (elementwise) return read(A, i, j) * read(B, i, j);
        if (BA) return read(B, i, k) * read(A, k, j);
        const Scalar a = AtB ? read(A, k, i) : read(A, i, k);
        const Scalar b = ABt ? read(B, j, k) : read(B, k, j);
        return plus ? a + b : a * b;
    }

    bool in_memory, elementwise, BA, AtB, ABt, plus;
};

Tensor product(const Tensor& A, const Tensor& B, const Slips& slip) {
    const std::int64_t n = A.dim(0);
    const std::int64_t m = B.dim(1);
    std::int64_t K = A.dim(1);
    if (slip("mm.elementwise")) K = 1;
    if (slip("mm.short-k")) K = A.dim(1) - 1;
    if (slip("mm.k-from-n")) K = n;
    const Term term(slip);
    const bool resets = !slip("mm.acc-not-reset"), adds = !slip("mm.last-k");
    std::vector<Scalar> C;
    Scalar sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < m; ++j) {
            if (resets) sum = 0;
            for (std::int64_t k = 0; k < K; ++k) {
                const Scalar one = term(A, B, i, j, k);
                sum = adds ? sum + one : one;
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

std::vector<Mistake> mistakes_of_products() {
    return {
        {"mm.elementwise",
         "entries at the same place were multiplied",
         {"How many terms are in the sum for one entry of C?", "Where does your code sum over k?"}},
        {"mm.BA",
         "the product was B·A",
         {"Is A·B the same as B·A?", "Whose rows and whose columns meet in C[i, j]?"}},
        {"mm.ABt",
         "the product was A·Bᵀ",
         {"Does row i of A meet a row or a column of B?", "Look at the two indices of B."}},
        {"mm.AtB",
         "the product was Aᵀ·B",
         {"Does a row or a column of A meet column j of B?", "Look at the two indices of A."}},
        {"mm.plus",
         "A[i, k] and B[k, j] were added and not multiplied",
         {"What happens to the two entries that meet?", "Look at one term of your sum."}},
        {"mm.acc-not-reset",
         "the sum was not set back to 0 for each entry",
         {"What does the sum for C[0, 1] start from?",
          "Stop in the loop over k at the second entry and look at the sum."}},
        {"mm.last-k",
         "only the last term was kept",
         {"How many terms go into one entry?",
          "Stop in the loop over k and watch the sum as k grows."}},
        {"mm.short-k",
         "the last term was left out",
         {"Which values does k take?", "Where does your loop over k end?"}},
        {"mm.k-from-n",
         "k ran over as many values as A has rows",
         {"How many columns does A have?", "Where does your loop over k end?"}},
        {"mm.filled-by-columns",
         "the right entries were written down column by column",
         {"In which order does from_vector read its list?",
          "Which of your loops is the outer one, i or j?"}},
        {"ten.noncontig-data",
         "memory was read row by row, whatever the strides were",
         {"Does a transpose move anything in memory?", "How does your code find entry (i, k)?"}},
    };
}

std::vector<Mistake> mistakes_of_batches() {
    return {
        {"mm.batch-first-A",
         "every product used the first A",
         {"Which A belongs to product 1?", "Look at the index t of A."}},
        {"mm.batch-first-B",
         "every product used the first B",
         {"Which B belongs to product 1?", "Look at the index t of B."}},
        {"mm.batch-only-first",
         "only the first product was computed and the others were left at 0",
         {"How many products are there?", "Where does your loop over t end?"}},
    };
}

}  // namespace

MatmulByHand matmul_walked(const Slips& slip) {
    return {[=](const Tensor& A, const Tensor& B) { return product(A, B, slip); },
            [=](const Tensor& A, const Tensor& B) {
                return products(A, B, slip.in("batched_product"));
            }};
}

std::vector<Mistake> matmul_mistakes() {
    return joined(joined(mistakes_of_products(), mistakes_of_batches()),
                  made_in("batched_product", mistakes_of_products()));
}

}  // namespace exercise
