// Answers to 01.3.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_01.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>

using namespace heed;
using namespace exercise;

namespace {
Tensor of_length(const Tensor& A, const Tensor& B, std::int64_t length) {
    std::vector<Scalar> C;
    for (std::int64_t i = 0; i < A.dim(0); ++i) {
        for (std::int64_t j = 0; j < B.dim(1); ++j) {
            Scalar sum = 0;
            for (std::int64_t k = 0; k < length; ++k) sum += A(i, k) * B(k, j);
            C.push_back(sum);
        }
    }
    return tensor::from_vector(C, {A.dim(0), B.dim(1)});
}

Tensor right_product(const Tensor& A, const Tensor& B) { return of_length(A, B, A.dim(1)); }

Tensor one_by_one(const Tensor& A, const Tensor& B, const Product& product) {
    std::vector<Scalar> C;
    for (std::int64_t t = 0; t < A.dim(0); ++t) {
        const Tensor one = product(tensor::select(A, 0, t), tensor::select(B, 0, t));
        for (const Scalar entry : one.to_vector()) C.push_back(entry);
    }
    return tensor::from_vector(C, {A.dim(0), A.dim(1), B.dim(2)});
}

Tensor right_batch(const Tensor& A, const Tensor& B) { return one_by_one(A, B, right_product); }

// x as it would be if it were row-major.
Tensor in_memory(const Tensor& x) {
    return Tensor(x.storage(), x.offset(), x.shape(), contiguous_strides(x.shape()));
}

Tensor A_in_memory(const Tensor& A, const Tensor& B) { return right_product(in_memory(A), B); }

Tensor B_in_memory(const Tensor& A, const Tensor& B) { return right_product(A, in_memory(B)); }

Tensor as_long_as_A_is_high(const Tensor& A, const Tensor& B) { return of_length(A, B, A.dim(0)); }

Tensor columns_of_square_B_are_rows(const Tensor& A, const Tensor& B) {
    return right_product(A, B.dim(0) == B.dim(1) ? tensor::transpose(B) : B);
}

Tensor columns_of_square_B_beside_another_A(const Tensor& A, const Tensor& B) {
    return A.dim(0) == A.dim(1) ? right_product(A, B) : columns_of_square_B_are_rows(A, B);
}

Tensor rows_of_square_A_beside_another_B(const Tensor& A, const Tensor& B) {
    const bool only_A = A.dim(0) == A.dim(1) && B.dim(0) != B.dim(1);
    return right_product(only_A ? tensor::transpose(A) : A, B);
}

Tensor A_by_its_own_transpose(const Tensor& A, const Tensor& B) {
    return right_product(A, A.shares_storage_with(B) ? tensor::transpose(A) : B);
}

Tensor running_along_the_row(const Tensor& A, const Tensor& B) {
    std::vector<Scalar> C;
    for (std::int64_t i = 0; i < A.dim(0); ++i) {
        Scalar sum = 0;
        for (std::int64_t j = 0; j < B.dim(1); ++j) {
            for (std::int64_t k = 0; k < A.dim(1); ++k) sum += A(i, k) * B(k, j);
            C.push_back(sum);
        }
    }
    return tensor::from_vector(C, {A.dim(0), B.dim(1)});
}

Tensor begins_with_the_first_product(const Tensor& A, const Tensor& B) {
    std::vector<Scalar> C;
    for (std::int64_t i = 0; i < A.dim(0); ++i) {
        for (std::int64_t j = 0; j < B.dim(1); ++j) {
            Scalar sum = A(i, 0) * B(0, j);
            for (std::int64_t k = 1; k < A.dim(1); ++k) sum += A(i, k) * B(k, j);
            C.push_back(sum);
        }
    }
    return tensor::from_vector(C, {A.dim(0), B.dim(1)});
}

template <class Sum>
Tensor summed_as(const Tensor& A, const Tensor& B) {
    std::vector<Scalar> C;
    for (std::int64_t i = 0; i < A.dim(0); ++i) {
        const std::vector<Scalar> row = tensor::select(A, 0, i).to_vector();
        for (std::int64_t j = 0; j < B.dim(1); ++j) {
            const std::vector<Scalar> column = tensor::select(B, 1, j).to_vector();
            C.push_back(std::inner_product(row.begin(), row.end(), column.begin(), Sum{0}));
        }
    }
    return tensor::from_vector(C, {A.dim(0), B.dim(1)});
}

Tensor numbers_for_one_entry(const Tensor& A, const Tensor& B) {
    const Tensor C = right_product(A, B);
    return C.numel() == 1 ? tensor::reshape(C, Dims{}) : C;
}

// Memory is allocated once, and all results share it.
Tensor into_one_buffer(const Tensor& A, const Tensor& B) {
    static Tensor buffer;
    const Tensor C = right_product(A, B);
    if (buffer.shape() != C.shape()) buffer = tensor::zeros(C.shape());
    tensor::overwrite(buffer, C);
    return buffer;
}

Tensor into_B(const Tensor& A, const Tensor& B) {
    const Tensor C = right_product(A, B);
    if (C.shape() != B.shape()) return C;
    Tensor result = B;
    tensor::overwrite(result, C);
    return result;
}

// Four terms at a time; those left over are forgotten.
Tensor by_fours(const Tensor& A, const Tensor& B) {
    const std::int64_t K = A.dim(1);
    return of_length(A, B, K < 4 ? K : K - K % 4);
}

Tensor small_ones_are_skipped(const Tensor& A, const Tensor& B) {
    std::vector<Scalar> entries = A.to_vector();
    for (Scalar& entry : entries) entry = entry < 1e-9 && entry > -1e-9 ? 0 : entry;
    return right_product(tensor::from_vector(entries, A.shape()), B);
}

// `last` ends the sum: no term behind it counts.
template <class Last>
Tensor up_to(const Tensor& A, const Tensor& B, const Last& last) {
    std::vector<Scalar> C;
    for (std::int64_t i = 0; i < A.dim(0); ++i) {
        for (std::int64_t j = 0; j < B.dim(1); ++j) {
            Scalar sum = 0;
            for (std::int64_t k = 0; k < A.dim(1) && !last(A(i, k), B(k, j)); ++k) {
                sum += A(i, k) * B(k, j);
            }
            C.push_back(sum);
        }
    }
    return tensor::from_vector(C, {A.dim(0), B.dim(1)});
}

Tensor up_to_a_zero_of_A(const Tensor& A, const Tensor& B) {
    return up_to(A, B, [](Scalar a, Scalar) { return a == 0; });
}

Tensor up_to_a_zero_of_B(const Tensor& A, const Tensor& B) {
    return up_to(A, B, [](Scalar, Scalar b) { return b == 0; });
}

Tensor never_below_0(const Tensor& A, const Tensor& B) {
    std::vector<Scalar> C;
    for (std::int64_t i = 0; i < A.dim(0); ++i) {
        for (std::int64_t j = 0; j < B.dim(1); ++j) {
            Scalar sum = 0;
            for (std::int64_t k = 0; k < A.dim(1); ++k) {
                sum = std::max<Scalar>(0, sum + A(i, k) * B(k, j));
            }
            C.push_back(sum);
        }
    }
    return tensor::from_vector(C, {A.dim(0), B.dim(1)});
}

// With its strides, but from the first number of its storage.
Tensor from_the_start(const Tensor& x) { return Tensor(x.storage(), 0, x.shape(), x.strides()); }

Tensor A_from_the_start(const Tensor& A, const Tensor& B) {
    return right_product(from_the_start(A), B);
}

Tensor B_from_the_start(const Tensor& A, const Tensor& B) {
    return right_product(A, from_the_start(B));
}

Tensor outer_sum_for_one_term(const Tensor& A, const Tensor& B) {
    return A.dim(1) == 1 ? A + B : right_product(A, B);
}

Tensor added_while_A_is_the_same(const Tensor& A, const Tensor& B) {
    static const Scalar* earlier = nullptr;
    static Tensor C;
    const Tensor now = right_product(A, B);
    const bool goes_on = A.data() == earlier && C.shape() == now.shape();
    C = goes_on ? C + now : now;
    earlier = A.data();
    return C;
}

Tensor remembered_for_B(const Tensor& A, const Tensor& B) {
    static const Scalar* earlier = nullptr;
    static Tensor C;
    if (B.data() != earlier || C.dim(0) != A.dim(0)) C = right_product(A, B);
    earlier = B.data();
    return C;
}

// The matrices of B are K·m numbers apart, as if none were skipped.
Tensor B_without_gaps(const Tensor& A, const Tensor& B) {
    if (B.numel() == 0) return right_batch(A, B);
    const Dims strides = {B.dim(1) * B.dim(2), B.strides()[1], B.strides()[2]};
    try {
        return right_batch(A, Tensor(B.storage(), B.offset(), B.shape(), strides));
    } catch (const std::exception&) {  // out of its storage
        return right_batch(A, B);
    }
}

Tensor every_third_again(const Tensor& A, const Tensor& B) {
    std::vector<Tensor> products;
    for (std::int64_t t = 0; t < A.dim(0); ++t) {
        products.push_back(right_product(tensor::select(A, 0, t % 3), tensor::select(B, 0, t % 3)));
    }
    return tensor::stack(products);
}

// One matrix with the A[t] along its diagonal.
Tensor block_diagonal(const Tensor& A, const Tensor& B) {
    const std::int64_t b = A.dim(0), n = A.dim(1), K = A.dim(2), m = B.dim(2);
    Tensor blocks = tensor::zeros({b * n, b * K});
    for (std::int64_t t = 0; t < b; ++t) {
        Tensor rows = tensor::slice(blocks, 0, t * n, (t + 1) * n);
        Tensor block = tensor::slice(rows, 1, t * K, (t + 1) * K);
        tensor::overwrite(block, tensor::select(A, 0, t));
    }
    return tensor::reshape(right_product(blocks, tensor::reshape(B, {b * K, m})), {b, n, m});
}

Tensor smallest_terms_first(const Tensor& A, const Tensor& B) {
    std::vector<Scalar> C;
    for (std::int64_t i = 0; i < A.dim(0); ++i) {
        for (std::int64_t j = 0; j < B.dim(1); ++j) {
            std::vector<Scalar> terms;
            for (std::int64_t k = 0; k < A.dim(1); ++k) terms.push_back(A(i, k) * B(k, j));
            std::sort(terms.begin(), terms.end(),
                      [](Scalar a, Scalar b) { return std::fabs(a) < std::fabs(b); });
            C.push_back(std::accumulate(terms.begin(), terms.end(), Scalar{0}));
        }
    }
    return tensor::from_vector(C, {A.dim(0), B.dim(1)});
}

Tensor even_and_odd(const Tensor& A, const Tensor& B) {
    std::vector<Tensor> products;
    for (std::int64_t t = 0; t < A.dim(0); ++t) {
        products.push_back(right_product(tensor::select(A, 0, t), tensor::select(B, 0, t % 2)));
    }
    return tensor::stack(products);
}

Tensor the_first_answer_for_each_shape(const Tensor& A, const Tensor& B) {
    static std::vector<Tensor> answers;
    const Tensor C = right_batch(A, B);
    for (const Tensor& answer : answers) {
        if (answer.shape() == C.shape()) return answer;
    }
    answers.push_back(C);
    return C;
}

Tensor all_with_the_first_B(const Tensor& A, const Tensor& B) {
    const Tensor first = tensor::slice(B, 0, 0, 1);
    return right_batch(A, tensor::expand(first, B.shape()));
}

Tensor two_products(const Tensor& A, const Tensor& B) {
    Tensor C = tensor::zeros({A.dim(0), A.dim(1), B.dim(2)});
    Tensor done = tensor::slice(C, 0, 0, 2);
    tensor::overwrite(done, right_batch(tensor::slice(A, 0, 0, 2), tensor::slice(B, 0, 0, 2)));
    return C;
}

Tensor totals_of_products(const Tensor& A, const Tensor& B) {
    Tensor total = tensor::zeros({A.dim(1), B.dim(2)});
    return one_by_one(A, B, [&total](const Tensor& left, const Tensor& right) {
        total += right_product(left, right);
        return total;
    });
}

Tensor batch_in_memory(const Tensor& A, const Tensor& B) {
    return right_batch(in_memory(A), in_memory(B));
}

Tensor axis_numbers_of_a_matrix(const Tensor& A, const Tensor& B) {
    return one_by_one(A, B, [&A](const Tensor& left, const Tensor& right) {
        return of_length(left, right, A.dim(1));
    });
}

Tensor batch_by_its_own_transpose(const Tensor& A, const Tensor& B) {
    return right_batch(A, A.shares_storage_with(B) ? tensor::transpose(A) : B);
}

Tensor square_matrices_of_B_transposed(const Tensor& A, const Tensor& B) {
    const bool fits = A.dim(2) == B.dim(2) && A.dim(1) != A.dim(2);
    return right_batch(A, fits ? tensor::transpose(B) : B);
}

Tensor batch_axis_exchanged_if_square(const Tensor& A, const Tensor& B) {
    return right_batch(A, B.dim(0) == B.dim(1) ? tensor::transpose(B, 0, 1) : B);
}

Tensor no_axis_for_one(const Tensor& A, const Tensor& B) {
    const Tensor C = right_batch(A, B);
    return C.dim(0) == 1 ? tensor::select(C, 0, 0) : C;
}

Tensor into_A(const Tensor& A, const Tensor& B) {
    const Tensor C = right_batch(A, B);
    if (C.shape() != A.shape()) return C;
    Tensor result = A;
    tensor::overwrite(result, C);
    return result;
}

Tensor rows_and_columns_mixed(const Tensor& A, const Tensor& B) {
    const Tensor C = one_by_one(A, B, [](const Tensor& left, const Tensor& right) {
        return tensor::transpose(right_product(left, right));
    });
    return C;
}

Tensor batch_from_the_last(const Tensor& A, const Tensor& B) {
    std::vector<Tensor> products;
    for (std::int64_t t = A.dim(0); t-- > 0;) {
        products.push_back(right_product(tensor::select(A, 0, t), tensor::select(B, 0, t)));
    }
    return tensor::stack(products);
}

Tensor row_by_row(const Tensor& A, const Tensor& B) {
    Tensor C = tensor::zeros({A.dim(0), B.dim(1)});
    for (std::int64_t i = 0; i < A.dim(0); ++i) {
        Tensor row = tensor::select(C, 0, i);
        for (std::int64_t k = A.dim(1); k-- > 0;) {
            tensor::overwrite(row, row + A(i, k) * tensor::select(B, 0, k));
        }
    }
    return C;
}

Tensor by_transposes(const Tensor& A, const Tensor& B) {
    return tensor::transpose(right_product(tensor::transpose(B), tensor::transpose(A)));
}

Tensor each_with_each_and_summed(const Tensor& A, const Tensor& B) {
    return tensor::sum(tensor::unsqueeze(A, 3) * tensor::unsqueeze(B, 1), 2);
}

Tensor by_the_library(const Tensor& A, const Tensor& B) { return tensor::matmul(A, B); }

Tensor k_outermost(const Tensor& A, const Tensor& B) {
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
}

Answer matrices(const std::string& what, const Product& product,
                const std::vector<std::string>& names = {}) {
    return {what, [product] { return judge_01_3({product, right_batch}); }, names};
}

Answer batches(const std::string& what, const Product& product,
               const std::vector<std::string>& names = {}) {
    return {what, [product] { return judge_01_3({right_product, product}); }, names};
}

}  // namespace

