// Lesson 18: where cross-attention looks (18.4).
#include "tutorials/18_translation/parts.h"

#include "nn/heed.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;
using Words = std::vector<std::string>;

namespace {

const std::int64_t num_heads = 4;

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

void by_length(const Orders& models, Random& random) {
    const std::vector<Pairs>& tests = models.tests;
    const Figure1& model = models.by_bias[0];
    section("18.4 Where cross-attention looks");
    say("Nobody told it which Spanish word an English one comes from. The share of English words "
        "with the largest weight on the right one, by each head, and by the mean of the weights of "
        "all four; below, the same mean in the model with sinusoids, and in one before training:");
    print_lengths(std::cout);
    double best_at_12 = 0;
    for (std::int64_t h = 0; h < num_heads; ++h) {
        const std::vector<double> by_head = aligned_by_head(model, h, tests);
        print_shares(std::cout, "bias everywhere: head " + std::to_string(h), by_head);
        best_at_12 = std::max(best_at_12, by_head[2]);
    }
    const std::vector<double> by_bias = aligned_by_mean(model, tests);
    const std::vector<double> by_waves = aligned_by_mean(models.by_waves, tests);
    const Figure1 untrained =
        new_translator(Order::bias_everywhere, languages_of_grammar(), random);
    const std::vector<double> by_chance = aligned_by_mean(untrained, tests);
    print_shares(std::cout, "mean of these heads", by_bias);
    print_shares(std::cout, "sinusoids, mean", by_waves);
    print_shares(std::cout, "not trained, mean", by_chance);
    const Tensor mean_weights = tensor::mean(cross_weights(model, tests[2]), 1);
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
    say("A row that looks elsewhere need not be wrong: the verb determines which \"sobre\" is "
        "meant, so \"about\" may well look there.");
}

}  // namespace

void where_cross_attention_looks(const Orders& models, Random& random) {
    by_length(models, random);
    crossings(models.by_bias[0]);
}
