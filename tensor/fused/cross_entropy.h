// Cross-entropy of scores in one pass over each row, without a tensor of probabilities.
#pragma once

#include "../index_tensor.h"
#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION {

// In place of a class: the row is ignored.
inline constexpr std::int64_t no_class = -1;

namespace tensor {

struct CrossEntropy {
    Tensor losses;           // [N]
    Tensor max_and_log_sum;  // [N, 2]: max and log Σ exp(x - max), for the derivative
};

// losses[i] = -log_softmax(x[i])[classes[i]], or 0 if classes[i] is no_class, whatever the row
// holds. x is [N, C], classes [N].
// Errors: other shapes (ShapeError); a class outside 0 ... C - 1 that is not no_class
// (std::out_of_range).
CrossEntropy cross_entropy_losses(const Tensor& x, const IndexTensor& classes,
                                  CallSite site = CallSite::here());

// ∂L/∂x[i] = G[i]·(softmax(x[i]) - one-hot of classes[i]), or 0 if classes[i] is no_class or every
// score of the row is -inf. `max_and_log_sum` is the one that cross_entropy_losses returned.
// Errors: as above; G is not [N] or max_and_log_sum not [N, 2] (ShapeError).
Tensor cross_entropy_gradient(const Tensor& x, const IndexTensor& classes,
                              const Tensor& max_and_log_sum, const Tensor& G,
                              CallSite site = CallSite::here());

}  // namespace tensor
}}  // namespace heed
