// The one loop that moves numbers, and the copies that views.h offers.
#include "tensor/copy.h"

#include "tensor/views.h"
#include "tensor/walk.h"

#include <algorithm>

namespace heed::inline HEED_PRECISION::tensor {

void copy_entries(const Tensor& x, Scalar* to, const Dims& strides) {
    for (Walk<2> walk(x.shape(), {&x.strides(), &strides}); !walk.done(); walk.next()) {
        const Scalar* in = x.data() + walk.offset(0);
        Scalar* out = to + walk.offset(1);
        const std::int64_t in_step = walk.row_stride(0);
        const std::int64_t out_step = walk.row_stride(1);
        if (in_step == 1 && out_step == 1) {
            std::copy_n(in, walk.row_length(), out);
        } else {
            for (std::int64_t i = 0; i < walk.row_length(); ++i)
                out[i * out_step] = in[i * in_step];
        }
    }
}

Tensor contiguous(const Tensor& x, Where where) { return x.is_contiguous() ? x : clone(x, where); }

Tensor clone(const Tensor& x, Where) {
    Tensor copy = Tensor::uninitialized(x.shape());
    copy_entries(x, copy.writable_data(), copy.strides());
    return copy;
}

}  // namespace heed::inline HEED_PRECISION::tensor
