#include "tutorials/exercises/judges/lesson_14.h"
#include "tutorials/exercises/judging/kit.h"

#include "autograd/grad_mode.h"
#include "nn/attention/attention_head.h"
#include "nn/embedding.h"
#include "nn/linear.h"
#include "nn/losses.h"
#include "nn/optim/optimizers.h"
#include "nn/positions/learned_positions.h"
#include "tensor/kernels/math.h"
#include "tensor/print.h"
#include "tensor/runtime/fast_kernels.h"

#include <map>

using namespace heed;

namespace exercise {
namespace {
// Of words that say nothing: how likely are a second one before the verb and one after it? Seldom
// enough that models of many kinds learn to look back within 200 steps.
constexpr double second_word = 0.1, word_after_verb = 0.3;

// A token, and its probability after those before it.
struct Drawn {
    std::int64_t token;
    double probability;
};

class Grammar {
  public:
    explicit Grammar(const SentenceKind& kind) : n_(static_cast<std::size_t>(kind.subjects)) {
        Random random(kind.seed);
        tokens_ = random.permutation(kind.V());
        double sum = 0;
        for (std::size_t i = 0; i < n_; ++i) sum += shares_.emplace_back(1 + random.uniform());
        for (double& share : shares_) share /= sum;
        of_word_ = 0.6 + 0.2 * random.uniform();
    }

    void add_sentence(std::vector<Drawn>& text, Random& random) const {
        const std::size_t subject = one_of(random);
        text.push_back({tokens_[subject], shares_[subject]});
        add_word(text, 1, random);
        const bool longer = random.uniform() < second_word;
        if (longer) add_word(text, second_word, random);
        text.push_back({tokens_[n_ + subject], longer ? 1 : 1 - second_word});
        const bool goes_on = random.uniform() < word_after_verb;
        if (goes_on) add_word(text, word_after_verb, random);
        text.push_back({tokens_[2 * n_ + 2], goes_on ? 1 : 1 - word_after_verb});
    }

  private:
    // One of the two words that say nothing, where the probability that one follows is `any`.
    void add_word(std::vector<Drawn>& text, double any, Random& random) const {
        const bool first = random.uniform() < of_word_;
        text.push_back({tokens_[2 * n_ + !first], any * (first ? of_word_ : 1 - of_word_)});
    }
    std::size_t one_of(Random& random) const {
        double u = random.uniform();
        std::size_t i = 0;
        while (i + 1 < n_ && u >= shares_[i]) u -= shares_[i++];
        return i;
    }

