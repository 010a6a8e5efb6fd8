#include "tutorials/exercises/judges/lesson_18.h"
#include "tutorials/exercises/judging/kit.h"

#include <map>
#include <set>

using namespace heed;

namespace exercise {
namespace {
using Texts = std::vector<Tokens>;

constexpr std::int64_t d = 6;

// The texts of one language, padded with token 0.
class Side {
  public:
    explicit Side(const Texts& texts) : texts_(texts) {
        for (std::int64_t b = 0; b < B(); ++b) longest_ = std::max(longest_, length(b));
    }
    std::int64_t B() const { return std::ssize(texts_); }
    std::int64_t longest() const { return longest_; }
    std::int64_t length(std::int64_t b) const { return std::ssize(of(b)); }
    std::int64_t id(std::int64_t b, std::int64_t i) const {
        return i < length(b) ? of(b)[static_cast<std::size_t>(i)] : 0;
    }

  private:
    const Tokens& of(std::int64_t b) const { return texts_[static_cast<std::size_t>(b)]; }

    const Texts& texts_;
    std::int64_t longest_ = 0;
};

struct Both {
    Side source, target;
};

// May place i of the encoder see place k?
bool in_encoder(const Both& in, std::int64_t b, std::int64_t i, std::int64_t k, const Slips& slip) {
    if (slip("enc.not-masked")) return true;
    if (slip("enc.as-first")) return k < in.source.length(0);
    if (slip("enc.last-off")) return k < std::max<std::int64_t>(1, in.source.length(b) - 1);
    if (slip("enc.causal") && k > i) return false;
    if (slip("src.token-0") && in.source.id(b, k) == 0) return false;
    return k < in.source.length(b);
}

// May place j of the decoder see place k of the same text?
bool in_decoder(const Both& in, std::int64_t b, std::int64_t j, std::int64_t k, const Slips& slip) {
    const bool is_token = k < in.target.length(b);
    if (slip("dec.not-causal")) return is_token;
    if (slip("dec.next-too")) return is_token && k <= j + 1;
    if (slip("dec.reversed")) return is_token && k >= j;
    if (slip("dec.first-causal") && b > 0) return is_token;
    if (slip("dec.causal-if-full") && in.target.length(b) < in.target.longest()) return is_token;
    if (slip("dec.source-lengths") && k >= in.source.length(b)) return false;
    if (slip("dec.token-0") && in.target.id(b, k) == 0) return false;
    return k <= j;
}

// May place j of the decoder see place i of the source?
bool in_cross(const Both& in, std::int64_t b, std::int64_t j, std::int64_t i, const Slips& slip) {
    const std::int64_t length = in.source.length(b);
    if (slip("cross.not-masked")) return true;
    if (slip("cross.as-first")) return i < in.source.length(0);
    if (slip("cross.backwards")) return i < in.source.length(in.source.B() - 1 - b);
    if (slip("cross.target-lengths")) return i < in.target.length(b);
    if (slip("cross.one-more")) return i <= length;
    if (slip("cross.one-less")) return i < length - 1;
    if (slip("cross.causal") && i > j) return false;
    const std::int64_t ahead = in.source.longest() - in.target.longest();
    if (slip("cross.causal-at-end") && i > j + ahead) return false;
    if (slip("cross.rows-too") && j >= length) return false;
    if (slip("src.token-0") && in.source.id(b, i) == 0) return false;
    return i < length;
}

using Sees = bool (*)(const Both&, std::int64_t b, std::int64_t row, std::int64_t column,
                      const Slips&);

BoolTensor blocked(const Both& in, std::int64_t rows, std::int64_t columns, Sees sees,
                   const Slips& slip) {
    std::vector<bool> entries;
    for (std::int64_t b = 0; b < in.source.B(); ++b) {
        for (std::int64_t row = 0; row < rows; ++row) {
            for (std::int64_t column = 0; column < columns; ++column) {
                entries.push_back(!sees(in, b, row, column, slip));
            }
        }
    }
    return BoolTensor(entries, {in.source.B(), rows, columns});
}

// x + softmax(x·W_Q·(y·W_K)ᵀ/√d)·y·W_V, with matrices of its own for each seed. Scores are small,
// so that every key that is seen counts.
Tensor attended(const Tensor& x, const Tensor& y, const BoolTensor& blocked, std::uint64_t seed) {
    const Tensor Q = tensor::matmul(x, random({d, d}, seed + 1, 0.25));
    const Tensor K = tensor::matmul(y, random({d, d}, seed + 2, 0.25));
    const Tensor V = tensor::matmul(y, random({d, d}, seed + 3, 0.6));
    const double root = std::sqrt(static_cast<double>(d));
    const Tensor scores = tensor::matmul(Q, tensor::transpose(K)) / root;
    const Tensor masked = tensor::masked_fill(scores, blocked, -infinity);
    return x + tensor::matmul(tensor::softmax(masked, -1), V);
}

// A random vector for each token, padding too: [B, T, d].
Tensor embedded(const Side& side, std::uint64_t seed) {
    std::vector<Tensor> rows;
    for (std::int64_t b = 0; b < side.B(); ++b) {
        for (std::int64_t i = 0; i < side.longest(); ++i) {
            rows.push_back(random({d}, seed + static_cast<std::uint64_t>(side.id(b, i))));
        }
    }
    return tensor::reshape(tensor::stack(rows, 0), {side.B(), side.longest(), d});
}

// What the decoder gives for the tokens of all targets, without the padding: [tokens, d].
Tensor decoded(const Translations& texts, const Slips& slip) {
    const Both in{Side(texts.source), Side(texts.target)};
    const std::int64_t S = in.source.longest(), T = in.target.longest();
    const Tensor X = embedded(in.source, 2000), Y = embedded(in.target, 3000);
    const Tensor memory = attended(X, X, blocked(in, S, S, in_encoder, slip), 100);
    const Tensor y = attended(Y, Y, blocked(in, T, T, in_decoder, slip), 200);
    const Tensor output = attended(y, memory, blocked(in, T, S, in_cross, slip), 300);
    std::vector<Tensor> kept;
    for (std::int64_t b = 0; b < in.target.B(); ++b) {
        kept.push_back(tensor::slice(tensor::select(output, 0, b), 0, 0, in.target.length(b)));
    }
    return tensor::concatenate(kept, 0);
}

struct Impostor {
    std::string slip, who;
};

const std::vector<Impostor>& impostors() {
    static const std::vector<Impostor> all = {
        {"enc.not-masked", "the encoder sees padding"},
        {"enc.as-first", "the encoder takes every source to be as long as the first"},
        {"enc.last-off", "the encoder does not see the last word of a source that has several"},
        {"enc.causal", "the encoder hides the future"},
        {"dec.not-causal", "the decoder sees the future"},
        {"dec.next-too", "the decoder sees one token of the future"},
        {"dec.reversed", "the decoder sees the future and not the past"},
        {"dec.first-causal", "the decoder hides the future in the first text only"},
        {"dec.causal-if-full", "the decoder hides the future only where there is no padding"},
        {"dec.source-lengths", "the decoder takes a target to be no longer than its source"},
        {"dec.token-0", "the decoder takes every token 0 for padding"},
        {"cross.not-masked", "cross-attention sees padding"},
        {"cross.as-first", "cross-attention takes every source to be as long as the first"},
        {"cross.backwards", "cross-attention takes the lengths of the sources in reverse order"},
        {"cross.target-lengths", "cross-attention takes a source to be as long as its target"},
        {"cross.one-more", "cross-attention sees one place too many"},
        {"cross.one-less", "cross-attention does not see the last word"},
        {"cross.causal", "cross-attention hides what is further on in the source"},
        {"cross.causal-at-end",
         "cross-attention hides what is further on, counted from the ends of both"},
        {"cross.rows-too", "cross-attention gives nothing beyond the length of the source"},
        {"src.token-0", "every token 0 of a source is taken for padding"},
    };
    return all;
}

// The slips of the impostors that are not caught on these translations.
using Uncaught = std::set<std::string>;
Uncaught uncaught(const Translations& texts) {
    const double apart = 50 * tolerance;
    const Tensor right = decoded(texts, {});
    Uncaught pass;
    for (const Impostor& impostor : impostors()) {
        const Tensor wrong = decoded(texts, {impostor.slip});
        if (tensor::all_close(wrong, right, apart, apart)) pass.insert(impostor.slip);
    }
    return pass;
}

const Uncaught of_padding = {"enc.not-masked", "enc.as-first",    "cross.not-masked",
                             "cross.as-first", "cross.backwards", "cross.one-more"};

Uncaught both(Uncaught a, const Uncaught& b) {
    a.insert(b.begin(), b.end());
    return a;
}

std::size_t longest(const Texts& texts) {
    std::size_t most = 0;
    for (const Tokens& text : texts) most = std::max(most, text.size());
    return most;
}

bool equally_long(const Texts& texts) {
    return std::all_of(texts.begin(), texts.end(),
                       [&](const Tokens& text) { return text.size() == longest(texts); });
}

// How many targets are longer than their source, and how many sources than their target?
struct Longer {
    int targets = 0, sources = 0;
};

Longer count_longer(const Translations& texts) {
    Longer count;
    for (std::size_t b = 0; b < texts.source.size(); ++b) {
        count.targets += texts.target[b].size() > texts.source[b].size();
        count.sources += texts.source[b].size() > texts.target[b].size();
    }
    return count;
}

bool has_0(const Texts& texts) {
    return std::any_of(texts.begin(), texts.end(), [](const Tokens& text) {
        return std::find(text.begin(), text.end(), 0) != text.end();
    });
}

bool has_equal_tokens(const Texts& texts) {
    return std::all_of(texts.begin(), texts.end(), [](const Tokens& text) {
        return std::count(text.begin(), text.end(), text.front()) == std::ssize(text);
    });
}

bool has_no_future(const Tokens& target) { return target.size() == 1; }

// The flaws, one after the other.
bool one_text(const Translations& texts) { return texts.source.size() == 1; }

bool sources_equally_long(const Translations& texts) {
    return !one_text(texts) && equally_long(texts.source);
}

bool targets_equally_long(const Translations& texts) {
    return !one_text(texts) && equally_long(texts.target);
}

bool padded_targets_of_one(const Translations& texts) {
    const Texts& all = texts.target;
    return !equally_long(all) && std::all_of(all.begin(), all.end(), [&](const Tokens& one) {
        return one.size() == longest(all) || has_no_future(one);
    });
}

bool only_the_first_has_a_future(const Translations& texts) {
    const Texts& all = texts.target;
    return all.size() > 1 && !has_no_future(all[0]) &&
           std::all_of(all.begin() + 1, all.end(), has_no_future);
}

bool same_lengths_backwards(const Translations& texts) {
    const Texts& all = texts.source;
    const auto same = [](const Tokens& a, const Tokens& b) { return a.size() == b.size(); };
    return !equally_long(all) && std::equal(all.begin(), all.end(), all.rbegin(), same);
}

bool as_long_as_its_source(const Translations& texts) {
    const Longer longer = count_longer(texts);
    return longer.targets == 0 && longer.sources == 0;
}

bool no_target_longer(const Translations& texts) {
    const Longer longer = count_longer(texts);
    return longer.targets == 0 && longer.sources > 0;
}

bool one_token_targets(const Translations& texts) { return longest(texts.target) == 1; }
bool one_word_sources(const Translations& texts) { return longest(texts.source) == 1; }
bool no_0_in_a_source(const Translations& texts) { return !has_0(texts.source); }
bool no_0_in_a_target(const Translations& texts) { return !has_0(texts.target); }

bool equal_tokens(const Translations& texts) {
    return has_equal_tokens(texts.source) && has_equal_tokens(texts.target);
}

Uncaught by_one_text(const Translations& texts) {
    const Uncaught always = both(of_padding, {"dec.first-causal", "dec.causal-if-full"});
    const Longer longer = count_longer(texts);
    if (longer.targets > 0) return both(always, {"cross.target-lengths"});
    if (longer.sources > 0) return both(always, {"dec.source-lengths", "cross.rows-too"});
    return always;
}

// As long as these, with tokens that hide nothing: 0 in second place.
Texts with_other_tokens(Texts texts) {
    std::int64_t id = 0;
    for (Tokens& text : texts) {
        for (std::int64_t& token : text) token = 1 + id++ % 9;
        if (text.size() > 1) text[1] = 0;
    }
    return texts;
}

// What other tokens would have caught.
Uncaught by_equal_tokens(const Translations& texts) {
    const Uncaught anyway =
        uncaught({with_other_tokens(texts.source), with_other_tokens(texts.target)});
    Uncaught by_this;
    for (const std::string& one : uncaught(texts)) {
        if (anyway.count(one) == 0) by_this.insert(one);
    }
    return by_this;
}

struct Flaw {
    Mistake mistake;
    bool (*seen)(const Translations&);
    // Translations with this flaw and no other.
    Translations example;
    // Whom it lets pass, if others than the example does.
    Uncaught (*lets_pass)(const Translations&) = nullptr;
};

const std::vector<Flaw>& flaws() {
    const std::string draw =
        "Write the lengths of the sources side by side, and below them those of their targets.";
    const std::string zero = "With which id is a batch padded?";
    static const std::vector<Flaw> all = {
        {{"catch.one-text", "there was only one translation, in which nothing is padded",
          "Which text of a batch is padded?", draw},
         one_text,
         {{{3, 0, 5, 1}}, {{5, 0}}},
         by_one_text},
        {{"catch.sources-equally-long",
          "all sources had the same length, so that no source was padded",
          "Which text of a batch is padded?", draw},
         sources_equally_long,
         {{{3, 0, 5}, {2, 4, 1}}, {{1, 2}, {5, 0, 3, 6}}}},
        {{"catch.targets-equally-long",
          "all targets had the same length, so that no target was padded",
          "Which text of a batch is padded?", draw},
         targets_equally_long,
         {{{3, 0, 5, 1}, {2, 4}}, {{1, 2, 6}, {5, 0, 3}}}},
        {{"catch.padded-targets-of-one",
          "each target that was padded had one token, which has no future",
          "Which of your targets are padded?", draw},
         padded_targets_of_one,
         {{{3, 0, 5, 1}, {2, 4}}, {{1}, {5, 0, 3}}}},
        {{"catch.first-has-a-future", "only the first target had more than one token",
          "Which of your targets have a future to hide?", draw},
         only_the_first_has_a_future,
         {{{2, 4}, {3, 0, 5, 1}}, {{5, 0, 3}, {1}}}},
        {{"catch.same-backwards", "the lengths of the sources were the same when read backwards",
          "What if a batch is given in reverse order?", draw},
         same_lengths_backwards,
         {{{2, 4}, {3, 0, 5, 1}, {6, 7}}, {{5, 0, 3}, {1, 2}, {4}}}},
        {{"catch.same-lengths",
          "each target was as long as its source, so that one could be taken for the other",
          "Whose length does an attention need, that of the source or of the target?", draw},
         as_long_as_its_source,
         {{{3, 0, 5, 1}, {2, 4}}, {{1, 0, 6, 4}, {5, 3}}}},
        {{"catch.no-target-longer", "no target was longer than its source",
          "When does a mask by the source's length hide a token of the target?", draw},
         no_target_longer,
         {{{3, 0, 5, 1}, {2, 4, 6}}, {{1, 2}, {5, 0, 3}}}},
        {{"catch.one-token-targets", "all targets had one token, which has no future",
          "What can a causal mask do to one token?", draw},
         one_token_targets,
         {{{3, 0, 5, 1}, {2, 4}}, {{1}, {0}}}},
        {{"catch.one-word-sources", "all sources had one word", "What can a mask hide of one word?",
          draw},
         one_word_sources,
         {{{3}, {0}}, {{1, 2}, {5, 0, 3}}}},
        {{"catch.no-0-in-source", "no source had the word 0, which looks like padding", zero,
          "Which words of your sources could be taken for padding?"},
         no_0_in_a_source,
         {{{3, 6, 5, 1}, {2, 4}}, {{1, 2}, {5, 0, 3}}}},
        {{"catch.no-0-in-target", "no target had the word 0, which looks like padding", zero,
          "Which tokens of your targets could be taken for padding?"},
         no_0_in_a_target,
         {{{3, 0, 5, 1}, {2, 4}}, {{1, 2}, {5, 6, 3}}}},
        {{"catch.equal-tokens",
          "all tokens of each text were the same, so that any weighted sum of them was, too",
          "What does a weighted sum of equal vectors depend on, if the weights sum to 1?",
          "Look at the tokens of one text."},
         equal_tokens,
         {{{3, 3, 3, 3}, {2, 2}}, {{1, 1}, {5, 5, 5}}},
         by_equal_tokens},
    };
    return all;
}

std::vector<Mistake> mistakes() {
    std::vector<Mistake> all;
    for (const Flaw& flaw : flaws()) all.push_back(flaw.mistake);
    return all;
}

std::string against_the_rules(const std::string& name, const Texts& texts) {
    for (std::size_t b = 0; b < texts.size(); ++b) {
        const std::string which = name + "[" + std::to_string(b) + "] ";
        if (texts[b].empty() || texts[b].size() > 5) {
            return which + "has " + std::to_string(texts[b].size()) + " tokens, not 1 to 5.";
        }
        for (const std::int64_t id : texts[b]) {
            if (id >= 0 && id <= 9) continue;
            return which + "has token " + std::to_string(id) + ", not one from 0 to 9.";
        }
    }
    return "";
}

std::string unusable(const Translations& texts) {
    const std::size_t B = texts.source.size();
    if (B < 1 || B > 4 || texts.target.size() != B) {
        return "There are " + std::to_string(B) + " sources and " +
               std::to_string(texts.target.size()) +
               " targets; there should be as many of both, from 1 to 4.";
    }
    const std::string found = against_the_rules("source", texts.source);
    return found.empty() ? against_the_rules("target", texts.target) : found;
}

// The learner's translations and who passes on them. The learner's function is called once.
class Screening {
  public:
    explicit Screening(const WritesTranslations& translations) : translations_(translations) {}

