#include "tests/benchmarks/heed_works.h"

#include "tensor/errors.h"
#include "tensor/ops.h"

#include <sstream>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {
namespace {
constexpr std::uint64_t low_bits = 0xffffffff;

// A 32-bit hash of i and the seed.
std::uint64_t mixed(std::int64_t i, std::int64_t seed) {
    std::uint64_t h =
        static_cast<std::uint64_t>(i) * 2654435761 + static_cast<std::uint64_t>(seed) * 40503;
    h &= low_bits;
    h ^= h >> 16;
    h = (h * 73244475) & low_bits;
    return h ^ (h >> 16);
}

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

}  // namespace

Tensor noise(const Shape& shape, std::int64_t seed, double scale) {
    Tensor x = Tensor::uninitialized(shape);
    Scalar* const numbers = x.writable_data();
    for (std::int64_t i = 0; i < shape.numel(); ++i) {
        const double even = static_cast<double>(mixed(i, seed)) / 2147483648.0 - 1;
        numbers[i] = static_cast<Scalar>(even * scale);
    }
    return x;
}

IndexTensor noise_ids(const Shape& shape, std::int64_t seed, std::int64_t below) {
    std::vector<std::int64_t> ids;
    for (std::int64_t i = 0; i < shape.numel(); ++i) {
        ids.push_back(static_cast<std::int64_t>(mixed(i, seed)) % below);
    }
    return IndexTensor(ids, shape);
}

Run prepare_work(const std::string& text_of_work) {
    for (const auto prepare :
         {prepare_product, prepare_layer, prepare_recurrent, prepare_file, prepare_model}) {
        std::istringstream line(text_of_work);
        std::string kind;
        line >> kind;
        const Run run = prepare(kind, line);
        if (run) return run;
    }
    fail_argument("prepare_work", CallSite::here(), "no work is called \"", text_of_work, "\"");
}

}}}  // namespace heed::benchmarks
