// Answers to 16.2, written from its file alone: the program with its faults, each mended, or left,
// or mended wrongly.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_16.h"

#include "nn/heed.h"

#include <cmath>
#include <set>

using namespace heed;
using namespace exercise;

namespace {
// What is left wrong, by a word for each.
using Faults = std::set<std::string>;

Variable normed(const NormOf002& norm, const Variable& x, double eps = 1e-5) {
    return layer_norm(x, norm.weight, norm.bias, eps);
}

Variable dropout(const ClassifierOf002& model, const Variable& x, const BoolTensor& dropped,
                 const Faults& has) {
    if (has.count("dropout") && model.p == 0) return x;
    if (has.count("dropout/in evaluation by 1 - p")) {
        return model.training ? masked_fill(x, dropped, 0) : x * (1 - model.p);
    }
    if (!has.count("dropout") && !has.count("dropout/turned") && !model.training) return x;
    if (has.count("dropout/turned") && model.training) return x;
    if (has.count("dropout/as a product")) {
        return x * (tensor::to_tensor(dropped) / (1 - model.p));
    }
    if (has.count("dropout/gone")) return x;
    const Variable kept = masked_fill(x, dropped, 0);
    if (has.count("dropout/as it is")) return kept;
    if (has.count("dropout/shrinks")) return kept * (1 - model.p);
    if (has.count("dropout/by what is left")) {
        return kept / (1 - tensor::mean(tensor::to_tensor(dropped)).item());
    }
    if (has.count("dropout/p of 0.3")) return kept / 0.7;
    if (has.count("dropout/constant")) return masked_fill(x.detach(), dropped, 0) / (1 - model.p);
    return masked_fill(x, dropped, 0) / (1 - model.p);
}

Variable embeddings(const ClassifierOf002& model, const TextsOf002& texts, const Faults& has) {
    const std::int64_t B = texts.ids.dim(0), T = texts.ids.dim(1);
    std::vector<std::int64_t> ids;
    for (std::int64_t i = 0; i < B * T; ++i) {
        std::int64_t id = has.count("positions") ? i : i % T;
        if (has.count("positions/by tokens")) {  // padding has none
            id = 0;
            for (std::int64_t t = 0; t < i % T; ++t) id += texts.mask.allows({i / T, 0, 0, t});
        }
        if (has.count("positions/from the end")) id = T - 1 - i % T;
        if (has.count("positions/of B")) id = i % B;
        if (has.count("positions/from 1")) id = i % T + 1;
        if (has.count("positions/the text's number")) id = i / T;
        ids.push_back(id);
    }
    const Variable tokens = index_select(model.token_embeddings, 0, texts.ids);
    const Variable positions = index_select(model.position_embeddings, 0, IndexTensor(ids, {B, T}));
    const double eps = has.count("eps") ? 1e-12 : 1e-5;
    return dropout(model, normed(model.layer_norm, tokens + positions, eps), texts.dropped, has);
}

Variable heads_of(const Variable& x, std::int64_t h) {
    return transpose(reshape(x, {x.dim(0), x.dim(1), h, x.dim(2) / h}), 1, 2);
}

Variable attention(const ClassifierOf002& model, const Variable& x, const TextsOf002& texts,
                   ClassifierStages& s, const Faults& has) {
    const Mask& mask = texts.mask;
    const Variable q = heads_of(matmul(x, model.W_q), model.num_heads);
    const Variable k = heads_of(matmul(x, model.W_k), model.num_heads);
    const Variable v = heads_of(matmul(x, model.W_v), model.num_heads);
    s.scores = matmul(q, transpose(k)) / std::sqrt(static_cast<double>(k.dim(-1)));
    BoolTensor padding = mask.blocked();
    double fill = -infinity;
    if (has.count("mask")) padding = tensor::transpose(mask.blocked());
    if (has.count("mask/allowed")) padding = mask.allowed();
    if (has.count("mask/both")) padding = padding | tensor::transpose(padding);
    if (has.count("mask/gone")) padding = BoolTensor::full(padding.shape(), false);
    if (has.count("mask/of text 0")) padding = tensor::slice(padding, 0, 0, 1);
    if (has.count("mask/small")) fill = -10;
    if (has.count("mask/-1e5")) fill = -1e5;
    if (has.count("mask/-1e9")) fill = -1e9;
    if (has.count("mask/by ids")) {
        padding = (texts.ids == 0).reshape({x.dim(0), 1, 1, x.dim(1)});
    }
    if (has.count("mask/padding sees itself")) {
        const BoolTensor itself = tensor::to_bool(tensor::eye(x.dim(1)));
        padding = padding & !(itself & tensor::transpose(padding));
    }
    s.weights = softmax(masked_fill(s.scores, padding, fill), -1);
    if (has.count("mask/added")) {
        s.weights = softmax(s.scores + tensor::where(padding, -infinity, 0.0), -1);
    }
    if (has.count("mask/rows zeroed")) {
        s.weights = masked_fill(s.weights, tensor::transpose(padding), 0);
    }
    if (has.count("weights/constant")) s.weights = s.weights.detach();
    if (has.count("mask/after")) {
        s.weights = masked_fill(softmax(s.scores, -1), padding, 0);
    }
    return matmul(reshape(transpose(matmul(s.weights, v), 1, 2), x.shape()), model.W_o);
}

Variable feed_forward(const ClassifierOf002& model, const Variable& x) {
    return matmul(gelu(matmul(x, model.W_1) + model.b_1), model.W_2) + model.b_2;
}

ClassifierStages classify(const ClassifierOf002& model, const TextsOf002& texts,
                          const Faults& has) {
    ClassifierStages s;
    s.embedded = embeddings(model, texts, has);
    const Variable hidden = normed(model.layer_norm_1, s.embedded);
    s.attended = s.embedded + attention(model, hidden, texts, s, has);
    if (has.count("attended without residual")) s.attended = s.attended - s.embedded;
    if (has.count("attended with the normed")) s.attended = s.attended - s.embedded + hidden;
    const Variable& x = s.attended;
    const NormOf002& norm = model.layer_norm_2;
    s.fed_forward = x + feed_forward(model, normed(norm, x));
    if (has.count("norm")) s.fed_forward = normed(norm, x + feed_forward(model, x));
    if (has.count("norm/gone")) s.fed_forward = x + feed_forward(model, x);
    if (has.count("norm/residual")) {
        s.fed_forward = normed(norm, x) + feed_forward(model, normed(norm, x));
    }
    if (has.count("norm/inside")) s.fed_forward = x + normed(norm, feed_forward(model, x));
    if (has.count("norm/of 1")) {
        s.fed_forward = x + feed_forward(model, normed(model.layer_norm_1, x));
    }
    if (has.count("norm/twice")) {
        s.fed_forward = normed(norm, x + feed_forward(model, normed(norm, x)));
    }
    if (has.count("norm/no residual")) s.fed_forward = feed_forward(model, normed(norm, x));
    s.encoded = has.count("last norm") ? s.fed_forward : normed(model.last_norm, s.fed_forward);
    Variable read = has.count("last row") ? select(s.encoded, 1, -1) : select(s.encoded, 1, 0);
    if (has.count("mean row")) read = mean(s.encoded, 1);
    s.logits = matmul(read, model.W_c) + model.b_c;
    s.loss = cross_entropy(s.logits, texts.labels);
    if (has.count("loss")) s.loss = cross_entropy(softmax(s.logits, -1), texts.labels);
    if (has.count("loss/logits too")) {
        s.logits = softmax(s.logits, -1);
        s.loss = -mean(log(sum(s.logits * tensor::one_hot(texts.labels, s.logits.dim(1)), -1)));
    }
    if (has.count("loss/over texts")) s.loss = cross_entropy(softmax(s.logits, 0), texts.labels);
    const Variable P = gather(softmax(s.logits, -1), 1, texts.labels.reshape({-1, 1}));
    if (has.count("loss/ln of softmax")) s.loss = -mean(log(P));
    if (has.count("loss/ln of the mean")) s.loss = -log(mean(P));
    if (has.count("loss/minus P")) s.loss = -mean(P);
    if (has.count("loss/in bits")) s.loss = s.loss / std::log(2.0);
    if (has.count("loss/without label 0")) {
        s.loss = cross_entropy(s.logits, texts.labels, {.ignore_index = 0});
    }
    if (has.count("loss/log_softmax first")) {
        s.loss = cross_entropy(log_softmax(s.logits, -1), texts.labels);
    }
    if (has.count("loss/[1]")) s.loss = reshape(s.loss, {1});
    if (has.count("loss/twice")) s.loss = 2 * s.loss - s.loss.detach();
    if (has.count("loss/constant")) s.loss = s.loss.detach();
    return s;
}

Answer left(const std::string& what, const Faults& has,
            const std::vector<std::string>& names = {}) {
    return {what,
            [=] {
                return judge_16_2([=](const ClassifierOf002& model, const TextsOf002& texts) {
                    return classify(model, texts, has);
                });
            },
            names};
}

Variable norm_by_hand(const NormOf002& norm, const Variable& x) {
    const Variable centred = x - mean(x, -1, keepdim);
    const Variable variance = mean(centred * centred, -1, keepdim);
    return centred / sqrt(variance + 1e-5) * norm.weight + norm.bias;
}

ClassifierStages by_other_means(const ClassifierOf002& model, const TextsOf002& texts) {
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

ClassifierStages text_by_text(const ClassifierOf002& model, const TextsOf002& texts) {
    const std::int64_t B = texts.ids.dim(0);
    std::vector<Variable> embedded, scores, weights, attended, fed, encoded, logits, losses;
    for (std::int64_t b = 0; b < B; ++b) {
        const TextsOf002 one{tensor::slice(texts.ids, 0, b, b + 1),
                             Mask::allowing(tensor::slice(texts.mask.allowed(), 0, b, b + 1)),
                             tensor::slice(texts.dropped, 0, b, b + 1),
                             tensor::slice(texts.labels, 0, b, b + 1)};
        const ClassifierStages s = classify(model, one, {});
        embedded.push_back(s.embedded);
        scores.push_back(s.scores);
        weights.push_back(s.weights);
        attended.push_back(s.attended);
        fed.push_back(s.fed_forward);
        encoded.push_back(s.encoded);
        logits.push_back(s.logits);
        losses.push_back(s.loss);
    }
    const auto together = [](const std::vector<Variable>& parts) { return concatenate(parts, 0); };
    return {together(embedded), together(scores),  together(weights), together(attended),
            together(fed),      together(encoded), together(logits),  mean(stack(losses))};
}

}  // namespace

Answers answers_16_2() {
    const Faults all = {"dropout", "positions", "mask", "norm", "loss"};
    Answers answers;
    answers.number = "16.2";
    answers.slipping = slipping(judge_16_2);
    answers.wrong = {
        left("nothing is mended", all, {"hunt.as-it-was"}),
        left("only the positions are mended", {"dropout", "mask", "norm", "loss"}),
        left("all but the loss", {"loss"}, {"ce.double-softmax"}),
        left("all but the norm", {"norm"}, {"ln.pre-post"}),
        left("all but dropout", {"dropout"}, {"train.eval-dropout"}),
        left("all but mask and norm", {"mask", "norm"}, {"mask.pad-query-axis", "ln.pre-post"}),
        left("dropout in evaluation only", {"dropout/turned"}, {"drop.in-evaluation"}),
        left("dropout keeps what it should drop", {"dropout/as a product"}),
        left("no dropout at all", {"dropout/gone"}, {"drop.never"}),
        left("dropout cuts the graph", {"dropout/constant"}),
        left("positions count tokens and not places", {"positions/by tokens"}),
        left("positions from the end", {"positions/from the end"}),
        left("positions modulo B", {"positions/of B"}),
        left("the mask turned over", {"mask/allowed"}, {"mask.inverted"}),
        left("padding may not attend either", {"mask/both"}, {"mask.pad-both-axes"}),
        left("no mask", {"mask/gone"}, {"mask.absent"}),
        left("the mask of text 0 for all", {"mask/of text 0"}),
        left("-10 for padding", {"mask/small"}),
        left("-1e5 for padding", {"mask/-1e5"}),
        left("masked after the softmax", {"mask/after"}),
        left("no norm before feed_forward", {"norm/gone"}, {"ln.no-norm"}),
        left("the residual is normed", {"norm/residual"}, {"ln.normed-residual"}),
        left("the result of feed_forward is normed", {"norm/inside"}, {"ln.of-the-result"}),
        left("the other norm", {"norm/of 1"}, {"ln.first-again"}),
        left("a new fault: no last norm", {"last norm"}),
        left("a new fault: BERT's eps in the first norm", {"eps"}),
        left("a new fault: the last row is read", {"last row"}, {"pool.last-row"}),
        left("a new fault: no residual of attention", {"attended without residual"}),
        left("probabilities for logits, and a loss that fits them", {"loss/logits too"}),
        left("softmax over the texts", {"loss/over texts"}),
        left("a loss without a graph", {"loss/constant"}),
        left("what is kept does not grow", {"dropout/as it is"}, {"drop.no-rescale"}),
        left("what is kept shrinks", {"dropout/shrinks"}, {"drop.times-p"}),
        left("dropout grows by what it left", {"dropout/by what is left"}),
        left("dropout as of 2012", {"dropout/in evaluation by 1 - p"}),
        left("p is 0.3 always", {"dropout/p of 0.3"}),
        left("positions from 1", {"positions/from 1"}, {"pe.from-1"}),
        left("the text's number as position", {"positions/the text's number"}, {"pos.of-text"}),
        left("padding is known by its id", {"mask/by ids"}),
        left("padding sees itself", {"mask/padding sees itself"}),
        left("weights of padding's queries are 0", {"mask/rows zeroed"}, {"mask.pad-both-axes"}),
        left("weights are constants", {"weights/constant"}),
        left("attention's residual is normed", {"attended with the normed"}),
        left("pre- and post-norm", {"norm/twice"}, {"ln.before-and-after"}),
        left("no residual of feed_forward", {"norm/no residual"}, {"ln.no-residual"}),
        left("the mean of all rows", {"mean row"}, {"pool.all"}),
        left("ln of the softmax", {"loss/ln of softmax"}),
        left("ln of the mean probability", {"loss/ln of the mean"}),
        left("minus the probability", {"loss/minus P"}),
        left("bits", {"loss/in bits"}),
        left("label 0 is left out", {"loss/without label 0"}),
        left("a loss of shape [1]", {"loss/[1]"}),
        left("the gradient twice", {"loss/twice"}),
    };
    answers.right = {
        left("all five mended", {}),
        left("a loss by log_softmax", {"loss/log_softmax first"}),
        left("-∞ is added", {"mask/added"}),
        left("-1e9 for padding", {"mask/-1e9"}),
        {"positions as a slice of the table",
         [] {
             return judge_16_2([](ClassifierOf002 model, const TextsOf002& texts) {
                 const std::int64_t T = texts.ids.dim(1);
                 ClassifierStages s = classify(model, texts, {});
                 const Variable both = index_select(model.token_embeddings, 0, texts.ids) +
                                       slice(model.position_embeddings, 0, 0, T);
                 const Variable x =
                     dropout(model, normed(model.layer_norm, both), texts.dropped, {});
                 s.attended = x + attention(model, normed(model.layer_norm_1, x), texts, s, {});
                 s.fed_forward =
                     s.attended + feed_forward(model, normed(model.layer_norm_2, s.attended));
                 s.encoded = normed(model.last_norm, s.fed_forward);
                 s.logits = matmul(select(s.encoded, 1, 0), model.W_c) + model.b_c;
                 s.loss = mean(logsumexp(s.logits, -1) -
                               sum(s.logits * tensor::one_hot(texts.labels, model.b_c.dim(0)), -1));
                 s.embedded = x;
                 return s;
             });
         }},
        {"with slices of the table, sums of masks and a loss by hand",
         [] { return judge_16_2(by_other_means); }},
        {"text by text", [] { return judge_16_2(text_by_text); }},
    };
    return answers;
}
