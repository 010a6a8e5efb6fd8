// A StepwiseModel that is a table: the next token depends on the last one only. It counts what it
// reads.
#pragma once

#include "nn/heed.h"

namespace heed { inline namespace HEED_PRECISION {

class TableSteps : public StepwiseModel {
  public:
    // logits [V, V]: row i is for what follows token i.
    explicit TableSteps(const Tensor& logits, std::optional<std::int64_t> limit = {})
        : logits_(logits), limit_(limit) {}

    Tensor read(const IndexTensor& ids, CallSite) override {
        length += ids.dim(-1);
        recorded = recorded || grad_enabled();
        batch = ids.dim(0);
        return tensor::index_select(logits_, 0, tensor::select(ids, 1, ids.dim(1) - 1));
    }
    void keep_sequences(const IndexTensor& sequences, CallSite) override {
        batch = sequences.numel();
    }
    std::optional<std::int64_t> room() const override {
        if (!limit_) return std::nullopt;
        return *limit_ - length;
    }
    const Module& network() const override { return nothing_; }

    std::int64_t length = 0, batch = 0;
    bool recorded = false;

  private:
    Tensor logits_;
    std::optional<std::int64_t> limit_;
    Relu nothing_;
};

}}  // namespace heed
