#include "tutorials/13_translator.h"

#include "heed/autograd/ops.h"
#include "heed/nn/losses.h"
#include "heed/nn/optim/clip_grad.h"
#include "heed/nn/optim/optimizers.h"
#include "heed/nn/optim/schedules.h"
#include "heed/nn/training/eval_mode.h"
#include "heed/tensor/mask.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/runtime/fast_kernels.h"

using namespace heed;

namespace {

const std::int64_t d = 64;

std::int64_t count(const std::vector<std::string>& words) {
    return static_cast<std::int64_t>(words.size());
}

// The weights of the step before, moved 3 places forward to 1 back, side by side: [B, 1, S, 5].
Variable moved(const Variable& weights) {
    const std::int64_t S = weights.dim(-1);
    const Variable none(tensor::zeros({weights.dim(0), 1, 3}));
    const Variable padded = concatenate({none, weights, none}, -1);  // [B, 1, S + 6]
    std::vector<Variable> copies;
    for (std::int64_t from = 0; from < 5; ++from) {
        copies.push_back(slice(padded, -1, from, from + S));
    }
    return stack(copies, -1);
}

}  // namespace

Translator::Translator(Sees what, std::int64_t d, Random& random)
    : sees(what), dropout(0.2, random), spanish(count(spanish_words()), d, random),
      english(count(english_words()), d, random),
      encoder(d, d / 2, random, {.bidirectional = true}), first_state(d, d, random),
      decoder(2 * d, d, random), query(d, d, random), place(5, 1, random, Bias::no),
      to_logits(2 * d, count(english_words()), random) {}

void Translator::members(MemberVisitor& visit) {
    visit("dropout", dropout);
    visit("spanish", spanish);
    visit("english", english);
    visit("encoder", encoder);
    visit("first_state", first_state);
    visit("decoder", decoder);
    visit("query", query);
    visit("place", place);
    visit("to_logits", to_logits);
}

Translator::Sentence Translator::read(const TokenBatch& text) const {
    const auto [h, last] = encoder(dropout(spanish(text.ids)), text.lengths);
    const Mask words = Mask::padding(text.lengths, text.ids.dim(1));
    return {dropout(h), concatenate({select(last, 0, 0), select(last, 0, 1)}, -1),
            words.blocked().reshape({text.ids.dim(0), 1, text.ids.dim(1)})};
}

Translator::Step Translator::first(const Sentence& sentence) const {
    const Tensor nowhere = tensor::zeros(sentence.padding.shape());
    return {tanh(first_state(sentence.last)), sentence.last, Variable(nowhere)};
}

Translator::Step Translator::next(const Sentence& sentence, const Step& before,
                                  const IndexTensor& y) const {
    const Variable x = concatenate({dropout(english(y)), before.context}, -1);
    const Variable s = decoder(x, before.state);  // [B, d]
    if (sees == Sees::last_state) return {s, query(sentence.last), before.weights};

    const Variable h = sentence.states;                         // [B, S, d]
    Variable a = matmul(unsqueeze(query(s), 1), transpose(h));  // [B, 1, S]: h_i·W·s_j
    if (sees == Sees::states_and_place) a = a + 10 * squeeze(place(moved(before.weights)), -1);
    const Variable alpha = softmax(masked_fill(a, sentence.padding, -infinity), -1);  // over i
    const Variable c = squeeze(matmul(alpha, h), 1);  // [B, d]: Σ α_ij·h_i
    return {s, c, alpha};
}

Variable Translator::logits(const Step& step) const {
    return to_logits(concatenate({step.state, step.context}, -1));
}

Followed follow(const Translator& model, const Pairs& pairs) {
    const Translator::Sentence sentence = model.read(pairs.spanish);
    Translator::Step step = model.first(sentence);
    std::vector<Variable> logits, weights;
    for (std::int64_t j = 0; j + 1 < pairs.english.ids.dim(1); ++j) {
        step = model.next(sentence, step, tensor::select(pairs.english.ids, 1, j));
        logits.push_back(model.logits(step));
        weights.push_back(step.weights);
    }
    return {stack(logits, 1), concatenate(weights, 1)};
}

Sentences translate(const Translator& model, const TokenBatch& spanish, std::int64_t most) {
    const NoGrad no_grad;
    const std::int64_t B = spanish.ids.dim(0);
    const Translator::Sentence sentence = model.read(spanish);
    Translator::Step step = model.first(sentence);
    Sentences said(static_cast<std::size_t>(B));
    IndexTensor y(std::vector<std::int64_t>(said.size(), begin));
    std::vector<bool> ended(said.size(), false);
    for (std::int64_t j = 0; j < most; ++j) {
        step = model.next(sentence, step, y);
        y = tensor::argmax(model.logits(step).value(), -1);  // [B]
        for (std::size_t b = 0; b < said.size(); ++b) {
            const std::int64_t word = y(static_cast<std::int64_t>(b));
            ended[b] = ended[b] || word == end;
            if (!ended[b]) said[b].push_back(word);
        }
    }
    return said;
}

Translator trained_translator(Sees sees, int steps, Random& random) {
    const FastKernels fast;  // also in a Debug build, where this would take minutes
    Translator model(sees, d, random);
    Adam optimizer(parameters(model), {.lr = 1});
    const WarmupCosine schedule{.lr = 5e-3, .floor = 5e-4, .warmup = 20, .steps = steps};
    for (int step = 1; step <= steps; ++step) {
        const Pairs pairs = random_pairs(32, 3, 12, random);
        const IndexTensor next = tensor::slice(pairs.english.ids, 1, 1);  // [B, T - 1]
        const Variable loss =
            cross_entropy(follow(model, pairs).logits, next, {.ignore_index = padding});
        optimizer.zero_grad();
        loss.backward();
        clip_grad_norm(optimizer.parameters(), 1);
        optimizer.set_lr(schedule(step));
        optimizer.step();
    }
    model.eval();
    return model;
}