    std::size_t n_;
    std::vector<std::int64_t> tokens_;  // of subjects, verbs, the two words, the full stop
    std::vector<double> shares_;        // of the subjects
    double of_word_;                    // the share of the first of the two words
};

// B texts of T + 1 tokens, one after the other.
std::vector<Drawn> drawn(const SentenceKind& kind, std::int64_t B, Random& random) {
    const Grammar grammar(kind);
    const std::size_t length = static_cast<std::size_t>(kind.T + 1);
    std::vector<Drawn> all;
    for (std::int64_t b = 0; b < B; ++b) {
        std::vector<Drawn> text;
        while (text.size() < length) grammar.add_sentence(text, random);
        all.insert(all.end(), text.begin(), text.begin() + kind.T + 1);
    }
    return all;
}

IndexTensor tokens_of(const std::vector<Drawn>& text, const Shape& shape) {
    std::vector<std::int64_t> ids;
    for (const Drawn& one : text) ids.push_back(one.token);
    return IndexTensor(ids, shape);
}

// The least mean of -log P(y | x) that any table P has on these pairs: that of their own shares.
double least_of_pairs(const IndexTensor& x, const IndexTensor& y) {
    std::map<std::int64_t, double> times;
    std::map<std::pair<std::int64_t, std::int64_t>, double> pair_times;
    for (std::int64_t i = 0; i < x.numel(); ++i) {
        ++times[x.data()[i]];
        ++pair_times[{x.data()[i], y.data()[i]}];
    }
    double sum = 0;
    for (const auto& [pair, count] : pair_times) {
        sum -= count * kernels::math::log(count / times[pair.first]);
    }
    return sum / static_cast<double>(x.numel());
}

// Texts that no model is trained on.
struct HeldOut {
    IndexTensor inputs, targets;  // [B, T]
    double entropy;               // mean of -log P(target | what was before) in the source, in nats
    double best_bigram;  // the least loss on these texts for a model that sees the last token only
};

HeldOut held_out(const SentenceKind& kind, std::int64_t B) {
    Random random(kind.seed + 2000);
    const std::vector<Drawn> text = drawn(kind, B, random);
    const IndexTensor ids = tokens_of(text, {B, kind.T + 1});
    HeldOut texts{tensor::slice(ids, 1, 0, -1), tensor::slice(ids, 1, 1), 0, 0};
    double sum = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_target = i % static_cast<std::size_t>(kind.T + 1) > 0;
        if (is_target) sum -= kernels::math::log(text[i].probability);
    }
    texts.entropy = sum / static_cast<double>(texts.targets.numel());
    texts.best_bigram = least_of_pairs(texts.inputs, texts.targets);
    return texts;
}

// What can be seen of a trained model, whatever is inside: facts, each a small number, so that a
// mistake is recognised by them. Their names, in the order in which they are looked at:
namespace facts {
constexpr const char* shape = "the shape of the logits (0: the right one)";
constexpr const char* share = "the share of trained parameters";
constexpr const char* finite = "the logits that are not finite";
constexpr const char* again = "the logits of the same texts again (0: the same)";
constexpr const char* mixing = "other logits: [alone, by texts before, by texts after]";
constexpr const char* ahead = "what is seen ahead: [so many tokens, 1: and none before]";
constexpr const char* past = "what matters: [the last token, an earlier one]";
constexpr const char* shorter = "a shorter text's own logits (0: the same)";
constexpr const char* normal = "the softmax in the model (0: none)";
constexpr const char* place = "the place that is predicted (1: the next)";
constexpr const char* loss = "the side on which the loss lies (0: the right one)";
}  // namespace facts

using namespace facts;

constexpr double margin = 0.2;  // below the best bigram, in nats

struct Fact {
    Stage stage;
    std::string words;  // what is wrong, with numbers; empty if nothing is
};

// The ids with another token at [b, t].
IndexTensor with_another(const IndexTensor& ids, std::int64_t b, std::int64_t t, std::int64_t V) {
    std::vector<std::int64_t> numbers(ids.data(), ids.data() + ids.numel());
    std::int64_t& one = numbers[static_cast<std::size_t>(b * ids.dim(1) + t)];
    one = (one + 1 + t % (V - 1)) % V;
    return IndexTensor(numbers, ids.shape());
}

class Examination {
  public:
    Examination(const TrainedModel& model, const SentenceKind& kind)
        : model_(model), kind_(kind), texts_(held_out(kind, 300)),
          few_(tensor::slice(texts_.inputs, 0, 0, 3)), logits_(logits(few_)) {}

    Fact trained() const {
        const IndexTensor targets = tensor::slice(texts_.targets, 0, 0, 3);
        const Variable of_all = cross_entropy(model_.logits(few_), targets, {.class_axis = -1});
        clear_gradients();
        if (of_all.requires_grad()) of_all.backward();
        std::string left;
        double count = 0;
        bool any = false;
        for (const TrainedModel::Parameter& one : model_.parameters) {
            const bool counts = was_trained(one);
            count += counts;
            any = any || has_changed(one);
            if (!counts) left += (left.empty() ? "" : ", ") + one.name;
        }
        clear_gradients();
        const double all = static_cast<double>(model_.parameters.size());
        return fact(share, {any ? count / all : 0}, {1},
                    all == 0 ? "The model has no parameters: does members() visit its layers?"
                    : !any   ? "Training changed no parameter."
                             : "Training left these as they were: " + left + ".");
    }

    Fact all_finite() const {
        const double odd = tensor::sum(1 - tensor::to_tensor(tensor::is_finite(logits_))).item();
        const std::string of = std::to_string(logits_.numel());
        return fact(finite, {odd}, {0},
                    "After the training " + fixed(odd, 0) + " of the " + of +
                        " logits of 3 texts are NaN or infinite.");
    }

