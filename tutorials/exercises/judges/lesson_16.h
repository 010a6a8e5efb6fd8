// What the exercises of lesson 16 ask for.
#pragma once

#include "autograd/variable.h"
#include "tensor/bool_tensor.h"
#include "tensor/index_tensor.h"
#include "tensor/mask.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>

namespace exercise {

// x [B, T, d] and a mask [B, 1, 1, T] that allows the tokens of each text -> [B, d]
using Pooling = std::function<heed::Variable(const heed::Variable& x, const heed::Mask& mask)>;

struct OneVector {
    Pooling first_of, mean_of;
};
extern const Judge<OneVector> judge_16_1;

struct NormOf002 {
    heed::Variable weight, bias;  // [d]
};

// The members of note 002's encoder with one layer and of its classifier; y = x·W (+ b).
struct ClassifierOf002 {
    heed::Variable token_embeddings;     // [V, d]
    heed::Variable position_embeddings;  // [limit, d]
    NormOf002 layer_norm;                // of the embeddings
    NormOf002 layer_norm_1;              // before attention
    heed::Variable W_q, W_k, W_v, W_o;   // [d, d], all heads side by side
    NormOf002 layer_norm_2;              // before feed-forward
    heed::Variable W_1, b_1, W_2, b_2;   // [d, d_hidden], [d_hidden], [d_hidden, d], [d]
    NormOf002 last_norm;                 // after the layer
    heed::Variable W_c, b_c;             // [d, n], [n]
    std::int64_t num_heads;
    double p;       // dropout's probability
    bool training;  // or evaluation?
};

struct TextsOf002 {
    heed::IndexTensor ids;     // [B, T]
    heed::Mask mask;           // [B, 1, 1, T], allows what is not padding
    heed::BoolTensor dropped;  // [B, T, d]: what dropout has drawn, if this is training
    heed::IndexTensor labels;  // [B]
};

struct ClassifierStages {
    heed::Variable embedded;     // [B, T, d], after norm and dropout
    heed::Variable scores;       // [B, h, T, T], scaled, before the mask
    heed::Variable weights;      // [B, h, T, T]
    heed::Variable attended;     // [B, T, d], with the residual connection
    heed::Variable fed_forward;  // [B, T, d], with the residual connection
    heed::Variable encoded;      // [B, T, d], normed
    heed::Variable logits;       // [B, n]
    heed::Variable loss;         // []
};

using TextClassification =
    std::function<ClassifierStages(const ClassifierOf002&, const TextsOf002&)>;
extern const Judge<TextClassification> judge_16_2;

}  // namespace exercise
