#include "sampling.h"

#include "../../tensor/errors.h"
#include "../../tensor/ops.h"
#include "generation_checks.h"

#include <utility>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

namespace {

constexpr const char* name = "sampling_probabilities";

// x [rows, V] with -inf for all but the k largest of each row.
Tensor top_k_of(const Tensor& x, std::int64_t k) {
    const tensor::Sorted top = tensor::topk(x, k, -1);  // [rows, k]
    const Tensor nothing = tensor::full(x.shape(), -infinity);
    return tensor::scatter(nothing, -1, top.indices, top.values);
}

// x [rows, V] with -inf for all but the likeliest of each row that have together probability p.
Tensor top_p_of(const Tensor& x, double p) {
    const tensor::Sorted sorted = tensor::sort(tensor::softmax(x, -1), -1, descending);
    std::vector<std::uint8_t> out(static_cast<std::size_t>(x.numel()), 1);
    for (std::int64_t row = 0; row < x.dim(0); ++row) {
        double together = 0;  // the probability of those that stay
        for (std::int64_t i = 0; i < x.dim(1) && together < p; ++i) {
            const std::int64_t place = row * x.dim(1) + sorted.indices(row, i);
            out[static_cast<std::size_t>(place)] = 0;
            together += static_cast<double>(sorted.values(row, i));
        }
    }
    return tensor::masked_fill(x, BoolTensor::from_bytes(std::move(out), x.shape()), -infinity);
}

}  // namespace

Tensor sampling_probabilities(const Tensor& logits, const SamplingOptions& options, CallSite site) {
    check_sampling(name, options, site);
    check_logits(name, logits, site);
    const Scope scope(name, site);
    const std::int64_t V = logits.dim(-1);
    const Tensor rows = tensor::reshape(logits, {-1, V});
    const Tensor shifted = rows - tensor::max(rows, -1, keepdim);  // 0 or less: does not overflow

    const bool greedy = static_cast<Scalar>(options.temperature) == 0;
    Tensor x = greedy ? top_k_of(shifted, 1) : shifted / options.temperature;  // [rows, V]
    if (options.top_k > 0 && options.top_k < V) x = top_k_of(x, options.top_k);
    if (options.top_p < 1) x = top_p_of(x, options.top_p);
    const Tensor probabilities = tensor::softmax(x, -1);
    return tensor::reshape(probabilities, Dims(logits.shape()));
}

}}  // namespace heed