    Fact repeated() const {
        const bool same_again = tensor::same_bits(logits(few_), logits_);
        return fact(again, {same_again ? 0.0 : 1.0}, {0},
                    "The same texts have other logits when the model reads them again.");
    }

    Fact mixed() const {
        double alone = 0, by_earlier = 0, by_later = 0;
        std::string words;
        for (std::int64_t b = 0; b < few_.dim(0); ++b) {
            const std::string text = "In a batch of 3, text " + std::to_string(b);
            if (differs_alone(b)) {
                ++alone;
                words = text + " has other logits than by itself.";
            }
            for (std::int64_t other = 0; other < few_.dim(0); ++other) {
                if (other == b || !changes_text(other, b)) continue;
                ++(other < b ? by_earlier : by_later);
                words = text + " has other logits when a token of text " + std::to_string(other) +
                        " changes.";
            }
        }
        return fact(mixing, {alone, by_earlier, by_later}, {0, 0, 0}, words);
    }

    Fact sees_ahead() const {
        std::int64_t farthest = 0, from = 0, text = 0;
        for (std::int64_t i = 0; i < 2 * T() * T(); ++i) {
            const std::int64_t b = i % 2 * 2, s = i / 2 % T(), t = i / 2 / T();  // texts 0 and 2
            if (s - t <= farthest || !changes(b, s, t)) continue;
            farthest = s - t;
            from = t;
            text = b;
        }
        const bool nothing_before = farthest > 0 && !sees_earlier_ones();
        return fact(ahead, {static_cast<double>(farthest), nothing_before ? 1.0 : 0.0}, {0, 0},
                    "The future is seen: in text " + std::to_string(text) +
                        ", another token at position " + std::to_string(from + farthest) +
                        " changes the logits at position " + std::to_string(from) + ".");
    }

    Fact sees_back() const {
        const bool earlier = sees_earlier_ones();
        const bool last = changes(0, T() - 1, T() - 1);
        const std::string which = earlier ? "the token at that position itself"
                                  : last  ? "any earlier token"
                                          : "any token";
        return fact(past, {last ? 1.0 : 0.0, earlier ? 1.0 : 0.0}, {1, 1},
                    "The logits at the last position do not depend on " + which + ".");
    }

    Fact prefixes() const {
        double other = 0;
        std::int64_t length = 0;
        for (std::int64_t t = T() - 1; t >= 1; --t) {
            const Tensor alone = logits(tensor::slice(few_, 1, 0, t));
            if (same(alone, tensor::slice(logits_, 1, 0, t))) continue;
            other = 1;
            length = t;
        }
        return fact(shorter, {other}, {0},
                    "Cut off after position " + std::to_string(length - 1) +
                        ", a text has other logits up to there.");
    }

    Fact probabilities() const {
        const Tensor sums = tensor::sum(logits_, -1);
        const bool all = (logits_ >= 0).all() && same(sums, tensor::ones_like(sums));
        return fact(normal, {all ? 1.0 : 0.0}, {0},
                    "The logits are between 0 and 1 and sum to 1 at each position: the softmax is "
                    "taken already, and the loss takes it once more.");
    }

    // Losses for the token at the place itself, before it and after it, on held-out texts.
    Fact predicted() const {
        const double next = loss_at(1);
        const double clearly_something = kernels::math::log(static_cast<double>(kind_.V())) - 0.5;
        double best = std::min(next - 0.5, clearly_something), which = 1;
        for (const std::int64_t offset : {-1, 0, 2}) {
            const double one = loss_at(offset);
            if (one >= best) continue;
            best = one;
            which = static_cast<double>(offset);
        }
        const std::string words = which == 0  ? "the token at the position itself"
                                  : which < 0 ? "the token before it"
                                              : "the one after the next";
        return fact(place, {which}, {1},
                    "What the model says at a position fits " + words + " far better (loss " +
                        fixed(best, 2) + ") than the next (" + fixed(next, 2) + ").");
    }

