// Lesson 18: translators without recurrence, trained: how well they translate longer sentences,
// beside lesson 13's (18.3).
#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/13_alignment/said.h"
#include "tutorials/13_alignment/translator.h"
#include "tutorials/18_translation/parts.h"
#include "tutorials/support/display.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <algorithm>
#include <iostream>
#include <ostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

const int steps = 600;
const std::size_t trained = 3;  // ranges of lengths, the first

// The share of right translations for each range of lengths.
template <class Model>
std::vector<double> curve_of(const Model& model, const std::vector<Pairs>& tests) {
    const FastKernels fast;  // in a Debug build, too
    std::vector<double> curve;
    for (const Pairs& pairs : tests) {
        curve.push_back(right_share(translate(model, pairs.source, 45), pairs));
    }
    return curve;
}

double least(const std::vector<double>& curve, std::size_t ranges) {
    return *std::min_element(curve.begin(), curve.begin() + static_cast<std::ptrdiff_t>(ranges));
}

std::vector<Pairs> tests_of(const Material& material) {
    std::vector<Pairs> tests;
    for (const std::vector<Translation>& asked : material.asked) {
        tests.push_back(pairs_of(asked, languages_of_grammar()));
    }
    return tests;
}

struct Curves {
    std::vector<double> waves, apart;
    std::vector<std::vector<double>> bias;  // of each training
    std::vector<double> recurrent;
};

void check_curves(const Curves& of) {
    double least_12 = 1, least_24 = 1, most_24 = 0;
    for (const std::vector<double>& bias : of.bias) {
        least_12 = std::min(least_12, least(bias, trained));
        least_24 = std::min(least_24, bias[6]);
        most_24 = std::max(most_24, bias[6]);
    }
    check(least(of.waves, trained) > 0.9 && least_12 > 0.9,
          "as long as those they learned from: sinusoids and a bias everywhere translate");
    check(of.apart[3] < of.bias[0][3] - 0.2,
          "a bias within each language alone is worse from 13 words on");
    check(of.waves[6] < 0.05 && of.apart[6] < 0.05,
          "twice as long: neither of these two translates a sentence in twenty");
    check(least_24 > 0.2, "a bias everywhere still translates one in five, or more");
    check(of.recurrent[6] > 0.85 && of.recurrent[6] > most_24,
          "the recurrent translator is right on nearly all of them, and on more than any of the "
          "three");
}

template <class Model>
std::vector<std::string> said_by(const Model& model, const Translation& text) {
    const Pairs pairs = pairs_of({text}, languages_of_grammar());
    return words_of_ids(translate(model, pairs.source, 45)[0], languages_of_grammar().target);
}

void print_translations(const Orders& models, const Translator& recurrent,
                        const Material& material) {
    say("Four sentences of 5, 9, 14 and 22 or more words, none of them learned. A bar stands "
        "before "
        "the first wrong word:");
    const FastKernels fast;
    std::vector<Translation> texts = shown_sentences();
    texts.push_back(material.asked.back().front());
    for (const Translation& text : texts) {
        tutorial::print_wrapped(std::cout, "  ", "  ", text_of_words(text.spanish));
        print_said(std::cout, "sinusoids   ", said_by(models.by_waves, text), text.english);
        print_said(std::cout, "bias        ", said_by(models.by_bias[0], text), text.english);
        print_said(std::cout, "recurrent   ", said_by(recurrent, text), text.english);
        std::cout << "\n";
    }
}

}  // namespace

void print_lengths(std::ostream& out) {
    std::vector<std::string> cells;
    for (const LengthRange& range : curve_lengths) cells.push_back(in_words(range));
    print_row(out, "Spanish words", cells, 24, 6);
}

void print_shares(std::ostream& out, const std::string& what, const std::vector<double>& shares) {
    std::vector<std::string> cells;
    for (const double share : shares) cells.push_back(fixed(share, 2));
    print_row(out, what, cells, 24, 6);
}

Orders longer_sentences(Random& random) {
    section("18.3 Longer sentences");
    say("One layer on each side, four heads, d = 64, trained as lesson 13's translators: 600 "
        "batches of 32, from 10,000 sentences of 3 to 12 Spanish words. The share of right "
        "translations, on 100 sentences for each range of lengths, none of them learned, as in "
        "lesson 13. The order of the words is given in three ways: by the paper's sinusoids; by a "
        "bias for each distance (lesson 10) within Spanish and within English; by a bias in "
        "cross-attention, too, three times from different random numbers. The last row is lesson "
        "13's recurrent translator with attention that remembers its place.");
    tutorial::predict_choice("Which will still translate sentences of 22 to 24 words best?",
                             {"sinusoids", "bias within", "bias everywhere", "recurrent"},
                             "recurrent",
                             "It moves on from the word it just looked at, however long the "
                             "sentence is.");
    const Material material = random_material(curve_lengths, random);
    const Corpus corpus(material.learned, languages_of_grammar());
    Orders models{trained_translator(Order::sinusoids, corpus, steps, random), {}, {}};
    const Figure1 apart = trained_translator(Order::bias_within, corpus, steps, random);
    for (int training = 0; training < 3; ++training) {
        models.by_bias.push_back(trained_translator(Order::bias_everywhere, corpus, steps, random));
    }
    const Translator recurrent = trained_translator(Sees::states_and_place, corpus, steps, random);
    models.tests = tests_of(material);
    Curves curves{curve_of(models.by_waves, models.tests), curve_of(apart, models.tests), {}, {}};
    for (const Figure1& model : models.by_bias) {
        curves.bias.push_back(curve_of(model, models.tests));
    }
    curves.recurrent = curve_of(recurrent, models.tests);
    const Tensor right = tensor::of({curves.waves[6], curves.apart[6], curves.bias[0][6]});
    const Tensor right_at_12 = tensor::of({curves.waves[2], curves.apart[2], curves.bias[0][2]});
    stop("18.3 right", {{"right", right}, {"right_at_12", right_at_12}});
    print_lengths(std::cout);
    print_shares(std::cout, "sinusoids", curves.waves);
    print_shares(std::cout, "bias within a language", curves.apart);
    for (const std::vector<double>& bias : curves.bias) {
        print_shares(std::cout, "bias everywhere", bias);
    }
    print_shares(std::cout, "recurrent (13)", curves.recurrent);
    std::cout << "\n";
    check_curves(curves);
    print_translations(models, recurrent, material);
    say("So is attention all you need? To translate sentences as long as those it learned from, "
        "yes. For longer ones it needs to be told the order in a way that carries on. Places "
        "beyond the twelfth are new to sinusoids. Distances are the same as before, but all beyond "
        "4 share one bias here, so a word cannot tell how far behind it the other one is; and the "
        "bias has to reach cross-attention, where sinusoids get by themselves, since they are part "
        "of the vectors. What is gained is in 18.5: nothing waits.");
    return models;
}
