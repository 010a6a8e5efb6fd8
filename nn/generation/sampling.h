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
    // Only this many of the likeliest tokens (Fan et al. 2018); all if there are fewer; 0: all.
    std::int64_t top_k = 0;
    // Of the tokens that top_k left, the smallest set of the likeliest that has at least this
    // probability (Holtzman et al. 2020, "nucleus"). 1: all.
    double top_p = 1;
};

// logits [..., vocab_size] -> probabilities of the same shape, whose rows sum to 1; excluded
// tokens have 0. Of equally likely tokens, the lower ids are kept. With the default options it is
// softmax. Errors: a temperature that is negative or not finite, a negative top_k, a top_p that is
// not in (0, 1] (std::invalid_argument); a row of logits with NaN or +inf, or of only -inf
// (std::invalid_argument); no axis, or no tokens (ShapeError).
Tensor sampling_probabilities(const Tensor& logits, const SamplingOptions& options = {},
                              CallSite site = CallSite::here());

// Its checks, for those who sample. Errors (std::invalid_argument): those of SamplingOptions.
void check_sampling(const char* operation, const SamplingOptions& options, const CallSite& site);
// Each row [..., vocab_size] must have a maximum that is a finite number. Errors: NaN or +inf, only
// -inf (std::invalid_argument); no axis, no tokens (ShapeError).
void check_logits(const char* operation, const Tensor& logits, const CallSite& site);

}}  // namespace heed
