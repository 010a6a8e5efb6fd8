// 16.2 Five faults in a text classifier                       hunt · 30 minutes · five lines
//
// This is note 002's encoder with one layer, and its classifier, with the mask and the last norm
// that the note forgets. It compiles, it runs, the shapes are right, and it would even learn
// something. Five lines are wrong. Begin by stopping at its first line (the key d starts the
// debugger), step, and ask at each stage what must hold: where is a token of text 1? What belongs
// to training only? Which columns of weights belong to padding? What does cross_entropy take?
// Note 002 and its errata, 002-6 above all; lessons 12 and 16.
//
// ids [B, T] -> loss []; the model and all stages are described in judges/lesson_16.h.
// Token t of each text has position t, padding included. Dropout works in training only: there the
// numbers that are not dropped grow by 1/(1 - p). Pre-LN: x + f(norm(x)). No query attends to
// padding; padding itself attends to the tokens, and nobody reads what it finds. The classifier
// reads row 0, and the loss is the mean of -ln of the labels' probabilities.
#include "tutorials/exercises/judges/lesson_16.h"

#include "autograd/ops.h"
#include "nn/losses.h"
#include "tensor/ops.h"

#include <cmath>

using namespace heed;

using exercise::ClassifierOf002;
using exercise::ClassifierStages;
using exercise::TextsOf002;

Variable normed(const exercise::NormOf002& norm, const Variable& x) {
    return layer_norm(x, norm.weight, norm.bias, 1e-5);
}

Variable dropout(const ClassifierOf002& model, const Variable& x, const BoolTensor& dropped) {
    // begin stub
    //     if (model.p == 0) return x;
    // begin solution
    if (!model.training) return x;
    // end
    return masked_fill(x, dropped, 0) / (1 - model.p);
}

Variable embeddings(const ClassifierOf002& model, const TextsOf002& texts) {
    const IndexTensor& ids = texts.ids;  // [B, T]
    // begin stub
    //     const IndexTensor position_ids = IndexTensor::arange(ids.numel()).reshape(ids.shape());
    // begin solution
    const IndexTensor position_ids = IndexTensor::arange(ids.dim(1));
    // end
    const Variable tokens = index_select(model.token_embeddings, 0, ids);
    const Variable positions = index_select(model.position_embeddings, 0, position_ids);
    return dropout(model, normed(model.layer_norm, tokens + positions), texts.dropped);
}

// [B, T, d] -> [B, h, T, d/h]
Variable heads_of(const Variable& x, std::int64_t h) {
    return transpose(reshape(x, {x.dim(0), x.dim(1), h, x.dim(2) / h}), 1, 2);
}

Variable attention(const ClassifierOf002& model, const Variable& x, const Mask& mask,
                   ClassifierStages& s) {
    const Variable q = heads_of(matmul(x, model.W_q), model.num_heads);  // [B, h, T, d/h]
    const Variable k = heads_of(matmul(x, model.W_k), model.num_heads);  // [B, h, T, d/h]
    const Variable v = heads_of(matmul(x, model.W_v), model.num_heads);  // [B, h, T, d/h]
    s.scores = matmul(q, transpose(k)) / std::sqrt(static_cast<double>(k.dim(-1)));
    // begin stub
    //     const BoolTensor padding = tensor::transpose(mask.blocked());
    // begin solution
    const BoolTensor padding = mask.blocked();
    // end
    s.weights = softmax(masked_fill(s.scores, padding, -infinity), -1);
    const Variable heads = reshape(transpose(matmul(s.weights, v), 1, 2), x.shape());  // [B, T, d]
    return matmul(heads, model.W_o);
}

Variable feed_forward(const ClassifierOf002& model, const Variable& x) {
    const Variable hidden = gelu(matmul(x, model.W_1) + model.b_1);  // [B, T, d_hidden]
    return matmul(hidden, model.W_2) + model.b_2;                    // [B, T, d]
}

ClassifierStages classify(const ClassifierOf002& model, const TextsOf002& texts) {
    ClassifierStages s;
    s.embedded = embeddings(model, texts);
    const Variable hidden_state = normed(model.layer_norm_1, s.embedded);  // [B, T, d]
    s.attended = s.embedded + attention(model, hidden_state, texts.mask, s);
    // begin stub, stop in classify
    //     s.fed_forward = normed(model.layer_norm_2, s.attended + feed_forward(model, s.attended));
    // begin solution
    s.fed_forward = s.attended + feed_forward(model, normed(model.layer_norm_2, s.attended));
    // end
    s.encoded = normed(model.last_norm, s.fed_forward);
    s.logits = matmul(select(s.encoded, 1, 0), model.W_c) + model.b_c;  // [B, n]
    // begin stub
    //     s.loss = cross_entropy(softmax(s.logits, -1), texts.labels);
    // begin solution
    s.loss = cross_entropy(s.logits, texts.labels);
    // end
    return s;
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_16_2(classify), argc, argv);
}
