#include "sampling.h"

#include "../../tensor/errors.h"
#include "../../tensor/ops.h"

#include <limits>
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

// x [rows, V] with -inf for all but the likeliest of each row, whose total probability reaches p.
Tensor top_p_of(const Tensor& x, double p) {
    const tensor::Sorted sorted = tensor::sort(tensor::softmax(x, -1), -1, descending);
    std::vector<std::uint8_t> out(static_cast<std::size_t>(x.numel()), 1);
    for (std::int64_t row = 0; row < x.dim(0); ++row) {
        double together = 0;  // the probability of those kept
        for (std::int64_t i = 0; i < x.dim(1) && together < p; ++i) {
            const std::int64_t place = row * x.dim(1) + sorted.indices(row, i);
            out[static_cast<std::size_t>(place)] = 0;
            together += static_cast<double>(sorted.values(row, i));
        }
    }
    return tensor::masked_fill(x, BoolTensor::from_bytes(std::move(out), x.shape()), -infinity);
}

}  // namespace

void check_sampling(const char* operation, const SamplingOptions& options, const CallSite& site) {
    if (!(options.temperature >= 0 && options.temperature < infinity)) {
        fail_argument(operation, site, "temperature is ", options.temperature,
                      "; it must be finite and not negative; 0 always takes the likeliest token");
    }
    if (options.top_k < 0) {
        fail_argument(operation, site, "top_k is ", options.top_k,
                      "; it must be at least 1, or 0 for all");
    }
    if (!(options.top_p > 0 && options.top_p <= 1)) {
        fail_argument(operation, site, "top_p is ", options.top_p,
                      "; it must be above 0 and at most 1, which keeps all tokens");
    }
}

void check_logits(const char* operation, const Tensor& logits, const CallSite& site) {
    if (logits.rank() < 1 || logits.dim(-1) < 1) {
        fail_shape(operation, site, "the logits have shape ", logits.shape(),
                   "; they must be [..., vocab_size], with at least one token");
    }
    const Tensor largest = tensor::reshape(tensor::max(logits, -1), -1);  // [rows]
    for (std::int64_t i = 0; i < largest.numel(); ++i) {
        const double number = static_cast<double>(largest(i));
        if (__builtin_isfinite(number)) continue;
        fail_argument(operation, site, "the largest logit in row ", i, " is ", number,
                      "; it must be finite: was the model trained on a loss that was not?");
    }
}

Tensor sampling_probabilities(const Tensor& logits, const SamplingOptions& options, CallSite site) {
    check_sampling(name, options, site);
    check_logits(name, logits, site);
    const Scope scope(name, site);
    const std::int64_t V = logits.dim(-1);
    const Tensor rows = tensor::reshape(logits, {-1, V});
    const Tensor shifted = rows - tensor::max(rows, -1, keepdim);  // 0 or less: does not overflow

    const bool greedy = static_cast<Scalar>(options.temperature) == 0;
    // In float 1e300 would be infinite, and an excluded logit, -inf, divided by it NaN.
    const double most = static_cast<double>(std::numeric_limits<Scalar>::max());
    const double divisor = options.temperature < most ? options.temperature : most;
    Tensor x = greedy ? top_k_of(shifted, 1) : shifted / divisor;  // [rows, V]
    if (options.top_k > 0 && options.top_k < V) x = top_k_of(x, options.top_k);
    if (options.top_p < 1) x = top_p_of(x, options.top_p);
    const Tensor probabilities = tensor::softmax(x, -1);
    return tensor::reshape(probabilities, Dims(logits.shape()));
}

}}  // namespace heed
