// GptSteps: a Gpt, and what it has read so far.
#pragma once

#include "../models/gpt.h"
#include "stepwise_model.h"

namespace heed { inline namespace HEED_PRECISION {

// A copy continues on its own: read the common beginning of several texts once, then copy.
class GptSteps : public StepwiseModel {
  public:
    // Refers to the network, which must outlive it.
    explicit GptSteps(const Gpt& model) : model_(&model) {}
    explicit GptSteps(Gpt&&) = delete;

    Tensor read(const IndexTensor& ids, CallSite site = CallSite::here()) override {
        return model_->next_logits(ids, cache, std::nullopt, site).value();  // [B, vocab_size]
    }
    Tensor read_padded(const TokenBatch& texts, CallSite site = CallSite::here()) override {
        return model_->next_logits(texts.ids, cache, texts.mask(site), site).value();
    }
    void keep_sequences(const IndexTensor& sequences, CallSite site = CallSite::here()) override {
        cache.keep_sequences(sequences, site);
    }
    std::optional<std::int64_t> room() const override {
        return model_->config().limit - cache.length();
    }
    const Module& network() const override { return *model_; }

    GptCache cache;  // what was read; GptCache() starts over

  private:
    const Gpt* model_;
};

}}  // namespace heed
