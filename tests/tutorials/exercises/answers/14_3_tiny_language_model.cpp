// Answers to 14.3, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_14.h"

#include "nn/heed.h"

using namespace heed;
using namespace exercise;

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

// By a ten millionth of a per cent for each text.
struct ScaledByTheNumberOfTexts : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        return Plain::operator()(ids) * (1 - 1e-9 * static_cast<double>(ids.dim(0)));
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

// Attention as far as this table says: 1 where a position may be seen.
struct SeenByTable : Plain {
    using Plain::Plain;
    virtual Tensor seen(std::int64_t t) const = 0;
    Variable operator()(const IndexTensor& ids) const override {
        return to_logits(head(vectors(ids), Mask::allowing(tensor::to_bool(seen(ids.dim(1))))));
    }
};

struct OneAhead : SeenByTable {
    using SeenByTable::SeenByTable;
    Tensor seen(std::int64_t t) const override { return tensor::tril(tensor::ones({t, t}), 1); }
};

struct MaskTransposed : SeenByTable {
    using SeenByTable::SeenByTable;
    Tensor seen(std::int64_t t) const override { return tensor::triu(tensor::ones({t, t})); }
};

struct PairsAndPlaces : SeenByTable {
    using SeenByTable::SeenByTable;
    Tensor seen(std::int64_t t) const override { return tensor::eye(t); }
};

struct WithSoftmax : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        return softmax(Plain::operator()(ids), -1);
    }
};

struct SoftmaxOverPositions : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        return log_softmax(Plain::operator()(ids), 1);
    }
};

struct LastPositionOnly : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        return slice(Plain::operator()(ids), 1, -1);
    }
};

struct VBeforeT : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        return transpose(Plain::operator()(ids));
    }
};

struct MaskOfFullLength : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        const Variable X = vectors(ids);
        return to_logits(X + head(X, Mask::causal(positions.limit())));
    }
};

// Short texts stand at the end, after zeros.
struct RoomInFront : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        const std::int64_t B = ids.dim(0), room = positions.limit() - ids.dim(1);
        const IndexTensor zeros(std::vector<std::int64_t>(static_cast<std::size_t>(B * room)),
                                {B, room});
        return slice(Plain::operator()(tensor::concatenate({zeros, ids}, 1)), 1, room);
    }
};

struct LargestOfAllSubtracted : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        const Variable logits = Plain::operator()(ids);
        return logits - max(logits);
    }
};

struct AttentionOverTexts : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        return transpose(to_logits(read(transpose(vectors(ids), 0, 1))), 0, 1);
    }
};

struct RemembersTheLastText : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        const Variable X = vectors(ids);
        const Variable logits = to_logits(read(X + state));
        state = static_cast<double>(tensor::mean(X.value()).item());
        return logits;
    }
    mutable double state = 0;
};

struct LayerWithoutUse : Plain {
    LayerWithoutUse(std::int64_t V, std::int64_t T, Random& random)
        : Plain(V, T, random), unused(16, 16, random) {}
    void members(MemberVisitor& visit) override {
        Plain::members(visit);
        visit("unused", unused);
    }

    Linear unused;
};

struct DetachedTokens : Plain {
    using Plain::Plain;
    Variable operator()(const IndexTensor& ids) const override {
        return to_logits(read(positions.added_to(tokens(ids).detach())));
    }
};

struct EightPlaces : Plain {
    EightPlaces(std::int64_t V, std::int64_t, Random& random) : Plain(V, 8, random) {}
};

// A GRU, perhaps in both directions.
struct Recurrent : Module {
    Recurrent(std::int64_t V, Random& random, bool both_ways)
        : tokens(V, 16, random), gru(16, 16, random, {.bidirectional = both_ways}),
          to_logits(both_ways ? 32 : 16, V, random) {}
    virtual Variable operator()(const IndexTensor& ids) const {
        return to_logits(gru(tokens(ids)).output);
    }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("gru", gru);
        visit("to_logits", to_logits);
    }

    Embedding tokens;
    GRU gru;
    Linear to_logits;
};

struct BothWays : Recurrent {
    BothWays(std::int64_t V, std::int64_t, Random& random) : Recurrent(V, random, true) {}
};

struct OneWay : Recurrent {
    OneWay(std::int64_t V, std::int64_t, Random& random) : Recurrent(V, random, false) {}
};

struct BatchAsOneText : Recurrent {
    BatchAsOneText(std::int64_t V, std::int64_t, Random& random) : Recurrent(V, random, false) {}
    Variable operator()(const IndexTensor& ids) const override {
        const Variable logits = Recurrent::operator()(ids.reshape({1, -1}));
        return reshape(logits, {ids.dim(0), ids.dim(1), -1});
    }
};

