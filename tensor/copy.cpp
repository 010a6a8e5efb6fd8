// The one loop that moves numbers, and the copies that views.h offers.
#include "tensor/copy.h"

#include "tensor/views.h"
#include "tensor/walk_in_parallel.h"

#include <algorithm>

namespace heed::inline HEED_PRECISION::tensor {

void copy_entries(const Tensor& x, Scalar* to, const Dims& strides) {
    walk_in_parallel<2>(x.shape(), {&x.strides(), &strides}, [&](const Run<2>& run) {
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

Tensor contiguous(const Tensor& x, Where where) { return x.is_contiguous() ? x : clone(x, where); }

Tensor clone(const Tensor& x, Where) {
    Tensor copy = Tensor::uninitialized(x.shape());
    copy_entries(x, copy.writable_data(), copy.strides());
    return copy;
}

}  // namespace heed::inline HEED_PRECISION::tensor
