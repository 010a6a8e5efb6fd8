#include "losses.h"

#include "../autograd/ops.h"
#include "../tensor/errors.h"
#include "argument_checks.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// The classes are on the last axis, unless class_axis says axis 1.
int class_axis_of(const Variable& logits, const IndexTensor& targets,
                  const CrossEntropyOptions& options, const CallSite& site) {
    const int last = logits.rank() - 1;
    const int axis = options.class_axis.value_or(-1);
    if (axis != -1 && axis != 1) {
        fail_argument("cross_entropy", site, "class_axis is ", axis,
                      "; it must be -1, the last axis, or 1");
    }
    if (options.class_axis || last < 2) return axis == -1 ? last : axis;
    const bool fits_both_ways =
        logits.shape().without(last) == targets.shape() && logits.dim(1) == logits.dim(last);
    if (!fits_both_ways) return last;
    fail_shape("cross_entropy", site, "logits have shape ", logits.shape(), " and targets ",
               targets.shape(),
               "; the classes could be on axis 1, as in PyTorch, or on the last axis: set "
               "{.class_axis = 1} or {.class_axis = -1}");
}

void check_cross_entropy(const Variable& logits, const IndexTensor& targets, int class_axis,
                         const CrossEntropyOptions& options, const CallSite& site) {
    const bool fits = class_axis >= 0 && class_axis < logits.rank() &&
                      logits.shape().without(class_axis) == targets.shape();
    if (!fits) {
        fail_shape("cross_entropy", site, "logits have shape ", logits.shape(), " and targets ",
                   targets.shape(),
                   "; logits must have the shape of the targets and one more axis at the end, for "
                   "the classes");
    }
    if (!(options.label_smoothing >= 0 && options.label_smoothing <= 1)) {
        fail_argument("cross_entropy", site, "label_smoothing is ", options.label_smoothing,
                      "; it must be between 0 and 1");
    }
    check_enum("cross_entropy", "the reduction", options.reduction, Reduction::none, site);
    check_labels("cross_entropy", "target", targets, logits.dim(class_axis), "classes", site,
                 options.ignore_index);
}

// [..., C], with the class axis moved to the end
Variable classes_last(const Variable& logits, int class_axis) {
    if (class_axis == logits.rank() - 1) return logits;
    Dims order;
    for (int axis = 0; axis < logits.rank(); ++axis) {
        if (axis != class_axis) order.append(axis);
    }
    order.append(class_axis);
    return permute(logits, order);
}

struct UsedTargets {
    IndexTensor rows;     // [M], positions whose target is not ignored
    IndexTensor classes;  // [N], the target, or no_class where ignored
};

UsedTargets used_targets(const IndexTensor& targets, std::int64_t ignore_index) {
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> classes;
    for (std::int64_t i = 0; i < targets.numel(); ++i) {
        const std::int64_t target = targets.data()[i];
        const bool counts = target != ignore_index;
        if (counts) rows.push_back(i);
        classes.push_back(counts ? target : no_class);
    }
    return {IndexTensor(rows), IndexTensor(classes)};
}

// (1 − ε)·(−ln p_target) + ε·(mean over the classes of −ln p), for the rows not ignored
Variable smoothed(const Variable& losses, const Variable& logits, const IndexTensor& rows,
                  double epsilon) {
    if (epsilon == 0) return losses;
    const Variable counted = index_select(logits, 0, rows);               // [M, C]
    const Variable of_all_classes = -mean(log_softmax(counted, -1), -1);  // [M]
    return losses * (1 - epsilon) + of_all_classes * epsilon;
}

}  // namespace

// Ignored rows are left out of the operation, so their gradient is 0 even if they contain NaN.
Variable cross_entropy(const Variable& logits, const IndexTensor& targets,
                       const CrossEntropyOptions& options, CallSite site) {
    const int class_axis = class_axis_of(logits, targets, options, site);
    check_cross_entropy(logits, targets, class_axis, options, site);
    const UsedTargets used = used_targets(targets, options.ignore_index);
    const std::int64_t N = targets.numel();
    const std::int64_t M = used.rows.numel();
    const std::int64_t C = logits.dim(class_axis);
    if (M == 0 && options.reduction == Reduction::mean) {
        fail_argument("cross_entropy", site, "all ", N, " targets are ignored (ignore_index is ",
                      options.ignore_index,
                      "), so there is no mean; skip this batch, or use Reduction::sum");
    }
    const Scope scope("cross_entropy", site);
    const double epsilon = options.label_smoothing;
    const Variable rows = reshape(classes_last(logits, class_axis), {N, C});  // [N, C]
    const Variable nll = cross_entropy_losses(rows, used.classes);            // [N]
    if (options.reduction == Reduction::none && epsilon == 0) return reshape(nll, targets.shape());
    const Variable counted = index_select(nll, 0, used.rows);             // [M]
    const Variable losses = smoothed(counted, rows, used.rows, epsilon);  // [M]
    if (options.reduction == Reduction::mean) return mean(losses);        // []
    if (options.reduction == Reduction::sum) return sum(losses);          // []
    const Variable in_place = index_add(losses, 0, used.rows, Shape{N});  // [N]
    return reshape(in_place, targets.shape());                            // [...]
}

Variable mse_loss(const Variable& prediction, const Variable& target, Reduction reduction,
                  CallSite site) {
    if (!(prediction.shape() == target.shape())) {
        fail_shape("mse_loss", site, "the prediction has shape ", prediction.shape(),
                   " and the target ", target.shape(),
                   "; they must be equal, since broadcasting would compare every prediction with "
                   "every target (reshape one of them)");
    }
    check_enum("mse_loss", "the reduction", reduction, Reduction::none, site);
    if (prediction.numel() == 0 && reduction == Reduction::mean) {
        fail_argument("mse_loss", site, "shape ", prediction.shape(),
                      " has no entries, so there is no mean");
    }
    const Scope scope("mse_loss", site);
    const Variable difference = prediction - target;
    const Variable squares = difference * difference;
    if (reduction == Reduction::mean) return mean(squares);
    if (reduction == Reduction::sum) return sum(squares);
    return squares;
}

}}  // namespace heed
