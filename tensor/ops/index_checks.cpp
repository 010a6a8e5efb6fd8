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
                       " entries; indices start at 0, and negative ones do not count ",
                       "from the end here");
        }
    }
}

void check_within(const IndexTensor& index, const Shape& shape, int axis, const char* operation,
                  const CallSite& site) {
    if (index.rank() != shape.rank()) {
        fail_shape(operation, site, "the index tensor of shape ", index.shape(), " has rank ",
                   index.rank(), ", but shape ", shape, " has rank ", shape.rank(),
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
        fail_shape(operation, site, "x has shape ", x.shape(), " and the index tensor ",
                   index.shape(), "; there must be one index for each entry");
    }
}

}}}  // namespace heed::tensor
