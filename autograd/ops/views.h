// Views of variables, and flip, which copies (tensor/views.h states shapes and errors), each with
// its derivative. Gradients of slices and selections of one variable are added to one tensor.
#pragma once

#include "../../tensor/views.h"
#include "../variable.h"

namespace heed { inline namespace HEED_PRECISION {

Variable view(const Variable& x, const Dims& dims, CallSite site = CallSite::here());
Variable reshape(const Variable& x, const Dims& dims, CallSite site = CallSite::here());
Variable transpose(const Variable& x, CallSite site = CallSite::here());
Variable transpose(const Variable& x, int axis_a, int axis_b, CallSite site = CallSite::here());
Variable permute(const Variable& x, const Dims& order, CallSite site = CallSite::here());
Variable slice(const Variable& x, int axis, std::int64_t start,
               std::int64_t stop = tensor::to_the_end, std::int64_t step = 1,
               CallSite site = CallSite::here());
Variable select(const Variable& x, int axis, std::int64_t index, CallSite site = CallSite::here());
Variable expand(const Variable& x, const Dims& dims, CallSite site = CallSite::here());
Variable unsqueeze(const Variable& x, int axis, CallSite site = CallSite::here());
Variable squeeze(const Variable& x, CallSite site = CallSite::here());
Variable squeeze(const Variable& x, int axis, CallSite site = CallSite::here());
Variable flatten(const Variable& x, int first = 0, int last = -1, CallSite site = CallSite::here());
Variable contiguous(const Variable& x, CallSite site = CallSite::here());
Variable flip(const Variable& x, const Dims& axes, CallSite site = CallSite::here());

// The same with the numbers as separate arguments: permute(x, 0, 2, 1) is permute(x, {0, 2, 1}).
template <WholeNumber... More>
requires(sizeof...(More) > 0) Variable view(const Variable& x, FirstIndex first, More... more) {
    return view(x, Dims({first.number, more...}, first.site), first.site);
}
template <WholeNumber... More>
requires(sizeof...(More) > 0) Variable reshape(const Variable& x, FirstIndex first, More... more) {
    return reshape(x, Dims({first.number, more...}, first.site), first.site);
}
template <WholeNumber... More>
requires(sizeof...(More) > 0) Variable permute(const Variable& x, FirstIndex first, More... more) {
    return permute(x, Dims({first.number, more...}, first.site), first.site);
}
template <WholeNumber... More>
requires(sizeof...(More) > 0) Variable expand(const Variable& x, FirstIndex first, More... more) {
    return expand(x, Dims({first.number, more...}, first.site), first.site);
}

}}  // namespace heed