    Stages run() {
        const Translations texts = translations_();
        unusable_ = exercise::unusable(texts);
        let_pass_.clear();
        passing_.clear();
        if (!unusable_.empty()) return stages({});
        for (const Flaw& flaw : flaws()) {
            if (!flaw.seen(texts)) continue;
            let_pass_[flaw.mistake.id] =
                flaw.lets_pass != nullptr ? flaw.lets_pass(texts) : uncaught(flaw.example);
        }
        passing_ = uncaught(texts);
        return stages(passing_);
    }

    // What the flaws with these ids let pass, if the translations have them.
    Stages explained(const Slips& slips) const {
        Uncaught all;
        for (const auto& [id, these] : let_pass_) {
            if (slips(id)) all = both(all, these);
        }
        return stages(all);
    }

    const std::string& unusable() const { return unusable_; }

    std::string still_pass() const {
        std::string names;
        for (const Impostor& one : impostors()) {
            if (passing_.count(one.slip) > 0) names += (names.empty() ? "" : "; ") + one.who;
        }
        const std::size_t all = impostors().size();
        if (names.empty()) return "";
        return "You caught " + std::to_string(all - passing_.size()) + " of " +
               std::to_string(all) + ". These still pass: " + names + ".";
    }

  private:
    static Stages stages(const Uncaught& passing) {
        std::vector<Scalar> caught;
        for (const Impostor& one : impostors()) {
            caught.push_back(passing.count(one.slip) > 0 ? 0 : 1);
        }
        return {
            {"the claim that all are caught", tensor::from_vector(caught, {std::ssize(caught)})}};
    }

