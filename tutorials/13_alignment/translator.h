// The translators of lesson 13: a recurrent encoder and decoder, and what stands between them.
#pragma once

#include "nn/heed.h"
#include "tutorials/13_alignment/pairs.h"

// What the decoder sees of the sentence at each step.
enum class Sees {
    last_state,       // one vector, made after the last word
    states,           // attention: a weighted sum of the states of all words
    states_and_place  // the same, and where it looked one step before
};

struct Translator : heed::Module {
    // The languages' numbers of words, and d, the length of a state.
    Translator(Sees sees, const Languages& languages, std::int64_t d, heed::Random& random);
    void members(heed::MemberVisitor& visit) override;

    struct Sentence {
        heed::Variable states;     // [B, S, d]: h_i, of each word
        heed::Variable last;       // [B, d]: of the last one, both ways
        heed::BoolTensor padding;  // [B, 1, S]
    };
    Sentence read(const heed::TokenBatch& text) const;

    struct Step {
        heed::Variable state;    // [B, d]: s_j
        heed::Variable context;  // [B, d]: c_j
        heed::Variable weights;  // [B, 1, S]: α_j
    };
    Step first(const Sentence& sentence) const;
    // For each word, whether it is near where the weights [B, 1, S] were: scores [B, 1, S].
    heed::Variable near(const heed::Variable& weights) const;
    // The next step, where y [B, d] are the embeddings of the words said last.
    Step next(const Sentence& sentence, const Step& before, const heed::Variable& y) const;
    // state, context [..., d] -> [..., V]
    heed::Variable logits(const heed::Variable& state, const heed::Variable& context) const;

    Sees sees;
    heed::Dropout dropout;
    heed::Embedding source, target;
    heed::GRU encoder;  // reads both ways, each with d/2 numbers
    heed::Linear first_state;
    heed::GruCell decoder;
    heed::Linear query;     // W
    heed::Parameter place;  // [5]: what a weight 3 places before to 1 place after adds to a score
    heed::Linear to_logits;
};

// All steps, given the right words so far: logits [B, T - 1, V] and weights [B, T - 1, S].
struct Followed {
    heed::Variable logits, weights;
};
Followed follow(const Translator& model, const Pairs& pairs);

// The likeliest word at each step, until </s>, or `most` words.
Sentences translate(const Translator& model, const heed::TokenBatch& text, std::int64_t most);

// Trained on `steps` batches of 32 sentences.
Translator trained_translator(Sees sees, const Corpus& corpus, int steps, heed::Random& random);