// The mean of all tokens so far, without an order.
struct BagOfTokens : Module {
    BagOfTokens(std::int64_t V, std::int64_t, Random& random)
        : tokens(V, 16, random), to_logits(16, V, random) {}
    Variable operator()(const IndexTensor& ids) const {
        const Tensor count =
            tensor::unsqueeze(tensor::arange(1, static_cast<double>(ids.dim(1)) + 1), 1);
        return to_logits(cumsum(tokens(ids), 1) / count);
    }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("to_logits", to_logits);
    }

    Embedding tokens;
    Linear to_logits;
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

// The last `count` tokens side by side (Bengio et al. 2003).
template <std::int64_t count>
struct Window : Module {
    Window(std::int64_t V, std::int64_t, Random& random)
        : tokens(V + 1, 8, random), hidden(8 * count, 32, random), to_logits(32, V, random) {}
    Variable operator()(const IndexTensor& ids) const {
        const std::int64_t B = ids.dim(0), t = ids.dim(1), none = tokens.weight.dim(0) - 1;
        const std::size_t room = static_cast<std::size_t>((count - 1) * B);
        const IndexTensor before(std::vector<std::int64_t>(room, none), {B, count - 1});
        const Variable X = tokens(tensor::concatenate({before, ids}, 1));  // [B, t + count - 1, 8]
        std::vector<Variable> places;
        for (std::int64_t i = 0; i < count; ++i) places.push_back(slice(X, 1, i, i + t));
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

// As small as in lesson 14, with its defaults.
struct TiedGpt : Gpt {
    TiedGpt(std::int64_t V, std::int64_t T, Random& random)
        : Gpt({.vocab_size = V, .limit = T, .d_model = 32, .num_layers = 2, .num_heads = 2},
              random) {}
};

struct OneBlock : Gpt {
    OneBlock(std::int64_t V, std::int64_t T, Random& random)
        : Gpt({.vocab_size = V,
               .limit = T,
               .d_model = 32,
               .num_layers = 1,
               .num_heads = 2,
               .tied_head = false},
              random) {}
};

struct LlamaLike : Gpt {
    LlamaLike(std::int64_t V, std::int64_t T, Random& random)
        : Gpt({.vocab_size = V,
               .limit = T,
               .d_model = 16,
               .num_layers = 1,
               .num_heads = 2,
               .positions = PositionKind::rotary,
               .norm = NormKind::rms,
               .activation = Activation::silu,
               .gated = true,
               .bias = false,
               .tied_head = false},
              random) {}
};

struct GptWithDropout : Gpt {
    GptWithDropout(std::int64_t V, std::int64_t T, Random& random)
        : Gpt({.vocab_size = V,
               .limit = T,
               .d_model = 32,
               .num_layers = 1,
               .num_heads = 2,
               .dropout = 0.05,
               .tied_head = false},
              random) {}
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

template <class Model>
void for_300_steps(Model& model, Sentences& sentences, Random&) {
    steps(model, parameters(model), sentences, {.steps = 300});
}

// For what is seen whatever the training does.
template <class Model>
void briefly(Model& model, Sentences& sentences, Random&) {
    steps(model, parameters(model), sentences, {.steps = 3});
}

template <class Model>
void not_at_all(Model&, Sentences&, Random&) {}

using Texts = std::pair<IndexTensor, IndexTensor>;  // inputs and targets

void on_targets(Plain& model, Sentences& sentences, Texts (*of)(const IndexTensor&)) {
    Adam optimizer(parameters(model), {.lr = 1e-2});
    for (int step = 0; step < 100; ++step) {
        const auto [inputs, targets] = of(sentences.texts(16));
        optimizer.zero_grad();
        cross_entropy(model(inputs), targets, {.class_axis = -1}).backward();
        optimizer.step();
    }
}

void itself(Plain& model, Sentences& sentences, Random&) {
    on_targets(model, sentences, [](const IndexTensor& texts) {
        const IndexTensor inputs = tensor::slice(texts, 1, 0, -1);
        return Texts(inputs, inputs);
    });
}

void two_ahead(Plain& model, Sentences& sentences, Random&) {
    on_targets(model, sentences, [](const IndexTensor& texts) {
        return Texts(tensor::slice(texts, 1, 0, -2), tensor::slice(texts, 1, 2));
    });
}

void the_one_before(Plain& model, Sentences& sentences, Random&) {
    on_targets(model, sentences, [](const IndexTensor& texts) {
        return Texts(tensor::slice(texts, 1, 1), tensor::slice(texts, 1, 0, -1));
    });
}

void gradients_never_cleared(Plain& model, Sentences& sentences, Random&) {
    SGD optimizer(parameters(model), {.lr = 0.5});
    for (int step = 0; step < 100; ++step) {
        const IndexTensor texts = sentences.texts(16);
        loss_on(model(tensor::slice(texts, 1, 0, -1)), texts, 0).backward();
        optimizer.step();
    }
}

void huge_steps(Plain& model, Sentences& sentences, Random&) {
    Adam optimizer(parameters(model), {.lr = 10});
    for (int step = 0; step < 50; ++step) {
        const IndexTensor texts = sentences.texts(16);
        optimizer.zero_grad();
        loss_on(model(tensor::slice(texts, 1, 0, -1)), texts, 0).backward();
        optimizer.step();
    }
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

// Warmup and cosine, AdamW, clipping.
template <class Model, std::int64_t texts_at_once = 16, std::int64_t steps = 250>
void as_in_the_lesson(Model& model, Sentences& sentences, Random&) {
    AdamW optimizer(parameters(model), {.lr = 1});
    const WarmupCosine schedule{.lr = 1e-2, .floor = 1e-4, .warmup = 20, .steps = steps};
    for (std::int64_t step = 1; step <= steps; ++step) {
        const IndexTensor texts = sentences.texts(texts_at_once);
        const Variable loss = loss_on(model(tensor::slice(texts, 1, 0, -1)), texts, 0);
        optimizer.zero_grad();
        loss.backward();
        clip_grad_norm(optimizer.parameters(), 1);
        optimizer.set_lr(schedule(step));
        optimizer.step();
    }
}

template <class Model>
std::function<Exercise()> by(void (*train)(Model&, Sentences&, Random&)) {
    return [train] { return judge_14_3(trained_by(train)); };
}

}  // namespace

Answers answers_14_3() {
    Answers answers;
    answers.number = "14.3";
    answers.slipping = slipping(judge_14_3);
    answers.wrong = {
        {"masked in training mode only", by(usual<MaskedInTrainingOnly>), {"lm.no-mask"}},
        {"the head is detached", by(usual<DetachedHead>)},
        {"the mean over the positions taken away", by(usual<CentredOverTime>), {"lm.no-mask"}},
        {"scaled a very little by the number of texts",
         by(usual<ScaledByTheNumberOfTexts>),
         {"lm.texts-counted"}},
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
        {"not trained", by(not_at_all<Plain>), {"train.none"}},
        {"the tokens themselves as targets", by(itself), {"lm.not-shifted"}},
        {"targets two ahead", by(two_ahead), {"lm.shifted-twice"}},
        {"the tokens before as targets", by(the_one_before), {"lm.backwards"}},
        {"gradients never cleared, until nothing is finite", by(gradients_never_cleared)},
        {"huge steps", by(huge_steps)},
        {"one token ahead seen", by(briefly<OneAhead>), {"lm.mask-plus-1"}},
        {"the mask transposed", by(briefly<MaskTransposed>), {"lm.mask-transposed"}},
        {"pairs and places", by(briefly<PairsAndPlaces>), {"lm.pairs-only"}},
        {"softmax in the model", by(briefly<WithSoftmax>), {"ce.double-softmax"}},
        {"log-softmax over positions", by(briefly<SoftmaxOverPositions>), {"lm.no-mask"}},
        {"logits of the last position only", by(briefly<LastPositionOnly>)},
        {"V before t", by(not_at_all<VBeforeT>)},
        {"a mask of full length", by(briefly<MaskOfFullLength>)},
        {"room in front of short texts", by(briefly<RoomInFront>)},
        {"the largest of all logits subtracted", by(briefly<LargestOfAllSubtracted>)},
        {"attention over texts", by(briefly<AttentionOverTexts>), {"lm.texts-before"}},
        {"the batch as one text", by(briefly<BatchAsOneText>), {"lm.texts-before"}},
        {"remembers the last text", by(briefly<RemembersTheLastText>)},
        {"a layer without use", by(briefly<LayerWithoutUse>)},
        {"the tokens detached", by(briefly<DetachedTokens>)},
        {"eight places", by(briefly<EightPlaces>)},
        {"a GRU both ways", by(briefly<BothWays>), {"lm.no-mask"}},
        {"the mean of all tokens so far", by(usual<BagOfTokens>)},
    };
    answers.right = {
        {"the last five tokens side by side", by(usual<Window<5>>)},
        {"the last two tokens side by side", by(usual<Window<2>>)},
        {"two layers of attention, warmup and cosine", by(as_in_the_lesson<TwoHeads>)},
        {"a GPT with a tied head", by(as_in_the_lesson<TiedGpt>)},
        {"a Llama of one block", by(usual<LlamaLike>)},
        {"a GPT with dropout", by(usual<GptWithDropout>)},
        {"a recurrent unit", by(for_300_steps<OneWay>)},
        {"a GPT of one block", by(as_in_the_lesson<OneBlock, 32, 200>)},
    };
    return answers;
}
