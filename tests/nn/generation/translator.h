// A StepwiseModel of an encoder's output and a decoder, as for translation.
#pragma once

#include "nn/heed.h"

namespace heed { inline namespace HEED_PRECISION {

struct TinyTranslator : Module {
    explicit TinyTranslator(Random& random, double dropout = 0)
        : tokens(7, 8, random), positions(8),
          decoder(2, 8, 2, 16, random, {.dropout = dropout}, FinalNorm::yes), head(8, 7, random) {}

    // memory [B, T_k, 8], ids [B, T] -> logits [B, T, 7], everything computed anew.
    Variable operator()(const Variable& memory, const IndexTensor& ids) const {
        const Variable Y = positions.added_to(tokens(ids));
        return head(decoder(Y, memory, Mask::causal(ids.dim(-1))));
    }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("positions", positions);
        visit("decoder", decoder);
        visit("head", head);
    }

    Embedding tokens;
    SinusoidalPositions positions;
    TransformerDecoder decoder;
    Linear head;
};

class TranslatorSteps : public StepwiseModel {
  public:
    TranslatorSteps(const TinyTranslator& model, const Variable& memory)
        : model_(model), caches_(model.decoder.begin(memory)) {}

    Tensor read(const IndexTensor& ids, CallSite) override {
        const std::int64_t first = caches_[0].past.length(), T = ids.dim(-1);
        const Variable Y = model_.positions.added_to(model_.tokens(ids), first);
        const Variable y = model_.decoder.with_past(Y, caches_, Mask::causal(T, first + T));
        return model_.head(select(y, -2, T - 1)).value();
    }
    void keep_sequences(const IndexTensor& sequences, CallSite) override {
        for (DecoderCache& cache : caches_) {
            cache.past.keep_sequences(sequences);
            cache.memory.keep_sequences(sequences);
        }
    }
    std::optional<std::int64_t> room() const override { return std::nullopt; }
    const Module& network() const override { return model_; }

  private:
    const TinyTranslator& model_;
    std::vector<DecoderCache> caches_;
};

}}  // namespace heed
