#include "tutorials/13_alignment/translator.h"

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/training_run.h"

#include <cmath>

using namespace heed;

namespace {

const std::int64_t d = 64;
const std::int64_t batch_size = 32;

std::int64_t count(const std::vector<std::string>& words) {
    return static_cast<std::int64_t>(words.size());
}

}  // namespace

Translator::Translator(Sees what, const Languages& languages, std::int64_t d, Random& random)
    : sees(what), dropout(0.2, random), source(count(languages.source), d, random),
      target(count(languages.target), d, random),
      encoder(d, d / 2, random, {.bidirectional = true}), first_state(d, d, random),
      decoder(2 * d, d, random), query(d, d, random), place(tensor::zeros({5})),
      to_logits(2 * d, count(languages.target), random) {}

void Translator::members(MemberVisitor& visit) {
    visit("dropout", dropout);
    visit("source", source);
    visit("target", target);
    visit("encoder", encoder);
    visit("first_state", first_state);
    visit("decoder", decoder);
    visit("query", query);
    visit("place", place);
    visit("to_logits", to_logits);
}

Translator::Sentence Translator::read(const TokenBatch& text) const {
    const auto [h, last] = encoder(dropout(source(text.ids)), text.lengths);
    const Mask words = Mask::padding(text.lengths, text.ids.dim(1));
    return {dropout(h), concatenate({select(last, 0, 0), select(last, 0, 1)}, -1),
            words.blocked().reshape({text.ids.dim(0), 1, text.ids.dim(1)})};
}

Translator::Step Translator::first(const Sentence& sentence) const {
    const Tensor nowhere = tensor::zeros(sentence.padding.shape());
    return {tanh(first_state(sentence.last)), query(sentence.last), Variable(nowhere)};
}

// The weights of the step before, moved 3 places forward to 1 back, side by side, and one number
// made of the five: [B, 1, S].
Variable Translator::near(const Variable& weights) const {
    const std::int64_t S = weights.dim(-1);
    const Variable none(tensor::zeros({weights.dim(0), 1, 3}));
    const Variable padded = concatenate({none, weights, none}, -1);  // [B, 1, S + 6]
    std::vector<Variable> moved;
    for (std::int64_t from = 0; from < 5; ++from) {
        moved.push_back(slice(padded, -1, from, from + S));
    }
    return sum(stack(moved, -1) * place, -1);
}

Translator::Step Translator::next(const Sentence& sentence, const Step& before,
                                  const Variable& y) const {
    const Variable s = decoder(concatenate({y, before.context}, -1), before.state);  // [B, d]
    if (sees == Sees::last_state) return {s, before.context, before.weights};

    const Variable h = sentence.states;                                     // [B, S, d]
    const Variable similar = matmul(unsqueeze(query(s), 1), transpose(h));  // [B, 1, S]: s_j·W·h_i
    Variable a = similar / std::sqrt(static_cast<Scalar>(d));               // as in lesson 07
    if (sees == Sees::states_and_place) a = a + 10 * near(before.weights);  // 10: learned sooner
    const Variable alpha = softmax(masked_fill(a, sentence.padding, -infinity), -1);  // over i
    const Variable c = squeeze(matmul(alpha, h), 1);  // [B, d]: Σ_i α_ij·h_i
    return {s, c, alpha};
}

Variable Translator::logits(const Variable& state, const Variable& context) const {
    return to_logits(dropout(concatenate({state, context}, -1)));
}

Followed follow(const Translator& model, const Pairs& pairs) {
    const Translator::Sentence sentence = model.read(pairs.source);
    const Variable y = model.dropout(model.target(pairs.target.ids));  // [B, T, d]
    Translator::Step step = model.first(sentence);
    std::vector<Variable> states, contexts, weights;
    for (std::int64_t j = 0; j + 1 < y.dim(1); ++j) {
        step = model.next(sentence, step, select(y, 1, j));
        states.push_back(step.state);
        contexts.push_back(step.context);
        weights.push_back(step.weights);
    }
    return {model.logits(stack(states, 1), stack(contexts, 1)), concatenate(weights, 1)};
}

Sentences translate(const Translator& model, const TokenBatch& text, std::int64_t most) {
    const NoGrad no_grad;
    const Translator::Sentence sentence = model.read(text);
    Translator::Step step = model.first(sentence);
    Sentences said(text.lengths.size());
    IndexTensor y(std::vector<std::int64_t>(said.size(), begin));
    std::vector<bool> ended(said.size(), false);
    for (std::int64_t j = 0; j < most; ++j) {
        step = model.next(sentence, step, model.target(y));
        y = tensor::argmax(model.logits(step.state, step.context).value(), -1);  // [B]
        for (std::size_t b = 0; b < said.size(); ++b) {
            const std::int64_t word = y(static_cast<std::int64_t>(b));
            ended[b] = ended[b] || word == end;
            if (!ended[b]) said[b].push_back(word);
        }
    }
    return said;
}

Translator trained_translator(Sees sees, const Corpus& corpus, int steps, Random& random) {
    const FastKernels fast;  // also in a Debug build, where this would take minutes
    Translator model(sees, corpus.languages(), d, random);
    const char* const name[] = {"last_state", "states", "states_and_place"};
    const int which = static_cast<int>(sees);
    Adam optimizer(parameters(model), {.lr = 1});
    const WarmupCosine schedule{.lr = 5e-3, .floor = 5e-4, .warmup = 20, .steps = steps};
    for (tutorial::TrainingRun run(name[which], steps, model, optimizer, random); run.next();) {
        const Pairs pairs = corpus.batch(batch_size, random);
        const IndexTensor next = tensor::slice(pairs.target.ids, 1, 1);  // [B, T - 1]
        const Variable loss =
            cross_entropy(follow(model, pairs).logits, next, {.ignore_index = padding});
        optimizer.zero_grad();
        loss.backward();
        clip_grad_norm(optimizer.parameters(), 1);
        optimizer.set_lr(schedule(run.step()));
        optimizer.step();
        run.show(loss, next.numel());
    }
    model.eval();
    return model;
}
