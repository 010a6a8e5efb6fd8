// TextEncoder: note 002's encoder, which is BERT with the norms before attention and feed-forward
// instead of after (Devlin et al. 2019; erratum 002-14), or, with other options, BERT itself.
// TextClassifier: a classifier that reads its first token.
#pragma once

#include "../embedding.h"
#include "../transformer/transformer.h"
#include "config_parts.h"

#include <iosfwd>

namespace heed { inline namespace HEED_PRECISION {

// The note's own sizes are bert-base-uncased's: {.vocab_size = 30522, .limit = 512, .d_model = 768,
// .num_layers = 12, .num_heads = 12, .dropout = 0.1}. BERT itself also has {.final_norm = false,
// .norm = NormPlace::after, .norm_eps = 1e-12, .num_token_types = 2, .pooler = true}.
struct TextEncoderConfig {
    std::int64_t vocab_size = 256;  // tokens have the ids 0 to vocab_size - 1
    std::int64_t limit = 128;       // the maximum number of tokens
    std::int64_t d_model = 64;
    std::int64_t num_layers = 2;
    std::int64_t num_heads = 4;
    std::int64_t d_hidden = 0;     // of feed-forward; 0 means 4·d_model
    double dropout = 0;            // probability, everywhere; the note has 0.5 once (erratum 002-7)
    double embedding_eps = 1e-12;  // of the norm after the embedding
    bool final_norm = true;        // missing in the note (erratum 002-6)
    NormPlace norm = NormPlace::before;
    double norm_eps = 1e-5;  // of the norms in the layers and after them
    Activation activation = Activation::gelu;
    std::int64_t num_token_types = 0;  // as of a first and a second text; 0: it knows none
    bool pooler = false;
};

// The same config with d_hidden filled in. Errors (std::invalid_argument): a size below 1;
// num_heads does not divide d_model; a negative num_token_types; an enum's value that is none;
// dropout, or eps, that the layers would refuse.
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
    // If there are types of tokens, all are of type 0.
    Variable operator()(const IndexTensor& ids, const std::optional<Mask>& mask = std::nullopt,
                        CallSite site = CallSite::here()) const;
    // The same with the type of each token, types [..., T]. Also errors: types of another shape
    // (ShapeError), one that there is not (std::out_of_range), an encoder that knows none
    // (std::invalid_argument).
    Variable operator()(const IndexTensor& ids, const IndexTensor& types,
                        const std::optional<Mask>& mask = std::nullopt,
                        CallSite site = CallSite::here()) const;
    // A vector for the whole text, from that of its first token: tanh(x_0·Wᵀ + b). encoded [..., T,
    // d_model], which a call returned -> [..., d_model]. Errors: no token, other features
    // (ShapeError); there is no pooler (std::invalid_argument).
    Variable pooled(const Variable& encoded, CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override {
        visit("embeddings", embeddings);
        visit("token_types", token_types);
        visit("layer_norm", layer_norm);
        visit("dropout", dropout);
        visit("layers", layers);
        visit("pooler", pooler);
    }

    const TextEncoderConfig& config() const { return config_; }  // complete

    TokenAndPositionEmbedding embeddings;
    std::optional<Embedding> token_types;  // [num_token_types, d_model]
    LayerNorm layer_norm;
    Dropout dropout;
    TransformerEncoder layers;
    std::optional<Linear> pooler;  // d_model -> d_model

  private:
    Variable encoded(const IndexTensor& ids, const IndexTensor* types,
                     const std::optional<Mask>& mask, const CallSite& site) const;
};

// Logits of the classes, from the vector of the first token, or, if the encoder has a pooler, from
// what that makes of it. Put a token there that stands for the text, "[CLS]"; the note's tokenizer
// call does not (erratum 002-5).
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
