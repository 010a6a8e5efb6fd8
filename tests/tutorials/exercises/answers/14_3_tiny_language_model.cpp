// Answers to 14.3, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/14_3_tiny_language_model.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include "heed/autograd/ops.h"
#include "heed/nn/attention/attention_head.h"
#include "heed/nn/attention/multi_head_attention.h"
#include "heed/nn/embedding.h"
#include "heed/nn/linear.h"
#include "heed/nn/losses.h"
#include "heed/nn/optim/optimizers.h"
#include "heed/nn/optim/schedules.h"
#include "heed/nn/positions/learned_positions.h"
#include "heed/tensor/ops.h"

using namespace heed;
using namespace exercise;

namespace exercise {
Answers answers_14_3();
}

namespace {

struct Plain : Module {
    Plain(std::int64_t V, std::int64_t T, Random& random)
        : tokens(V, 16, random), positions(T, 16, random), head(16, 16, random),
          to_logits(16, V, random) {}
    Variable vectors(const IndexTensor& ids) const { return positions.added_to(tokens(ids)); }
    Variable read(const Variable& X) const { return X + head(X, Mask::causal(X.dim(1))); }
    virtual Variable operator()(const IndexTensor& ids) const {
        return to_logits(read(vectors(ids)));
    }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("positions", positions);
        visit("head", head);
        visit("to_logits", to_logits);
    }

    Embedding tokens;
    LearnedPositions positions;
    AttentionHead head;
    Linear to_logits;
};

struct MaskedInTrainingOnly : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        const Variable X = vectors(ids);
        return to_logits(training() ? read(X) : X + head(X));
    }
};

struct DetachedHead : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        const Variable X = vectors(ids);
        return to_logits(X + head(X, Mask::causal(ids.dim(1))).detach());
    }
};

struct CentredOverTime : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        const Variable X = read(vectors(ids));
        return to_logits(X - mean(X, 1, keepdim));
    }
};

struct CentredOverTexts : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        const Variable X = read(vectors(ids));
        return to_logits(X - mean(X, 0, keepdim));
    }
};

struct CountedFromTheEnd : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        const Variable P = slice(flip(positions.weight, {0}), 0, 12 - ids.dim(1) > 0 ? 1 : 0);
        const std::int64_t first = P.dim(0) - ids.dim(1);
        if (first < 0) return Plain::operator()(ids);
        return to_logits(read(tokens(ids) + slice(P, 0, first)));
    }
};

struct FirstTextMasked : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        const Variable X = vectors(ids), masked = read(X);
        if (ids.dim(0) == 1) return to_logits(masked);
        const Variable rest = slice(X, 0, 1);
        return to_logits(concatenate({slice(masked, 0, 0, 1), rest + head(rest)}, 0));
    }
};

struct DrawsAlways : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        static Random random(1);
        const Variable X = read(vectors(ids));
        return to_logits(X + Variable(tensor::normal(X.shape(), random, 0, 0.1)));
    }
};

struct NineTokens : Plain {
    NineTokens(std::int64_t, std::int64_t T, Random& random) : Plain(9, T, random) {}
};

struct SureInTrainingOnly : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        return Plain::operator()(ids) * (training() ? 1 : 0.1);
    }
};

struct ForgottenHead : Plain {
    using Plain::Plain;
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("positions", positions);
        visit("to_logits", to_logits);
    }
};

struct NoAttention : Module {
    NoAttention(std::int64_t V, std::int64_t, Random& random)
        : tokens(V, 16, random), to_logits(16, V, random) {}
    Variable operator()(const IndexTensor& ids) const { return to_logits(tokens(ids)); }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("to_logits", to_logits);
    }

    Embedding tokens;
    Linear to_logits;
};

// The last five tokens side by side (Bengio et al. 2003).
struct Window : Module {
    Window(std::int64_t V, std::int64_t, Random& random)
        : tokens(V + 1, 8, random), hidden(40, 32, random), to_logits(32, V, random) {}
    Variable operator()(const IndexTensor& ids) const {
        const std::int64_t B = ids.dim(0), t = ids.dim(1), none = tokens.weight.dim(0) - 1;
        const IndexTensor before(std::vector<std::int64_t>(static_cast<std::size_t>(4 * B), none),
                                 {B, 4});
        const Variable X = tokens(tensor::concatenate({before, ids}, 1));  // [B, t + 4, 8]
        std::vector<Variable> places;
        for (std::int64_t i = 0; i < 5; ++i) places.push_back(slice(X, 1, i, i + t));
        return to_logits(tanh(hidden(concatenate(places, -1))));
    }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("hidden", hidden);
        visit("to_logits", to_logits);
    }

    Embedding tokens;
    Linear hidden, to_logits;
};

struct TwoHeads : Plain {
    TwoHeads(std::int64_t V, std::int64_t T, Random& random)
        : Plain(V, T, random), heads(16, 2, random) {}
    Variable operator()(const IndexTensor& ids) const override {
        const Variable X = read(vectors(ids));
        return to_logits(X + heads(X, Mask::causal(ids.dim(1))));
    }
    void members(MemberVisitor& visit) override {
        Plain::members(visit);
        visit("heads", heads);
    }

    MultiHeadAttention heads;
};

struct HowTo {
    int steps = 150;
    double sign = 1, smoothing = 0;
};

Variable loss_on(const Variable& logits, const IndexTensor& texts, double epsilon) {
    return cross_entropy(logits, tensor::slice(texts, 1, 1),
                         {.label_smoothing = epsilon, .class_axis = -1});
}

