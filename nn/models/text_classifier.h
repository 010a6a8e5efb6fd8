// TextClassifier: note 002's encoder, and a classifier that reads its first token: BERT, with the
// norms before attention and feed-forward instead of after (Devlin et al. 2019; erratum 002-14).
#pragma once

#include "../embedding.h"
#include "../transformer/transformer.h"
#include "config_parts.h"

#include <iosfwd>

namespace heed { inline namespace HEED_PRECISION {

// The note's own sizes are bert-base-uncased's: {.vocab_size = 30522, .limit = 512, .d_model = 768,
// .num_layers = 12, .num_heads = 12, .dropout = 0.1}.
struct TextEncoderConfig {
    std::int64_t vocab_size = 256;  // tokens have the ids 0 to vocab_size - 1
    std::int64_t limit = 128;       // the maximum number of tokens
    std::int64_t d_model = 64;
    std::int64_t num_layers = 2;
    std::int64_t num_heads = 4;
    std::int64_t d_hidden = 0;     // of feed-forward; 0 means 4·d_model
    double dropout = 0;            // probability, everywhere; the note has 0.5 once (erratum 002-7)
    double embedding_eps = 1e-12;  // of the norm after the embedding; elsewhere it is 1e-5
    bool final_norm = true;        // missing in the note (erratum 002-6)
};

// The same config with d_hidden filled in. Errors (std::invalid_argument): a size below 1;
// num_heads does not divide d_model; dropout, or eps, that the layers would refuse.
TextEncoderConfig complete(const TextEncoderConfig& config, CallSite site = CallSite::here());
// One field per line, as in source code.
std::ostream& operator<<(std::ostream& out, const TextEncoderConfig& config);

// Turns tokens into vectors that depend on their context. Initialized as published for BERT:
// weights and tables from N(0, 0.02²), truncated at two deviations; biases are 0, and norms have
// gain 1 (the code of Devlin et al. 2019, modeling.py, create_initializer).
struct TextEncoder : Module {
  private:
    TextEncoderConfig config_;  // complete, and first, since the members are made from it

  public:
    // Errors (std::invalid_argument): those of complete(config) and of the layers.
    TextEncoder(const TextEncoderConfig& config, Random& random, CallSite site = CallSite::here());

    // ids [..., T] -> [..., T, d_model], with Mask::padding(lengths, T) if the texts of a batch
    // differ in length: then padding changes no bit of the other tokens' vectors. Errors: ids
    // without an axis, more tokens than the limit, a mask that does not fit (ShapeError); an id
    // that is not in the vocabulary (std::out_of_range).
    Variable operator()(const IndexTensor& ids, const std::optional<Mask>& mask = std::nullopt,
                        CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override {
        visit("embeddings", embeddings);
        visit("layer_norm", layer_norm);
        visit("dropout", dropout);
        visit("layers", layers);
    }

    const TextEncoderConfig& config() const { return config_; }  // complete

    TokenAndPositionEmbedding embeddings;
    LayerNorm layer_norm;
    Dropout dropout;
    TransformerEncoder layers;
};

// Logits of the classes, from the vector of the first token. Put a token there that stands for the
// text, "[CLS]"; the note's tokenizer call does not (erratum 002-5).
struct TextClassifier : Module {
    // Error: num_labels is below 1 (std::invalid_argument); those of TextEncoder.
    TextClassifier(const TextEncoderConfig& config, std::int64_t num_labels, Random& random,
                   CallSite site = CallSite::here());

    // ids [..., T] -> logits [..., num_labels], not probabilities (erratum 002-13). Errors: those
    // of TextEncoder; no tokens (ShapeError).
    Variable operator()(const IndexTensor& ids, const std::optional<Mask>& mask = std::nullopt,
                        CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override {
        visit("encoder", encoder);
        visit("dropout", dropout);
        visit("classifier", classifier);
    }

    TextEncoder encoder;
    Dropout dropout;
    Linear classifier;  // d_model -> num_labels
};

}}  // namespace heed
