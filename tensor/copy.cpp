// The loop that copies entries, and the copying functions of views.h.
#include "heed/tensor/copy.h"

#include "heed/tensor/parallel_walk.h"

#include <algorithm>

namespace heed {
inline namespace HEED_PRECISION {
namespace tensor {

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

}  // namespace tensor
}  // namespace HEED_PRECISION
}  // namespace heed