    Fact low_enough() const {
        const double found = loss_at(1), bar = texts_.best_bigram - margin;
        const std::string is = "On 300 new texts the loss is " + fixed(found, 3);
        if (found < texts_.entropy - 0.01) {
            return fact(loss, {-1}, {0},
                        is + ", less than the source's entropy there, " + fixed(texts_.entropy, 3) +
                            ". No model that sees the past only can do that.");
        }
        const bool fine = found <= bar;  // false for NaN
        return fact(loss, {fine ? 0.0 : 1.0}, {0},
                    is + "; it must be at most " + fixed(bar, 3) + ", the best bigram's " +
                        fixed(texts_.best_bigram, 3) + " less " + fixed(margin, 1) +
                        ". (The source's entropy there is " + fixed(texts_.entropy, 3) + ".)");
    }

  private:
    std::int64_t T() const { return kind_.T; }
    Tensor logits(const IndexTensor& ids) const {
        const NoGrad no_grad;
        return model_.logits(ids).value();
    }
    void clear_gradients() const {
        for (const TrainedModel::Parameter& one : model_.parameters) Variable(one.now).zero_grad();
    }

    static bool has_changed(const TrainedModel::Parameter& one) {
        return !tensor::same_bits(one.before, one.now.value());
    }

    // Or has it next to no gradient, as the bias of keys, so that there was nothing to learn?
    static bool was_trained(const TrainedModel::Parameter& one) {
        return has_changed(one) ||
               (one.now.has_grad() && (tensor::abs(one.now.grad()) < 1e-9).all());
    }

    static Tensor of_text(std::int64_t b, const Tensor& logits) {
        return tensor::slice(logits, 0, b, b + 1);
    }

    // By more than rounding: a layer may add in another order where there are more texts.
    bool differs_alone(std::int64_t b) const {
        constexpr double rounding = 1e-11;
        const Tensor alone = logits(tensor::slice(few_, 0, b, b + 1)), among = of_text(b, logits_);
        return !(tensor::abs(alone - among) <= rounding * (1 + tensor::abs(among))).all();
    }

    // Does another first token of one text change the logits of another?
    bool changes_text(std::int64_t from, std::int64_t to) const {
        const Tensor now = logits(with_another(few_, from, 0, kind_.V()));
        return !tensor::same_bits(of_text(to, now), of_text(to, logits_));
    }

    // Do the logits at the last position of text 0 depend on any token before it?
    bool sees_earlier_ones() const {
        for (std::int64_t s = 0; s + 1 < T(); ++s) {
            if (changes(0, s, T() - 1)) return true;
        }
        return false;
    }

    // Does another token at position s of text b change its logits at position t?
    bool changes(std::int64_t b, std::int64_t s, std::int64_t t) const {
        const Tensor now = logits(with_another(few_, b, s, kind_.V()));
        const auto at_t = [=](const Tensor& x) {
            return tensor::select(tensor::select(x, 0, b), 0, t);
        };
        return !tensor::same_bits(at_t(now), at_t(logits_));
    }

    // For the token that is so many places further on than the input.
    double loss_at(std::int64_t offset) const {
        const NoGrad no_grad;
        const std::int64_t first = offset < 0 ? 1 : 0, end = offset > 1 ? T() - 1 : T();
        const IndexTensor text = tensor::concatenate(
            {tensor::slice(texts_.inputs, 1, 0, 1), texts_.targets}, 1);  // [B, T + 1]
        const Variable logits = slice(model_.logits(texts_.inputs), 1, first, end);
        const IndexTensor wanted = tensor::slice(text, 1, first + offset, end + offset);
        return cross_entropy(logits, wanted, {.class_axis = -1}).item();
    }

    static Fact fact(const char* name, const std::vector<Scalar>& found,
                     const std::vector<Scalar>& right, const std::string& words) {
        const Tensor value = tensor::from_vector(found, {std::ssize(found)});
        return {{name, value}, found == right ? "" : words};
    }