template <class Model>
void steps(Model& model, const std::vector<NamedParameter>& trained, Sentences& sentences,
           const HowTo& how) {
    Adam optimizer(trained, {.lr = 1e-2});
    for (int step = 0; step < how.steps; ++step) {
        const IndexTensor texts = sentences.texts(16);
        const Variable logits = model(tensor::slice(texts, 1, 0, -1));
        const Variable loss = loss_on(logits, texts, how.smoothing) * how.sign;
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
    }
}

template <class Model>
void usual(Model& model, Sentences& sentences, Random&) {
    steps(model, parameters(model), sentences, {});
}

void five_steps(Plain& model, Sentences& sentences, Random&) {
    steps(model, parameters(model), sentences, {.steps = 5});
}

void upwards(Plain& model, Sentences& sentences, Random&) {
    steps(model, parameters(model), sentences, {.sign = -1});
}

void half_smoothed(Plain& model, Sentences& sentences, Random&) {
    steps(model, parameters(model), sentences, {.smoothing = 0.6});
}

void last_layer_only(Plain& model, Sentences& sentences, Random&) {
    set_requires_grad(model, false);
    set_requires_grad(model.to_logits, true);
    steps(model, parameters(model.to_logits), sentences, {});
    set_requires_grad(model, true);
}

void frozen_table(Plain& model, Sentences& sentences, Random&) {
    set_requires_grad(model.tokens, false);
    steps(model, parameters(model), sentences, {});
}

void of_a_copy(Plain& model, Sentences& sentences, Random&) {
    Plain copy = model;
    steps(copy, parameters(copy), sentences, {});
}

void the_same_two_texts(Plain& model, Sentences& sentences, Random&) {
    const IndexTensor texts = sentences.texts(2);
    Adam optimizer(parameters(model), {.lr = 1e-2});
    for (int step = 0; step < 150; ++step) {
        const Variable loss = loss_on(model(tensor::slice(texts, 1, 0, -1)), texts, 0);
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
    }
}

void tiny_steps(Plain& model, Sentences& sentences, Random&) {
    SGD optimizer(parameters(model), {.lr = 1e-3});
    for (int step = 0; step < 100; ++step) {
        const IndexTensor texts = sentences.texts(16);
        const Variable loss = loss_on(model(tensor::slice(texts, 1, 0, -1)), texts, 0);
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
    }
}

void first_target_only(Plain& model, Sentences& sentences, Random&) {
    Adam optimizer(parameters(model), {.lr = 1e-2});
    for (int step = 0; step < 150; ++step) {
        const IndexTensor texts = sentences.texts(16);
        const Variable logits = model(tensor::slice(texts, 1, 0, -1));
        const Variable loss =
            cross_entropy(select(logits, 1, 0), tensor::select(texts, 1, 1));  // [B, V], [B]
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
    }
}

// Warmup and cosine, AdamW.
void as_in_the_lesson(TwoHeads& model, Sentences& sentences, Random&) {
    AdamW optimizer(parameters(model), {.lr = 1});
    const WarmupCosine schedule{.lr = 1e-2, .floor = 1e-4, .warmup = 20, .steps = 250};
    for (std::int64_t step = 1; step <= 250; ++step) {
        const IndexTensor texts = sentences.texts(16);
        const Variable loss = loss_on(model(tensor::slice(texts, 1, 0, -1)), texts, 0);
        optimizer.zero_grad();
        loss.backward();
        optimizer.set_lr(schedule(step));
        optimizer.step();
    }
}

template <class Model>
std::function<Exercise()> by(void (*train)(Model&, Sentences&, Random&)) {
    return [train] { return tiny_language_model<Model>(train); };
}

}  // namespace

Answers exercise::answers_14_3() {
    Answers answers;
    answers.number = "14.3";
    answers.wrong = {
        {"masked in training mode only", by(usual<MaskedInTrainingOnly>), {"lm.no-mask"}},
        {"the head is detached", by(usual<DetachedHead>)},
        {"the mean over the positions taken away", by(usual<CentredOverTime>), {"lm.no-mask"}},
        {"the mean over the texts taken away", by(usual<CentredOverTexts>), {"lm.texts-mixed"}},
        {"positions counted from the end", by(usual<CountedFromTheEnd>)},
        {"only the first text masked", by(usual<FirstTextMasked>), {"lm.no-mask"}},
        {"noise that is never switched off", by(usual<DrawsAlways>)},
        {"nine tokens whatever V", by(usual<NineTokens>)},
        {"logits made small after the training", by(usual<SureInTrainingOnly>)},
        {"members() forgets the head", by(usual<ForgottenHead>)},
        {"a table of pairs", by(usual<NoAttention>), {"lm.pairs-only"}},
        {"five steps", by(five_steps)},
        {"upwards", by(upwards)},
        {"smoothed labels, 0.6", by(half_smoothed)},
        {"the last layer only", by(last_layer_only)},
        {"a frozen table of tokens", by(frozen_table)},
        {"a copy is trained", by(of_a_copy), {"train.none"}},
        {"the same two texts in each step", by(the_same_two_texts)},
        {"SGD with steps that are far too small", by(tiny_steps)},
        {"the first target only", by(first_target_only)},
    };
    answers.right = {
        {"the last five tokens side by side", by(usual<Window>)},
        {"two layers of attention, warmup and cosine", by(as_in_the_lesson)},
    };
    return answers;
}
