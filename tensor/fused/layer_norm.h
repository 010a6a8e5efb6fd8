// Layer norm (Ba, Kiros and Hinton 2016), row by row, and its derivative.
#pragma once

#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// y = (x - μ)·(1/σ) ⊙ weight + bias with σ = √(variance + eps), where the mean μ and the variance
// (over n, not n - 1) are those of each row. A row runs along the last axes of x, those of weight.
// The result has the same bits as mean, var, sqrt and arithmetic applied one after another, except
// for a row whose variance overflows, such as {0, 3e38, 1}: it is NaN, and so are its gradients.
// Errors: weight has no axis, the last axes of x are not those of weight, bias has another shape
// (ShapeError); eps is negative or not finite (std::invalid_argument).
struct LayerNorm {
    Tensor y;
    Tensor mean_and_deviation;  // [rows, 2]: μ and σ, for the derivative
};
LayerNorm layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double eps,
                     CallSite site = CallSite::here());

struct LayerNormGradients {
    Tensor x;
    Tensor weight;
    Tensor bias;
};

// With G = ∂L/∂y, x̂ = (x - μ)·(1/σ) and H = G ⊙ weight:
//     ∂L/∂x = ((H - mean H) - x̂·mean(H ⊙ x̂))·(1/σ)     means over a row
//     ∂L/∂weight = Σ G ⊙ x̂, ∂L/∂bias = Σ G              sums over the rows
// `mean_and_deviation` is the one that layer_norm returned.
// Errors: as above; G has another shape than x, or mean_and_deviation is not [rows, 2]
// (ShapeError).
LayerNormGradients layer_norm_gradient(const Tensor& x, const Tensor& weight,
                                       const Tensor& mean_and_deviation, const Tensor& G,
                                       CallSite site = CallSite::here());

}}}  // namespace heed::tensor
