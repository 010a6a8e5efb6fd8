// Lesson 18: translators without recurrence, trained: how well they translate longer sentences,
// beside lesson 13's (18.3).
#include "nn/heed.h"
#include "tutorials/13_alignment/said.h"
#include "tutorials/13_alignment/translator.h"
#include "tutorials/18_translation/parts.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

namespace {

const int steps = 600;

double least_of_trained(const Curve& curve) {
    return std::min({curve.shares[0], curve.shares[1], curve.shares[2]});
}

struct Curves {
    Curve waves, apart;
    std::vector<Curve> bias;  // of each training
    Curve recurrent;
};

void check_curves(const Curves& of) {
    double least_12 = 1, least_24 = 1, most_24 = 0;
    for (const Curve& bias : of.bias) {
        least_12 = std::min(least_12, least_of_trained(bias));
        least_24 = std::min(least_24, bias.shares[6]);
        most_24 = std::max(most_24, bias.shares[6]);
    }
    check(least_of_trained(of.waves) > 0.9 && least_12 > 0.9,
          "as long as those they learned from: sinusoids and a bias everywhere translate");
    check(of.apart.shares[3] < of.bias[0].shares[3] - 0.2,
          "a bias within each language alone is worse from 13 words on");
    check(of.waves.shares[6] < 0.05 && of.apart.shares[6] < 0.05,
          "twice as long: neither of these two translates a sentence in twenty");
    check(least_24 > 0.2, "a bias everywhere still translates one in five, or more");
    check(of.recurrent.shares[6] > 0.85 && of.recurrent.shares[6] > most_24,
          "the recurrent translator is right on nearly all of them, and on more than any of the "
          "three");
}

void print_translations(const Orders& models, const Translator& recurrent) {
    say("Four sentences of 5, 9, 14 and 22 or more words, none of them learned. A bar stands "
        "before the first wrong word:");
    std::vector<Translation> texts = shown_sentences();
    texts.push_back(models.material.asked.back().front());
    const auto by_waves = said_by(models.by_waves, texts);
    const auto by_bias = said_by(models.by_bias[0], texts);
    const auto by_recurrent = said_by(recurrent, texts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        tutorial::print_wrapped(std::cout, "  ", "  ", text_of_words(texts[i].spanish));
        print_said(std::cout, "sinusoids   ", by_waves[i], texts[i].english);
        print_said(std::cout, "bias        ", by_bias[i], texts[i].english);
        print_said(std::cout, "recurrent   ", by_recurrent[i], texts[i].english);
        std::cout << "\n";
    }
}

}  // namespace

Orders longer_sentences(Random& random) {
    section("18.3 Longer sentences");
    say("One layer on each side, four heads, $d = 64$, trained as lesson 13's translators: 600 "
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
    Orders models{trained_translator(Order::sinusoids, corpus, steps, random), {}, material};
    const Figure1 apart = trained_translator(Order::bias_within, corpus, steps, random);
    for (int training = 0; training < 3; ++training) {
        models.by_bias.push_back(trained_translator(Order::bias_everywhere, corpus, steps, random));
    }
    const Translator recurrent = trained_translator(Sees::states_and_place, corpus, steps, random);
    Curves curves{curve_of("sinusoids", models.by_waves, material.asked),
                  curve_of("bias within a language", apart, material.asked),
                  {},
                  curve_of("recurrent (13)", recurrent, material.asked)};
    for (const Figure1& model : models.by_bias) {
        curves.bias.push_back(curve_of("bias everywhere", model, material.asked));
    }
    const std::vector<double>&waves = curves.waves.shares, &within = curves.apart.shares,
          &bias = curves.bias[0].shares;
    const Tensor right = tensor::of({waves[6], within[6], bias[6]});
    const Tensor right_at_12 = tensor::of({waves[2], within[2], bias[2]});
    stop("18.3 right", {{"right", right}, {"right_at_12", right_at_12}});
    const std::vector<Curve> all = {curves.waves,   curves.apart,   curves.bias[0],
                                    curves.bias[1], curves.bias[2], curves.recurrent};
    print_curves(std::cout, curve_lengths, all);
    tutorial::draw(curves_svg(curve_lengths, all));
    std::cout << "\n";
    check_curves(curves);
    print_translations(models, recurrent);
    say("So is attention all you need? To translate sentences as long as those it learned from, "
        "yes. For longer ones it needs to be told the order in a way that carries on. Places "
        "beyond those of training are new to sinusoids. Distances are the same as before, but all "
        "beyond 4 share one bias here, so a word cannot tell how far behind it the other one is; "
        "and the bias has to reach cross-attention, where sinusoids get by themselves, since they "
        "are part of the vectors. What is gained is in 18.5: nothing waits.");
    return models;
}
