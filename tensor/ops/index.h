// Views, joins and conversions of tensors of integers and of booleans.
// Shapes, axes and errors are those of the functions of the same name for tensors (tensor/views.h,
// tensor/ops/join.h, tensor/copy.h); the results are copies, since both are always contiguous.
#pragma once

#include "../bool_tensor.h"
#include "../index_tensor.h"
#include "../views.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

IndexTensor reshape(const IndexTensor& x, const Dims& dims, CallSite site = CallSite::here());
IndexTensor transpose(const IndexTensor& x, CallSite site = CallSite::here());
IndexTensor transpose(const IndexTensor& x, int axis_a, int axis_b,
                      CallSite site = CallSite::here());
IndexTensor slice(const IndexTensor& x, int axis, std::int64_t start,
                  std::int64_t stop = to_the_end, std::int64_t step = 1,
                  CallSite site = CallSite::here());
IndexTensor select(const IndexTensor& x, int axis, std::int64_t index,
                   CallSite site = CallSite::here());
IndexTensor flip(const IndexTensor& x, const Dims& axes, CallSite site = CallSite::here());
IndexTensor concatenate(const std::vector<IndexTensor>& parts, int axis,
                        CallSite site = CallSite::here());
IndexTensor stack(const std::vector<IndexTensor>& parts, int axis = 0,
                  CallSite site = CallSite::here());

BoolTensor reshape(const BoolTensor& x, const Dims& dims, CallSite site = CallSite::here());
BoolTensor transpose(const BoolTensor& x, CallSite site = CallSite::here());
BoolTensor transpose(const BoolTensor& x, int axis_a, int axis_b, CallSite site = CallSite::here());
BoolTensor slice(const BoolTensor& x, int axis, std::int64_t start, std::int64_t stop = to_the_end,
                 std::int64_t step = 1, CallSite site = CallSite::here());
BoolTensor select(const BoolTensor& x, int axis, std::int64_t index,
                  CallSite site = CallSite::here());
BoolTensor flip(const BoolTensor& x, const Dims& axes, CallSite site = CallSite::here());
BoolTensor concatenate(const std::vector<BoolTensor>& parts, int axis,
                       CallSite site = CallSite::here());
BoolTensor stack(const std::vector<BoolTensor>& parts, int axis = 0,
                 CallSite site = CallSite::here());

// Conversions. A boolean is 1 or 0; any nonzero number is true. (BoolTensor to Tensor: compare.h.)
// Error of to_tensor: an integer that a Scalar cannot hold exactly (in float, some above 2^24).
// Error of to_index: an entry that is not a whole number below 2^63 (both std::invalid_argument).
Tensor to_tensor(const IndexTensor& x, CallSite site = CallSite::here());
IndexTensor to_index(const Tensor& x, CallSite site = CallSite::here());
IndexTensor to_index(const BoolTensor& x);
BoolTensor to_bool(const Tensor& x);
BoolTensor to_bool(const IndexTensor& x);

}}}  // namespace heed::tensor