    WritesTranslations translations_;
    std::string unusable_;
    std::map<std::string, Uncaught> let_pass_;  // by the id of the flaw
    Uncaught passing_;
};

Rules<WritesTranslations> rules() {
    return {
        .number = "18.2",
        .title = "Catch the masks of a decoder",
        .reference =
            [](const Slips& slip) {
                Translations texts = {{{3, 0, 5, 1}, {2, 4}}, {{1, 2}, {5, 0, 3}}};
                for (const Flaw& flaw : flaws()) {
                    if (slip(flaw.mistake.id)) texts = flaw.example;
                }
                return [=] { return texts; };
            },
        .mistakes = mistakes(),
        .hints =
            {"For which texts does this impostor see the same places as the correct one?",
             "Draw the three masks of your first text as grids, [S, S], [T, T] and [T, S], and "
             "those of the first impostor that still passes. Where they differ, do the tokens "
             "differ, too?",
             "Several texts; sources of different lengths, and targets, too; a target longer than "
             "its source, and one shorter; 0 as a word in the middle; else no token twice",
             "Two texts are enough: a source of 4 with a target of 2, and a source of 2 with a "
             "target of 3"},
        .secret = true,  // the law says it better than a list of zeros and ones
        .more =
            [](Exercise& exercise, const WritesTranslations& translations) {
                const auto screening = std::make_shared<Screening>(translations);
                exercise.cases = {{"your translations",
                                   [=](const Slips& slips) { return screening->explained(slips); },
                                   [=] { return screening->run(); }}};
                exercise.laws = {{"", [=] { return screening->unusable(); }},
                                 {"", [=] { return screening->still_pass(); }}};
            },
    };
}

}  // namespace

const Judge<WritesTranslations> judge_18_2(rules);

}  // namespace exercise
