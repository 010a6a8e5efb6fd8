// The loop that copies entries, and the copying functions of views.h.
#include "copy.h"

#include "parallel_walk.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

void copy_entries(const Tensor& x, Scalar* to, const Dims& strides) {
    parallel_walk<2>(x.shape(), {&x.strides(), &strides}, [&](const Run<2>& run) {
        const Scalar* in = x.data() + run.offset[0];
        Scalar* out = to + run.offset[1];
        const std::int64_t in_step = run.stride[0];
        const std::int64_t out_step = run.stride[1];
        if (in_step == 1 && out_step == 1) {
            std::copy_n(in, run.length, out);
        } else {
            for (std::int64_t i = 0; i < run.length; ++i) out[i * out_step] = in[i * in_step];
        }
    });
}

Tensor contiguous(const Tensor& x, CallSite site) { return x.is_contiguous() ? x : clone(x, site); }

Tensor clone(const Tensor& x, CallSite site) {
    Tensor copy = Tensor::uninitialized(x.shape(), site);
    copy_entries(x, copy.writable_data(), copy.strides());
    return copy;
}

Tensor flipped_view(const Tensor& x, const Dims& axes, const CallSite& site) {
    const Dims flipped = normalized_axes(axes, x.rank(), "flip", site);
    if (x.numel() == 0) return x;
    std::int64_t offset = x.offset();
    Dims strides = x.strides();
    for (const std::int64_t axis : flipped) {
        const int i = static_cast<int>(axis);
        offset += (x.shape()[i] - 1) * strides[i];
        strides.set(i, -strides[i]);
    }
    return Tensor(x.storage(), offset, x.shape(), strides, site);
}

Tensor flip(const Tensor& x, const Dims& axes, CallSite site) {
    return clone(flipped_view(x, axes, site), site);
}

}}}  // namespace heed::tensor
