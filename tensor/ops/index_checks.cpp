// The checks of index tensors, and the words of their errors.
#include "index_checks.h"

#include "../errors.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

void check_entries(const IndexTensor& index, const Shape& shape, int axis, const char* operation,
                   const CallSite& site) {
    for (std::int64_t i = 0; i < index.numel(); ++i) {
        const std::int64_t entry = index.data()[i];
        if (entry < 0 || entry >= shape[axis]) {
            fail_range(operation, site, "index ", entry, " at ", unravelled(i, index.shape()),
                       " of the index tensor is out of range for axis ", axis, " of ", shape,
                       ", which has ", shape[axis],
                       " entries; they count from 0, and negative indices are not read ",
                       "from the end here");
        }
    }
}

void check_within(const IndexTensor& index, const Shape& shape, int axis, const char* operation,
                  const CallSite& site) {
    if (index.rank() != shape.rank()) {
        fail_shape(operation, site, "the index tensor of shape ", index.shape(), " has rank ",
                   index.rank(), ", shape ", shape, " has rank ", shape.rank(),
                   "; they must be equal");
    }
    for (int i = 0; i < shape.rank(); ++i) {
        if (i != axis && index.shape()[i] > shape[i]) {
            fail_shape(operation, site, "axis ", i, " of the index tensor ", index.shape(),
                       " is longer than ", "that of ", shape, "; only axis ", axis,
                       ", which it indexes, may be");
        }
    }
}

void check_one_each(const Tensor& x, const IndexTensor& index, const char* operation,
                    const CallSite& site) {
    if (!(x.shape() == index.shape())) {
        fail_shape(operation, site, "x has shape ", x.shape(), ", the index tensor ", index.shape(),
                   "; there must be one index for each entry");
    }
}

Dims standing_still(const Dims& strides, int axis) {
    std::vector<std::int64_t> numbers(strides.begin(), strides.end());
    numbers[static_cast<std::size_t>(axis)] = 0;
    return Dims(numbers);
}

}}}  // namespace heed::tensor
