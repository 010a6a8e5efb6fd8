// Lesson 13: three translators, trained, how well they do over the length of the sentences, and
// where they look (13.3 to 13.5).
#include "tutorials/13_alignment/parts.h"

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/13_alignment/pictures.h"
#include "tutorials/13_alignment/translator.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

namespace {

const int steps = 600;
const std::vector<LengthRange> lengths = {{3, 6},   {7, 9},   {10, 12}, {13, 15},
                                          {16, 18}, {19, 21}, {22, 24}};

Translation cow_on_the_bridge() {
    return {{"la", "vaca", "negra", "salta", "sobre", "el", "puente"},
            {"the", "black", "cow", "jumps", "on", "the", "bridge"},
            {0, 2, 1, 3, 4, 5, 6}};
}

void show_sentences() {
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
}

struct Translators {
    Translator one_vector, attention, with_place;
};

Translators train_all(Random& random) {
    const Corpus corpus(translations(10'000, 3, 12, random), languages_of_grammar());
    return {trained_translator(Sees::last_state, corpus, steps, random),
            trained_translator(Sees::states, corpus, steps, random),
            trained_translator(Sees::states_and_place, corpus, steps, random)};
}

// The share of right translations for each range of lengths.
Curve curve_of(const std::string& name, const Translator& model, const std::vector<Pairs>& tests) {
    const FastKernels fast;
    Curve curve{name, {}};
    for (const Pairs& pairs : tests) {
        curve.shares.push_back(right_share(translate(model, pairs.source, 45), pairs));
    }
    return curve;
}

// The share of words aligned right, for each range of lengths.
Curve aligned_by(const std::string& name, const Translator& model,
                 const std::vector<Pairs>& tests) {
    const FastKernels fast;
    const NoGrad no_grad;
    Curve curve{name, {}};
    for (const Pairs& pairs : tests) {
        curve.shares.push_back(aligned_share(follow(model, pairs).weights.value(), pairs));
    }
    return curve;
}

void over_length(const Translators& models, const std::vector<Pairs>& tests) {
    section("13.4 The longer the sentence");
    say("Three translators, each with an encoder that reads both ways, trained on the same 10,000 "
        "sentences of 3 to 12 words, in 600 batches of 32. The first decodes from one vector. The "
        "second has attention, with equation 1's division by √d. The third adds to its scores "
        "where it looked one step before (Chorowski et al. 2015): five parameters more. The share "
        "of right translations of 100 new sentences for each length, right in every word:");
    tutorial::predict_choice("One vector, sentences of 10 to 12 words, as in training: right are",
                             {"nearly all", "one of two", "one of five"}, "one of five",
                             "Short sentences fit in 64 numbers, long ones do not.");
    const Curve one = curve_of("one vector", models.one_vector, tests);
    const Curve looks = curve_of("attention", models.attention, tests);
    const Curve remembers = curve_of("place, too", models.with_place, tests);
    print_curves(std::cout, lengths, {one, looks, remembers});
    std::cout << "\n";
    draw_curves(std::cout, lengths, {one, looks, remembers});
    std::cout << "\n";
    const Tensor longest =
        tensor::of({one.shares.back(), looks.shares.back(), remembers.shares.back()});
    stop("13.4 curve", {{"longest", longest}});
    check(count_parameters(models.one_vector) == count_parameters(models.with_place),
          "all three hold the same " + std::to_string(count_parameters(models.one_vector)) +
              " parameters, if not all in use");
    check(one.shares[0] > 0.85 && one.shares[2] < 0.5,
          "one vector: short sentences are right, long ones forgotten, though it trained on such");
    check(looks.shares[2] > 0.85, "attention: right at all lengths of the training");
    check(looks.shares[4] < 0.4, "beyond them it loses its place: every \"y\" looks like another");
    check(remembers.shares.back() > 0.85, "with a memory of the place: at twice the length, too");
}

std::vector<std::string> with_end(std::vector<std::string> words) {
    words.push_back("</s>");
    return words;
}

void where_it_looked(const Translators& models, const std::vector<Pairs>& tests) {
    section("13.5 Where it looked");
    say("Nobody told them which word comes from which: they saw pairs of sentences, no more. The "
        "share of English words whose largest weight is on the Spanish word they come from:");
    const Curve looks = aligned_by("attention", models.attention, tests);
    const Curve remembers = aligned_by("place, too", models.with_place, tests);
    print_curves(std::cout, lengths, {looks, remembers});
    std::cout << "\n";
    const double least = std::min({looks.shares[0], looks.shares[1], looks.shares[2]});
    check(least > 0.9, "attention aligns more than nine words of ten, at the lengths of training");
    check(remembers.shares.back() > 0.8, "the third does, or nearly, at twice the length");
    say("What it gets wrong is beside the word: the state of a neighbour, read both ways, tells of "
        "it, too. A sentence by the second:");

    const NoGrad no_grad;
    const Pairs one = pairs_of({cow_on_the_bridge()}, languages_of_grammar());
    const Tensor weights = tensor::select(follow(models.attention, one).weights.value(), 0, 0);
    Translation seen = cow_on_the_bridge();
    tutorial::print_heat_map(std::cout, with_end(seen.english), with_end(seen.spanish), weights);
    const IndexTensor largest = tensor::argmax(weights, -1);  // [T - 1]
    for (std::size_t j = 0; j < seen.source.size(); ++j) {
        seen.source[j] = largest(static_cast<std::int64_t>(j));
    }
    const double right = aligned_share(tensor::unsqueeze(weights, 0), one);
    stop("13.5 looked", {{"weights", weights}});
    std::cout << "The largest weight of each row, as a line:\n\n";
    draw_alignment(std::cout, seen);
    std::cout << "\n";
    check(right > 0.8, "the cow's crossing is found, and at most one word is not");
}

}  // namespace

void measure_translators(Random& random) {
    show_sentences();
    const Translators models = train_all(random);
    std::vector<Pairs> tests;
    for (const auto& [fewest, most] : lengths) {
        tests.push_back(pairs_of(translations(100, fewest, most, random), languages_of_grammar()));
    }
    over_length(models, tests);
    where_it_looked(models, tests);
}
