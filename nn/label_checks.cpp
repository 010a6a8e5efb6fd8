#include "heed/nn/label_checks.h"

#include "heed/tensor/errors.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {

// The index of entry number `entry` in row-major order.
Dims place_of(std::int64_t entry, const Shape& shape) {
    std::vector<std::int64_t> place(static_cast<std::size_t>(shape.rank()));
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        place[static_cast<std::size_t>(axis)] = entry % shape[axis];
        entry /= shape[axis];
    }
    return Dims(place);
}

}  // namespace

void check_labels(const char* operation, const char* what, const IndexTensor& labels,
                  std::int64_t count, const char* things, const CallSite& site,
                  std::optional<std::int64_t> allowed) {
    for (std::int64_t i = 0; i < labels.numel(); ++i) {
        const std::int64_t label = labels.data()[i];
        if ((label >= 0 && label < count) || label == allowed) continue;
        fail_range(operation,
                   text(what, " ", label, " at ", place_of(i, labels.shape()),
                        " is out of range: there are ", count, " ", things, ", which count from 0"),
                   site);
    }
}

}  // namespace HEED_PRECISION
}  // namespace heed
