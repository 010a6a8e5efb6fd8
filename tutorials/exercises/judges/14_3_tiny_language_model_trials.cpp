#include "tutorials/exercises/judges/14_3_tiny_language_model_facts.h"

#include "autograd/ops.h"
#include "nn/attention/attention_head.h"
#include "nn/embedding.h"
#include "nn/linear.h"
#include "nn/losses.h"
#include "nn/models/gpt.h"
#include "nn/optim/clip_grad.h"
#include "nn/optim/optimizers.h"
#include "nn/optim/schedules.h"
#include "nn/positions/learned_positions.h"
#include "nn/recurrent/gru.h"
#include "tensor/ops.h"

using namespace heed;

namespace exercise {

using namespace facts;

Stages facts_walk(const SentenceKind& kind, const Slips& slip) {
    const bool alone = slip("lm.pairs-only") || slip("lm.nothing-read");
    const double last = slip("lm.nothing-read") || slip("lm.current-unseen") ? 0 : 1;
    double seen = 0, predicted = 1;
    Tensor mixed = tensor::of({0, 0, 0});
    if (slip("lm.texts-mixed")) mixed = tensor::of({3, 3, 3});
    if (slip("lm.texts-before")) mixed = tensor::of({2, 3, 0});
    if (slip("lm.no-mask") || slip("lm.mask-transposed")) seen = static_cast<double>(kind.T - 1);
    if (slip("lm.mask-plus-1")) seen = 1;
    if (slip("lm.not-shifted")) predicted = 0;
    if (slip("lm.shifted-twice")) predicted = 2;
    if (slip("lm.backwards")) predicted = -1;
    return {{shape, tensor::of({0.0})},
            {share, tensor::of({slip("train.none") ? 0.0 : 1.0})},
            {finite, tensor::of({0.0})},
            {again, tensor::of({0.0})},
            {mixing, mixed},
            {ahead, tensor::of({seen, slip("lm.mask-transposed") ? 1.0 : 0.0})},
            {past, tensor::of({last, alone ? 0.0 : 1.0})},
            {shorter, tensor::of({0.0})},
            {normal, tensor::of({slip("ce.double-softmax") ? 1.0 : 0.0})},
            {place, tensor::of({predicted})},
            {loss, tensor::of({0.0})}};
}

namespace {

// The reference, which can make mistakes.
struct OneHeadModel : Module {
    OneHeadModel(std::int64_t V, std::int64_t T, Random& random)
        : tokens(V, 16, random), positions(T, 16, random), head(16, 16, random),
          to_logits(16, V, random) {}

    Variable operator()(const IndexTensor& ids) const {
        const Variable X = positions.added_to(tokens(ids));
        const std::int64_t t = ids.dim(1);
        if (slip("lm.nothing-read")) return to_logits(head(X * 0));
        if (slip("lm.current-unseen")) {
            const Variable late = concatenate({slice(X, 1, 0, 1) * 0, slice(X, 1, 0, -1)}, 1);
            return to_logits(late + head(late, Mask::causal(t)));
        }
        const BoolTensor later = tensor::triu(tensor::ones({t, t})) == 1;
        const BoolTensor loose = tensor::tril(tensor::ones({t, t}), 1) == 1;
        Mask mask = Mask::causal(t);
        if (slip("lm.no-mask")) mask = Mask::all_allowed(t, t);
        if (slip("lm.pairs-only")) mask = Mask::sliding_window(t, t, 1);
        if (slip("lm.mask-plus-1")) mask = Mask::allowing(loose);
        if (slip("lm.mask-transposed")) mask = Mask::allowing(later);
        Variable read = X + head(X, mask);
        if (slip("lm.texts-before")) read = read + cumsum(read, 0);
        if (slip("lm.texts-mixed")) read = read + mean(read, 0, keepdim);
        const Variable logits = to_logits(read);
        return slip("ce.double-softmax") ? softmax(logits, -1) : logits;
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
    Slips slip;
};

struct Pair {
    IndexTensor inputs, targets;
};

Pair shifted(const IndexTensor& text, const Slips& slip) {
    const IndexTensor first = tensor::slice(text, 1, 0, -1), last = tensor::slice(text, 1, 1);
    if (slip("lm.not-shifted")) return {first, first};
    if (slip("lm.backwards")) return {last, first};
    if (slip("lm.shifted-twice")) return {tensor::slice(text, 1, 0, -2), tensor::slice(text, 1, 2)};
    return {first, last};
}

template <class Model>
void train_with_adam(Model& model, Sentences& sentences, int steps, const Slips& slip) {
    Adam optimizer(parameters(model), {.lr = 1e-2});
    for (int step = 0; step < steps; ++step) {
        const Pair pair = shifted(sentences.texts(16), slip);
        const Variable loss = cross_entropy(model(pair.inputs), pair.targets, {.class_axis = -1});
        optimizer.zero_grad();
        loss.backward();
        if (!slip("train.none")) optimizer.step();
    }
}

// One recurrent unit, which needs neither attention nor positions.
struct RecurrentModel : Module {
    RecurrentModel(std::int64_t V, std::int64_t, Random& random)
        : tokens(V, 16, random), gru(16, 16, random), to_logits(16, V, random) {}
    Variable operator()(const IndexTensor& ids) const { return to_logits(gru(tokens(ids)).output); }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("gru", gru);
        visit("to_logits", to_logits);
    }

    Embedding tokens;
    GRU gru;
    Linear to_logits;
};

struct GptModel : Module {
    GptModel(std::int64_t V, std::int64_t T, Random& random)
        : gpt({.vocab_size = V,
               .limit = T,
               .d_model = 32,
               .num_layers = 1,
               .num_heads = 2,
               .tied_head = false},
              random) {}
    Variable operator()(const IndexTensor& ids) const { return gpt(ids); }
    void members(MemberVisitor& visit) override { visit("gpt", gpt); }

    Gpt gpt;
};

// As in lesson 14: AdamW, warmup and cosine, clipping.
void train_as_in_the_lesson(GptModel& model, Sentences& sentences) {
    AdamW optimizer(parameters(model), {.lr = 1});
    const WarmupCosine schedule{.lr = 1e-2, .floor = 1e-4, .warmup = 20, .steps = 200};
    for (std::int64_t step = 1; step <= 200; ++step) {
        const Pair pair = shifted(sentences.texts(32), {});
        const Variable loss = cross_entropy(model(pair.inputs), pair.targets, {.class_axis = -1});
        optimizer.zero_grad();
        loss.backward();
        clip_grad_norm(optimizer.parameters(), 1);
        optimizer.set_lr(schedule(step));
        optimizer.step();
    }
}

}  // namespace

Trials tiny_language_model_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return tiny_language_model(
            trained_by<OneHeadModel>([=](OneHeadModel& model, Sentences& sentences, Random&) {
                model.slip = slip;
                train_with_adam(model, sentences, 150, slip);
            }));
    };
    trials.right["a recurrent unit"] = [] {
        return tiny_language_model(
            trained_by<RecurrentModel>([](RecurrentModel& model, Sentences& sentences, Random&) {
                train_with_adam(model, sentences, 300, {});
            }));
    };
    trials.right["a GPT of one block"] = [] {
        return tiny_language_model(
            trained_by<GptModel>([](GptModel& model, Sentences& sentences, Random&) {
                train_as_in_the_lesson(model, sentences);
            }));
    };
    return trials;
}

}  // namespace exercise
