#include "losses.h"

#include "../autograd/ops.h"
#include "../tensor/errors.h"
#include "argument_checks.h"

#include <limits>

namespace heed { inline namespace HEED_PRECISION {
namespace {
int checked_class_axis(const char* loss, int axis, int rank, const CallSite& site) {
    if (axis == -1 || axis == 1) return axis == -1 ? rank - 1 : axis;
    fail_argument(loss, site, "class_axis is ", axis, "; it must be -1, the last axis, or 1");
}

// The classes are on the last axis, unless class_axis says axis 1.
int class_axis_of(const char* loss, const char* what, const Variable& scores,
                  const IndexTensor& targets, const std::optional<int>& class_axis,
                  const CallSite& site) {
    const int last = scores.rank() - 1;
    if (class_axis) return checked_class_axis(loss, *class_axis, scores.rank(), site);
    const bool fits_both_ways = last >= 2 && scores.shape().without(last) == targets.shape() &&
                                scores.dim(1) == scores.dim(last);
    if (!fits_both_ways) return last;
    fail_shape(loss, site, what, " have shape ", scores.shape(), " and targets ", targets.shape(),
               "; the classes could be on axis 1, as in PyTorch, or on the last axis: set "
               "{.class_axis = 1} or {.class_axis = -1}");
}

void check_class_weights(const char* loss, const std::optional<Tensor>& weights, std::int64_t C,
                         const CallSite& site) {
    if (!weights) return;
    if (!(weights->shape() == Shape{C})) {
        fail_shape(loss, site, "class_weights have shape ", weights->shape(), "; there are ", C,
                   " classes, so it must be [", C, "]");
    }
    const std::vector<Scalar> numbers = weights->to_vector();
    for (std::size_t c = 0; c < numbers.size(); ++c) {
        if (numbers[c] >= 0 && numbers[c] <= std::numeric_limits<Scalar>::max()) continue;
        fail_argument(loss, site, "the weight of class ", c, " is ", numbers[c],
                      "; it must be 0 or more, and finite");
    }
}

// The shapes, targets and options of one class for each position.
template <class Options>
void check_classes(const char* loss, const char* what, const Variable& scores,
                   const IndexTensor& targets, int class_axis, const Options& options,
                   const CallSite& site) {
    const bool fits = class_axis >= 0 && class_axis < scores.rank() &&
                      scores.shape().without(class_axis) == targets.shape();
    if (!fits) {
        fail_shape(loss, site, what, " have shape ", scores.shape(), " and targets ",
                   targets.shape(), "; ", what,
                   " must have the shape of the targets and one more axis at the end, for the "
                   "classes");
    }
    check_enum(loss, "the reduction", options.reduction, Reduction::none, site);
    check_class_weights(loss, options.class_weights, scores.dim(class_axis), site);
    check_labels(loss, "target", targets, scores.dim(class_axis), "classes", site,
                 options.ignore_index);
}

void check_label_smoothing(double epsilon, const CallSite& site) {
    if (epsilon >= 0 && epsilon <= 1) return;
    fail_argument("cross_entropy", site, "label_smoothing is ", epsilon,
                  "; it must be between 0 and 1");
}

// [..., C], with the class axis moved to the end
Variable classes_last(const Variable& scores, int class_axis) {
    if (class_axis == scores.rank() - 1) return scores;
    Dims order;
    for (int axis = 0; axis < scores.rank(); ++axis) {
        if (axis != class_axis) order.append(axis);
    }
    order.append(class_axis);
    return permute(scores, order);
}

// [N, C]
Variable rows_of(const Variable& scores, int class_axis) {
    const Variable last = classes_last(scores, class_axis);
    const std::int64_t C = scores.dim(class_axis);
    return reshape(last, {entries_of(last.shape(), 0, last.rank() - 1), C});
}

struct UsedTargets {
    IndexTensor rows;     // [M], positions whose target is not ignored
    IndexTensor of_rows;  // [M], their targets
    IndexTensor classes;  // [N], the target, or no_class where ignored
};

UsedTargets used_targets(const IndexTensor& targets, std::int64_t ignore_index) {
    std::vector<std::int64_t> rows, of_rows, classes;
    for (std::int64_t i = 0; i < targets.numel(); ++i) {
        const std::int64_t target = targets.data()[i];
        const bool counts = target != ignore_index;
        if (counts) rows.push_back(i);
        if (counts) of_rows.push_back(target);
        classes.push_back(counts ? target : no_class);
    }
    return {IndexTensor(rows), IndexTensor(of_rows), IndexTensor(classes)};
}

void check_mean(const char* loss, const UsedTargets& used, std::int64_t ignore_index,
                Reduction reduction, const CallSite& site) {
    if (used.rows.numel() > 0 || reduction != Reduction::mean) return;
    fail_argument(loss, site, "all ", used.classes.numel(),
                  " targets are ignored (ignore_index is ", ignore_index,
                  "), so there is no mean; skip this batch, or use Reduction::sum");
}

// −Σ_c w_c·p_c·log_softmax(x)_c for each row of x, where p are the same for all rows or [N, C]
Variable soft_losses(const Variable& x, const Variable& p, const std::optional<Tensor>& weights) {
    const Variable logs = log_softmax(x, -1) * p;                          // [N, C]
    const Variable weighted = weights ? logs * Variable(*weights) : logs;  // [N, C]
    const Variable losses = -sum(weighted, -1);                            // [N]
    return losses;
}

// (1 − ε)·(−ln p_target) + ε·(mean over the classes of −ln p), for the rows not ignored
Variable smoothed(const Variable& losses, const Variable& logits, const IndexTensor& rows,
                  double epsilon, const std::optional<Tensor>& weights) {
    if (epsilon == 0) return losses;
    const Variable counted = index_select(logits, 0, rows);  // [M, C]
    const Variable of_all_classes =
        weights ? soft_losses(counted, Variable(tensor::ones(counted.shape())), weights) /
                      static_cast<double>(counted.dim(1))
                : -mean(log_softmax(counted, -1), -1);  // [M]
    return losses * (1 - epsilon) + of_all_classes * epsilon;
}

// The losses [M] of the rows that are used, each with its weight in a mean, as one number or in the
// shape of the targets.
Variable reduced(const char* loss, const Variable& losses, const UsedTargets& used,
                 const std::optional<Tensor>& weights, Reduction reduction,
                 const IndexTensor& targets, const CallSite& site) {
    if (reduction == Reduction::sum) return sum(losses);
    if (reduction == Reduction::mean && !weights) return mean(losses);
    if (reduction == Reduction::mean) {
        const double total = tensor::sum(*weights).item();
        if (total > 0) return sum(losses) / total;
        fail_argument(loss, site, "the weights of all targets are 0, so there is no mean");
    }
    const Variable in_place = index_add(losses, 0, used.rows, Shape{targets.numel()});  // [N]
    return reshape(in_place, targets.shape());                                          // [...]
}

// [M], the weight of each target that is used
std::optional<Tensor> weights_of(const UsedTargets& used, const std::optional<Tensor>& weights) {
    if (!weights) return std::nullopt;
    return tensor::index_select(*weights, 0, used.of_rows);
}

// Probabilities: not negative, and 1 in sum along the last axis, but for rounding.
void check_probabilities(const Tensor& rows, const CallSite& site) {
    const std::vector<Scalar> sums = tensor::sum(rows, -1).to_vector();
    const std::vector<Scalar> smallest =
        rows.dim(1) == 0 ? sums : tensor::min(rows, -1).to_vector();
    for (std::size_t n = 0; n < sums.size(); ++n) {
        const bool negative = smallest[n] < -1e-3;
        if (!negative && sums[n] > 0.99 && sums[n] < 1.01) continue;
        fail_argument("cross_entropy", site, "the targets of position ", n,
                      negative ? " have a negative entry" : text(" sum to ", sums[n]),
                      "; they must be probabilities, with sum 1 over the classes, which are on the "
                      "last axis unless {.class_axis = 1} is set");
    }
}

void check_equal(const char* loss, const char* what, const Variable& given, const char* other,
                 const Variable& target, const CallSite& site) {
    if (given.shape() == target.shape()) return;
    fail_shape(loss, site, "the ", what, " has shape ", given.shape(), " and the ", other, " ",
               target.shape(), "; they must be equal, since broadcasting would compare every ",
               what, " with every ", other, " (reshape one of them)");
}

void check_entries(const char* loss, const Variable& x, Reduction reduction, const CallSite& site) {
    check_enum(loss, "the reduction", reduction, Reduction::none, site);
    if (x.numel() > 0 || reduction != Reduction::mean) return;
    fail_argument(loss, site, "shape ", x.shape(), " has no entries, so there is no mean");
}

Variable reduced(const Variable& losses, Reduction reduction) {
    if (reduction == Reduction::mean) return mean(losses);
    if (reduction == Reduction::sum) return sum(losses);
    return losses;
}

}  // namespace

// Ignored rows are left out of the operation, so their gradient is 0 even if they contain NaN.
Variable cross_entropy(const Variable& logits, const IndexTensor& targets,
                       const CrossEntropyOptions& options, CallSite site) {
    const char* const loss = "cross_entropy";
    const int class_axis = class_axis_of(loss, "logits", logits, targets, options.class_axis, site);
    check_classes(loss, "logits", logits, targets, class_axis, options, site);
    check_label_smoothing(options.label_smoothing, site);
    const UsedTargets used = used_targets(targets, options.ignore_index);
    check_mean(loss, used, options.ignore_index, options.reduction, site);
    const Scope scope(loss, site);
    const double epsilon = options.label_smoothing;
    const std::optional<Tensor> weights = weights_of(used, options.class_weights);  // [M]
    const Variable rows = rows_of(logits, class_axis);                              // [N, C]
    const Variable nll = cross_entropy_losses(rows, used.classes);                  // [N]
    const bool as_they_are = options.reduction == Reduction::none && epsilon == 0 && !weights;
    if (as_they_are) return reshape(nll, targets.shape());
    const Variable counted = index_select(nll, 0, used.rows);                    // [M]
    const Variable weighted = weights ? counted * Variable(*weights) : counted;  // [M]
    const Variable losses =
        smoothed(weighted, rows, used.rows, epsilon, options.class_weights);  // [M]
    return reduced(loss, losses, used, weights, options.reduction, targets, site);
}

Variable cross_entropy(const Variable& logits, const Variable& targets,
                       const CrossEntropyOptions& options, CallSite site) {
    const char* const loss = "cross_entropy";
    if (!(logits.shape() == targets.shape()) || logits.rank() < (options.class_axis == 1 ? 2 : 1)) {
        fail_shape(loss, site, "logits have shape ", logits.shape(), " and targets ",
                   targets.shape(),
                   "; probabilities must have the shape of the logits, with an axis of classes");
    }
    const int class_axis =
        checked_class_axis(loss, options.class_axis.value_or(-1), logits.rank(), site);
    const std::int64_t C = logits.dim(class_axis);
    check_class_weights(loss, options.class_weights, C, site);
    check_label_smoothing(options.label_smoothing, site);
    check_entries(loss, logits, options.reduction, site);
    const Scope scope(loss, site);
    const Variable p = rows_of(targets, class_axis);  // [N, C]
    check_probabilities(p.value(), site);
    const double epsilon = options.label_smoothing;
    const Variable truth = epsilon == 0 ? p : p * (1 - epsilon) + epsilon / static_cast<double>(C);
    const Variable losses =
        soft_losses(rows_of(logits, class_axis), truth, options.class_weights);  // [N]
    if (options.reduction != Reduction::none) return reduced(losses, options.reduction);
    return reshape(losses, Dims(logits.shape().without(class_axis)));  // [...]
}

Variable nll_loss(const Variable& log_probabilities, const IndexTensor& targets,
                  const NllOptions& options, CallSite site) {
    const char* const loss = "nll_loss";
    const char* const what = "log probabilities";
    const int class_axis =
        class_axis_of(loss, what, log_probabilities, targets, options.class_axis, site);
    check_classes(loss, what, log_probabilities, targets, class_axis, options, site);
    const UsedTargets used = used_targets(targets, options.ignore_index);
    const std::int64_t M = used.rows.numel();
    check_mean(loss, used, options.ignore_index, options.reduction, site);
    const Scope scope(loss, site);
    const Variable rows =
        index_select(rows_of(log_probabilities, class_axis), 0, used.rows);  // [M, C]
    if ((rows.value() > 1e-3).any()) {
        fail_argument(loss, site,
                      "a log probability is above 0: take log_softmax first, or "
                      "cross_entropy, which takes logits");
    }
    const Variable chosen = gather(rows, 1, used.of_rows.reshape({M, 1}));          // [M, 1]
    const Variable nll = -reshape(chosen, {M});                                     // [M]
    const std::optional<Tensor> weights = weights_of(used, options.class_weights);  // [M]
    const Variable losses = weights ? nll * Variable(*weights) : nll;               // [M]
    return reduced(loss, losses, used, weights, options.reduction, targets, site);
}

Variable binary_cross_entropy_with_logits(const Variable& logits, const Variable& targets,
                                          Reduction reduction, CallSite site) {
    const char* const loss = "binary_cross_entropy_with_logits";
    check_equal(loss, "logit", logits, "target", targets, site);
    check_entries(loss, logits, reduction, site);
    if (!(targets.value() >= 0).all() || !(targets.value() <= 1).all()) {
        fail_argument(loss, site, "a target is outside 0 to 1; it is the probability of yes");
    }
    const Scope scope(loss, site);
    const Variable no(tensor::zeros(logits.shape()));
    const Variable logs = log_softmax(stack({logits, no}, -1), -1);  // [..., 2]: yes, no
    const Variable losses =
        -(targets * select(logs, -1, 0) + (1 - targets) * select(logs, -1, 1));  // [...]
    return reduced(losses, reduction);
}

Variable mse_loss(const Variable& prediction, const Variable& target, Reduction reduction,
                  CallSite site) {
    check_equal("mse_loss", "prediction", prediction, "target", target, site);
    check_entries("mse_loss", prediction, reduction, site);
    const Scope scope("mse_loss", site);
    const Variable difference = prediction - target;
    const Variable squares = difference * difference;
    return reduced(squares, reduction);
}

}}  // namespace heed
