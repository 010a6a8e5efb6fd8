// Gpt: a decoder-only language model. Every position predicts the token that follows it, and sees
// only itself and earlier tokens (Radford et al. 2018 and 2019, GPT and GPT-2).
#pragma once

#include "../attention/multi_head_attention.h"
#include "../embedding.h"
#include "../norms.h"
#include "../sequential.h"
#include "gpt_config.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// x ← x + attention(norm1(x)), then x ← x + feed_forward(norm2(x)): pre-LN (nn/transformer/
// transformer_layers.h), with dropout on both sub-layers' outputs.
struct GptBlock : Module {
    GptBlock(const GptConfig& complete, Random& random, CallSite site = CallSite::here());

    // X [..., T, d_model] -> [..., T, d_model].
    Variable operator()(const Variable& X, const Mask& mask,
                        CallSite site = CallSite::here()) const;
    // The same for tokens that follow those in `past` (MultiHeadAttention::with_past).
    Variable with_past(const Variable& X, KeyValueCache& past, const Mask& mask,
                       CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override {
        visit("norm1", norm1);
        visit("attention", attention);
        visit("norm2", norm2);
        visit("feed_forward", feed_forward);
        visit("dropout1", dropout1);
        visit("dropout2", dropout2);
    }

    AnyLayer norm1;
    MultiHeadAttention attention;
    AnyLayer norm2;
    FeedForward feed_forward;
    Dropout dropout1, dropout2;
};

// What a model has read so far, so that it is not recomputed. A default-constructed one is the
// beginning of a text, and a copy continues on its own.
struct GptCache {
    std::vector<KeyValueCache> blocks;  // one for each block; empty before the first tokens
    // How many tokens before each sequence are padding; empty: none.
    std::vector<std::int64_t> padding = {};

    // In tokens, padding included.
    std::int64_t length() const { return blocks.empty() ? 0 : blocks[0].length(); }
    // Truncates the cache of each block (nn/attention/key_value_cache.h), with the same errors;
    // also an error: padding would be all that remains of a sequence (std::out_of_range). If one
    // fails, nothing has changed.
    void truncate(std::int64_t length, CallSite site = CallSite::here());
    void keep_sequences(const IndexTensor& sequences, CallSite site = CallSite::here());
};

// Initialized as published: weights and tables from N(0, 0.02²) (Radford et al. 2018, section 4.1),
// except those of W_O and W_2, which write to the residual stream, from N(0, 0.02²/(2·num_layers)):
// 2·num_layers such outputs add up there (Radford et al. 2019, section 2.3). Biases are 0, and
// norms and relative positions change nothing at first. (GPT-2's code has 0.01² for learned
// positions.)
struct Gpt : Module {
  private:
    GptConfig config_;  // complete, and first, since the members are made from it

  public:
    // Errors (std::invalid_argument): those of complete(config) and of the layers.
    Gpt(const GptConfig& config, Random& random, CallSite site = CallSite::here());
    // The head of a copy is tied to the copy's tokens, if it is tied in `other`.
    Gpt(const Gpt& other);
    Gpt(Gpt&&) = default;
    Gpt& operator=(const Gpt& other);
    Gpt& operator=(Gpt&&) = default;

    // ids [..., T] -> logits [..., T, vocab_size]: those at t are for the token after token t.
    // Errors: ids without an axis (ShapeError); an id that is not in the vocabulary, more tokens
    // than the limit (std::out_of_range).
    Variable operator()(const IndexTensor& ids, CallSite site = CallSite::here()) const;
    // The same for texts of different lengths, ids [B, T] with padding before the shorter ones, and
    // mask Mask::left_padding(lengths, T). No id of the padding changes a bit of other tokens'
    // logits. They are those of each text alone: with positions that are added to the vectors,
    // which count from the first token, with relative ones and ALiBi up to the order in which a
    // softmax sums, which is the same if the padding is a multiple of 16; rotary positions count
    // the padding, too, and so turn by other angles, between which the differences are equal. Also
    // errors: another shape of the mask or of ids (ShapeError); a sequence that is all padding, or
    // has some after a token (std::invalid_argument).
    Variable operator()(const IndexTensor& ids, const std::optional<Mask>& mask,
                        CallSite site = CallSite::here()) const;
    // The same for ids [..., T] that follow those in the cache, to which they are added: the logits
    // are those that a call with all tokens would give for them, bit for bit. A mask is for the
    // first tokens; the cache remembers it. Also errors: the cache is of a model with more or fewer
    // blocks, a mask for further tokens (std::invalid_argument); a cache of other sequences
    // (ShapeError).
    Variable with_past(const IndexTensor& ids, GptCache& cache,
                       CallSite site = CallSite::here()) const;
    Variable with_past(const IndexTensor& ids, GptCache& cache, const std::optional<Mask>& mask,
                       CallSite site = CallSite::here()) const;
    // The same, but only the logits of the token after the last, [..., vocab_size]: a prompt's
    // other tokens need none, which are most of what reading it costs where the vocabulary is
    // large. Also an error: no tokens (ShapeError).
    Variable next_logits(const IndexTensor& ids, GptCache& cache,
                         const std::optional<Mask>& mask = std::nullopt,
                         CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("positions", positions);
        visit("dropout", dropout);
        visit("blocks", blocks);
        visit("norm", norm);
        visit("head", head);
    }

    const GptConfig& config() const { return config_; }  // complete

    Embedding tokens;
    AnyPositions positions;  // those added to the vectors; others are in blocks[i].attention
    Dropout dropout;
    std::vector<GptBlock> blocks;
    AnyLayer norm;
    Linear head;  // d_model -> vocab_size, without bias

  private:
    void initialize(Random& random);
    void tie_head(const Gpt& other);  // after a copy of `other`, if its head is tied
    enum class Asked { all_logits, next_logits };
    Variable continued(const IndexTensor& ids, GptCache& cache, const std::optional<Mask>& mask,
                       Asked asked, const CallSite& site) const;
    // [..., T, d_model]
    Variable embedded(const IndexTensor& ids, std::int64_t first,
                      const std::vector<std::int64_t>& padding, const CallSite& site) const;
    void check_ids(const IndexTensor& ids, std::int64_t first, const CallSite& site) const;
    void check_cache(const IndexTensor& ids, const GptCache& cache, const CallSite& site) const;
};

}}  // namespace heed
