// From logits to the probabilities that the next token is drawn with: temperature, top-k, top-p.
#pragma once

#include "../../tensor/tensor.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION {

// Applied in this order, as usual.
struct SamplingOptions {
    // Logits are divided by it: below 1, likely tokens become likelier. 0: only the likeliest
    // token, greedy.
    double temperature = 1;
    // Only so many of the likeliest tokens (Fan et al. 2018); all if there are fewer; 0: all.
    std::int64_t top_k = 0;
    // Only the likeliest tokens, as few as have together at least this probability, of those that
    // top_k left (Holtzman et al. 2020, "nucleus"). 1: all.
    double top_p = 1;
};

// logits [..., vocab_size] -> probabilities of the same shape, whose rows sum to 1; tokens that are
// out have 0. Where tokens are equally likely, the lower ids stay in. With the default options it
// is softmax. Errors: a temperature that is negative or not finite, a negative top_k, a top_p that
// is not in (0, 1] (std::invalid_argument); a row of logits with NaN or +inf, or of only -inf
// (std::invalid_argument); no axis, or no tokens (ShapeError).
Tensor sampling_probabilities(const Tensor& logits, const SamplingOptions& options = {},
                              CallSite site = CallSite::here());

}}  // namespace heed
