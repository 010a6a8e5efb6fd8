// Layer norm: threads share the rows or, for the derivative, the lanes of rows.
#include "layer_norm.h"

#include "../copy.h"
#include "../errors.h"
#include "../factories.h"
#include "../kernels/kernels.h"
#include "../kernels/rows.h"
#include "../runtime/parallel.h"
#include "../views.h"

#include <algorithm>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
void check_last_axes(const char* name, const Tensor& x, const Tensor& weight,
                     const CallSite& site) {
    if (weight.rank() > 0 && ends_in(x.shape(), weight.shape())) return;
    fail_shape(name, site, "x has shape ", x.shape(), " and the weight ", weight.shape(),
               "; the last axes of x must be those of the weight, at least one");
}

std::int64_t count_of_rows(const Tensor& x, std::int64_t n) { return n == 0 ? 0 : x.numel() / n; }

// The sums over rows are in the order of tensor::sum: row i of a block belongs to lane i mod 16,
// and the blocks are added in pairs. A thread takes several lanes, a quarter of them if there is
// much to do, and so reads each row once for all three derivatives. Where x is a single row, of the
// shape of weight, nothing is summed: -0 stays -0, as -0 + -0 does, while 0 + -0 would not.
constexpr std::int64_t few_lanes = kernels::lanes / 4;

// Some of the lanes of both sums, each with n numbers.
struct Lanes {
    std::int64_t begin, end, n;
    Scalar *weight, *bias;
};

// Calls derive(i, weight_lane, bias_lane) for those rows first ≤ i < last that belong to the lanes,
// which start from zeros.
template <class Derive>
void derive_rows(std::int64_t first, std::int64_t last, const Lanes& lanes, const Derive& derive) {
    if (last - first > kernels::sum_block) {
        const std::int64_t middle = first + kernels::first_part(last - first);
        const std::int64_t numbers = (lanes.end - lanes.begin) * lanes.n;
        std::vector<Scalar> second(static_cast<std::size_t>(2 * numbers), Scalar(0));
        derive_rows(first, middle, lanes, derive);
        derive_rows(middle, last,
                    {lanes.begin, lanes.end, lanes.n, second.data(), second.data() + numbers},
                    derive);
        const kernels::Table& kernel = kernels::active();
        kernel.binary(kernels::Binary::add, numbers, lanes.weight, 1, second.data(), 1,
                      lanes.weight);
        kernel.binary(kernels::Binary::add, numbers, lanes.bias, 1, second.data() + numbers, 1,
                      lanes.bias);
        return;
    }
    for (; first < last; first += kernels::lanes) {
        for (std::int64_t lane = lanes.begin; lane < std::min(lanes.end, last - first); ++lane) {
            const std::int64_t at = (lane - lanes.begin) * lanes.n;
            derive(first + lane, lanes.weight + at, lanes.bias + at);
        }
    }
}

}  // namespace

LayerNorm layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double eps,
                     CallSite site) {
    check_last_axes("layer_norm", x, weight, site);
    check_equal_shapes("layer_norm", "the bias", bias.shape(), "the weight", weight.shape(), site);
    if (!(eps >= 0 && eps < infinity)) {
        fail_argument("layer_norm", site, "eps is ", eps, "; it must be finite and not negative");
    }
    const std::int64_t n = weight.numel();
    const std::int64_t rows = count_of_rows(x, n);
    const Tensor X = contiguous(x, site);
    const Tensor scale = contiguous(weight, site);
    const Tensor shift = contiguous(bias, site);
    LayerNorm result = {Tensor::uninitialized(x.shape(), site),
                        Tensor::uninitialized({rows, 2}, site)};
    Scalar* const y = result.y.writable_data();
    Scalar* const known = result.mean_and_deviation.writable_data();
    const kernels::Table& kernel = kernels::active();
    parallel_for_rows(rows, n, [&](std::int64_t i) {
        const kernels::LayerNormRow row = {n, X.data() + i * n, scale.data()};
        const kernels::MeanAndDeviation found =
            kernel.layer_norm(row, shift.data(), static_cast<Scalar>(eps), y + i * n);
        known[2 * i] = found.mu;
        known[2 * i + 1] = found.sigma;
    });
    return result;
}

LayerNormGradients layer_norm_gradient(const Tensor& x, const Tensor& weight,
                                       const Tensor& mean_and_deviation, const Tensor& G,
                                       CallSite site) {
    const std::int64_t n = weight.numel();
    const std::int64_t count = count_of_rows(x, n);
    check_last_axes("layer_norm_gradient", x, weight, site);
    check_equal_shapes("layer_norm_gradient", "G", G.shape(), "x", x.shape(), site);
    check_equal_shapes("layer_norm_gradient", "mean_and_deviation", mean_and_deviation.shape(),
                       "those of x", Shape{count, 2}, site);
    const Tensor X = contiguous(x, site);
    const Tensor upstream = contiguous(G, site);
    const Tensor scale = contiguous(weight, site);
    const Tensor known = contiguous(mean_and_deviation, site);
    LayerNormGradients gradients = {Tensor::uninitialized(x.shape(), site),
                                    Tensor::uninitialized(weight.shape(), site),
                                    Tensor::uninitialized(weight.shape(), site)};
    const bool sums = !(x.shape() == weight.shape());
    Tensor weight_lanes = full({sums ? kernels::lanes : 1, n}, sums ? 0.0 : -0.0, site);
    Tensor bias_lanes = clone(weight_lanes, site);
    Scalar* const dx = gradients.x.writable_data();
    Scalar* const of_weight = weight_lanes.writable_data();
    Scalar* const of_bias = bias_lanes.writable_data();
    const kernels::Table& kernel = kernels::active();

    const auto derive_row = [&](std::int64_t i, Scalar* weight_lane, Scalar* bias_lane) {
        const kernels::LayerNormRow row = {n, X.data() + i * n, scale.data()};
        const kernels::MeanAndDeviation found = {known.data()[2 * i], known.data()[2 * i + 1]};
        kernel.layer_norm_gradient(row, found, upstream.data() + i * n, dx + i * n, weight_lane,
                                   bias_lane);
    };
    const std::int64_t at_a_time = count * n < 4 * grain_of_numbers ? kernels::lanes : few_lanes;
    parallel_for(kernels::lanes, at_a_time, [&](std::int64_t begin, std::int64_t end) {
        const Lanes lanes = {begin, end, n, of_weight + begin * n, of_bias + begin * n};
        derive_rows(0, count, lanes, derive_row);
    });
    if (!sums) {
        return {gradients.x, view(weight_lanes, weight.shape(), site),
                view(bias_lanes, weight.shape(), site)};
    }
    kernel.sum_columns(kernels::lanes, n, of_weight, n, gradients.weight.writable_data());
    kernel.sum_columns(kernels::lanes, n, of_bias, n, gradients.bias.writable_data());
    return gradients;
}

}}}  // namespace heed::tensor
