// Lesson 13: sentences whose alignment is known, and three translators over the length of the
// sentences (13.3, 13.4).
#include "tutorials/13_alignment/parts.h"
#include "tutorials/13_alignment/said.h"

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

const int steps = 600;

// The lengths of the curve, then those of the sentences that see_it_forget() prints.
std::vector<LengthRange> all_lengths() {
    std::vector<LengthRange> lengths = curve_lengths;
    for (const Translation& text : shown_sentences()) {
        const std::int64_t words = static_cast<std::int64_t>(text.spanish.size());
        lengths.push_back({words, words});
    }
    return lengths;
}

// The numbers of the model that its logits depend on.
std::int64_t parameters_used(Translator& model, const Pairs& pairs) {
    zero_grad(model);
    sum(follow(model, pairs).logits).backward();
    std::int64_t used = 0;
    for (const NamedParameter& named : parameters(model)) {
        if (named.parameter.has_grad()) used += named.parameter.value().numel();
    }
    zero_grad(model);
    return used;
}

void compare_sizes(Translators& models) {
    const Pairs one = pairs_of({cow_on_the_bridge()}, languages_of_grammar());
    const std::int64_t of_vector = parameters_used(models.one_vector, one);
    const std::int64_t of_looking = parameters_used(models.attention, one);
    const std::int64_t of_place = parameters_used(models.with_place, one);
    print_row(std::cout, "parameters in use",
              {std::to_string(of_vector), std::to_string(of_looking), std::to_string(of_place)}, 24,
              9);
    std::cout << "\n";
    check(of_vector == of_looking && of_place == of_looking + 5,
          "size does not decide: the first two use as many parameters, the third five more");
}

}  // namespace

Material known_alignments(Random& random) {
    section("13.3 Sentences whose alignment is known");
    say("A small grammar makes Spanish sentences with their English (grammar.cpp), and knows "
        "which Spanish word each English word comes from. Adjectives change places with their "
        "nouns, so lines cross; a pronoun may be missing; and \"sobre\" is on, about, or an "
        "envelope:");
    draw_alignment(std::cout, cow_on_the_bridge());
    std::cout << "\n";
    draw_alignment(std::cout, {{"leemos", "un", "libro", "sobre", "perros"},
                               {"we", "read", "a", "book", "about", "dogs"},
                               {0, 0, 1, 2, 3, 4}});
    std::cout << "\n";
    draw_alignment(std::cout, {{"compra", "el", "sobre", "blanco"},
                               {"he", "buys", "the", "white", "envelope"},
                               {0, 0, 1, 3, 2}});
    std::cout << "\n";
    say("A new sentence has to be new. Of sentences drawn after those to learn from, most short "
        "ones have been learned, and a translator that only remembers them looks good. So the "
        "sentences to ask for are drawn first, 100 for each range of lengths, and none of them is "
        "learned. How many of 100 are among 10,000 sentences to learn from, if they are drawn "
        "after these, and if they are drawn first?");
    const Material material = random_material(all_lengths(), random);
    const std::vector<Translation> any = translations(10'000, 3, 12, random);
    std::int64_t asked_and_learned = count_learned(shown_sentences(), material.learned);
    for (const std::vector<Translation>& asked : material.asked) {
        asked_and_learned += count_learned(asked, material.learned);
    }
    std::vector<std::int64_t> after;
    std::vector<std::string> ranges, drawn_after, drawn_first;
    for (std::size_t i = 0; i < curve_lengths.size(); ++i) {
        const auto [fewest, most] = curve_lengths[i];
        ranges.push_back(in_words(curve_lengths[i]));
        after.push_back(count_learned(translations(100, fewest, most, random), any));
        drawn_after.push_back(std::to_string(after.back()));
        drawn_first.push_back(std::to_string(count_learned(material.asked[i], material.learned)));
    }
    print_row(std::cout, "Spanish words", ranges, 24, 5);
    print_row(std::cout, "drawn afterwards", drawn_after, 24, 5);
    print_row(std::cout, "drawn first", drawn_first, 24, 5);
    std::cout << "\n";
    check(after[0] > 50, "drawn afterwards, more than half of the shortest have been learned");
    check(asked_and_learned == 0, "no sentence that is asked for, here or below, is learned");
    return material;
}

Translators the_longer_the_sentence(const Material& material, Random& random) {
    section("13.4 The longer the sentence");
    say("Three translators, each with an encoder that reads both ways, trained on the same 10,000 "
        "sentences of 3 to 12 words, in 600 batches of 32. The first decodes from one vector of 64 "
        "numbers. The second has attention, with equation 1's division by $√d$. The third adds to "
        "its scores where it looked one step before (Chorowski et al. 2015): five parameters more, "
        "for what a weight three places before a word, to one place after it, adds to its score.");
    tutorial::predict_choice("One vector, sentences of 10 to 12 words, as in training: right are",
                             {"nearly all", "one of two", "fewer than one of five"},
                             "fewer than one of five",
                             "Short sentences fit in 64 numbers, long ones do not.");
    const Corpus corpus(material.learned, languages_of_grammar());
    Translators models{trained_translator(Sees::last_state, corpus, steps, random),
                       trained_translator(Sees::states, corpus, steps, random),
                       trained_translator(Sees::states_and_place, corpus, steps, random), material};
    compare_sizes(models);
    say("The share of sentences translated right, in every word, of those not learned:");
    const std::vector<std::vector<Translation>> asked(
        material.asked.begin(),
        material.asked.begin() + static_cast<std::ptrdiff_t>(curve_lengths.size()));
    const Curve one = curve_of("one vector", models.one_vector, asked);
    const Curve looks = curve_of("attention", models.attention, asked);
    const Curve remembers = curve_of("place, too", models.with_place, asked);
    print_curves(std::cout, curve_lengths, {one, looks, remembers});
    std::cout << "\n";
    draw_curves(std::cout, curve_lengths, {one, looks, remembers});
    tutorial::draw_in_place_of_characters(curves_svg(curve_lengths, {one, looks, remembers}));
    std::cout << "\n";
    const Tensor longest =
        tensor::of({one.shares.back(), looks.shares.back(), remembers.shares.back()});
    stop("13.4 curve", {{"longest", longest}});
    check(one.shares[0] > 0.6 && one.shares[2] < 0.45,
          "one vector: right on short sentences, wrong on long ones, although it was trained on "
          "them");
    check(looks.shares[0] > 0.85 && looks.shares[1] > 0.85 && looks.shares[2] > 0.85,
          "attention: right at all lengths of the training");
    check(looks.shares[4] < 0.4, "beyond them it loses its place: every \"y\" looks like another");
    check(remembers.shares.back() > 0.85,
          "remembering its place, it is right even at twice the length");
    say("That is one training of each. With --seed 1 to 12, median and range: one vector, "
        "7 to 9 words, 0.45 (0.35–0.50); attention, 10 to 12 words, 0.97 (0.94–1.00), and 13 to "
        "15, 0.49 (0.34–0.56); with its place, 22 to 24 words, 1.00.");
    return models;
}
