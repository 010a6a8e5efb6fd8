#include "tutorials/exercises/judges/16_2_broken_classifier_walk.h"

#include "autograd/ops.h"
#include "nn/losses.h"
#include "tensor/ops.h"

#include <cmath>

using namespace heed;

namespace exercise::broken_classifier_walk {

namespace {

using Model = ClassifierOf002;
using Texts = TextsOf002;

Variable normed(const NormOf002& norm, const Variable& x) {
    return layer_norm(x, norm.weight, norm.bias, 1e-5);
}

Variable dropped(const Model& model, const Variable& x, const Texts& texts, const Slips& slip) {
    const double kept = slip("drop.no-rescale") ? 1 : 1 - model.p;
    const Variable out = masked_fill(x, texts.dropped, 0);
    if (slip("drop.never")) return x;
    if (slip("train.eval-dropout")) return model.p == 0 ? x : out / kept;
    if (slip("drop.in-evaluation")) return model.training ? x : out / kept;
    if (slip("drop.rescaled-in-evaluation")) return (model.training ? out : x) / kept;
    if (slip("drop.times-p")) return model.training ? out * kept : x;
    return model.training ? out / kept : x;
}

// [B, T]
IndexTensor position_ids(std::int64_t B, std::int64_t T, const Slips& slip) {
    std::vector<std::int64_t> ids;
    for (std::int64_t i = 0; i < B * T; ++i) {
        std::int64_t id = i % T;
        if (slip("pos.run-on")) id = i;
        if (slip("pos.of-text")) id = i / T;
        if (slip("pos.all-0")) id = 0;
        if (slip("pos.down-columns")) id = i % T * B + i / T;
        if (slip("pe.from-1")) id = i % T + 1;
        ids.push_back(id);
    }
    return IndexTensor(ids, {B, T});
}

Variable embedded(const Model& model, const Texts& texts, const Slips& slip) {
    const std::int64_t B = texts.ids.dim(0), T = texts.ids.dim(1);
    Variable x = index_select(model.token_embeddings, 0, texts.ids);
    const Variable rows = index_select(model.position_embeddings, 0, position_ids(B, T, slip));
    if (!slip("pos.none")) x = x + rows;
    if (slip("drop.before-the-norm")) return normed(model.layer_norm, dropped(model, x, texts, {}));
    return dropped(model, normed(model.layer_norm, x), texts, slip);
}

Variable heads_of(const Variable& x, std::int64_t h) {
    return transpose(reshape(x, {x.dim(0), x.dim(1), h, x.dim(2) / h}), 1, 2);
}

Variable masked(const Variable& scores, const Mask& mask, const Slips& slip) {
    const BoolTensor padding = mask.blocked();
    if (slip("mask.absent")) return scores;
    if (slip("mask.inverted")) return masked_fill(scores, mask.allowed(), -infinity);
    if (slip("mask.fill0")) return masked_fill(scores, padding, 0);
    const BoolTensor of_queries = tensor::transpose(padding);
    if (slip("mask.pad-query-axis")) return masked_fill(scores, of_queries, -infinity);
    if (slip("mask.pad-both-axes")) {
        return masked_fill(scores, padding | of_queries, -infinity);
    }
    return masked_fill(scores, padding, -infinity);
}

Variable attention(const Model& model, const Variable& x, const Mask& mask, const Slips& slip,
                   ClassifierStages& s) {
    const Variable q = heads_of(matmul(x, model.W_q), model.num_heads);
    const Variable k = heads_of(matmul(x, model.W_k), model.num_heads);
    const Variable v = heads_of(matmul(x, model.W_v), model.num_heads);
    s.scores = matmul(q, transpose(k)) / std::sqrt(static_cast<double>(k.dim(-1)));
    s.weights = softmax(masked(s.scores, mask, slip), -1);
    return matmul(reshape(transpose(matmul(s.weights, v), 1, 2), x.shape()), model.W_o);
}

Variable feed_forward(const Model& model, const Variable& x) {
    return matmul(gelu(matmul(x, model.W_1) + model.b_1), model.W_2) + model.b_2;
}

Variable fed_forward(const Model& model, const Variable& x, const Slips& slip) {
    const Variable before = normed(model.layer_norm_2, x);
    if (slip("ln.pre-post")) return normed(model.layer_norm_2, x + feed_forward(model, x));
    if (slip("ln.no-norm")) return x + feed_forward(model, x);
    if (slip("ln.normed-residual")) return before + feed_forward(model, before);
    if (slip("ln.of-the-result")) return x + normed(model.layer_norm_2, feed_forward(model, x));
    if (slip("ln.before-and-after")) {
        return normed(model.layer_norm_2, x + feed_forward(model, before));
    }
    if (slip("ln.first-again")) return x + feed_forward(model, normed(model.layer_norm_1, x));
    if (slip("ln.no-residual")) return feed_forward(model, before);
    return x + feed_forward(model, before);
}

Variable loss_of(const Variable& logits, const IndexTensor& labels, const Slips& slip) {
    if (slip("ce.double-softmax")) return cross_entropy(softmax(logits, -1), labels);
    if (slip("ce.sum")) return cross_entropy(logits, labels, {.reduction = Reduction::sum});
    return cross_entropy(logits, labels);
}

}  // namespace

ClassifierStages walked(const Model& model, const Texts& texts, const Slips& given) {
    const Slips slip = given("hunt.as-it-was")
                           ? Slips{"train.eval-dropout", "pos.run-on", "mask.pad-query-axis",
                                   "ln.pre-post", "ce.double-softmax"}
                           : given;
    ClassifierStages s;
    s.embedded = embedded(model, texts, slip);
    const Variable hidden = normed(model.layer_norm_1, s.embedded);
    s.attended = s.embedded + attention(model, hidden, texts.mask, slip, s);
    s.fed_forward = fed_forward(model, s.attended, slip);
    s.encoded = normed(model.last_norm, s.fed_forward);
    const Variable read = slip("pool.last-row") ? select(s.encoded, 1, -1)
                          : slip("pool.all")    ? mean(s.encoded, 1)
                                                : select(s.encoded, 1, 0);
    s.logits = matmul(read, model.W_c) + model.b_c;
    if (slip("ce.probabilities-for-logits")) s.logits = softmax(s.logits, -1);
    s.loss = loss_of(s.logits, texts.labels, slip);
    return s;
}

namespace {

Variable norm_by_hand(const NormOf002& norm, const Variable& x) {
    const Variable centred = x - mean(x, -1, keepdim);
    const Variable variance = mean(centred * centred, -1, keepdim);
    return centred / sqrt(variance + 1e-5) * norm.weight + norm.bias;
}

}  // namespace

ClassifierStages by_other_means(const Model& model, const Texts& texts) {
    const std::int64_t T = texts.ids.dim(1);
    ClassifierStages s;
    s.embedded = norm_by_hand(model.layer_norm, index_select(model.token_embeddings, 0, texts.ids) +
                                                    slice(model.position_embeddings, 0, 0, T));
    if (model.training && model.p > 0) {
        s.embedded = s.embedded * (tensor::to_tensor(!texts.dropped) * (1 / (1 - model.p)));
    }
    const Variable x = norm_by_hand(model.layer_norm_1, s.embedded);
    const auto heads = [&](const Variable& W) {
        return stack(chunk(matmul(x, W), model.num_heads, -1), 1);
    };
    const Variable k = heads(model.W_k);
    s.scores = matmul(heads(model.W_q) / std::sqrt(static_cast<double>(k.dim(-1))), transpose(k));
    const Variable allowed = s.scores + tensor::log(tensor::to_tensor(texts.mask.allowed()));
    const Variable exponentials = exp(allowed - max(allowed, -1, keepdim));
    s.weights = exponentials / sum(exponentials, -1, keepdim);
    const Variable found = matmul(s.weights, heads(model.W_v));  // [B, h, T, d/h]
    const Variable side_by_side = concatenate(chunk(found, model.num_heads, 1), -1);
    s.attended = matmul(squeeze(side_by_side, 1), model.W_o) + s.embedded;
    s.fed_forward = feed_forward(model, norm_by_hand(model.layer_norm_2, s.attended)) + s.attended;
    s.encoded = norm_by_hand(model.last_norm, s.fed_forward);
    const Variable first = squeeze(slice(s.encoded, 1, 0, 1), 1);
    s.logits = matmul(first, model.W_c) + model.b_c;
    const Tensor labels = tensor::one_hot(texts.labels, s.logits.dim(1));
    s.loss = -mean(sum(log_softmax(s.logits, -1) * labels, -1));
    return s;
}

ClassifierStages text_by_text(const Model& model, const Texts& texts) {
    const std::int64_t B = texts.ids.dim(0);
    std::vector<Variable> embedded, scores, weights, attended, fed, encoded, logits, losses;
    for (std::int64_t b = 0; b < B; ++b) {
        const Texts one{tensor::slice(texts.ids, 0, b, b + 1),
                        Mask::allowing(tensor::slice(texts.mask.allowed(), 0, b, b + 1)),
                        tensor::slice(texts.dropped, 0, b, b + 1),
                        tensor::slice(texts.labels, 0, b, b + 1)};
        const ClassifierStages s = walked(model, one, {});
        embedded.push_back(s.embedded);
        scores.push_back(s.scores);
        weights.push_back(s.weights);
        attended.push_back(s.attended);
        fed.push_back(s.fed_forward);
        encoded.push_back(s.encoded);
        logits.push_back(s.logits);
        losses.push_back(s.loss);
    }
    const auto joined = [](const std::vector<Variable>& parts) { return concatenate(parts, 0); };
    return {joined(embedded), joined(scores),  joined(weights), joined(attended),
            joined(fed),      joined(encoded), joined(logits),  mean(stack(losses))};
}

}  // namespace exercise::broken_classifier_walk
