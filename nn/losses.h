// Losses: how wrong an answer is, in one number.
#pragma once

#include "heed/autograd/variable.h"
#include "heed/tensor/index_tensor.h"

namespace heed {
inline namespace HEED_PRECISION {

enum class Reduction { mean, sum, none };

struct CrossEntropyOptions {
    std::int64_t ignore_index = -100;  // a target that does not count, and has gradient 0
    Reduction reduction = Reduction::mean;
};

// The negative log probability of the right class: -log_softmax(logits)[target].
// logits [..., C] are scores, not probabilities: the softmax is inside. targets [...] are class
// ids, one for each position. (PyTorch has the classes on axis 1 where there are more axes.)
// mean is over the targets that count; none gives [...], with 0 where the target is ignored.
// Errors: shapes that do not fit (ShapeError); a target outside 0 ... C - 1 that is not
// ignore_index (std::out_of_range, which says where); a mean over no target at all
// (std::invalid_argument), where PyTorch gives NaN.
Variable cross_entropy(const Variable& logits, const IndexTensor& targets,
                       const CrossEntropyOptions& options = {}, CallSite site = CallSite::here());

// The mean of (prediction - target)² over all entries.
// Errors: shapes that differ, which are not broadcast (ShapeError); a mean over no entry
// (std::invalid_argument).
Variable mse_loss(const Variable& prediction, const Variable& target,
                  Reduction reduction = Reduction::mean, CallSite site = CallSite::here());

}  // namespace HEED_PRECISION
}  // namespace heed
