#include "gpt_steps.h"

#include "../../tensor/views.h"

namespace heed { inline namespace HEED_PRECISION {

Tensor GptSteps::read(const IndexTensor& ids, CallSite site) {
    const Variable logits = model_->with_past(ids, cache, site);  // [B, T, vocab_size]
    return tensor::select(logits.value(), -2, ids.dim(-1) - 1);   // [B, vocab_size]
}

void GptSteps::keep_sequences(const IndexTensor& sequences, CallSite site) {
    cache.keep_sequences(sequences, site);
}

std::optional<std::int64_t> GptSteps::room() const { return model_->config.limit - cache.length(); }

}}  // namespace heed
