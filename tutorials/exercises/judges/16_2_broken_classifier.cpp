#include "tutorials/exercises/judges/lesson_16.h"
#include "tutorials/exercises/judging/kit.h"

#include "nn/losses.h"

using namespace heed;

namespace exercise {
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

std::vector<Mistake> mistakes() {
    const std::string row = "The position is added to the token's vector: print position_ids.";
    const std::string twice = "Run classify twice in evaluation with other numbers in dropped.";
    const std::string columns = "tensor weights[1][0]: what stands in the columns of padding?";
    const std::string line = "The line of fed_forward: what goes into feed_forward?";
    const std::string certain = "What is the loss of a model that is certain and right?";
    return {
        {"hunt.as-it-was", "all five faults were still there",
         "Of which stage do you know what must hold without knowing the numbers?",
         "Begin by stopping at classify (the key d starts the debugger), with the first batch: "
         "which position_ids has text 1?"},
        {"pos.run-on", "positions ran on from one text to the next",
         "Which position has the first token of text 1?", row},
        {"pos.of-text", "each token had the number of its text for a position",
         "Which of B and T do positions count?", row},
        {"pos.all-0", "all tokens had position 0", "Which position has the last token?", row},
        {"pos.down-columns", "positions were counted across the texts",
         "Which position has the first token of text 1?", row},
        {"pe.from-1", "positions began at 1", "Which position has the first token?", row},
        {"pos.none", "no positions were added", "What tells the model the order?", row},
        {"train.eval-dropout", "dropout worked in evaluation, too",
         "Does anything random belong into evaluation?", twice},
        {"drop.in-evaluation", "dropout worked in evaluation only",
         "When are numbers dropped: in training or afterwards?", twice},
        {"drop.never", "nothing was dropped, not even in training",
         "What does dropout do in training?", "The second case is in training."},
        {"drop.no-rescale", "what was not dropped had not grown by 1/(1 - p)",
         "What keeps the mean as it was?", "The last line of dropout."},
        {"drop.times-p", "what was not dropped had shrunk by 1 - p",
         "What keeps the mean as it was?", "The last line of dropout."},
        {"drop.rescaled-in-evaluation",
         "in evaluation nothing was dropped, and yet everything grew by 1/(1 - p)",
         "What does dropout do to the numbers in evaluation?", twice},
        {"drop.before-the-norm", "numbers were dropped before the norm",
         "What does a norm make of dropped numbers?", "The last line of embeddings."},
        {"mask.pad-query-axis", "padding could not attend, but everything could attend to it",
         "Are keys the rows of scores, or the columns?", columns},
        {"mask.pad-both-axes", "padding could neither be attended to nor attend",
         "What is said of padding's own queries in the first lines of the file?", columns},
        {"mask.absent", "nothing was masked", "What does the mask change?", columns},
        {"mask.inverted", "only padding could be attended to",
         "What is true in the table: what may be attended to, or what may not?", columns},
        {"mask.fill0", "the score of padding was 0", "What does softmax make of a score of 0?",
         columns},
        {"ln.pre-post", "the norm stood after the sum and not before feed_forward",
         "Where has pre-LN its norms?", line},
        {"ln.no-norm", "there was no norm before feed_forward", "What is layer_norm_2 for?", line},
        {"ln.normed-residual", "the residual connection carried the normed vectors",
         "What does x + f(norm(x)) add?", line},
        {"ln.of-the-result", "the result of feed_forward was normed, and not what goes into it",
         "Where has pre-LN its norms?", line},
        {"ln.before-and-after", "the norm stood before feed_forward and after the sum as well",
         "How often is layer_norm_2 used?", line},
        {"ln.first-again", "layer_norm_1 stood before feed_forward", "Which norm has no other use?",
         line},
        {"ln.no-residual", "the residual connection was missing", "What does x + f(norm(x)) add?",
         line},
        {"pool.last-row", "the classifier read the last row", "Where does [CLS] stand?",
         "The line of logits."},
        {"pool.all", "the classifier read the mean of all rows, padding included",
         "Which row does the classifier read?", "The line of logits."},
        {"ce.double-softmax", "cross_entropy was given probabilities and took their softmax again",
         certain, "nn/losses.h says what cross_entropy takes."},
        {"ce.probabilities-for-logits", "the logits were replaced by their softmax", certain,
         "nn/losses.h says what cross_entropy takes."},
        {"ce.sum", "the losses were added up", "Is a batch of twice as many texts twice as bad?",
         "The line of loss."},
    };
}

struct Sizes {
    std::int64_t V, limit, d, h, d_hidden, n;
};

Variable leaf(const Shape& shape, std::uint64_t& seed, double deviation) {
    return Variable(random(shape, ++seed, deviation), requires_grad);
}

NormOf002 random_norm(std::int64_t d, std::uint64_t& seed) {
    const Variable weight = leaf({d}, seed, 1);
    return {weight, leaf({d}, seed, 0.5)};
}

// With small embeddings, the eps of the first norm counts.
Model random_model(const Sizes& z, std::uint64_t seed, double of_embeddings = 1) {
    Model m;
    m.token_embeddings = leaf({z.V, z.d}, seed, of_embeddings);
    m.position_embeddings = leaf({z.limit, z.d}, seed, of_embeddings);
    m.layer_norm = random_norm(z.d, seed);
    m.layer_norm_1 = random_norm(z.d, seed);
    for (Variable* W : {&m.W_q, &m.W_k, &m.W_v, &m.W_o}) *W = leaf({z.d, z.d}, seed, 0.6);
    m.layer_norm_2 = random_norm(z.d, seed);
    m.W_1 = leaf({z.d, z.d_hidden}, seed, 0.6);
    m.b_1 = leaf({z.d_hidden}, seed, 0.5);
    m.W_2 = leaf({z.d_hidden, z.d}, seed, 0.6);
    m.b_2 = leaf({z.d}, seed, 0.5);
    m.last_norm = random_norm(z.d, seed);
    m.W_c = leaf({z.d, z.n}, seed, 0.8);
    m.b_c = leaf({z.n}, seed, 0.5);
    m.num_heads = z.h;
    m.p = 0.3;
    m.training = false;
    return m;
}

std::vector<Leaf> leaves_of(const Model& m) {
    return {{"token_embeddings", m.token_embeddings},
            {"position_embeddings", m.position_embeddings},
            {"layer_norm.weight", m.layer_norm.weight},
            {"layer_norm.bias", m.layer_norm.bias},
            {"layer_norm_1.weight", m.layer_norm_1.weight},
            {"layer_norm_1.bias", m.layer_norm_1.bias},
            {"W_q", m.W_q},
            {"W_k", m.W_k},
            {"W_v", m.W_v},
            {"W_o", m.W_o},
            {"layer_norm_2.weight", m.layer_norm_2.weight},
            {"layer_norm_2.bias", m.layer_norm_2.bias},
            {"W_1", m.W_1},
            {"b_1", m.b_1},
            {"W_2", m.W_2},
            {"b_2", m.b_2},
            {"last_norm.weight", m.last_norm.weight},
            {"last_norm.bias", m.last_norm.bias},
            {"W_c", m.W_c},
            {"b_c", m.b_c}};
}

// Of logits in the thousands, most probabilities are 0, and their ln is -∞.
Model certain_model(const Sizes& z, std::uint64_t seed) {
    Model m = random_model(z, seed);
    m.W_c = leaf({z.d, z.n}, seed, 1000);
    return m;
}

// Keys that point away from their own queries: a token's score with itself is far below 0, and the
// first text has no other token.
Model low_scoring_model(const Sizes& z, std::uint64_t seed) {
    Model m = random_model(z, seed);
    m.W_k = Variable(m.W_q.value() * -1e6, requires_grad);
    return m;
}

// The places of tokens: "x" for one, "." for padding. Ids and labels are drawn.
Texts texts_of(const std::vector<std::string>& places, const Sizes& z, std::uint64_t seed) {
    Random draw(seed);
    const std::int64_t B = static_cast<std::int64_t>(places.size());
    const std::int64_t T = static_cast<std::int64_t>(places[0].size());
    std::vector<std::int64_t> ids, labels;
    std::vector<bool> allowed, dropped;
    for (const std::string& text : places) {
        for (const char letter : text) {
            allowed.push_back(letter == 'x');
            ids.push_back(letter == 'x' ? draw.below(z.V) : 0);
        }
        labels.push_back(draw.below(z.n));
    }
    for (std::int64_t i = 0; i < B * T * z.d; ++i) dropped.push_back(draw.uniform() < 0.3);
    return {IndexTensor(ids, {B, T}), Mask::allowing_keys(BoolTensor(allowed, {B, T})),
            BoolTensor(dropped, {B, T, z.d}), IndexTensor(labels)};
}

struct Input {
    Model model;
    Texts texts;
};
Stages given(const Input& in) { return values_of(leaves_of(in.model)); }

Inputs<Input> inputs() {
    const Sizes small{13, 20, 6, 3, 7, 4}, other{9, 17, 8, 2, 5, 3}, square{7, 9, 4, 2, 4, 2};
    Model in_training = random_model(other, 300), without_dropout = in_training;
    in_training.training = true;
    without_dropout.training = true;
    without_dropout.p = 0;
    Texts nothing_dropped = texts_of({"xxx.", "xxxx"}, other, 7);
    nothing_dropped.dropped = BoolTensor::full({2, 4, 8}, false);
    return {
        {"3 texts with padding at the end",
         {random_model(small, 100), texts_of({"xxxxx", "xx...", "xxxx."}, small, 1)}},
        {"2 texts in training", {in_training, texts_of({"xxxx.", "xxxxx"}, other, 2)}},
        {"padding in between, and small embeddings",
         {random_model(other, 200, 0.01), texts_of({"xx.x", "x..x", "x.xx"}, other, 3)}},
        {"as many of each", {random_model(square, 250), texts_of({"xx", "x."}, square, 4)}},
        {"texts without padding", {random_model(small, 100), texts_of({"xxx", "xxx"}, small, 5)}},
        {"one text of one token", {random_model(small, 150), texts_of({"x"}, small, 6)}},
        {"training without dropout, p = 0", {without_dropout, nothing_dropped}},
        {"scores far below 0", {low_scoring_model(square, 170), texts_of({"x.", "xx"}, square, 9)}},
        {"logits in the thousands",
         {certain_model(small, 160), texts_of({"xxx.", "xxxx"}, small, 8)}},

    };
}

Stages stages(const TextClassification& classify, const Input& in) {
    const ClassifierStages s = classify(in.model, in.texts);
    return with_gradients({{"embedded", s.embedded.value()},
                           {"scores", s.scores.value()},
                           {"weights", s.weights.value()},
                           {"attended", s.attended.value()},
                           {"fed_forward", s.fed_forward.value()},
                           {"encoded", s.encoded.value()},
                           {"logits", s.logits.value()},
                           {"loss", s.loss.value()}},
                          s.loss, leaves_of(in.model));
}

// Padding at the end, and one word of it replaced by another.
std::string padding_is_felt(const TextClassification& classify) {
    const Sizes z{13, 20, 6, 3, 7, 4};
    const Model model = random_model(z, 400);
    Texts texts = texts_of({"xxxxx", "xx...", "xxxx."}, z, 401);
    const Tensor before = tensor::clone(classify(model, texts).logits.value());
    std::vector<std::int64_t> ids(texts.ids.data(), texts.ids.data() + texts.ids.numel());
    ids[5 + 3] = 7;
    texts.ids = IndexTensor(ids, texts.ids.shape());
    const Tensor after = classify(model, texts).logits.value();
    if (identical(before, after)) return "";
    return "Another word in the padding of text 1 changes the logits " +
           worst_entry(after, before) + ".";
}

std::string neighbours_are_felt(const TextClassification& classify) {
    const Sizes z{13, 20, 6, 3, 7, 4};
    const Model model = random_model(z, 410);
    const Texts both = texts_of({"xxxx", "xxx."}, z, 411);
    Texts second = texts_of({"xxx."}, z, 412);
    second.ids = tensor::slice(both.ids, 0, 1, 2);
    const Tensor together = tensor::select(classify(model, both).logits.value(), 0, 1);
    const Tensor alone = tensor::select(classify(model, second).logits.value(), 0, 0);
    if (same(together, alone)) return "";
    return "Text 1 has other logits in a batch than by itself, " + worst_entry(together, alone) +
           ".";
}

Rules<TextClassification> rules() {
    return {
        .number = "16.2",
        .title = "Five faults in a text classifier",
        .reference =
            [](const Slips& slip) {
                return [=](const Model& model, const Texts& texts) {
                    return walked(model, texts, slip);
                };
            },
        .cases = on_each(stages, inputs()),
        .laws = {{"another word in the padding changes no bit", padding_is_felt},
                 {"a text has the same logits whatever else is in the batch", neighbours_are_felt}},
        .mistakes = mistakes(),
        .hints = {"Of which stage do you know what must hold without knowing the numbers?",
                  "Begin by stopping at classify (the key d starts the debugger), with the first "
                  "batch: the rows of embedded, then the columns of weights, then loss and -ln of "
                  "softmax(logits)",
                  "Ask each function for what the file's first lines say of it: positions, "
                  "dropout, attention, x + f(norm(x)), the loss",
                  "Take the first stage that is wrong, mend the line that makes it, and run again "
                  "before you look further"},
    };
}

}  // namespace

const Judge<TextClassification> judge_16_2(rules);

}  // namespace exercise
