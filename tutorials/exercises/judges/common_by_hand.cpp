#include "tutorials/exercises/judges/common_by_hand.h"

#include "tensor/mask.h"
#include "tensor/ops.h"
#include "tensor/runtime/fast_kernels.h"

using namespace heed;

namespace exercise {

Tensor weights_by_hand(const QueriesKeys& head, Sees sees) {
    const FastKernels fast;
    const Tensor scores = tensor::matmul(head.Q, tensor::transpose(head.K));  // [T_q, T_k]
    if (sees == Sees::everything) return tensor::softmax(scores, -1);
    if (scores.rank() != 2 || scores.dim(0) != scores.dim(1)) return scores;
    const Mask mask = Mask::causal(scores.dim(0));
    return tensor::softmax(tensor::masked_fill(scores, mask.blocked(), -infinity), -1);
}

QueriesKeys head_with(const Tensor& weights) {
    const Tensor logs = tensor::log(tensor::masked_fill(weights, weights == 0, 1));
    return {tensor::masked_fill(logs, weights == 0, -1000), tensor::eye(weights.dim(1))};
}

Places up_to(std::int64_t last) {
    Places all;
    for (std::int64_t j = 0; j <= last; ++j) all.push_back(j);
    return all;
}

Tensor shared_by(const Places& places, std::int64_t T) {
    std::vector<Scalar> row(static_cast<std::size_t>(T), 0);
    for (const std::int64_t j : places) {
        row[static_cast<std::size_t>(j)] = Scalar(1) / static_cast<Scalar>(places.size());
    }
    return tensor::from_vector(row, {T});
}

}  // namespace exercise
