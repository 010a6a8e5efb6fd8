#include "tutorials/exercises/judges/lesson_01.h"
#include "tutorials/exercises/judging/kit.h"

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
        {"mm.elementwise", "entries at the same place were multiplied",
         "How many terms are in the sum for one entry of C?", "Where does your code sum over k?"},
        {"mm.BA", "the product was B·A", "Is A·B the same as B·A?",
         "Whose rows and whose columns meet in C[i, j]?"},
        {"mm.ABt", "the product was A·Bᵀ", "Does row i of A meet a row or a column of B?",
         "Look at the two indices of B."},
        {"mm.AtB", "the product was Aᵀ·B", "Does a row or a column of A meet column j of B?",
         "Look at the two indices of A."},
        {"mm.plus", "A[i, k] and B[k, j] were added and not multiplied",
         "What happens to the two entries that meet?", "Look at one term of your sum."},
        {"mm.acc-not-reset", "the sum was not set back to 0 for each entry",
         "What does the sum for C[0, 1] start from?",
         "Stop in the loop over k at the second entry and look at the sum."},
        {"mm.last-k", "only the last term was kept", "How many terms go into one entry?",
         "Stop in the loop over k and watch the sum as k grows."},
        {"mm.short-k", "the last term was left out", "Which values does k take?",
         "Where does your loop over k end?"},
        {"mm.k-from-n", "k ran over as many values as A has rows", "How many columns does A have?",
         "Where does your loop over k end?"},
        {"mm.filled-by-columns", "the right entries were written down column by column",
         "In which order does from_vector read its list?",
         "Which of your loops is the outer one, i or j?"},
        {"ten.noncontig-data", "memory was read row by row, whatever the strides were",
         "Does a transpose move anything in memory?", "How does your code find entry (i, k)?"},
    };
}

std::vector<Mistake> mistakes_of_batches() {
    return {
        {"mm.batch-first-A", "every product used the first A", "Which A belongs to product 1?",
         "Look at the index t of A."},
        {"mm.batch-first-B", "every product used the first B", "Which B belongs to product 1?",
         "Look at the index t of B."},
        {"mm.batch-only-first", "only the first product was computed and the others were left at 0",
         "How many products are there?", "Where does your loop over t end?"},
    };
}

struct Factors {
    Tensor A, B;
};

Stages given(const Factors& in) { return {{"A", in.A}, {"B", in.B}}; }

Stages product_by_loops(const MatmulByHand& f, const Factors& in) {
    return {{"product_by_loops", f.of_matrices(in.A, in.B)}};
}

Stages batched_product(const MatmulByHand& f, const Factors& in) {
    return {{"batched_product", f.of_batches(in.A, in.B)}};
}

Named<Factors> named(const std::string& of, const Factors& in) {
    return {of + in.A.shape().text() + "·" + in.B.shape().text(), in};
}

