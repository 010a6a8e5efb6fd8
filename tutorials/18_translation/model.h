// The translator of lesson 18: figure 1 of Vaswani et al. (2017) from nn's parts, trained on the
// sentences of lesson 13.
#pragma once

#include "nn/heed.h"
#include "tutorials/13_alignment/pairs.h"

// How it learns the order of the words.
enum class Order {
    sinusoids,       // added to the vectors, as in the paper
    bias_within,     // a bias by distance, where a language attends to itself
    bias_everywhere  // there and in cross-attention
};

struct Figure1 : heed::Module {
    // As many layers on both sides.
    Figure1(Order order, const Languages& languages, const heed::TransformerSizes& sizes,
            heed::Random& random);
    void members(heed::MemberVisitor& visit) override;

    // The left side: ids [B, S] -> memory [B, S, d].
    heed::Variable read(const heed::TokenBatch& text) const;
    // Both sides: at each of the words [B, T], the logits of the next one, [B, T, V].
    heed::Variable operator()(const heed::TokenBatch& text, const heed::IndexTensor& words) const;

    heed::Embedding source, target;
    heed::AnyPositions positions;  // added to the vectors of both
    heed::TransformerEncoder encoder;
    heed::TransformerDecoder decoder;
    heed::Linear to_logits;
};

// A translation on its way: the sentences are read once, then each call reads the words said last.
// Keys and values are kept (lesson 19).
class Saying : public heed::StepwiseModel {
  public:
    // The model must live as long.
    Saying(const Figure1& model, const heed::TokenBatch& text);

    heed::Tensor read(const heed::IndexTensor& words,
                      heed::CallSite site = heed::CallSite::here()) override;
    void keep_sequences(const heed::IndexTensor& sequences,
                        heed::CallSite site = heed::CallSite::here()) override;
    std::optional<std::int64_t> room() const override { return std::nullopt; }
    const heed::Module& network() const override { return model_; }

    std::int64_t calls = 0;  // of the decoder

  private:
    const Figure1& model_;
    std::vector<std::int64_t> lengths_;  // of the sentences, [B]
    std::int64_t S_;
    std::vector<heed::DecoderCache> kept_;
};

// The likeliest word at each step, until </s>, or `most` words.
Sentences translate(const Figure1& model, const heed::TokenBatch& text, std::int64_t most);

// The words that the decoder reads, without the last column; and those it is to say, one further:
// both [B, T - 1].
heed::IndexTensor said_so_far(const Pairs& pairs);
heed::IndexTensor next_words(const Pairs& pairs);

// Where the first layer of the decoder looks for each English word, given the right ones before:
// [B, h, T - 1, S].
heed::Tensor cross_weights(const Figure1& model, const Pairs& pairs);

// One layer on each side, four heads, d = 64: as it begins, and after `steps` batches of 32
// sentences.
Figure1 new_translator(Order order, const Languages& languages, heed::Random& random);
Figure1 trained_translator(Order order, const Corpus& corpus, int steps, heed::Random& random);
