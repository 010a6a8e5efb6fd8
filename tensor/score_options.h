// What scaled dot-product attention does to the products Q·Kᵀ besides dividing them by √d_k.
#pragma once

#include "tensor.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// score = cap(scale·q·k) + bias
struct ScoreOptions {
    std::optional<double> scale = {};  // finite; 1/√d_k if not given
    // c keeps scores between -c and c: c·tanh(x/c) (Gemma 2 2024, section 2). Positive and finite.
    std::optional<double> soft_cap = {};
    // Broadcasts to the scores [..., T_q, T_k]; added to them after the cap.
    std::optional<Tensor> bias = {};
};

// The number that products are divided by: √d_k, or 1/scale. Errors (std::invalid_argument): a
// scale that is not finite, a soft cap that is not positive and finite.
double divisor_of(const char* operation, std::optional<double> scale,
                  std::optional<double> soft_cap, std::int64_t d_k, const CallSite& site);

}}}  // namespace heed::tensor
