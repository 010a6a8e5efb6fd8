// Checks that the ways of generating share.
#pragma once

#include "sampling.h"
#include "stepwise_model.h"

namespace heed { inline namespace HEED_PRECISION {

// Errors (std::invalid_argument): those of SamplingOptions (nn/generation/sampling.h).
void check_sampling(const char* operation, const SamplingOptions& options, const CallSite& site);
// Each row [..., vocab_size] must have a maximum that is a finite number. Errors: NaN or +inf, only
// -inf (std::invalid_argument); no axis, no tokens (ShapeError).
void check_logits(const char* operation, const Tensor& logits, const CallSite& site);
// What read() returned must be [B, vocab_size]. Errors: ShapeError, and those of check_logits.
void check_step(const char* operation, const Tensor& logits, std::int64_t B, const CallSite& site);
// Error: a layer of the network would draw (std::runtime_error).
void check_no_dropout(const char* operation, const Module& network, const CallSite& site);
// How many tokens to generate after a prompt of T: max_new_tokens, or as many as fit. The last one
// is not read. Errors (std::invalid_argument): a maximum below 0, or that does not fit; none if
// there is no limit, either.
std::int64_t new_tokens(const char* operation, const StepwiseModel& model, std::int64_t T,
                        std::optional<std::int64_t> max_new_tokens, const CallSite& site);
// Error: an end token that is not in the vocabulary (std::out_of_range).
void check_end_token(const char* operation, std::optional<std::int64_t> end_token,
                     std::int64_t vocab_size, const CallSite& site);

}}  // namespace heed
