#include "heed/nn/losses.h"

#include "heed/autograd/ops.h"
#include "heed/nn/label_checks.h"
#include "heed/tensor/errors.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {

void check_cross_entropy(const Variable& logits, const IndexTensor& targets,
                         const CrossEntropyOptions& options, const CallSite& site) {
    const bool fits =
        logits.rank() > 0 && logits.shape().without(logits.rank() - 1) == targets.shape();
    if (!fits) {
        fail_shape("cross_entropy",
                   text("logits have shape ", logits.shape(), ", targets ", targets.shape(),
                        "; logits must have the shape of the targets and one more axis at the "
                        "end, the classes"),
                   site);
    }
    check_labels("cross_entropy", "target", targets, logits.dim(-1), "classes", site,
                 options.ignore_index);
}

struct Counting {
    IndexTensor rows;     // [M], positions whose target is not ignored
    IndexTensor classes;  // [N], the target, or no_class where ignored
};

Counting what_counts(const IndexTensor& targets, std::int64_t ignore_index) {
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

}  // namespace

// Ignored rows are left out of the operation, so their gradient is 0 even if they hold NaN.
Variable cross_entropy(const Variable& logits, const IndexTensor& targets,
                       const CrossEntropyOptions& options, CallSite site) {
    check_cross_entropy(logits, targets, options, site);
    const Counting counting = what_counts(targets, options.ignore_index);
    const std::int64_t N = targets.numel();
    const std::int64_t M = counting.rows.numel();
    const std::int64_t C = logits.dim(-1);
    if (M == 0 && options.reduction == Reduction::mean) {
        fail_argument("cross_entropy",
                      text("none of the ", N, " targets counts (ignore_index is ",
                           options.ignore_index,
                           "), so there is no mean; leave this batch out, or use Reduction::sum"),
                      site);
    }
    const Scope scope("cross_entropy", site);
    const Variable rows = reshape(logits, {N, C});                         // [N, C]
    const Variable losses = cross_entropy_losses(rows, counting.classes);  // [N]
    if (options.reduction == Reduction::none) return reshape(losses, targets.shape());
    const Variable counted = index_select(losses, 0, counting.rows);  // [M]
    if (options.reduction == Reduction::mean) return mean(counted);   // []
    return sum(counted);                                              // []
}

Variable mse_loss(const Variable& prediction, const Variable& target, Reduction reduction,
                  CallSite site) {
    if (!(prediction.shape() == target.shape())) {
        fail_shape("mse_loss",
                   text("the prediction has shape ", prediction.shape(), ", the target ",
                        target.shape(),
                        "; they must be equal, for broadcasting would compare every prediction "
                        "with every target (reshape one of them)"),
                   site);
    }
    if (prediction.numel() == 0 && reduction == Reduction::mean) {
        fail_argument("mse_loss",
                      text("shape ", prediction.shape(), " has no entries, so there is no mean"),
                      site);
    }
    const Scope scope("mse_loss", site);
    const Variable difference = prediction - target;
    const Variable squares = difference * difference;
    if (reduction == Reduction::mean) return mean(squares);
    if (reduction == Reduction::sum) return sum(squares);
    return squares;
}

}  // namespace HEED_PRECISION
}  // namespace heed
