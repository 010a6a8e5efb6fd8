// Masked attention by hand, and the model of lesson 08.
#pragma once

#include "nn/attention/attention.h"
#include "nn/embedding.h"
#include "nn/text/word_tokenizer.h"
#include "tensor/random.h"

#include <string>

using heed::Attention;
using heed::Tensor;
using heed::Variable;

inline constexpr std::int64_t d = 8;    // the size of an embedding
inline constexpr std::int64_t d_k = 4;  // the size of a query, a key and, here, a value

inline const std::string keys_sentence = "the keys to the cabinet are on the table";
inline const std::string changed_sentence = "the keys to the cabinet are on the floor";
inline const std::string time_sentence = "time flies like an arrow";

// q·k / √d_k for each query and key: [..., T_q, T_k].
Variable scaled_scores(const Variable& Q, const Variable& K);
// softmax(Q·Kᵀ/√d_k + mask)·V
Attention attend(const Variable& Q, const Variable& K, const Variable& V, const heed::Mask& mask);

// Randomly initialized, without positions.
struct Model {
    heed::WordTokenizer tokenizer;
    heed::Embedding embedding;
    Tensor W_Q;  // [d, d_k]
    Tensor W_K;  // [d, d_k]
    Tensor W_V;  // [d, d_k]
};

Model make_model(heed::Random& random);

// [T, d]
Tensor embed(const Model& model, const std::string& sentence);

// How attention to future words is prevented.
enum class Keep { masked, unmasked, zero_scores, zero_weights };

// Self-attention over X [T, d], or over the words of the sentence.
Attention attend(const Model& model, const Variable& X, Keep keep);
Attention attend(const Model& model, const std::string& sentence, Keep keep);

// The largest absolute value.
double largest(const Tensor& x);
