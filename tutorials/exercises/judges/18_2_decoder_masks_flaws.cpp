#include "tutorials/exercises/judges/18_2_decoder_masks_impostors.h"

#include <algorithm>

namespace exercise {

namespace {

using Texts = std::vector<std::vector<std::int64_t>>;
using Text = std::vector<std::int64_t>;

const Uncaught of_padding = {"enc.not-masked", "enc.as-first",    "cross.not-masked",
                             "cross.as-first", "cross.backwards", "cross.one-more"};

Uncaught both(Uncaught a, const Uncaught& b) {
    a.insert(b.begin(), b.end());
    return a;
}

std::size_t longest(const Texts& texts) {
    std::size_t most = 0;
    for (const Text& text : texts) most = std::max(most, text.size());
    return most;
}

bool equally_long(const Texts& texts) {
    return std::all_of(texts.begin(), texts.end(),
                       [&](const Text& text) { return text.size() == longest(texts); });
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
    return std::any_of(texts.begin(), texts.end(), [](const Text& text) {
        return std::find(text.begin(), text.end(), 0) != text.end();
    });
}

bool has_equal_tokens(const Texts& texts) {
    return std::all_of(texts.begin(), texts.end(), [](const Text& text) {
        return std::count(text.begin(), text.end(), text.front()) == std::ssize(text);
    });
}

Uncaught one_text(const Translations& texts) {
    if (texts.source.size() > 1) return {};
    const Uncaught always = both(of_padding, {"dec.first-causal", "dec.causal-if-full"});
    const Longer longer = count_longer(texts);
    if (longer.targets > 0) return both(always, {"cross.target-lengths"});
    if (longer.sources > 0) return both(always, {"dec.source-lengths", "cross.rows-too"});
    return always;
}

Uncaught sources_equally_long(const Translations& texts) {
    if (texts.source.size() < 2 || !equally_long(texts.source)) return {};
    return of_padding;
}

Uncaught targets_equally_long(const Translations& texts) {
    if (texts.target.size() < 2 || !equally_long(texts.target)) return {};
    return {"dec.causal-if-full"};
}

bool has_no_future(const Text& target) { return target.size() == 1; }

Uncaught padded_targets_of_one(const Translations& texts) {
    if (equally_long(texts.target)) return {};
    const bool all = std::all_of(texts.target.begin(), texts.target.end(), [&](const Text& one) {
        return one.size() == longest(texts.target) || has_no_future(one);
    });
    return all ? Uncaught{"dec.causal-if-full"} : Uncaught{};
}

Uncaught only_the_first_has_a_future(const Translations& texts) {
    const Texts& all = texts.target;
    if (all.size() < 2 || has_no_future(all[0])) return {};
    if (!std::all_of(all.begin() + 1, all.end(), has_no_future)) return {};
    return {"dec.first-causal", "dec.causal-if-full"};
}

Uncaught same_lengths_backwards(const Translations& texts) {
    if (equally_long(texts.source)) return {};
    const bool same = std::equal(texts.source.begin(), texts.source.end(), texts.source.rbegin(),
                                 [](const Text& a, const Text& b) { return a.size() == b.size(); });
    return same ? Uncaught{"cross.backwards"} : Uncaught{};
}

Uncaught as_long_as_its_source(const Translations& texts) {
    const Longer longer = count_longer(texts);
    if (longer.targets > 0 || longer.sources > 0) return {};
    return {"cross.target-lengths", "dec.source-lengths", "cross.rows-too"};
}

Uncaught no_target_longer(const Translations& texts) {
    const Longer longer = count_longer(texts);
    if (longer.targets > 0 || longer.sources == 0) return {};
    return {"dec.source-lengths", "cross.rows-too"};
}

Uncaught one_token_targets(const Translations& texts) {
    if (longest(texts.target) > 1) return {};
    return {"dec.not-causal",     "dec.next-too",       "dec.reversed",   "dec.first-causal",
            "dec.causal-if-full", "dec.source-lengths", "cross.rows-too", "cross.causal-at-end"};
}

Uncaught one_word_sources(const Translations& texts) {
    if (longest(texts.source) > 1) return {};
    return both(of_padding, {"enc.last-off", "enc.causal", "cross.causal", "cross.target-lengths"});
}

Uncaught no_0_in_a_source(const Translations& texts) {
    if (has_0(texts.source)) return {};
    return {"src.token-0"};
}

Uncaught no_0_in_a_target(const Translations& texts) {
    if (has_0(texts.target)) return {};
    return {"dec.token-0"};
}

// As long as these, with tokens that hide nothing: 0 in second place.
Texts with_other_tokens(Texts texts) {
    std::int64_t id = 0;
    for (Text& text : texts) {
        for (std::int64_t& token : text) token = 1 + id++ % 9;
        if (text.size() > 1) text[1] = 0;
    }
    return texts;
}

// What other tokens would have caught.
Uncaught equal_tokens(const Translations& texts) {
    if (!has_equal_tokens(texts.source) || !has_equal_tokens(texts.target)) return {};
    const Uncaught anyway =
        uncaught({with_other_tokens(texts.source), with_other_tokens(texts.target)});
    Uncaught by_this;
    for (const std::string& one : uncaught(texts)) {
        if (anyway.count(one) == 0) by_this.insert(one);
    }
    return by_this;
}

}  // namespace

std::vector<DecoderFlaw> decoder_flaws() {
    const std::string draw = "Write the lengths of the sources side by side, and below them those "
                             "of their targets.";
    const std::string zero = "With which id is a batch padded?";
    return {
        {{"catch.one-text",
          "there was only one translation, in which nothing is padded",
          {"Which text of a batch is padded?", draw}},
         one_text},
        {{"catch.sources-equally-long",
          "all sources had the same length, so that no source was padded",
          {"Which text of a batch is padded?", draw}},
         sources_equally_long},
        {{"catch.targets-equally-long",
          "all targets had the same length, so that no target was padded",
          {"Which text of a batch is padded?", draw}},
         targets_equally_long},
        {{"catch.padded-targets-of-one",
          "each target that was padded had one token, which has no future",
          {"Which of your targets are padded?", draw}},
         padded_targets_of_one},
        {{"catch.first-has-a-future",
          "only the first target had more than one token",
          {"Which of your targets have a future to hide?", draw}},
         only_the_first_has_a_future},
        {{"catch.same-backwards",
          "the lengths of the sources were the same when read backwards",
          {"What if a batch is given in reverse order?", draw}},
         same_lengths_backwards},
        {{"catch.same-lengths",
          "each target was as long as its source, so that one could be taken for the other",
          {"Whose length does an attention need, that of the source or of the target?", draw}},
         as_long_as_its_source},
        {{"catch.no-target-longer",
          "no target was longer than its source",
          {"When does a mask by the source's length hide a token of the target?", draw}},
         no_target_longer},
        {{"catch.one-token-targets",
          "all targets had one token, which has no future",
          {"What can a causal mask do to one token?", draw}},
         one_token_targets},
        {{"catch.one-word-sources",
          "all sources had one word",
          {"What can a mask hide of one word?", draw}},
         one_word_sources},
        {{"catch.no-0-in-source",
          "no source had the word 0, which looks like padding",
          {zero, "Which words of your sources could be taken for padding?"}},
         no_0_in_a_source},
        {{"catch.no-0-in-target",
          "no target had the word 0, which looks like padding",
          {zero, "Which tokens of your targets could be taken for padding?"}},
         no_0_in_a_target},
        {{"catch.equal-tokens",
          "all tokens of each text were the same, so that any weighted sum of them was, too",
          {"What does a weighted sum of equal vectors depend on, if the weights sum to 1?",
           "Look at the tokens of one text."}},
         equal_tokens},
    };
}

}  // namespace exercise
