// 01.3 The matrix product by loops                           fill · 10 minutes · about 15 lines
//
// C[i, j] = Σ_k A[i, k]·B[k, j]: row i of A times column j of B. Attention consists of two of
// these: Q·Kᵀ compares every query with every key, and weights·V mixes the values; a batch of texts
// is that many independent products. Lesson 01.7.
//
// Two holes:
//   product_by_loops   A [n, K], B [K, m] -> [n, m]. A(i, k) reads an entry (a Scalar, which is
//                      double here), A.dim(0) a length, whatever the strides of A are.
//                      (tensor::matmul would do it all; here you write it yourself.)
//   batched_product    A [b, n, K], B [b, K, m] -> [b, n, m]: product t is A[t]·B[t].
//                      tensor::select(A, 0, t) is A[t], without a copy; A(t, i, k) reads it too.
// K may be 0: a sum of no terms is 0. The other lengths are at least 1. A and B stay as they are,
// and a result does not change when the function is called again.
#include "tutorials/exercises/judges/lesson_01.h"

#include "tensor/factories.h"
#include "tensor/views.h"

using namespace heed;

Tensor product_by_loops(const Tensor& A, const Tensor& B) {
    // begin stub, stop in product_by_loops, without matmul einsum
    //     exercise::not_done("01.3");
    // begin solution
    std::vector<Scalar> C;
    for (std::int64_t i = 0; i < A.dim(0); ++i) {
        for (std::int64_t j = 0; j < B.dim(1); ++j) {
            Scalar sum = 0;
            for (std::int64_t k = 0; k < A.dim(1); ++k) sum += A(i, k) * B(k, j);
            C.push_back(sum);
        }
    }
    return tensor::from_vector(C, {A.dim(0), B.dim(1)});
    // end
}

Tensor batched_product(const Tensor& A, const Tensor& B) {
    // begin stub
    //     exercise::not_done("01.3");
    // begin solution
    std::vector<Scalar> C;
    for (std::int64_t t = 0; t < A.dim(0); ++t) {
        const Tensor product = product_by_loops(tensor::select(A, 0, t), tensor::select(B, 0, t));
        for (const Scalar entry : product.to_vector()) C.push_back(entry);
    }
    return tensor::from_vector(C, {A.dim(0), A.dim(1), B.dim(2)});
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_01_3({product_by_loops, batched_product}), argc, argv);
}
