// SequencePairs: pairs of sequences of different lengths, such as sentences and their translations,
// padded batch by batch.
//
//     const PairBatch batch = pairs.batch(examples);
//     const Mask mask = Mask::padding(batch.sources.lengths, batch.sources.ids.dim(1));
//
// A decoder reads each target without its last token and predicts it without its first:
// tensor::slice(batch.targets.ids, 1, 0, T - 1) and tensor::slice(batch.targets.ids, 1, 1), the
// loss with ignore_index = the padding id, which then must not be a token's.
#pragma once

#include "../text/token_batch.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct PairBatch {
    TokenBatch sources;  // ids [B, S] and lengths [B], with S the longest length
    TokenBatch targets;  // ids [B, T] and lengths [B]
};

// Sequences [T_b] as one tensor [B, T], T the longest, shorter ones padded with padding_id, which
// may be a token's id if a mask hides it: to the right, or on the given side. Errors: no sequences,
// a negative padding_id (std::invalid_argument), a sequence of another rank (ShapeError).
TokenBatch pad_sequences(const std::vector<IndexTensor>& sequences, std::int64_t padding_id,
                         CallSite site = CallSite::here());
TokenBatch pad_sequences(const std::vector<IndexTensor>& sequences, std::int64_t padding_id,
                         PaddingSide side, CallSite site = CallSite::here());

class SequencePairs {
  public:
    // Errors: no pairs, different numbers of sources and targets, a negative padding_id
    // (std::invalid_argument), a sequence that is not [T] (ShapeError).
    SequencePairs(const std::vector<IndexTensor>& sources, const std::vector<IndexTensor>& targets,
                  std::int64_t padding_id, CallSite site = CallSite::here());

    std::int64_t size() const { return static_cast<std::int64_t>(sources_.size()); }
    std::vector<std::int64_t> examples() const;  // 0 ... size - 1, as batches() takes them
    // Errors: no examples (std::invalid_argument), one outside 0 ... size - 1 (std::out_of_range).
    PairBatch batch(const std::vector<std::int64_t>& examples,
                    CallSite site = CallSite::here()) const;

  private:
    std::vector<IndexTensor> sources_;
    std::vector<IndexTensor> targets_;
    std::int64_t padding_id_;
};

}}  // namespace heed
