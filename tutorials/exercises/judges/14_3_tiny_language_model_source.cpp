#include "tutorials/exercises/judges/14_3_tiny_language_model_source.h"

#include "tensor/kernels/math.h"
#include "tensor/ops/index.h"

#include <map>
#include <utility>

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
    explicit Grammar(const SentenceKind& kind) : n_(kind.subjects) {
        Random random(kind.seed);
        tokens_ = random.permutation(2 * n_ + 3);
        double sum = 0;
        for (std::int64_t i = 0; i < n_; ++i) shares_.push_back(1 + random.uniform());
        for (const double share : shares_) sum += share;
        for (double& share : shares_) share /= sum;
        of_word_ = 0.6 + 0.2 * random.uniform();
    }

    void add_sentence(std::vector<Drawn>& text, Random& random) const {
        const std::size_t subject = one_of(random);
        text.push_back({token(subject), shares_[subject]});
        add_word(text, 1, random);
        const bool longer = random.uniform() < second_word;
        if (longer) add_word(text, second_word, random);
        text.push_back({token(size() + subject), longer ? 1 : 1 - second_word});
        const bool goes_on = random.uniform() < word_after_verb;
        if (goes_on) add_word(text, word_after_verb, random);
        text.push_back({token(2 * size() + 2), goes_on ? 1 : 1 - word_after_verb});
    }

  private:
    // One of the two words that say nothing, where the probability that one follows is `any`.
    void add_word(std::vector<Drawn>& text, double any, Random& random) const {
        const bool first = random.uniform() < of_word_;
        text.push_back({token(2 * size() + !first), any * (first ? of_word_ : 1 - of_word_)});
    }
    std::size_t size() const { return static_cast<std::size_t>(n_); }
    std::int64_t token(std::size_t word) const { return tokens_[word]; }
    std::size_t one_of(Random& random) const {
        double u = random.uniform();
        std::size_t i = 0;
        while (i + 1 < size() && u >= shares_[i]) u -= shares_[i++];
        return i;
    }

    std::int64_t n_;
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

}  // namespace

Sentences::Sentences(const SentenceKind& kind) : kind_(kind), random_(kind.seed + 1000) {}

std::int64_t Sentences::V() const { return 2 * kind_.subjects + 3; }

IndexTensor Sentences::texts(std::int64_t B) {
    return tokens_of(drawn(kind_, B, random_), {B, kind_.T + 1});
}

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

}  // namespace exercise