Named<Factors> randoms(const Shape& of_A, const Shape& of_B, std::uint64_t seed) {
    return named("", {random(of_A, seed), random(of_B, seed + 1)});
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

Inputs<Factors> matrices() {
    const Tensor A = random({4, 5}, 9), B = random({3, 4}, 10), square = random({3, 3}, 65);
    return {
        randoms({2, 3}, {3, 4}, 1),
        randoms({3, 3}, {3, 3}, 5),
        randoms({2, 3}, {3, 3}, 67),
        randoms({3, 3}, {3, 4}, 69),
        named("a matrix with itself, ", {square, square}),
        named("a transposed A, ", {tensor::transpose(A), random({4, 2}, 11)}),
        named("a transposed B, ", {random({2, 4}, 12), tensor::transpose(B)}),
        named("every second column, ",
              {tensor::slice(random({3, 8}, 13), 1, 1, 8, 2), random({4, 3}, 14)}),
        randoms({1, 1}, {1, 1}, 15),
        randoms({1, 4}, {4, 1}, 17),
        randoms({4, 1}, {1, 3}, 19),
        randoms({2, 3}, {3, 1}, 21),
        randoms({2, 67}, {67, 3}, 23),
        named("no terms, ", randoms({2, 0}, {0, 3}, 25).in),
        named("a tiny A and a huge B, ", {1e-12 * random({2, 3}, 26), 1e12 * random({3, 2}, 27)}),
        named("large numbers, ", large()),
        named("parts of larger matrices, ", {part({2, 3}, 61), part({3, 4}, 62)}),
        named("zeros among the entries, ", {tensor::of({{1, 0, 2, 3}, {0, -1, 4, 2}}),
                                            tensor::of({{5, 0}, {2, 3}, {0, 1}, {4, -2}})}),
    };
}

Inputs<Factors> batches() {
    const Tensor A = random({4, 2, 3}, 41), B = random({3, 5, 2}, 42);
    const Tensor squares = random({2, 3, 3}, 66);
    return {
        randoms({2, 4, 3}, {2, 3, 5}, 31),
        randoms({3, 3, 3}, {3, 3, 3}, 33),
        randoms({2, 4, 3}, {2, 3, 3}, 71),
        randoms({2, 3, 3}, {2, 3, 4}, 73),
        named("a batch with itself, ", {squares, squares}),
        named("a transposed A, ",
              {tensor::transpose(random({3, 2, 4}, 35)), random({3, 2, 5}, 36)}),
        named("a transposed B, ", {random({3, 4, 2}, 37), tensor::transpose(B)}),
        named("a batch that is not the first axis in memory, ",
              {tensor::permute(A, {1, 0, 2}), random({2, 3, 5}, 43)}),
        named("every second text, ",
              {tensor::slice(random({6, 2, 3}, 44), 0, 1, 6, 2), random({3, 3, 2}, 45)}),
        randoms({1, 2, 3}, {1, 3, 4}, 46),
        randoms({2, 1, 1}, {2, 1, 1}, 48),
        randoms({5, 1, 3}, {5, 3, 1}, 50),
        named("no terms, ", randoms({2, 3, 0}, {2, 0, 4}, 52).in),
        named("large numbers, ",
              {tensor::unsqueeze(large().A, 0), tensor::unsqueeze(large().B, 0)}),
        named("every second B, ",
              {random({3, 2, 3}, 63), tensor::slice(random({6, 3, 2}, 64), 0, 1, 6, 2)}),
    };
}

Cases<MatmulByHand> in_a_row(Stages (*stages)(const MatmulByHand&, const Factors&),
                             const Named<Factors>& first, const Factors& again) {
    const Factors& once = first.in;
    return three_calls_on_each(stages, first,
                               {{"", again},
                                {", the second with another B", {once.A, again.B}},
                                {", the second with another A", {again.A, once.B}}});
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

Rules<MatmulByHand> rules() {
    return {
        .number = "01.3",
        .title = "The matrix product by loops",
        .reference = [](const Slips& slip) -> MatmulByHand {
            return {[=](const Tensor& A, const Tensor& B) { return product(A, B, slip); },
                    [=](const Tensor& A, const Tensor& B) {
                        return products(A, B, slip.in("batched_product"));
                    }};
        },
        .cases = joined(
            on_each(product_by_loops, matrices()),
            in_a_row(product_by_loops, randoms({2, 3}, {3, 4}, 27), randoms({2, 3}, {3, 4}, 29).in),
            on_each(batched_product, batches()),
            in_a_row(batched_product, randoms({2, 4, 3}, {2, 3, 5}, 54),
                     randoms({2, 4, 3}, {2, 3, 5}, 56).in)),
        .mistakes = joined(mistakes_of_products(), mistakes_of_batches(),
                           made_in("batched_product", mistakes_of_products())),
        .hints = {"Which numbers of A and of B does the entry C[0, 1] need?",
                  "Work out C[0, 1] of a [2, 3] and a [3, 2] on paper, then stop your loop there",
                  "C[i, j] = Σ_k A[i, k]·B[k, j], with i < n, j < m, k < K",
                  "Try product_by_loops on one pair of matrices alone, before a batch of them"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<MatmulByHand> judge_01_3(rules);

}  // namespace exercise
