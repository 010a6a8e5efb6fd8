// StepwiseModel: what generate() and beam_search() need of a model: it reads further tokens and
// predicts the next one. GptSteps (nn/generation/gpt_steps.h) makes one from a Gpt; one from an
// encoder and a decoder is in tests/nn/generation/translator.h.
#pragma once

#include "../../tensor/index_tensor.h"
#include "../module.h"
#include "../text/token_batch.h"

#include <cstdint>
#include <optional>

namespace heed { inline namespace HEED_PRECISION {

class StepwiseModel {
  public:
    virtual ~StepwiseModel() = default;

    // Reads ids [B, T], the next tokens of B sequences, T at least 1. Returns the logits
    // [B, vocab_size] of the token after the last. B is the same in all calls, except after
    // keep_sequences().
    virtual Tensor read(const IndexTensor& ids, CallSite site = CallSite::here()) = 0;
    // The same for the first tokens of texts of different lengths, padded on the left. Without an
    // override it is an error (std::invalid_argument).
    virtual Tensor read_padded(const TokenBatch& texts, CallSite site = CallSite::here());
    // From now on the sequences are these of the old ones, in this order, perhaps repeated.
    virtual void keep_sequences(const IndexTensor& sequences, CallSite site = CallSite::here()) = 0;
    // How many more tokens can be read; nullopt if there is no limit.
    virtual std::optional<std::int64_t> room() const = 0;
    // The network that computes all this. Nothing is generated while its dropout is active.
    virtual const Module& network() const = 0;
};

// Checks for generating functions:

// The logits of read() must be [B, vocab_size]. Errors: ShapeError, and those of check_logits.
void check_step(const char* operation, const Tensor& logits, std::int64_t B, const CallSite& site);
// Error: a layer of the network would draw (std::runtime_error).
void check_no_dropout(const char* operation, const Module& network, const CallSite& site);
// How many tokens to generate after a prompt of T: max_new_tokens, or as many as fit. The last one
// is not read. Errors (std::invalid_argument): a maximum that is negative or does not fit; no
// maximum if the model has no limit either.
std::int64_t new_tokens(const char* operation, const StepwiseModel& model, std::int64_t T,
                        std::optional<std::int64_t> max_new_tokens, const CallSite& site);
// Error: an end token that is not in the vocabulary (std::out_of_range).
void check_end_token(const char* operation, std::optional<std::int64_t> end_token,
                     std::int64_t vocab_size, const CallSite& site);

}}  // namespace heed