    const TrainedModel& model_;
    SentenceKind kind_;
    HeldOut texts_;
    IndexTensor few_;  // [3, T]
    Tensor logits_;    // of these
};

Fact shaped(const Shape& found, const SentenceKind& kind) {
    const Shape right{2, kind.T, kind.V()};
    if (found == right) return {{shape, tensor::of({0})}, ""};
    return {{shape, tensor::of({1})},
            "The logits of 2 texts of " + std::to_string(kind.T) + " tokens have shape " +
                found.text() + ", expected " + right.text() + "."};
}

// The facts of a model trained on such sentences, up to the first that is wrong.
std::vector<Fact> facts_of(const TrainOn& answer, const SentenceKind& kind) {
    const FastKernels fast;
    Sentences sentences(kind);
    const IndexTensor two = tensor::slice(held_out(kind, 2).inputs, 0, 0, 2);
    const TrainedModel model = answer(sentences, two);
    std::vector<Fact> facts = {shaped(model.first_logits.shape(), kind)};
    if (!facts[0].words.empty()) return facts;
    const Examination of(model, kind);
    for (const auto question :
         {&Examination::trained, &Examination::all_finite, &Examination::repeated,
          &Examination::mixed, &Examination::sees_ahead, &Examination::sees_back,
          &Examination::prefixes, &Examination::probabilities, &Examination::predicted,
          &Examination::low_enough}) {
        facts.push_back((of.*question)());
        if (!facts.back().words.empty()) break;
    }
    return facts;
}

// What they are with this mistake.
Stages facts_with(const SentenceKind& kind, const Slips& slip) {
    const bool alone = slip("lm.pairs-only") || slip("lm.nothing-read");
    const double last = slip("lm.nothing-read") || slip("lm.current-unseen") ? 0 : 1;
    double seen = 0, predicted = 1;
    Tensor mixed = tensor::of({0, 0, 0});
    if (slip("lm.texts-mixed")) mixed = tensor::of({3, 3, 3});
    if (slip("lm.texts-before")) mixed = tensor::of({2, 3, 0});
    if (slip("lm.texts-counted")) mixed = tensor::of({3, 0, 0});
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
        if (slip("lm.texts-counted")) read = read * (1 + 1e-9 * static_cast<double>(ids.dim(0)));
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

void train(OneHeadModel& model, Sentences& sentences, const Slips& slip) {
    model.slip = slip;
    Adam optimizer(parameters(model), {.lr = 1e-2});
    for (int step = 0; step < 150; ++step) {
        const IndexTensor text = sentences.texts(16);
        const IndexTensor first = tensor::slice(text, 1, 0, -1), last = tensor::slice(text, 1, 1);
        IndexTensor inputs = first, targets = last;
        if (slip("lm.not-shifted")) targets = first;
        if (slip("lm.backwards")) std::swap(inputs, targets);
        if (slip("lm.shifted-twice")) {
            inputs = tensor::slice(text, 1, 0, -2);
            targets = tensor::slice(text, 1, 2);
        }
        const Variable loss = cross_entropy(model(inputs), targets, {.class_axis = -1});
        optimizer.zero_grad();
        loss.backward();
        if (!slip("train.none")) optimizer.step();
    }
}

std::vector<Mistake> mistakes() {
    const std::string print = "Print one text, with its inputs above its targets.";
    const std::string change =
        "Change the last token of a text: at which positions do the logits change?";
    return {
        {"train.none", "no parameter had changed after train()",
         "What does an optimizer need before its step?",
         "Print a weight before and after train(). Was it this model, or a copy?"},
        {"lm.texts-mixed", "the texts of a batch changed each other's logits",
         "Which axis is the texts'?", "The axes over which you sum, average or multiply."},
        {"lm.texts-before", "each text of a batch also read the texts before it",
         "Which axis is the texts'?", "What you join, transpose or reshape before a layer."},
        {"lm.texts-counted",
         "a text's logits depended on how many texts were in the batch, but not on what they say",
         "Where does your model use the length of axis 0?",
         "Print a logit of a text by itself and in a batch of three, with 15 digits."},
        {"lm.no-mask", "each position saw the whole text, its own target too",
         "What does position 0 know of position 1?", change},
        {"lm.mask-transposed",
         "each position saw itself and all later ones, its target too, but none before it",
         "Which of a mask's axes is the queries'?", change},
        {"lm.mask-plus-1", "each position saw one token ahead, which is its target",
         "May a position see its own target?", change},
        {"lm.pairs-only", "each position saw its own token only, and none before it",
         "How does a verb know its subject?",
         "Change the first token of a text: at which positions do the logits change?"},
        {"lm.current-unseen", "a position saw the tokens before it, but not its own",
         "May a position look at itself?", change},
        {"lm.nothing-read", "the logits were the same whatever the text",
         "Where do the ids enter your model?", "Print the logits of two texts."},
        {"ce.double-softmax", "the model ended with a softmax, and the loss took it once more",
         "Does cross_entropy expect logits or probabilities?", "The last line of operator()."},
        {"lm.not-shifted", "the targets in training were the inputs themselves",
         "What is the target of a position?", print},
        {"lm.shifted-twice", "the targets in training were two tokens ahead",
         "How far ahead is the target of a position?", print},
        {"lm.backwards", "the targets in training were the tokens before the inputs",
         "Which of the two is one token later, inputs or targets?", print},
    };
}

std::vector<Hole> holes() {
    return {
        {"TinyLanguageModel",
         {facts::shape},
         {"Which layers turn ids into vectors, and vectors into logits?",
          "Look at OneHead in tutorials/14_language_model/models.cpp",
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
          "tutorials/14_language_model/training.h; print the loss every 50 steps",
          "Inputs are the first T tokens of each text, targets the last T; then cross_entropy, "
          "zero_grad, backward, step, with new texts in each step",
          "About 200 steps of 16 texts with Adam and lr 1e-2 are enough for one head and vectors "
          "of 16 numbers; a Gpt of the library that stays at the best bigram wants smaller steps, "
          "lr 3e-3, or a warmup"}},
    };
}

// The cases share what is wrong, which the law tells: the first that is wrong is enough.
void add_trainings(Exercise& exercise, const TrainOn& answer) {
    const auto words = std::make_shared<std::string>();
    const auto add = [&](const std::string& name, const SentenceKind& kind) {
        exercise.cases.push_back({name, [=](const Slips& slip) { return facts_with(kind, slip); },
                                  [=]() -> Stages {
                                      if (!words->empty()) return {};
                                      Stages stages;
                                      for (const Fact& fact : facts_of(answer, kind)) {
                                          stages.push_back(fact.stage);
                                          *words = fact.words;
                                      }
                                      return stages;
                                  }});
    };
    add("3 subjects, T = 12", {3, 12, 21});
    add("4 subjects, T = 9", {4, 9, 22});
    add("3 subjects, T = 16", {3, 16, 23});
    exercise.laws.push_back({"", [=] { return *words; }});
}

Rules<TrainOn> rules() {
    return {
        .number = "14.3",
        .title = "Train a tiny language model to a loss",
        .reference =
            [](const Slips& slip) {
                return trained_by<OneHeadModel>([=](OneHeadModel& model, Sentences& sentences,
                                                    Random&) { train(model, sentences, slip); });
            },
        .mistakes = mistakes(),
        .hints =
            {"What must reach the position where the verb is predicted, and through which layer?",
             "tutorials/14_language_model has a model of one head in models.cpp, and in training.h "
             "its "
             "training",
             "Look at the shape of each result for 2 texts before you train; then print the loss "
             "every 50 steps, and compare it with the best bigram's",
             "Make it work with one token table and one Linear first, which is a bigram; then add "
             "positions and a head between the two"},
        .holes = holes(),
        .more = add_trainings,
    };
}

}  // namespace

Sentences::Sentences(const SentenceKind& kind) : kind_(kind), random_(kind.seed + 1000) {}

IndexTensor Sentences::texts(std::int64_t B) {
    return tokens_of(drawn(kind_, B, random_), {B, kind_.T + 1});
}

const Judge<TrainOn> judge_14_3(rules);

}  // namespace exercise