Answers answers_01_3() {
    Answers answers;
    answers.number = "01.3";
    answers.slipping = slipping(judge_01_3);
    answers.wrong = {
        matrices("A is read as if it were row-major", A_in_memory),
        matrices("B is read as if it were row-major", B_in_memory),
        matrices("the sum is as long as A is high", as_long_as_A_is_high, {"mm.k-from-n"}),
        matrices("a square B is transposed", columns_of_square_B_are_rows),
        matrices("a square B is transposed unless A is square",
                 columns_of_square_B_beside_another_A),
        matrices("a square A is transposed unless B is square", rows_of_square_A_beside_another_B),
        matrices("A·Aᵀ if both are one tensor", A_by_its_own_transpose),
        matrices("the sum runs on along the row", running_along_the_row),
        matrices("the sum begins with product 0, even if there is none",
                 begins_with_the_first_product),
        matrices("the sum is an int", summed_as<int>),
        matrices("the sum is a float", summed_as<float>),
        matrices("a single entry has no axes", numbers_for_one_entry),
        matrices("all results share one memory", into_one_buffer),
        matrices("the product is written into B if it fits", into_B),
        matrices("terms beyond a multiple of four are left out", by_fours),
        matrices("entries below 1e-9 are skipped", small_ones_are_skipped),
        matrices("the sum ends at a zero of A", up_to_a_zero_of_A),
        matrices("the sum ends at a zero of B", up_to_a_zero_of_B),
        matrices("the sum never falls below 0", never_below_0),
        matrices("A is read from the start of its storage", A_from_the_start),
        matrices("B is read from the start of its storage", B_from_the_start),
        matrices("one term: A + B", outer_sum_for_one_term),
        matrices("added to the last product while A is the same", added_while_A_is_the_same),
        matrices("the last product, while B is the same", remembered_for_B),
        batches("no gaps between the matrices of B", B_without_gaps),
        batches("the products repeat after three", every_third_again),
        batches("B[0] and B[1] by turns", even_and_odd),
        batches("the first answer of this shape is kept", the_first_answer_for_each_shape),
        batches("every A[t] meets B[0]", all_with_the_first_B, {"mm.batch-first-B"}),
        batches("only two products are computed", two_products),
        batches("product t contains those before", totals_of_products),
        batches("a batch is read as if it were row-major", batch_in_memory),
        batches("the length of the sum is that of axis 1", axis_numbers_of_a_matrix,
                {"mm.k-from-n/batched_product"}),
        batches("A·Aᵀ if both are one tensor", batch_by_its_own_transpose),
        batches("a B that fits either way is transposed", square_matrices_of_B_transposed),
        batches("the first two axes of B are exchanged if equal", batch_axis_exchanged_if_square),
        batches("a batch of one loses its axis", no_axis_for_one),
        batches("the products are written into A if they fit", into_A),
        batches("each product is written column by column", rows_and_columns_mixed,
                {"mm.filled-by-columns/batched_product"}),
        batches("the products are in reverse order", batch_from_the_last),
    };
    answers.right = {
        matrices("weighted rows of B, the last first", row_by_row),
        matrices("the smallest terms first", smallest_terms_first),
        matrices("the transpose of Bᵀ·Aᵀ", by_transposes),
        batches("as one block-diagonal matrix", block_diagonal),
        batches("all products, then one sum", each_with_each_and_summed),
        {"by the library",
         [] {
             return judge_01_3({by_the_library, by_the_library});
         }},
        matrices("with k in the outermost loop", k_outermost),
    };
    return answers;
}
