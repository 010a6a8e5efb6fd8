// Loss functions: cross entropy, of many classes and of two, negative log-likelihood, mean squared
// error.
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
    // [C]: how much each class counts, such as more for a rare one; PyTorch's `weight`. The loss of
    // a target is multiplied by the weight of its class, and a mean is over the sum of these
    // weights: Σ_n w[t_n]·loss_n / Σ_n w[t_n].
    std::optional<Tensor> class_weights = std::nullopt;
    // Which axis of the logits the classes are on: -1, the last, or 1, as in PyTorch. Unset, it is
    // the last; if the logits would fit either way, [B, n, ..., n], it must be set.
    std::optional<int> class_axis = std::nullopt;
};

// The negative log probability of the target class: -log_softmax(logits)[target]. logits [..., C]
// are unnormalized scores; the softmax is applied inside. targets [...] are class ids, one per
// position. (With more than two axes, PyTorch expects the classes on axis 1: options.class_axis.)
// Reduction::mean averages over the targets that are not ignored; none returns [...], with 0 at
// ignored targets. Errors: shapes that do not fit, or that fit both with the classes on axis 1 and
// on the last when class_axis is not set (ShapeError); class weights of another shape than [C]
// (ShapeError), or one that is negative or not finite; a class_axis that is neither, a
// label_smoothing outside [0, 1] (std::invalid_argument); a target outside 0 ... C - 1 that is not
// ignore_index (std::out_of_range, which says where); a mean with every target ignored, or of
// weights that are all 0 (std::invalid_argument; PyTorch gives NaN).
Variable cross_entropy(const Variable& logits, const IndexTensor& targets,
                       const CrossEntropyOptions& options = {}, CallSite site = CallSite::here());
// With a probability for each class instead of one right class, as a teacher gives them:
//     -Σ_c w_c·targets_c·log_softmax(logits)_c
// targets have the shape of the logits. A mean is over the positions, whatever the class weights,
// as in PyTorch; no target is ignored. Errors: other shapes (ShapeError); targets that are negative
// or do not sum to 1 along the axis of the classes (std::invalid_argument), and those above.
Variable cross_entropy(const Variable& logits, const Variable& targets,
                       const CrossEntropyOptions& options = {}, CallSite site = CallSite::here());

struct NllOptions {
    std::int64_t ignore_index = -100;
    Reduction reduction = Reduction::mean;
    std::optional<Tensor> class_weights = std::nullopt;
    std::optional<int> class_axis = std::nullopt;
};

// Negative log-likelihood, -w[target]·log_probabilities[target], of a model that ends in
// log_softmax (note 004): cross_entropy(logits, targets) is nll_loss(log_softmax(logits, -1),
// targets). The options and errors are those of cross_entropy; also error: a log probability above
// 0, as logits have (std::invalid_argument).
Variable nll_loss(const Variable& log_probabilities, const IndexTensor& targets,
                  const NllOptions& options = {}, CallSite site = CallSite::here());

// Cross entropy of two classes: targets t in [0, 1], such as 1 for yes and 0 for no, and one logit
// x for the probability σ(x) of yes. For each entry
//     -t·log σ(x) - (1 - t)·log(1 - σ(x))
// computed from the logits, so that no logarithm of 0 is taken. Errors: different shapes, which are
// not broadcast (ShapeError); a target outside [0, 1], a mean over no entries
// (std::invalid_argument).
Variable binary_cross_entropy_with_logits(const Variable& logits, const Variable& targets,
                                          Reduction reduction = Reduction::mean,
                                          CallSite site = CallSite::here());

// The mean of (prediction - target)² over all entries. Errors: different shapes, which are not
// broadcast (ShapeError); a mean over no entries (std::invalid_argument).
Variable mse_loss(const Variable& prediction, const Variable& target,
                  Reduction reduction = Reduction::mean, CallSite site = CallSite::here());

}}  // namespace heed
