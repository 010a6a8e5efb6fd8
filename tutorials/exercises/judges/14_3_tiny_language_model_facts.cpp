#include "tutorials/exercises/judges/14_3_tiny_language_model_facts.h"

#include "tutorials/exercises/judges/14_3_tiny_language_model_source.h"
#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/compare.h"

#include "autograd/grad_mode.h"
#include "autograd/ops.h"
#include "nn/losses.h"
#include "tensor/kernels/math.h"
#include "tensor/ops.h"
#include "tensor/ops/compare.h"
#include "tensor/print.h"
#include "tensor/runtime/fast_kernels.h"

#include <algorithm>

using namespace heed;

namespace exercise {

using namespace facts;

namespace {

std::int64_t V_of(const SentenceKind& kind) { return 2 * kind.subjects + 3; }

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
          few_(tensor::slice(texts_.inputs, 0, 0, 3)) {
        const NoGrad no_grad;
        logits_ = model.logits(few_).value();
    }

    Fact trained() const {
        const Variable of_all =
            cross_entropy(model_.logits(few_), few_targets(), {.class_axis = -1});
        for (Variable one : variables()) one.zero_grad();
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
        for (Variable one : variables()) one.zero_grad();
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
        const NoGrad no_grad;
        const bool same_again = tensor::same_bits(model_.logits(few_).value(), logits_);
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
            const NoGrad no_grad;
            const Tensor alone = model_.logits(tensor::slice(few_, 1, 0, t)).value();
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
        const double clearly_something = kernels::math::log(static_cast<double>(V())) - 0.5;
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
    std::int64_t V() const { return V_of(kind_); }
    IndexTensor few_targets() const { return tensor::slice(texts_.targets, 0, 0, 3); }
    std::vector<Variable> variables() const {
        std::vector<Variable> all;
        for (const TrainedModel::Parameter& one : model_.parameters) all.push_back(one.now);
        return all;
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

    bool differs_alone(std::int64_t b) const {
        const NoGrad no_grad;
        const Tensor alone = model_.logits(tensor::slice(few_, 0, b, b + 1)).value();
        return !same(alone, of_text(b, logits_));
    }

    // Does another first token of one text change the logits of another?
    bool changes_text(std::int64_t from, std::int64_t to) const {
        const NoGrad no_grad;
        const Tensor now = model_.logits(with_another(few_, from, 0, V())).value();
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
        const NoGrad no_grad;
        const Tensor now = model_.logits(with_another(few_, b, s, V())).value();
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
        const std::int64_t n = static_cast<std::int64_t>(found.size());
        return {{name, tensor::from_vector(found, {n})}, found == right ? "" : words};
    }

    const TrainedModel& model_;
    SentenceKind kind_;
    HeldOut texts_;
    IndexTensor few_;  // [3, T]
    Tensor logits_;    // of these
};

}  // namespace

namespace {

Fact shaped(const Shape& found, const SentenceKind& kind) {
    const Shape right{2, kind.T, V_of(kind)};
    if (found == right) return {{shape, tensor::of({0})}, ""};
    return {{shape, tensor::of({1})},
            "The logits of 2 texts of " + std::to_string(kind.T) + " tokens have shape " +
                found.text() + ", expected " + right.text() + "."};
}

}  // namespace

std::vector<Fact> facts_of(const TrainOn& answer, const SentenceKind& kind) {
    const FastKernels fast;
    Sentences sentences(kind);
    const IndexTensor two = tensor::slice(held_out(kind, 2).inputs, 0, 0, 2);
    const TrainedModel model = answer(sentences, two);
    std::vector<Fact> facts = {shaped(model.first_logits.shape(), kind)};
    if (!facts[0].words.empty()) return facts;
    const Examination of(model, kind);
    using Question = Fact (Examination::*)() const;
    const std::vector<Question> questions = {&Examination::trained,    &Examination::all_finite,
                                             &Examination::repeated,   &Examination::mixed,
                                             &Examination::sees_ahead, &Examination::sees_back,
                                             &Examination::prefixes,   &Examination::probabilities,
                                             &Examination::predicted,  &Examination::low_enough};
    for (const Question question : questions) {
        facts.push_back((of.*question)());
        if (!facts.back().words.empty()) break;
    }
    return facts;
}

}  // namespace exercise
