// The matrix product: broadcasting the batch, and dividing the work among threads.
#include "matmul.h"

#include "../errors.h"
#include "../kernels/kernels.h"
#include "../runtime/parallel.h"
#include "../views.h"
#include "../walk.h"
#include "arithmetic.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
void check(const Tensor& A, const Tensor& B, const CallSite& site) {
    const int rank_A = A.rank(), rank_B = B.rank();
    if (rank_A == 0 || rank_B == 0) {
        fail_shape("matmul", site, "shapes ", A.shape(), " and ", B.shape(),
                   "; a single number (rank 0) has no axis to sum over; multiply it with *");
    }
    const std::int64_t last_of_A = A.shape().unchecked(rank_A - 1);
    const std::int64_t inner_of_B = B.shape().unchecked(rank_B == 1 ? 0 : rank_B - 2);
    if (last_of_A != inner_of_B) {
        fail_shape("matmul", site, "the last axis of A ", A.shape(), " has length ", last_of_A,
                   ", but the ", rank_B == 1 ? "only" : "second-to-last", " of B ", B.shape(),
                   " has ", inner_of_B, "; these are summed over and must be equal",
                   rank_B > 1 && B.shape().unchecked(rank_B - 1) == last_of_A
                       ? "; did you mean transpose(B)?"
                       : "");
    }
}

void check_linear(const Tensor& x, const Tensor& W, const Tensor& b, const CallSite& site) {
    const bool fits = W.rank() == 2 && x.rank() > 0 && x.shape()[x.rank() - 1] == W.shape()[1] &&
                      b.rank() == 1 && b.shape()[0] == W.shape()[0];
    if (fits) return;
    fail_shape("linear", site, "x has shape ", x.shape(), ", W ", W.shape(), " and b ", b.shape(),
               "; they must be [..., in], [out, in] and [out]");
}

// Strides between consecutive matrices of a batch.
struct Steps {
    std::int64_t A, B, C;
};

// What a product costs, in multiplications: reading an entry of a factor takes the time of several,
// which matters when few rows are multiplied by a large matrix.
double work(std::int64_t rows, std::int64_t columns, std::int64_t inner) {
    const double entries = static_cast<double>(rows + columns) * static_cast<double>(inner);
    const double multiplications = static_cast<double>(rows * columns) * static_cast<double>(inner);
    return multiplications + 8 * entries;
}

// A product divided into bands of rows or of columns of C, which threads compute. Every band copies
// the whole other factor, so there is one band per thread, or a single one for a small product and
// in a batch with enough products for all threads. The bands do not change the sums.
struct Bands {
    bool of_rows;
    std::int64_t length;  // of a band
    std::int64_t count;

    Bands(const kernels::MatmulTask& task, std::int64_t products)
        : of_rows(task.rows >= task.columns) {
        const std::int64_t lines = of_rows ? task.rows : task.columns;
        const int threads = thread_count();
        const bool worth_it =
            work(task.rows, task.columns, task.inner) >= 1e6 && products < 4 * threads;
        const std::int64_t bands = worth_it ? threads : 1;
        const std::int64_t unit = of_rows ? 12 : 32;  // so that few tiles are partial
        const std::int64_t units = (lines + unit - 1) / unit;
        length = (units + bands - 1) / bands * unit;
        count = lines == 0 ? 0 : (lines + length - 1) / length;
    }
};

// Band `i` of the product.
kernels::MatmulTask band(const kernels::MatmulTask& task, const Bands& bands, std::int64_t i) {
    kernels::MatmulTask part = task;
    const std::int64_t first = i * bands.length;
    if (bands.of_rows) {
        part.rows = std::min(bands.length, task.rows - first);
        part.A += first * task.A_row;
        part.C += first * task.C_row;
    } else {
        part.columns = std::min(bands.length, task.columns - first);
        part.B += first * task.B_column;
        part.C += first;
        if (part.bias) part.bias += first;
    }
    return part;
}

