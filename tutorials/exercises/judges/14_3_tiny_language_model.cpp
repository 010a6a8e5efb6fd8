#include "tutorials/exercises/judges/14_3_tiny_language_model.h"

#include "tutorials/exercises/judges/14_3_tiny_language_model_facts.h"

#include "heed/autograd/ops.h"
#include "heed/nn/attention/attention_head.h"
#include "heed/nn/embedding.h"
#include "heed/nn/linear.h"
#include "heed/nn/losses.h"
#include "heed/nn/models/gpt.h"
#include "heed/nn/optim/clip_grad.h"
#include "heed/nn/optim/optimizers.h"
#include "heed/nn/optim/schedules.h"
#include "heed/nn/positions/learned_positions.h"
#include "heed/nn/recurrent/gru.h"
#include "heed/tensor/ops.h"

using namespace heed;

namespace exercise {

namespace {

const SentenceKind kinds[] = {{3, 12, 21}, {4, 9, 22}, {3, 16, 23}};

Case training(const std::string& name, const SentenceKind& kind, const TrainOn& answer,
              const std::shared_ptr<std::string>& words) {
    return {name, [=](const Slips& slip) { return facts_walk(kind, slip); },
            [=]() -> Stages {
                if (!words->empty()) return {};  // the first that is wrong is enough
                Stages stages;
                for (const Fact& fact : facts_of(answer, kind)) {
                    stages.push_back(fact.stage);
                    *words = fact.words;
                }
                return stages;
            }};
}

std::vector<Mistake> mistakes() {
    const std::string print = "Print one text, with its inputs above its targets.";
    const std::string change =
        "Change the last token of a text: at which positions do the logits change?";
    return {
        {"train.none",
         "no parameter had changed after train()",
         {"What does an optimizer need before its step?",
          "Print a weight before and after train(). Was it this model, or a copy?"}},
        {"lm.texts-mixed",
         "the texts of a batch changed each other's logits",
         {"Which axis is the texts'?", "The axes over which you sum, average or multiply."}},
        {"lm.no-mask",
         "each position saw the whole text, its own target too",
         {"What does position 0 know of position 1?", change}},
        {"lm.mask-plus-1",
         "each position saw one token ahead, which is its target",
         {"May a position see its own target?", change}},
        {"lm.pairs-only",
         "each position saw its own token only, and none before it",
         {"How does a verb know its subject?",
          "Change the first token of a text: at which positions do the logits change?"}},
        {"lm.current-unseen",
         "a position saw the tokens before it, but not its own",
         {"May a position look at itself?", change}},
        {"lm.nothing-read",
         "the logits were the same whatever the text",
         {"Where do the ids enter your model?", "Print the logits of two texts."}},
        {"ce.double-softmax",
         "the model ended with a softmax, and the loss took it once more",
         {"Does cross_entropy expect logits or probabilities?", "The last line of operator()."}},
        {"lm.not-shifted",
         "the targets in training were the inputs themselves",
         {"What is the target of a position?", print}},
        {"lm.shifted-twice",
         "the targets in training were two tokens ahead",
         {"How far ahead is the target of a position?", print}},
        {"lm.backwards",
         "the targets in training were the tokens before the inputs",
         {"Which of the two is one token later, inputs or targets?", print}},
    };
}

std::vector<Hole> holes() {
    return {
        {"TinyLanguageModel",
         {facts::shape},
         {"Which layers turn ids into vectors, and vectors into logits?",
          "Look at OneHead in tutorials/14_models.cpp",
          "An Embedding [V, d], LearnedPositions [T, d], an AttentionHead, a Linear d -> V, all "
          "visited by members()",
          "TinyLanguageModel(V, T, random) : tokens(V, 16, random), positions(T, 16, random), ..., "
          "and a visit in members() for each"}},
        {"operator()",
         {facts::again, facts::mixing, facts::ahead, facts::past, facts::shorter, facts::normal},
         {"Which tokens may the logits at position t depend on?",
          "Change one token of a text and print what changes; lesson 08 has causal masks",
          "Vectors [B, t, d] of the tokens and their positions, plus what a causal head reads from "
          "them, through a Linear to [B, t, V]",
          "X = positions.added_to(tokens(ids)), then to_logits(X + head(X, Mask::causal(t))) with "
          "t = ids.dim(1)"}},
        {"train",
         {facts::share, facts::place, facts::loss},
         {"What are inputs and targets, of a text of T + 1 tokens?",
          "tutorials/14_training.h; print the loss every 50 steps",
          "Inputs are the first T tokens of each text, targets the last T; then cross_entropy, "
          "zero_grad, backward, step, with new texts in each step",
          "About 200 steps of 16 texts with Adam and lr 1e-2 are enough for vectors of 16 numbers. "
          "A Gpt of the library stays at the best bigram for long unless it has .tied_head = "
          "false"}},
    };
}

}  // namespace

Exercise tiny_language_model(const TrainOn& answer) {
    Exercise exercise;
    exercise.number = "14.3";
    exercise.title = "Train a tiny language model to a loss";
    const auto words = std::make_shared<std::string>();
    exercise.cases = {training("3 subjects, T = 12", kinds[0], answer, words),
                      training("4 subjects, T = 9", kinds[1], answer, words),
                      training("3 subjects, T = 16", kinds[2], answer, words)};
    exercise.laws = {{"", [=] { return *words; }}};
    exercise.mistakes = mistakes();
    exercise.hints = {
        "What must reach the position where the verb is predicted, and through which layer?",
        "tutorials/14_models.cpp has a model of one head, tutorials/14_training.h its training",
        "Look at the shape of each result for 2 texts before you train; then print the loss every "
        "50 steps, and compare it with the best bigram's",
        "Make it work with one token table and one Linear first, which is a bigram; then add "
        "positions and a head between the two"};
    exercise.holes = holes();
    return exercise;
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
        const BoolTensor loose = tensor::tril(tensor::ones({t, t}), 1) == 1;
        Mask mask = Mask::causal(t);
        if (slip("lm.no-mask")) mask = Mask::all_allowed(t, t);
        if (slip("lm.pairs-only")) mask = Mask::sliding_window(t, t, 1);
        if (slip("lm.mask-plus-1")) mask = Mask::allowing(loose);
        Variable read = X + head(X, mask);
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
