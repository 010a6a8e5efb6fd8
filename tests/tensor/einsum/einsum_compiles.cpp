// Compiled by the tests with valid and invalid patterns: an invalid one must stop the compiler at a
// function whose name is the error.
#include "tensor/einsum/einsum.h"

heed::Tensor contracted(const heed::Tensor& A, const heed::Tensor& B) {
    return heed::tensor::einsum(PATTERN, A, B);
}