// The number of bands a thread takes at a time, so that the work is worth waking it for.
std::int64_t bands_at_a_time(const kernels::MatmulTask& task, const Bands& bands) {
    const double of_band = bands.of_rows ? work(bands.length, task.columns, task.inner)
                                         : work(task.rows, bands.length, task.inner);
    return std::max<std::int64_t>(static_cast<std::int64_t>(500'000 / std::max(of_band, 1.0)), 1);
}

// `count` products of one size, `steps` apart.
void multiply(const kernels::MatmulTask& first, std::int64_t count, const Steps& steps) {
    const kernels::Table& kernel = kernels::active();
    const Bands bands(first, count);
    const auto multiply_some = [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t in_batch = i / bands.count;
            kernels::MatmulTask task = first;
            task.A += in_batch * steps.A;
            task.B += in_batch * steps.B;
            task.C += in_batch * steps.C;
            kernel.matmul(band(task, bands, i % bands.count));
        }
    };
    parallel_for(count * bands.count, bands_at_a_time(first, bands), multiply_some);
}

// A [batch..., m, k] times B [batch..., k, n], with the batch axes broadcast. For the blocks of a
// long sum over k see kernels/blocks.h.
Tensor product(const Tensor& A, const Tensor& B, const Tensor* bias, const CallSite& site) {
    constexpr std::int64_t most = kernels::most_product_blocks * kernels::product_block;
    if (A.dim(-1) > most) {
        const std::int64_t middle = kernels::first_part(A.dim(-1), most);
        Tensor C = product(slice(A, -1, 0, middle), slice(B, -2, 0, middle), nullptr, site) +
                   product(slice(A, -1, middle), slice(B, -2, middle), nullptr, site);
        return bias ? C + *bias : C;
    }
    const Shape A_batch = A.shape().without_last(2);
    const Shape B_batch = B.shape().without_last(2);
    const Shape batch = broadcast_shape(A_batch, B_batch, "matmul: batch axes", site);
    const std::int64_t* const A_lengths = A.shape().end() - 2;  // the lengths of the last two axes
    const std::int64_t* const B_lengths = B.shape().end() - 2;
    const std::int64_t* const A_steps = A.strides().end() - 2;
    const std::int64_t* const B_steps = B.strides().end() - 2;
    const std::int64_t m = A_lengths[0], k = A_lengths[1], n = B_lengths[1];
    Tensor C = Tensor::uninitialized(batch.followed_by({m, n}, site), site);

    const Dims A_strides = broadcast_strides(A_batch, A.strides().without_last(2), batch);
    const Dims B_strides = broadcast_strides(B_batch, B.strides().without_last(2), batch);
    const Dims C_strides = C.strides().without_last(2);

    kernels::MatmulTask task = {};
    task.rows = m;
    task.inner = k;
    task.columns = n;
    task.A_row = A_steps[0];
    task.A_column = A_steps[1];
    task.B_row = B_steps[0];
    task.B_column = B_steps[1];
    task.C_row = n;
    task.bias = bias ? bias->data() : nullptr;

    Scalar* out = C.writable_data();
    for (Walk<3> walk(batch, {&A_strides, &B_strides, &C_strides}); !walk.done(); walk.next()) {
        task.A = A.data() + walk.offset(0);
        task.B = B.data() + walk.offset(1);
        task.C = out + walk.offset(2);
        const Steps steps{walk.row_stride(0), walk.row_stride(1), walk.row_stride(2)};
        multiply(task, walk.row_length(), steps);
    }
    return C;
}

// A batch times a single matrix is one product, not one for each matrix of the batch:
// A [..., m, k] is viewed as [...·m, k].
Tensor folded_product(const Tensor& A, const Tensor& B, const Tensor* bias, const CallSite& site) {
    const std::int64_t k = A.shape()[-1];
    const std::int64_t n = B.shape()[1];
    std::int64_t rows = 1;
    for (int axis = 0; axis + 1 < A.rank(); ++axis) rows *= A.shape()[axis];
    const Tensor C = product(view(A, {rows, k}, site), B, bias, site);
    return view(C, A.shape().with(A.rank() - 1, n), site);
}

}  // namespace

Tensor matmul(const Tensor& A, const Tensor& B, CallSite site) {
    check(A, B, site);
    const bool A_is_vector = A.rank() == 1, B_is_vector = B.rank() == 1;
    const Tensor A_matrix = A_is_vector ? unsqueeze(A, 0, site) : A;
    const Tensor B_matrix = B_is_vector ? unsqueeze(B, -1, site) : B;
    const bool folds = A_matrix.rank() > 2 && B_matrix.rank() == 2 && A_matrix.is_contiguous();
    Tensor C = folds ? folded_product(A_matrix, B_matrix, nullptr, site)
                     : product(A_matrix, B_matrix, nullptr, site);
    if (B_is_vector) C = squeeze(C, -1, site);
    if (A_is_vector) C = squeeze(C, B_is_vector ? -1 : -2, site);
    return C;
}

Tensor linear(const Tensor& x, const Tensor& W, const Tensor& b, CallSite site) {
    check_linear(x, W, b, site);
    const Tensor bias = contiguous(b, site);
    const Tensor rows = x.rank() == 1 ? unsqueeze(x, 0, site) : contiguous(x, site);
    const Tensor y = folded_product(rows, transpose(W, site), &bias, site);
    return x.rank() == 1 ? squeeze(y, 0, site) : y;
}

}}}  // namespace heed::tensor
