#include "tutorials/08_causal_attention/by_hand.h"

#include "autograd/ops.h"
#include "tensor/ops.h"

#include <cmath>

using namespace heed;

Variable scaled_scores(const Variable& Q, const Variable& K) {
    const double root = std::sqrt(static_cast<double>(K.dim(-1)));  // √d_k
    const Variable scores = matmul(Q, transpose(K)) / root;         // [..., T_q, T_k]
    return scores;
}

Attention attend(const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
    const Variable scores = scaled_scores(Q, K);                              // [..., T_q, T_k]
    const Variable allowed = masked_fill(scores, mask.blocked(), -infinity);  // [..., T_q, T_k]
    const Variable weights = softmax(allowed, -1);                            // [..., T_q, T_k]
    const Variable output = matmul(weights, V);                               // [..., T_q, d_v]
    return {output, weights};
}

Model make_model(Random& random) {
    const WordTokenizer tokenizer({keys_sentence, changed_sentence, time_sentence});
    const Embedding embedding(tokenizer.size(), d, random);
    const double deviation = 1 / std::sqrt(static_cast<double>(d));
    const Tensor W_Q = tensor::normal({d, d_k}, random, 0, deviation);
    const Tensor W_K = tensor::normal({d, d_k}, random, 0, deviation);
    const Tensor W_V = tensor::normal({d, d_k}, random, 0, deviation);
    return {tokenizer, embedding, W_Q, W_K, W_V};
}

double largest(const Tensor& x) { return tensor::max(tensor::abs(x)).item(); }

Tensor embed(const Model& model, const std::string& sentence) {
    return model.embedding(model.tokenizer.encode(sentence)).value();  // [T, d]
}

Attention attend(const Model& model, const Variable& X, Keep keep) {
    const Variable Q = matmul(X, Variable(model.W_Q));            // [T, d_k]
    const Variable K = matmul(X, Variable(model.W_K));            // [T, d_k]
    const Variable V = matmul(X, Variable(model.W_V));            // [T, d_k]
    const BoolTensor future = Mask::causal(X.dim(-2)).blocked();  // [T, T]
    Variable scores = scaled_scores(Q, K);                        // [T, T]
    if (keep == Keep::masked) scores = masked_fill(scores, future, -infinity);
    if (keep == Keep::zero_scores) scores = masked_fill(scores, future, 0);
    Variable weights = softmax(scores, -1);  // [T, T]
    if (keep == Keep::zero_weights) weights = masked_fill(weights, future, 0);
    const Variable output = matmul(weights, V);  // [T, d_k]
    return {output, weights};
}

Attention attend(const Model& model, const std::string& sentence, Keep keep) {
    return attend(model, Variable(embed(model, sentence)), keep);
}
