#include "tutorials/exercises/judges/16_2_broken_classifier.h"

#include "tutorials/exercises/judges/16_2_broken_classifier_walk.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "tensor/ops.h"

using namespace heed;
using namespace exercise::broken_classifier_walk;

namespace exercise {

namespace {

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
ClassifierOf002 random_model(const Sizes& z, std::uint64_t seed, double of_embeddings = 1) {
    ClassifierOf002 m;
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

std::vector<Leaf> leaves_of(const ClassifierOf002& m) {
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
ClassifierOf002 certain_model(const Sizes& z, std::uint64_t seed) {
    ClassifierOf002 m = random_model(z, seed);
    m.W_c = leaf({z.d, z.n}, seed, 1000);
    return m;
}

// Keys that point away from their own queries: a token's score with itself is far below 0, and the
// first text has no other token.
ClassifierOf002 low_scoring_model(const Sizes& z, std::uint64_t seed) {
    ClassifierOf002 m = random_model(z, seed);
    m.W_k = Variable(m.W_q.value() * -1e6, requires_grad);
    return m;
}

// The places of tokens: "x" for one, "." for padding. Ids and labels are drawn.
TextsOf002 texts_of(const std::vector<std::string>& places, const Sizes& z, std::uint64_t seed) {
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

Stages as_stages(const ClassifierStages& s, const ClassifierOf002& model) {
    return with_gradients({{"embedded", s.embedded.value()},
                           {"scores", s.scores.value()},
                           {"weights", s.weights.value()},
                           {"attended", s.attended.value()},
                           {"fed_forward", s.fed_forward.value()},
                           {"encoded", s.encoded.value()},
                           {"logits", s.logits.value()},
                           {"loss", s.loss.value()}},
                          s.loss, leaves_of(model));
}

Case classifying(const std::string& name, const ClassifierOf002& model, const TextsOf002& texts,
                 const TextClassification& classify) {
    return {name, [=](const Slips& slip) { return as_stages(walked(model, texts, slip), model); },
            [=] { return as_stages(classify(model, texts), model); }, values_of(leaves_of(model))};
}

// Padding at the end, and one word of it replaced by another.
std::string padding_is_felt(const TextClassification& classify) {
    const Sizes z{13, 20, 6, 3, 7, 4};
    const ClassifierOf002 model = random_model(z, 400);
    TextsOf002 texts = texts_of({"xxxxx", "xx...", "xxxx."}, z, 401);
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
    const ClassifierOf002 model = random_model(z, 410);
    const TextsOf002 both = texts_of({"xxxx", "xxx."}, z, 411);
    TextsOf002 second = texts_of({"xxx."}, z, 412);
    second.ids = tensor::slice(both.ids, 0, 1, 2);
    const Tensor together = tensor::select(classify(model, both).logits.value(), 0, 1);
    const Tensor alone = tensor::select(classify(model, second).logits.value(), 0, 0);
    if (same(together, alone)) return "";
    return "Text 1 has other logits in a batch than by itself, " + worst_entry(together, alone) +
           ".";
}

}  // namespace

Exercise broken_classifier(const TextClassification& classify) {
    Exercise exercise;
    exercise.number = "16.2";
    exercise.title = "Five faults in a text classifier";
    const Sizes small{13, 20, 6, 3, 7, 4}, other{9, 17, 8, 2, 5, 3}, square{7, 9, 4, 2, 4, 2};
    ClassifierOf002 in_training = random_model(other, 300), without_dropout = in_training;
    in_training.training = true;
    without_dropout.training = true;
    without_dropout.p = 0;
    TextsOf002 nothing_dropped = texts_of({"xxx.", "xxxx"}, other, 7);
    nothing_dropped.dropped = BoolTensor::full({2, 4, 8}, false);
    exercise.cases = {
        classifying("3 texts with padding at the end", random_model(small, 100),
                    texts_of({"xxxxx", "xx...", "xxxx."}, small, 1), classify),
        classifying("2 texts in training", in_training, texts_of({"xxxx.", "xxxxx"}, other, 2),
                    classify),
        classifying("padding in between, and small embeddings", random_model(other, 200, 0.01),
                    texts_of({"xx.x", "x..x", "x.xx"}, other, 3), classify),
        classifying("as many of each", random_model(square, 250), texts_of({"xx", "x."}, square, 4),
                    classify),
        classifying("texts without padding", random_model(small, 100),
                    texts_of({"xxx", "xxx"}, small, 5), classify),
        classifying("one text of one token", random_model(small, 150), texts_of({"x"}, small, 6),
                    classify),
        classifying("training without dropout, p = 0", without_dropout, nothing_dropped, classify),
        classifying("scores far below 0", low_scoring_model(square, 170),
                    texts_of({"x.", "xx"}, square, 9), classify),
        classifying("logits in the thousands", certain_model(small, 160),
                    texts_of({"xxx.", "xxxx"}, small, 8), classify),
    };
    exercise.laws = {
        {"another word in the padding changes no bit", [=] { return padding_is_felt(classify); }},
        {"a text has the same logits whatever else is in the batch",
         [=] { return neighbours_are_felt(classify); }},
    };
    exercise.mistakes = mistakes();
    exercise.hints = {
        "Of which stage do you know what must hold without knowing the numbers?",
        "Begin by stopping at classify (the key d starts the debugger), with the first batch: "
        "the rows of embedded, then the columns of weights, then loss and -ln of softmax(logits)",
        "Ask each function for what the file's first lines say of it: positions, dropout, "
        "attention, x + f(norm(x)), the loss",
        "Take the first stage that is wrong, mend the line that makes it, and run again before you "
        "look further"};
    return exercise;
}

Trials broken_classifier_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return broken_classifier([=](const ClassifierOf002& model, const TextsOf002& texts) {
            return walked(model, texts, slip);
        });
    };
    trials.right["with slices of the table, sums of masks and a loss by hand"] = [] {
        return broken_classifier(by_other_means);
    };
    trials.right["text by text"] = [] { return broken_classifier(text_by_text); };
    return trials;
}

}  // namespace exercise
