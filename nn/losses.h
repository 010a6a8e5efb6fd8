// Loss functions: cross entropy and mean squared error.
#pragma once

#include "../autograd/variable.h"
#include "../tensor/index_tensor.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

enum class Reduction { mean, sum, none };

struct CrossEntropyOptions {
    std::int64_t ignore_index = -100;  // targets with this value are skipped and get gradient 0
    Reduction reduction = Reduction::mean;
    // ε: the target's share of the truth is 1 - ε, and ε is spread evenly over all C classes
    // (Szegedy et al. 2016, section 7).
    double label_smoothing = 0;
    // Which axis of the logits the classes are on: -1, the last, or 1, as in PyTorch. Unset, it is
    // the last; if the logits would fit either way, [B, n, ..., n], it must be set.
    std::optional<int> class_axis = std::nullopt;
};

// The negative log probability of the target class: -log_softmax(logits)[target]. logits [..., C]
// are unnormalized scores; the softmax is applied inside. targets [...] are class ids, one per
// position. (With more than two axes, PyTorch expects the classes on axis 1: options.class_axis.)
// Reduction::mean averages over the targets that are not ignored; none returns [...], with 0 at
// ignored targets. Errors: shapes that do not fit, or that fit both with the classes on axis 1 and
// on the last when class_axis is not set (ShapeError); a class_axis that is neither, a
// label_smoothing outside [0, 1] (std::invalid_argument); a target outside 0 ... C - 1 that is not
// ignore_index (std::out_of_range, which says where); a mean with every target ignored
// (std::invalid_argument; PyTorch gives NaN).
Variable cross_entropy(const Variable& logits, const IndexTensor& targets,
                       const CrossEntropyOptions& options = {}, CallSite site = CallSite::here());

// The mean of (prediction - target)² over all entries. Errors: different shapes, which are not
// broadcast (ShapeError); a mean over no entries (std::invalid_argument).
Variable mse_loss(const Variable& prediction, const Variable& target,
                  Reduction reduction = Reduction::mean, CallSite site = CallSite::here());

}}  // namespace heed
