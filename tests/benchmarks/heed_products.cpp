// Products of matrices, one by one and in batches.
#include "tensor/ops.h"
#include "tests/benchmarks/heed_works.h"
#include "tests/benchmarks/noise.h"

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

namespace {

// The form says which factor is stored transposed: "nn", "nt" or "tn".
Run product(const std::string& form, const Dims& batch, std::int64_t m, std::int64_t n,
            std::int64_t k) {
    const bool A_transposed = form[0] == 't';
    const bool B_transposed = form[1] == 't';
    const std::int64_t count = batch.empty() ? 1 : batch[0];
    const Shape A_shape = A_transposed ? Shape{count, k, m} : Shape{count, m, k};
    const Shape B_shape = B_transposed ? Shape{count, n, k} : Shape{count, k, n};
    Tensor A = noise(A_shape, 1);
    Tensor B = noise(B_shape, 2);
    if (batch.empty()) {
        A = tensor::select(A, 0, 0);
        B = tensor::select(B, 0, 0);
    }
    if (A_transposed) A = tensor::transpose(A);
    if (B_transposed) B = tensor::transpose(B);
    return [A, B] { return std::vector<Tensor>{tensor::matmul(A, B)}; };
}

}  // namespace

Run prepare_product(const std::string& kind, std::istream& line) {
    std::string form;
    std::int64_t count = 0, m = 0, n = 0, k = 0;
    if (kind == "product") {
        line >> form >> m >> n >> k;
        return product(form, {}, m, n, k);
    }
    if (kind == "batch") {
        line >> form >> count >> m >> n >> k;
        return product(form, {count}, m, n, k);
    }
    return {};
}

}}}  // namespace heed::benchmarks
