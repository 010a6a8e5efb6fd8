#include "tensor/matmul.h"

#include "tensor/errors.h"
#include "tensor/kernels/kernels.h"
#include "tensor/views.h"
#include "tensor/walk.h"

namespace heed::inline HEED_PRECISION::tensor {

namespace {

void check(const Tensor& A, const Tensor& B, const Where& where) {
    if (A.rank() == 0 || B.rank() == 0) {
        fail_shape("matmul",
                   text("shapes ", A.shape(), " and ", B.shape(),
                        "; a single number (rank 0) has no axis to sum over; multiply it with *"),
                   where);
    }
    const std::int64_t last_of_A = A.shape()[A.rank() - 1];
    const int axis_of_B = B.rank() == 1 ? 0 : B.rank() - 2;
    const std::int64_t inner_of_B = B.shape()[axis_of_B];
    if (last_of_A != inner_of_B) {
        fail_shape("matmul",
                   text("the last axis of A ", A.shape(), " is ", last_of_A, " long, the ",
                        B.rank() == 1 ? "only" : "second-to-last", " of B ", B.shape(), " is ",
                        inner_of_B, "; both are summed over and must be equal",
                        B.rank() > 1 && B.shape()[B.rank() - 1] == last_of_A
                            ? "; did you mean transpose(B)?"
                            : ""),
                   where);
    }
}

Shape without_last_two(const Shape& shape) {
    return shape.without(shape.rank() - 1).without(shape.rank() - 2);
}

Dims without_last_two(const Dims& dims) {
    return Dims(std::vector<std::int64_t>(dims.begin(), dims.end() - 2));
}

// A [batch..., m, k] times B [batch..., k, n], the batch axes broadcast.
Tensor product(const Tensor& A, const Tensor& B, const Where& where) {
    const Shape batch = broadcast_shape(without_last_two(A.shape()), without_last_two(B.shape()),
                                        "matmul: batch axes", where);
    const std::int64_t m = A.shape()[A.rank() - 2];
    const std::int64_t k = A.shape()[A.rank() - 1];
    const std::int64_t n = B.shape()[B.rank() - 1];
    Tensor C = Tensor::uninitialized(batch.inserted(batch.rank(), m).inserted(batch.rank() + 1, n));

    const Dims A_strides =
        broadcast_strides(without_last_two(A.shape()), without_last_two(A.strides()), batch);
    const Dims B_strides =
        broadcast_strides(without_last_two(B.shape()), without_last_two(B.strides()), batch);
    const Dims C_strides = without_last_two(C.strides());

    kernels::MatmulTask task = {};
    task.rows = m;
    task.inner = k;
    task.columns = n;
    task.A_row = A.strides()[A.rank() - 2];
    task.A_column = A.strides()[A.rank() - 1];
    task.B_row = B.strides()[B.rank() - 2];
    task.B_column = B.strides()[B.rank() - 1];
    task.C_row = n;

    Scalar* out = C.writable_data();
    const kernels::Table& kernel = kernels::active();
    for (Walk<3> walk(batch, {&A_strides, &B_strides, &C_strides}); !walk.done(); walk.next()) {
        for (std::int64_t i = 0; i < walk.row_length(); ++i) {
            task.A = A.data() + walk.offset(0) + i * walk.row_stride(0);
            task.B = B.data() + walk.offset(1) + i * walk.row_stride(1);
            task.C = out + walk.offset(2) + i * walk.row_stride(2);
            kernel.matmul(task);
        }
    }
    return C;
}

// Many rows against one matrix are one product, not one for each batch: A [..., m, k] is read as
// [...·m, k].
Tensor folded_product(const Tensor& A, const Tensor& B, const Where& where) {
    const std::int64_t k = A.shape()[A.rank() - 1];
    const std::int64_t n = B.shape()[1];
    std::int64_t rows = 1;
    for (int axis = 0; axis + 1 < A.rank(); ++axis) rows *= A.shape()[axis];
    const Tensor C = product(view(A, {rows, k}, where), B, where);
    return view(C, A.shape().with(A.rank() - 1, n), where);
}

}  // namespace

Tensor matmul(const Tensor& A, const Tensor& B, Where where) {
    check(A, B, where);
    const Tensor A_matrix = A.rank() == 1 ? unsqueeze(A, 0, where) : A;
    const Tensor B_matrix = B.rank() == 1 ? unsqueeze(B, -1, where) : B;
    const bool folds = A_matrix.rank() > 2 && B_matrix.rank() == 2 && A_matrix.is_contiguous();
    Tensor C =
        folds ? folded_product(A_matrix, B_matrix, where) : product(A_matrix, B_matrix, where);
    if (B.rank() == 1) C = squeeze(C, -1, where);
    if (A.rank() == 1) C = squeeze(C, B.rank() == 1 ? -1 : -2, where);
    return C;
}

}  // namespace heed::inline HEED_PRECISION::tensor
