// Lesson 18: three translators without recurrence, trained: how well they translate longer
// sentences (18.3), and where one of them looks (18.4).
#include "tutorials/18_translation/parts.h"

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

namespace {

const int steps = 600;
const std::int64_t num_heads = 4;
const std::size_t num_ranges = 7;
const std::int64_t lengths[num_ranges][2] = {{3, 6},   {7, 9},   {10, 12}, {13, 15},
                                             {16, 18}, {19, 21}, {22, 24}};
const std::size_t trained = 3;  // ranges, the first

std::vector<Pairs> random_tests(Random& random) {
    std::vector<Pairs> tests;
    for (const auto& [fewest, most] : lengths) {
        tests.push_back(pairs_of(translations(100, fewest, most, random), languages_of_grammar()));
    }
    return tests;
}

void print_lengths() {
    std::vector<std::string> cells;
    for (const auto& [fewest, most] : lengths) {
        cells.push_back(std::to_string(fewest) + "-" + std::to_string(most));
    }
    print_row(std::cout, "Spanish words", cells, 24, 6);
}

void print_shares(const std::string& what, const std::vector<double>& shares) {
    std::vector<std::string> cells;
    for (const double share : shares) cells.push_back(fixed(share, 2));
    print_row(std::cout, what, cells, 24, 6);
}

// The share of right translations for each range of lengths.
std::vector<double> curve_of(const Figure1& model, const std::vector<Pairs>& tests) {
    const FastKernels fast;  // in a Debug build, too
    std::vector<double> curve;
    for (const Pairs& pairs : tests) {
        curve.push_back(right_share(translate(model, pairs.source, 45), pairs));
    }
    return curve;
}

struct Trained {
    Figure1 by_waves, by_bias;
};

Trained orders(const std::vector<Pairs>& tests, Random& random) {
    section("18.3 Longer sentences");
    say("One layer on each side, four heads, d = 64, trained as lesson 13's translators: 600 "
        "batches of 32, from 10,000 sentences of 3 to 12 Spanish words. The share of right "
        "translations, on 100 new sentences each; the columns are those of lesson 13's curve. The "
        "order of the words is told in three ways: by the paper's sinusoids; by a bias for each "
        "distance (lesson 10) within Spanish and within English; by a bias in cross-attention, "
        "too.");
    tutorial::predict_choice("Which will still translate sentences of 22 to 24 words?",
                             {"sinusoids", "bias within", "bias everywhere"}, "bias everywhere",
                             "Distances are as in short sentences. The places are not, and without "
                             "a bias in cross-attention nothing says where to go on.");
    const Corpus corpus(translations(10000, 3, 12, random), languages_of_grammar());
    const Figure1 waves = trained_translator(Order::sinusoids, corpus, steps, random);
    const Figure1 apart = trained_translator(Order::bias_within, corpus, steps, random);
    const Figure1 model = trained_translator(Order::bias_everywhere, corpus, steps, random);
    const std::vector<double> by_waves = curve_of(waves, tests), by_apart = curve_of(apart, tests);
    const std::vector<double> by_bias = curve_of(model, tests);
    const Tensor right = tensor::of({by_waves[6], by_apart[6], by_bias[6]});
    const Tensor right_at_12 = tensor::of({by_waves[2], by_apart[2], by_bias[2]});
    stop("18.3 right", {{"right", right}, {"right_at_12", right_at_12}});
    print_lengths();
    print_shares("sinusoids", by_waves);
    print_shares("bias within a language", by_apart);
    print_shares("bias everywhere", by_bias);
    std::cout << "\n";
    check(*std::min_element(by_waves.begin(), by_waves.begin() + trained) > 0.9 &&
              *std::min_element(by_bias.begin(), by_bias.begin() + trained) > 0.9,
          "as long as those they learned from: sinusoids and a bias everywhere translate");
    check(by_apart[2] < by_bias[2] - 0.1,
          "a bias within each language alone is worse already there");
    check(by_waves[6] < 0.05 && by_apart[6] < 0.05,
          "twice as long: neither of these two translates a sentence in twenty");
    check(by_bias[4] > 0.6 && by_bias[6] > 0.3,
          "a bias everywhere still translates three in ten, or more");
    say("Distances are the same in long sentences as in short ones; places beyond the twelfth are "
        "new. But the bias has to reach cross-attention: sinusoids get there by themselves, since "
        "they are part of the vectors.");
    return {waves, model};
}

// The share of those words only that come from an earlier Spanish word than the word before does:
// nouns after adjectives. weights [B, T - 1, S].
double crossing_share(const Tensor& weights, const Pairs& pairs) {
    const IndexTensor looked_at = tensor::argmax(weights, -1);  // [B, T - 1]
    double right = 0, words = 0;
    for (std::int64_t b = 0; b < weights.dim(0); ++b) {
        const std::vector<std::int64_t>& source = pairs.texts[static_cast<std::size_t>(b)].source;
        for (std::size_t j = 1; j < source.size(); ++j) {
            if (source[j] >= source[j - 1]) continue;
            ++words;
            right += looked_at(b, static_cast<std::int64_t>(j)) == source[j];
        }
    }
    return right / words;
}

// The share of aligned words for each range of lengths, by the mean of all heads' weights.
std::vector<double> aligned_by_mean(const Figure1& model, const std::vector<Pairs>& tests) {
    std::vector<double> shares;
    for (const Pairs& pairs : tests) {
        shares.push_back(aligned_share(tensor::mean(cross_weights(model, pairs), 1), pairs));
    }
    return shares;
}

std::vector<double> aligned_by_head(const Figure1& model, std::int64_t head,
                                    const std::vector<Pairs>& tests) {
    std::vector<double> shares;
    for (const Pairs& pairs : tests) {
        shares.push_back(
            aligned_share(tensor::select(cross_weights(model, pairs), 1, head), pairs));
    }
    return shares;
}

void where_it_looks(const Trained& models, const std::vector<Pairs>& tests, Random& random) {
    section("18.4 Where cross-attention looks");
    say("Nobody told it which Spanish word an English one comes from. The share of English words "
        "with the largest weight on the right one, by each head, and by the mean of the weights of "
        "all four; below, the same mean in the model with sinusoids, and in one before training:");
    print_lengths();
    double best_at_12 = 0;
    for (std::int64_t h = 0; h < num_heads; ++h) {
        const std::vector<double> by_head = aligned_by_head(models.by_bias, h, tests);
        print_shares("bias everywhere: head " + std::to_string(h), by_head);
        best_at_12 = std::max(best_at_12, by_head[2]);
    }
    const std::vector<double> by_bias = aligned_by_mean(models.by_bias, tests);
    const std::vector<double> by_waves = aligned_by_mean(models.by_waves, tests);
    const Figure1 untrained =
        new_translator(Order::bias_everywhere, languages_of_grammar(), random);
    const std::vector<double> by_chance = aligned_by_mean(untrained, tests);
    print_shares("mean of these heads", by_bias);
    print_shares("sinusoids, mean", by_waves);
    print_shares("not trained, mean", by_chance);
    const Tensor mean_weights = tensor::mean(cross_weights(models.by_bias, tests[2]), 1);
    const double crossing = crossing_share(mean_weights, tests[2]);
    std::cout << "\nat 10 to 12 words, of those that change places, by the mean: "
              << fixed(crossing, 2) << "\n\n";
    check(best_at_12 > 0.7, "one head alone shows where most words come from");
    check(by_bias[2] > 0.75, "and the four together where more than three in four do");
    check(by_chance[2] < 0.3, "which is learned: before training they do not");
    check(crossing > 0.6, "also where the order changes, as in \"the white envelope\"");
    check(by_bias[6] > 0.7 && by_waves[6] < 0.7,
          "in long sentences they still do; with sinusoids they lose their place");
}

void crossings(const Figure1& model) {
    say("A sentence of nine words, in which an adjective changes places with its noun, a pronoun "
        "comes out of a verb, and \"sobre\" is two things. The mean of the four heads:");
    const Translation text{
        {"compra", "el", "sobre", "blanco", "y", "ella", "habla", "sobre", "gatos"},
        {"he", "buys", "the", "white", "envelope", "and", "she", "talks", "about", "cats"},
        {0, 0, 1, 3, 2, 4, 5, 6, 7, 8}};
    const Pairs pairs = pairs_of({text}, languages_of_grammar());
    const Sentences said = translate(model, pairs.source, 45);
    const Tensor heads = tensor::select(cross_weights(model, pairs), 0, 0);  // [h, T, S]
    const Tensor weights = tensor::mean(heads, 0);                           // [T, S]
    stop("18.4 weights", {{"heads", heads}, {"weights", weights}});
    Words english = text.english, spanish = text.spanish;
    english.push_back("</s>");
    spanish.push_back("</s>");
    tutorial::print_heat_map(std::cout, english, spanish, weights);
    const IndexTensor looked_at = tensor::argmax(weights, -1);  // [T]
    std::int64_t aligned = 0;
    for (std::int64_t j = 0; j < 10; ++j) {
        aligned += looked_at(j) == text.source[static_cast<std::size_t>(j)];
    }
    std::cout << "it says: " << text_of(said[0], languages_of_grammar().target) << "\n"
              << aligned << " of these 10 words look most at the word they come from\n\n";
    check(right_share(said, pairs) == 1, "the translation is right");
    check(aligned >= 6, "most rows have their largest weight where they should");
    say("A row that looks elsewhere need not be wrong: it is the verb that tells which \"sobre\" "
        "is meant, so \"about\" may well look there.");
}

}  // namespace

Figure1 measured_translator(Random& random) {
    const std::vector<Pairs> tests = random_tests(random);
    const Trained models = orders(tests, random);
    where_it_looks(models, tests, random);
    crossings(models.by_bias);
    return models.by_bias;
}
