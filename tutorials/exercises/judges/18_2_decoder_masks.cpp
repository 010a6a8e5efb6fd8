#include "tutorials/exercises/judges/18_2_decoder_masks.h"

#include "tutorials/exercises/judges/18_2_decoder_masks_impostors.h"

#include "tensor/factories.h"

#include <memory>
#include <optional>

using namespace heed;

namespace exercise {

namespace {

using Texts = std::vector<std::vector<std::int64_t>>;

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
class Confrontation {
  public:
    explicit Confrontation(const std::function<Translations()>& translations)
        : translations_(translations) {}

    Stages run() {
        texts_ = translations_();
        unusable_ = exercise::unusable(*texts_);
        passing_ = unusable_.empty() ? uncaught(*texts_) : Uncaught{};
        return stages(passing_);
    }

    // What the flaws with these ids let pass, if the translations have them.
    Stages explained(const Slips& slips) const {
        Uncaught all;
        for (const DecoderFlaw& flaw : decoder_flaws()) {
            if (!slips(flaw.mistake.id) || !texts_ || !unusable_.empty()) continue;
            const Uncaught by_this = flaw.lets_pass(*texts_);
            all.insert(by_this.begin(), by_this.end());
        }
        return stages(all);
    }

    const std::string& unusable() const { return unusable_; }

    std::string still_pass() const {
        std::string names;
        for (const DecoderImpostor& one : decoder_impostors()) {
            if (passing_.count(one.slip) > 0) names += (names.empty() ? "" : "; ") + one.who;
        }
        const std::size_t all = decoder_impostors().size();
        if (names.empty()) return "";
        return "You caught " + std::to_string(all - passing_.size()) + " of " +
               std::to_string(all) + ". These still pass: " + names + ".";
    }

  private:
    static Stages stages(const Uncaught& passing) {
        std::vector<Scalar> caught;
        for (const DecoderImpostor& one : decoder_impostors()) {
            caught.push_back(passing.count(one.slip) > 0 ? 0 : 1);
        }
        return {
            {"the claim that all are caught", tensor::from_vector(caught, {std::ssize(caught)})}};
    }

    std::function<Translations()> translations_;
    std::optional<Translations> texts_;
    std::string unusable_;
    Uncaught passing_;
};

}  // namespace

Exercise decoder_masks(const std::function<Translations()>& translations) {
    Exercise exercise;
    exercise.number = "18.2";
    exercise.title = "Catch the masks of a decoder";
    const auto confrontation = std::make_shared<Confrontation>(translations);
    exercise.cases = {{"your translations",
                       [=](const Slips& slips) { return confrontation->explained(slips); },
                       [=] { return confrontation->run(); }}};
    exercise.laws = {{"", [=] { return confrontation->unusable(); }},
                     {"", [=] { return confrontation->still_pass(); }}};
    for (const DecoderFlaw& flaw : decoder_flaws()) exercise.mistakes.push_back(flaw.mistake);
    exercise.secret = true;  // the law says it better than a list of zeros and ones
    exercise.hints = {
        "For which texts does this impostor see the same places as the correct one?",
        "Draw the three masks of your first text as grids, [S, S], [T, T] and [T, S], and those of "
        "the first impostor that still passes. Where they differ, do the tokens differ, too?",
        "Several texts; sources of different lengths, and targets, too; a target longer than its "
        "source, and one shorter; 0 as a word in the middle; else no token twice",
        "Two texts are enough: a source of 4 with a target of 2, and a source of 2 with a target "
        "of 3"};
    return exercise;
}

namespace {

Translations flawed(const Slips& slip) {
    if (slip("catch.one-text")) return {{{3, 0, 5, 1}}, {{5, 0}}};
    if (slip("catch.sources-equally-long")) return {{{3, 0, 5}, {2, 4, 1}}, {{1, 2}, {5, 0, 3, 6}}};
    if (slip("catch.targets-equally-long")) return {{{3, 0, 5, 1}, {2, 4}}, {{1, 2, 6}, {5, 0, 3}}};
    if (slip("catch.same-lengths")) return {{{3, 0, 5, 1}, {2, 4}}, {{1, 0, 6, 4}, {5, 3}}};
    if (slip("catch.padded-targets-of-one")) return {{{3, 0, 5, 1}, {2, 4}}, {{1}, {5, 0, 3}}};
    if (slip("catch.first-has-a-future")) return {{{2, 4}, {3, 0, 5, 1}}, {{5, 0, 3}, {1}}};
    if (slip("catch.same-backwards")) {
        return {{{2, 4}, {3, 0, 5, 1}, {6, 7}}, {{5, 0, 3}, {1, 2}, {4}}};
    }
    if (slip("catch.no-target-longer")) return {{{3, 0, 5, 1}, {2, 4, 6}}, {{1, 2}, {5, 0, 3}}};
    if (slip("catch.one-token-targets")) return {{{3, 0, 5, 1}, {2, 4}}, {{1}, {0}}};
    if (slip("catch.one-word-sources")) return {{{3}, {0}}, {{1, 2}, {5, 0, 3}}};
    if (slip("catch.no-0-in-source")) return {{{3, 6, 5, 1}, {2, 4}}, {{1, 2}, {5, 0, 3}}};
    if (slip("catch.no-0-in-target")) return {{{3, 0, 5, 1}, {2, 4}}, {{1, 2}, {5, 6, 3}}};
    if (slip("catch.equal-tokens")) return {{{3, 3, 3, 3}, {2, 2}}, {{1, 1}, {5, 5, 5}}};
    return {{{3, 0, 5, 1}, {2, 4}}, {{1, 2}, {5, 0, 3}}};
}

}  // namespace

Trials decoder_masks_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return decoder_masks([=] { return flawed(slip); }); };
    trials.right["three texts"] = [] {
        return decoder_masks([] {
            return Translations{{{7, 8}, {0, 2, 9, 4, 1}, {6}}, {{3, 0, 1, 2}, {8, 5}, {9, 4}}};
        });
    };
    trials.right["the padded source first"] = [] {
        return decoder_masks([] {
            return Translations{{{9, 0}, {1, 2, 3}}, {{4, 0, 5, 6}, {7, 8}}};
        });
    };
    return trials;
}

}  // namespace exercise
