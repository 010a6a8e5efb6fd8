// StepwiseModel: what generate() and beam_search() need of a model: it reads further tokens and
// says what may come next. GptSteps (nn/generation/gpt_steps.h) makes one of a Gpt; one of an
// encoder and a decoder is in tests/nn/generation/translator.h.
#pragma once

#include "../../tensor/index_tensor.h"
#include "../module.h"

#include <cstdint>
#include <optional>

namespace heed { inline namespace HEED_PRECISION {

class StepwiseModel {
  public:
    virtual ~StepwiseModel() = default;

    // Reads ids [B, T], the next tokens of B sequences, T at least 1. Returns the logits
    // [B, vocab_size] of the token after the last. B is the same in all calls, but for
    // keep_sequences().
    virtual Tensor read(const IndexTensor& ids, CallSite site = CallSite::here()) = 0;
    // From now on the sequences are these of those so far, in this order and perhaps several times.
    virtual void keep_sequences(const IndexTensor& sequences, CallSite site = CallSite::here()) = 0;
    // How many more tokens can be read; none if there is no limit.
    virtual std::optional<std::int64_t> room() const = 0;
    // The network that computes all this. Nothing is generated while its dropout would draw.
    virtual const Module& network() const = 0;
};

}}  // namespace heed
