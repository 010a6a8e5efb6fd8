// GptSteps: a Gpt, and what it has read so far.
#pragma once

#include "../models/gpt.h"
#include "stepwise_model.h"

namespace heed { inline namespace HEED_PRECISION {

// A copy goes on by itself: read what several texts begin with once, and copy.
class GptSteps : public StepwiseModel {
  public:
    // Of the network, of which there is no copy: it must live as long.
    explicit GptSteps(const Gpt& model) : model_(&model) {}
    explicit GptSteps(Gpt&&) = delete;

    Tensor read(const IndexTensor& ids, CallSite site = CallSite::here()) override;
    void keep_sequences(const IndexTensor& sequences, CallSite site = CallSite::here()) override;
    std::optional<std::int64_t> room() const override;
    const Module& network() const override { return *model_; }

    GptCache cache;  // what was read; GptCache() begins anew

  private:
    const Gpt* model_;
};

}}  // namespace heed
