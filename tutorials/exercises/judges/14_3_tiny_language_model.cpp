#include "tutorials/exercises/judges/14_3_tiny_language_model.h"

#include "tutorials/exercises/judges/14_3_tiny_language_model_facts.h"

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
        {"lm.texts-before",
         "each text of a batch also read the texts before it",
         {"Which axis is the texts'?", "What you join, transpose or reshape before a layer."}},
        {"lm.no-mask",
         "each position saw the whole text, its own target too",
         {"What does position 0 know of position 1?", change}},
        {"lm.mask-transposed",
         "each position saw itself and all later ones, its target too, but none before it",
         {"Which of a mask's axes is the queries'?", change}},
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
         {facts::finite, facts::again, facts::mixing, facts::ahead, facts::past, facts::shorter,
          facts::normal},
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
          "About 200 steps of 16 texts with Adam and lr 1e-2 are enough for one head and vectors "
          "of "
          "16 numbers; a Gpt of the library that stays at the best bigram wants smaller steps, lr "
          "3e-3, or a warmup"}},
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

}  // namespace exercise
