// MeanClassifier: note 004's Transformer, which classifies a text by the mean of its tokens.
#pragma once

#include "../embedding.h"
#include "../transformer/transformer.h"
#include "config_parts.h"

#include <iosfwd>

namespace heed { inline namespace HEED_PRECISION {

// The note's names for these are num_tokens, seq_length, k, depth, heads, num_classes.
struct MeanClassifierConfig {
    std::int64_t vocab_size = 256;  // tokens have the ids 0 to vocab_size - 1
    std::int64_t limit = 128;       // the maximum number of tokens
    std::int64_t d_model = 64;      // k
    std::int64_t num_layers = 2;    // depth
    std::int64_t num_heads = 4;
    std::int64_t d_hidden = 0;  // of feed-forward; 0 means 4·d_model
    std::int64_t num_classes = 2;
    double dropout = 0;  // probability, in the blocks; the note has none
};

// The same config with d_hidden filled in. Errors (std::invalid_argument): a size below 1;
// num_heads does not divide d_model; dropout, or eps, that the layers would refuse.
MeanClassifierConfig complete(const MeanClassifierConfig& config, CallSite site = CallSite::here());
// One field per line, as in source code.
std::ostream& operator<<(std::ostream& out, const MeanClassifierConfig& config);

// Learned positions, post-LN blocks with ReLU, the mean over tokens, a linear layer, log-softmax.
// Two things differ from the note: its heads are each of size k, these of k/num_heads; its mean is
// over all positions, this one over real tokens, not padding. Initialized as in PyTorch, as in the
// note: each layer by its own default.
struct MeanClassifier : Module {
  private:
    MeanClassifierConfig config_;  // complete, and first, since the members are made from it

  public:
    // Errors (std::invalid_argument): those of complete(config) and of the layers.
    MeanClassifier(const MeanClassifierConfig& config, Random& random,
                   CallSite site = CallSite::here());

    // ids [..., T] -> log-probabilities [..., num_classes]. For texts of different lengths, ids are
    // [B, T] with Mask::padding(lengths, T), or Mask::allowing_keys: then padding changes nothing,
    // bit for bit. Errors: ids without an axis, no or too many tokens, a mask that is not [B, 1, 1,
    // T] (ShapeError); an id that is not in the vocabulary (std::out_of_range); a text that is only
    // padding (std::invalid_argument).
    Variable operator()(const IndexTensor& ids, const std::optional<Mask>& padding = std::nullopt,
                        CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override {
        visit("embeddings", embeddings);
        visit("blocks", blocks);
        visit("to_classes", to_classes);
    }

    const MeanClassifierConfig& config() const { return config_; }  // complete

    TokenAndPositionEmbedding embeddings;
    TransformerEncoder blocks;
    Linear to_classes;  // d_model -> num_classes; "toprobs" in the note
};

}}  // namespace heed
