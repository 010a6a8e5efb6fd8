// Reading entries of a variable by index, and adding entries by index (tensor/ops/gather.h states
// shapes and errors); each is the derivative of the other. And writing entries by index into a copy
// (tensor/ops/scatter.h).
#pragma once

#include "../../tensor/index_tensor.h"
#include "../variable.h"

namespace heed { inline namespace HEED_PRECISION {

Variable index_select(const Variable& x, int axis, const IndexTensor& index,
                      CallSite site = CallSite::here());
Variable gather(const Variable& x, int axis, const IndexTensor& index,
                CallSite site = CallSite::here());
Variable index_add(const Variable& x, int axis, const IndexTensor& index, const Shape& shape,
                   CallSite site = CallSite::here());
Variable scatter_add(const Variable& x, int axis, const IndexTensor& index, const Shape& shape,
                     CallSite site = CallSite::here());
// x and values get their parts of the gradient; replaced entries get 0.
Variable scatter(const Variable& x, int axis, const IndexTensor& index, const Variable& values,
                 CallSite site = CallSite::here());
Variable scatter(const Variable& x, int axis, const IndexTensor& index, double value,
                 CallSite site = CallSite::here());
Variable embed_slice(const Variable& x, const Shape& shape, int axis, std::int64_t start,
                     std::int64_t step, CallSite site = CallSite::here());

}}  // namespace heed
