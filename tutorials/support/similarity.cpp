#include "tutorials/support/similarity.h"

#include "tensor/ops.h"

namespace tutorial {

using namespace heed;

Tensor at_norm_1(const Tensor& X) {
    const Tensor norms = tensor::sqrt(tensor::sum(X * X, -1, keepdim));  // [T, 1]
    const Tensor units = X / tensor::maximum(norms, tensor::of(1e-12));  // [T, d]
    return units;
}

Tensor products_of(const Tensor& X) { return tensor::matmul(X, tensor::transpose(X)); }

Tensor cosines_of(const Tensor& X) { return products_of(at_norm_1(X)); }

IndexTensor nearest(const Tensor& S, std::int64_t k) {
    const BoolTensor diagonal = tensor::eye(S.dim(0)) == 1;  // [T, T]
    return tensor::topk(tensor::masked_fill(S, diagonal, -infinity), k, -1).indices;
}

}  // namespace tutorial
